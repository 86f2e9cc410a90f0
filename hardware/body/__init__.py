"""The printed body: sizes, parts, checks and pictures. Needs manifold3d, trimesh and Pillow from
pip."""
