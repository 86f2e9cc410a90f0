"""Draws solids without OpenGL: an orthographic view with a depth buffer, flat shading and dark
edges."""

import pathlib
from collections.abc import Iterable

import numpy as np
from manifold3d import Manifold
from PIL import Image, ImageDraw, ImageFont

Colour = tuple[int, int, int]
Solid = tuple[Manifold, Colour]

_LIGHT = np.array([0.25, 0.45, 0.86])
_SMOOTH = 2  # drawn so many times larger, then made smaller


def _triangles(solid: Manifold) -> np.ndarray:
    """Corners of all faces: (n, 3, 3), mm."""
    mesh = solid.to_mesh()
    return np.asarray(mesh.vert_properties)[:, :3][np.asarray(mesh.tri_verts)]


def _turn(points: np.ndarray, around_deg: float, above_deg: float) -> np.ndarray:
    """World (x right, y away, z up) to picture (x right, y up, z towards the eye)."""
    a, e = np.radians(around_deg), np.radians(above_deg)
    spin = np.array([[np.cos(a), -np.sin(a), 0], [np.sin(a), np.cos(a), 0], [0, 0, 1]])
    x, y, z = np.moveaxis(points @ spin.T, -1, 0)
    up = z * np.cos(e) + y * np.sin(e)
    near = z * np.sin(e) - y * np.cos(e)
    return np.stack([x, up, near], axis=-1)


def draw(
    solids: Iterable[Solid],
    path: pathlib.Path,
    around_deg: float = -30,
    above_deg: float = 25,
    width: int = 800,
    height: int = 800,
    labels: Iterable[tuple[str, tuple[float, float, float], tuple[float, float]]] = (),
) -> None:
    """Writes a PNG. around_deg turns the things about z (positive: more of their left side),
    above_deg lifts the eye.

    labels: text, the point in mm that it names, where the text stands (shares of the picture's
    width and height).
    """
    faces, colours = [], []
    for solid, colour in solids:
        corners = _triangles(solid)
        faces.append(corners)
        colours.append(np.tile(np.array(colour, float), (len(corners), 1)))
    world = np.concatenate(faces)
    colour_of = np.concatenate(colours)
    seen = _turn(world, around_deg, above_deg)
    w, h = width * _SMOOTH, height * _SMOOTH
    low, high = seen.reshape(-1, 3).min(0), seen.reshape(-1, 3).max(0)
    scale = 0.92 * min(w / (high[0] - low[0]), h / (high[1] - low[1]))
    middle = (low + high) / 2

    def to_picture(points: np.ndarray) -> np.ndarray:
        flat = (points[..., :2] - middle[:2]) * scale
        return np.stack([flat[..., 0] + w / 2, h / 2 - flat[..., 1], points[..., 2]], axis=-1)

    shape = to_picture(seen)
    normal = np.cross(seen[:, 1] - seen[:, 0], seen[:, 2] - seen[:, 0])
    normal /= np.linalg.norm(normal, axis=1, keepdims=True) + 1e-12
    shade = 0.5 + 0.5 * np.clip(normal @ _LIGHT, 0, 1)
    depth = np.full((h, w), -np.inf)
    which = np.full((h, w), -1)
    for i in np.flatnonzero(normal[:, 2] > 1e-6):
        _fill(shape[i], int(i), depth, which)
    picture = np.full((h, w, 3), 255.0)
    hit = which >= 0
    picture[hit] = (colour_of * shade[:, None])[which[hit]]
    picture[_edges(depth, which, normal)] *= 0.45
    image = Image.fromarray(picture.astype(np.uint8)).resize((width, height), Image.Resampling.BOX)
    pen = ImageDraw.Draw(image)
    font = ImageFont.load_default(size=max(14, width // 55))
    for text, spot, where in labels:
        end = to_picture(_turn(np.array(spot, float), around_deg, above_deg))[:2] / _SMOOTH
        begin = (where[0] * width, where[1] * height)
        pen.line([begin, tuple(end)], fill=(20, 20, 20), width=2)
        pen.ellipse([end[0] - 4, end[1] - 4, end[0] + 4, end[1] + 4], fill=(20, 20, 20))
        box = pen.textbbox(begin, text, font=font, anchor="mm")
        pen.rectangle(
            [box[0] - 5, box[1] - 4, box[2] + 5, box[3] + 4],
            fill=(255, 255, 230),
            outline=(20, 20, 20),
        )
        pen.text(begin, text, font=font, anchor="mm", fill=(0, 0, 0))
    image.quantize(96).save(path, optimize=True)


def _fill(corner: np.ndarray, i: int, depth: np.ndarray, which: np.ndarray) -> None:
    """Puts one triangle into the depth buffer where it is the nearest."""
    h, w = depth.shape
    x0, y0 = np.maximum(np.floor(corner[:, :2].min(0)).astype(int), 0)
    x1 = min(int(np.ceil(corner[:, 0].max())) + 1, w)
    y1 = min(int(np.ceil(corner[:, 1].max())) + 1, h)
    if x1 <= x0 or y1 <= y0:
        return
    (ax, ay, az), (bx, by, bz), (cx, cy, cz) = corner
    area = (by - cy) * (ax - cx) + (cx - bx) * (ay - cy)
    if abs(area) < 1e-9:
        return
    x = np.arange(x0, x1)[None, :] + 0.5
    y = np.arange(y0, y1)[:, None] + 0.5
    u = ((by - cy) * (x - cx) + (cx - bx) * (y - cy)) / area
    v = ((cy - ay) * (x - cx) + (ax - cx) * (y - cy)) / area
    z = u * az + v * bz + (1 - u - v) * cz
    there = depth[y0:y1, x0:x1]
    win = (u >= -1e-6) & (v >= -1e-6) & (u + v <= 1 + 1e-6) & (z > there)
    there[win] = z[win]
    which[y0:y1, x0:x1][win] = i


def _edges(depth: np.ndarray, which: np.ndarray, normal: np.ndarray) -> np.ndarray:
    """Where depth jumps or the surface bends sharply between neighbouring points."""
    found = np.zeros(depth.shape, bool)
    flat = np.where(np.isfinite(depth), depth, -1e3)
    facing = normal[which]
    facing[which < 0] = 0
    solid = which >= 0
    for here, before in ((np.s_[1:], np.s_[:-1]), (np.s_[:, 1:], np.s_[:, :-1])):
        jump = np.abs(flat[here] - flat[before]) > 1.2
        bend = (facing[here] * facing[before]).sum(-1) < 0.6
        found[here] |= (jump | bend) & (solid[here] | solid[before])
    return found
