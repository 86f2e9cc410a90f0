"""What littlefs has to say of folders is twice in an image: any one block may be lost."""

import pytest
from littlefs import LittleFS, LittleFSError, UserContext

from host_tools.image import SECTOR_BYTES, Layout, make_filesystem, read_filesystem

LAYOUT = Layout(0, 160)
TREES = {
    "flat": {f"file-{n}": b"x" * n for n in range(0, 900, 90)},
    "deep": {"a/b/c/d/e": b"12", "a/b/x": b"3" * 9000, "a/y": b"", "z/z": b"4"},
    "large folder": {f"roboto/a-rather-long-name-{n}": bytes(100 + n) for n in range(60)},
}


def _readable(image: bytes) -> dict[str, bytes | None]:
    """The files of an image; None for what a file in damaged blocks holds."""
    filesystem = LittleFS(
        UserContext(buffer=bytearray(image)), block_size=SECTOR_BYTES,
        block_count=LAYOUT.n_blocks, read_size=32, prog_size=256, cache_size=1024,
    )  # fmt: skip
    there: dict[str, bytes | None] = {}
    for folder, _, names in filesystem.walk("/"):
        for name in names:
            path = f"{folder.rstrip('/')}/{name}"
            try:
                with filesystem.open(path, "rb") as file:
                    there[path[1:]] = file.read()
            except LittleFSError:
                there[path[1:]] = None
    return there


@pytest.mark.parametrize("tree", TREES)
@pytest.mark.parametrize("lost", [b"\xff" * SECTOR_BYTES, bytes(SECTOR_BYTES)])
def test_any_one_block_may_be_lost(tree, lost):
    files = TREES[tree]
    image = make_filesystem(files, LAYOUT)
    assert read_filesystem(image, LAYOUT) == files
    for block in range(LAYOUT.n_blocks):
        at = block * SECTOR_BYTES
        if image[at : at + SECTOR_BYTES] == b"\xff" * SECTOR_BYTES:
            continue
        there = _readable(image[:at] + lost + image[at + SECTOR_BYTES :])
        differ = [path for path in files if there.get(path) != files[path]]
        assert set(there) == set(files), block
        assert len(differ) <= 1, block


def test_a_file_system_that_is_nearly_full_is_made_all_the_same():
    layout = Layout(0, 24)
    files = {"roboto/app": bytes(4096 * 15), "main.py": b"1", "voice/en.pack": bytes(900)}
    assert read_filesystem(make_filesystem(files, layout), layout) == files
