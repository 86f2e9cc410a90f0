"""Lets the firmware's bytecode run where it lies in flash, instead of a copy of it on the heap.

MicroPython does so by itself where a port has VfsRom; the RP2040's has not. Bytecode names things
by their number in its module's table, so it may lie anywhere. Each module of the bundle hands its
body to link() before anything of it runs (host_tools/maker/mpy.py). What was just loaded is walked
through then, function by function, and each is pointed to the same bytes in flash; the copies are
garbage from then on.

It reaches into two structures of MicroPython's, mp_obj_fun_bc_t and mp_raw_code_t. So nothing is
believed: a pointer must lead into RAM, and a function is changed only where what it points to and
what lies in flash are the same, byte for byte. Whatever is not as expected leaves the copy in use.

It holds as long as nothing rewrites the bundle: an update is a rename and then a restart, and the
tools that do it never link.
"""

import os
from array import array

from uctypes import addressof, bytearray_at

from .relink import relink

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_FLASH = 0x10000000
_BLOCK_BYTES = 4096
_POINTER_BYTES = 4
_COUNT_BLOCKS, _BLOCK_SIZE = 4, 5  # what ioctl() is asked for
_EROFS = 30


class _Memory:
    """Reads the flash as littlefs does, and notes which block it looked at last."""

    def __init__(self, address: int) -> None:
        self._address = address
        self.last = 0

    def readblocks(self, block: int, buffer: bytearray, offset: int = 0) -> None:
        self.last = block
        n = len(buffer)
        buffer[:] = bytearray_at(self._address + block * _BLOCK_BYTES + offset, n)

    def writeblocks(self, block: int, buffer: bytearray, offset: int = 0) -> int:
        return _EROFS  # this is a second look at a file system that is in use

    def ioctl(self, command: int, argument: int) -> int | None:
        if command == _COUNT_BLOCKS:
            return os.statvfs("/")[2]
        if command == _BLOCK_SIZE:
            return _BLOCK_BYTES
        return 0


class Places:
    """Where a file lies in flash. size: in bytes. Raise OSError when it cannot be found.

    begins: positions in the file at which its blocks begin to hold something of it, then its size.
    addresses: of those bytes.
    """

    def __init__(self, path: str) -> None:
        n_blocks = os.statvfs("/")[2]
        flash_bytes = 1 << 21
        while flash_bytes <= n_blocks * _BLOCK_BYTES:
            flash_bytes <<= 1  # the file system is the end of the flash
        base = _FLASH + flash_bytes - n_blocks * _BLOCK_BYTES
        head, size = _last_block(path, base)
        self.begins = array("I")
        self.addresses = array("I")
        # Block n of a littlefs file begins with the numbers of as many blocks before it as 2
        # divides n, and one more; the first of them is its predecessor's (littlefs DESIGN.md).
        begin = n = 0
        while begin < size:
            self.begins.append(begin)
            self.addresses.append(0)
            links = 0
            while n and not n >> links & 1:
                links += 1
            links = (links + 1) * _POINTER_BYTES if n else 0
            self.addresses[n] = links
            begin += _BLOCK_BYTES - links
            n += 1
        self.begins.append(size)
        while n:
            n -= 1
            address = base + head * _BLOCK_BYTES
            self.addresses[n] += address
            head = int.from_bytes(bytearray_at(address, _POINTER_BYTES), "little")
            if n and head >= n_blocks:
                raise OSError(5)


def _last_block(path: str, address: int) -> tuple[int, int]:
    """Return the number of the block that holds a file's last byte, and the file's size: littlefs
    itself is asked, through a second look at the memory. Raise OSError."""
    from vfs import VfsLfs2

    memory: Any = _Memory(address)  # it has the methods, and the stubs want the class
    with VfsLfs2(memory, progsize=256).open(path, "rb") as file:
        size = file.seek(0, 2)
        file.seek(size - 1)
        file.read(1)
    return memory.last, size


class Linker:
    """Points the functions of modules to where they lie in a file. Raise OSError when the file
    cannot be found."""

    def __init__(self, path: str) -> None:
        self._places = places = Places(path)
        where = (addressof(places.begins), addressof(places.addresses), 0, 0)
        self._task: Any = array("I", where)
        self._raw: Any = array("I", bytes(12))

    def link(self, body: object, rows: bytes, position: int) -> None:
        """Point a module's body that was just loaded, and all functions in it, to the bytecode in
        flash.

        rows: of each function, the body first and depth first, its place in the module, its
        length, 0 when it is machine code, and the number of its children: 16 bits each. position:
        of the module in the file.
        """
        self._task[2], self._task[3] = addressof(rows), position
        relink(id(body), self._task, self._raw)
