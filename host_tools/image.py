"""One drag-and-drop file: a stock MicroPython UF2 and a littlefs full of files.

    stock = read_stock(Path("RPI_PICO-1.29.uf2").read_bytes())
    Path("roboto.uf2").write_bytes(merge(stock, {"main.py": b"...", "voice/es.pack": b"..."}))

Copying the result onto a Pico replaces its whole file system: what was recorded on it is gone.
The same input gives the same bytes. Where the file system lies is read from the stock UF2,
which states it in its "binary info" (pico-sdk, pico/binary_info/structure.h).
"""

import struct
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from littlefs import LittleFS, LittleFSError, UserContext

SECTOR_BYTES = 4096  # what the flash erases at once; also littlefs's block
PAGE_BYTES = 256

_FLASH_ADDRESS = 0x10000000
_FLASH_BYTES = 16 << 20  # the most that an RP2040 can have
_LEAST_BLOCKS = 8  # of a file system that holds anything
_RP2040_FAMILY = 0xE48BFF56
_UF2_BLOCK = struct.Struct("<8I476sI")
_UF2_START, _UF2_START_2, _UF2_END = 0x0A324655, 0x9E5D5157, 0x0AB16F30
_UF2_NOT_MAIN_FLASH, _UF2_HAS_FAMILY = 0x1, 0x2000

_INFO_START, _INFO_END = 0x7188EBF2, 0xE71AA390
_INFO_STRING, _INFO_BLOCK_DEVICE = 6, 7
_INFO_TAG_SDK = int.from_bytes(b"RP", "little")
_INFO_TAG_MICROPYTHON = int.from_bytes(b"MP", "little")
_INFO_VERSION, _INFO_BOARD = 0x11A9BC3A, 0xB63CFFBB


class ImageError(Exception):
    """What is wrong and what to do, in one line."""


# Every MicroPython reads 2.0; newer ones write 2.1 over it once they change something.
_DISK_VERSION = 0x00020000
_NEWEST = 0
_PASSING = "R"  # an attribute that nobody asks for
_INLINE_BYTES = SECTOR_BYTES // 8
_ENTRY_BYTES = 28  # of a file in its folder, beside its name; measured
_PAIR_BYTES = 1800  # littlefs splits a folder that fills half a block; measured


@dataclass(frozen=True)
class Layout:
    """Where in flash the file system lies."""

    start_byte: int
    n_blocks: int


PICO = Layout(0xA0000, 352)


@dataclass(frozen=True)
class Stock:
    """A stock MicroPython: its flash sectors by number, and what it says about itself."""

    sectors: dict[int, bytes]
    layout: Layout
    version: str  # such as "v1.29.0", or ""
    board: str  # such as "pico", or ""


def read_stock(uf2: bytes) -> Stock:
    """Take a stock MicroPython UF2 for the RP2040 apart. Raises ImageError."""
    sectors = read_uf2(uf2)
    layout, version, board = None, "", ""
    flash = _Flash(sectors)
    for kind, tag, address in flash.binary_info():
        if (kind, tag) == (_INFO_BLOCK_DEVICE, _INFO_TAG_MICROPYTHON):
            start, size = flash.word(address + 8) - _FLASH_ADDRESS, flash.word(address + 12)
            if (
                start % SECTOR_BYTES
                or size % SECTOR_BYTES
                or not 0 < start <= start + size <= _FLASH_BYTES
                or size < _LEAST_BLOCKS * SECTOR_BYTES
            ):
                raise ImageError(
                    f"this UF2 says that its file system lies where no flash is ({size} bytes at "
                    f"0x{start + _FLASH_ADDRESS:08X}): download it again"
                )
            layout = Layout(start, size // SECTOR_BYTES)
        elif (kind, tag) == (_INFO_STRING, _INFO_TAG_SDK):
            key, text = flash.word(address + 4), flash.text(flash.word(address + 8))
            version = text if key == _INFO_VERSION else version
            board = text if key == _INFO_BOARD else board
    if layout is None:
        raise ImageError(
            "this UF2 names no file system: take a MicroPython UF2 for the RP2040 (RPI_PICO)"
        )
    if max(sectors) * SECTOR_BYTES >= layout.start_byte:
        raise ImageError(
            "this UF2 has a file system already: take the stock MicroPython UF2 itself"
        )
    return Stock(sectors, layout, version, board)


def read_uf2(uf2: bytes) -> dict[int, bytes]:
    """Return the flash sectors, 4096 bytes each, that a UF2 for the RP2040 writes. Raises
    ImageError."""
    sectors: dict[int, bytearray] = {}
    blocks = list(_uf2_blocks(uf2))
    for flags, address, size, _, total, family, data in blocks:
        if flags & _UF2_NOT_MAIN_FLASH:
            continue
        if not flags & _UF2_HAS_FAMILY or family != _RP2040_FAMILY:
            raise ImageError(
                f"this UF2 is for another chip (family 0x{family:08X}): take the one for the "
                "RP2040 (RPI_PICO)"
            )
        if total != len(blocks):
            raise ImageError(
                f"this UF2 has {len(blocks)} blocks of {total}: download it again, it is cut short"
            )
        number, offset = divmod(address - _FLASH_ADDRESS, SECTOR_BYTES)
        there = 0 <= number < _FLASH_BYTES // SECTOR_BYTES
        if not there or size != PAGE_BYTES or offset % PAGE_BYTES:
            raise ImageError(
                f"this UF2 writes {size} bytes to 0x{address:08X}, which is not a page of flash"
            )
        sector = sectors.setdefault(number, bytearray(b"\xff" * SECTOR_BYTES))
        sector[offset : offset + size] = data[:size]
    if not sectors:
        raise ImageError("this UF2 writes nothing to flash: take a MicroPython UF2")
    return {number: bytes(sector) for number, sector in sorted(sectors.items())}


def write_uf2(sectors: Mapping[int, bytes]) -> bytes:
    """Return a UF2 that writes these flash sectors. They are whole, as the RP2040's boot ROM wants
    them (data sheet, errata E14), and their blocks are numbered anew."""
    pages_a_sector = SECTOR_BYTES // PAGE_BYTES
    total = len(sectors) * pages_a_sector
    blocks = []
    for number, sector in sorted(sectors.items()):
        for offset in range(0, SECTOR_BYTES, PAGE_BYTES):
            blocks.append(
                _UF2_BLOCK.pack(
                    _UF2_START,
                    _UF2_START_2,
                    _UF2_HAS_FAMILY,
                    _FLASH_ADDRESS + number * SECTOR_BYTES + offset,
                    PAGE_BYTES,
                    len(blocks),
                    total,
                    _RP2040_FAMILY,
                    sector[offset : offset + PAGE_BYTES],
                    _UF2_END,
                )
            )
    return b"".join(blocks)


def make_filesystem(files: Mapping[str, bytes], layout: Layout = PICO) -> bytes:
    """Return a littlefs image, n_blocks x 4096 bytes, holding the files by path. Raises
    ImageError."""
    context = UserContext(layout.n_blocks * SECTOR_BYTES)
    filesystem = _littlefs(context, layout, _DISK_VERSION)
    filesystem.format()
    filesystem.mount()
    for path, data in sorted(files.items()):
        folder = path.strip("/").rpartition("/")[0]
        try:
            if folder:
                filesystem.makedirs(folder, exist_ok=True)
            with filesystem.open(path, "wb") as file:
                file.write(data)
        except LittleFSError as error:
            if error.code != LittleFSError.Error.LFS_ERR_NOSPC:
                raise ImageError(f"{path}: {error}") from error
            needed = sum(map(len, files.values())) // 1024
            raise ImageError(
                f"the files ({needed} KB) do not fit the board's {layout.n_blocks * 4} KB: take "
                "fewer languages, an 8 kHz voice pack, or a board with more flash"
            ) from error
    _write_twice(filesystem)
    filesystem.unmount()
    return bytes(context.buffer)


def _write_twice(filesystem: LittleFS) -> None:
    """Have both blocks of each folder hold what is in it. littlefs writes to one of them until it
    is full, and begins the other then; until that has happened once, damage to the one block takes
    the folder away, and MicroPython gives the whole flash a new file system."""
    for at, folders, files in list(filesystem.walk("/")):
        # A large folder has several pairs of blocks, in the order of names.
        for name in [*folders, *files]:
            path = f"{at.rstrip('/')}/{name}"
            for _ in range(SECTOR_BYTES // PAGE_BYTES):  # a change takes a page at least
                filesystem.setattr(path, _PASSING, b"1")
            filesystem.removeattr(path, _PASSING)


def room_taken(sizes: Iterable[tuple[str, int]]) -> int:
    """Return about how many bytes of flash files of these paths and sizes take. A file takes whole
    blocks; a small one lies within its folder, and folders take pairs of blocks."""
    folder_bytes, n_blocks = {"": 0}, 0
    for path, n_bytes in sizes:
        folder, _, name = path.rpartition("/")
        inline = n_bytes if n_bytes <= _INLINE_BYTES else 0
        n_blocks += 0 if inline else -(-n_bytes // SECTOR_BYTES)
        folder_bytes[folder] = folder_bytes.get(folder, 0) + len(name) + _ENTRY_BYTES + inline
        while folder:
            folder = folder.rpartition("/")[0]
            folder_bytes.setdefault(folder, 0)
    n_pairs = sum(1 + n_bytes // _PAIR_BYTES for n_bytes in folder_bytes.values())
    return (n_blocks + 2 * n_pairs) * SECTOR_BYTES


def read_filesystem(image: bytes, layout: Layout = PICO) -> dict[str, bytes]:
    """Return the files of a littlefs image, by path. Raises ImageError."""
    return _read_everything(image, layout)[0]


def merge(stock: Stock, files: Mapping[str, bytes]) -> bytes:
    """Return the UF2 that puts MicroPython and these files on a board. Raises ImageError."""
    image = make_filesystem(files, stock.layout)
    # Free blocks are left out; littlefs erases them before it uses them. But a directory has two
    # blocks, one of them perhaps never written: it goes along, lest an older directory that lies
    # there on the board be taken for the newer one. Reading everything touches both.
    kept, used = _read_everything(image, stock.layout)
    if kept != dict(files):
        raise ImageError("the file system does not read back as it was written")
    first = stock.layout.start_byte // SECTOR_BYTES
    sectors = dict(stock.sectors)
    for block in used:
        sectors[first + block] = image[block * SECTOR_BYTES : (block + 1) * SECTOR_BYTES]
    return write_uf2(sectors)


class _RecordingContext(UserContext):
    """Notes the blocks that are read."""

    def __init__(self, image: bytes) -> None:
        super().__init__(buffer=bytearray(image))
        self.read_blocks: set[int] = set()

    def read(self, cfg, block: int, off: int, size: int) -> bytearray:
        self.read_blocks.add(block)
        return super().read(cfg, block, off, size)


def _read_everything(image: bytes, layout: Layout) -> tuple[dict[str, bytes], set[int]]:
    """All files, and the numbers of all blocks that it took to read them."""
    context = _RecordingContext(image)
    filesystem = _littlefs(context, layout, _NEWEST)
    files = {}
    try:
        filesystem.mount()
        for folder, _, names in filesystem.walk("/"):
            for name in names:
                path = f"{folder.rstrip('/')}/{name}".lstrip("/")
                with filesystem.open(path, "rb") as file:
                    files[path] = file.read()
    except LittleFSError as error:
        raise ImageError(f"not a readable littlefs image: {error}") from error
    return files, context.read_blocks


def _littlefs(context: UserContext, layout: Layout, disk_version: int) -> LittleFS:
    """As MicroPython mounts it on the RP2040. cache_size matters: files up to half of it lie
    within their directory, and are read whole only by a littlefs with as large a cache."""
    return LittleFS(
        context=context,
        mount=False,
        block_size=SECTOR_BYTES,
        block_count=layout.n_blocks,
        read_size=32,
        prog_size=PAGE_BYTES,
        cache_size=4 * PAGE_BYTES,
        lookahead_size=32,
        disk_version=disk_version,
    )


def _uf2_blocks(uf2: bytes) -> Iterable[tuple[int, int, int, int, int, int, bytes]]:
    """(flags, address, size, number, total, family, data) of each block."""
    if not uf2 or len(uf2) % _UF2_BLOCK.size:
        raise ImageError(
            f"not a whole UF2: {len(uf2)} bytes are no multiple of {_UF2_BLOCK.size}; "
            "download it again"
        )
    for start, start_2, *block, end in _UF2_BLOCK.iter_unpack(uf2):
        if (start, start_2, end) != (_UF2_START, _UF2_START_2, _UF2_END):
            raise ImageError("not a UF2 file: take a MicroPython UF2 for the RP2040 (RPI_PICO)")
        flags, address, size, number, total, family, data = block
        yield flags, address, size, number, total, family, data


class _Flash:
    """Reads words and texts at the addresses where they lie on the chip."""

    def __init__(self, sectors: Mapping[int, bytes]) -> None:
        self._sectors = sectors

    def bytes_at(self, address: int, n_bytes: int) -> bytes:
        number, offset = divmod(address - _FLASH_ADDRESS, SECTOR_BYTES)
        data = self._sectors.get(number, b"")[offset:] + self._sectors.get(number + 1, b"")
        return data[:n_bytes].ljust(n_bytes, b"\0")

    def word(self, address: int) -> int:
        return int.from_bytes(self.bytes_at(address, 4), "little")

    def text(self, address: int) -> str:
        return self.bytes_at(address, 80).split(b"\0")[0].decode("ascii", "replace")

    def binary_info(self) -> Iterable[tuple[int, int, int]]:
        """Yield (type, tag, address) of each entry. The table is announced within the first 256
        bytes after the 256 of the second-stage boot loader."""
        for address in range(_FLASH_ADDRESS + 256, _FLASH_ADDRESS + 512, 4):
            start, first, last, _, end = (self.word(address + 4 * i) for i in range(5))
            if start == _INFO_START and end == _INFO_END:
                for pointer in range(first, min(last, first + 4096), 4):
                    entry = self.word(pointer)
                    kind_and_tag = self.word(entry)
                    yield kind_and_tag & 0xFFFF, kind_and_tag >> 16, entry
                return
