"""A board's flash under MicroPython on a computer, with the littlefs that the board has:
`micropython tests/micropython/littlefs.py`

On standard input come a line with the size of the image in bytes, the image, and then pieces of
code, each after a line with its length. Code sees what it sees on a board: the root is the
littlefs. `image()` gives the flash as it is. After each piece comes a line: "ok", or "raised";
how many bytes of output follow; and those bytes.
"""

import io
import sys

import vfs

_BLOCK_BYTES = 4096
_in = sys.stdin.buffer
_out = sys.stdout.buffer


class Flash:
    """Flash as the RP2040's: what is programmed was erased before, and cut_at counts down the
    operations until the power goes."""

    def __init__(self, data):
        self.data = data
        self.n = len(data) // _BLOCK_BYTES

    def readblocks(self, block, buffer, offset=0):
        at = block * _BLOCK_BYTES + offset
        buffer[:] = memoryview(self.data)[at : at + len(buffer)]

    def writeblocks(self, block, buffer, offset=None):
        if offset is None:
            for number in range(len(buffer) // _BLOCK_BYTES):
                self.ioctl(6, block + number)
            offset = 0
        at = block * _BLOCK_BYTES + offset
        self.data[at : at + len(buffer)] = buffer

    def ioctl(self, operation, argument):
        if operation == 4:
            return self.n
        if operation == 5:
            return _BLOCK_BYTES
        if operation == 6:
            at = argument * _BLOCK_BYTES
            self.data[at : at + _BLOCK_BYTES] = b"\xff" * _BLOCK_BYTES
            return 0


def mounted(flash):
    """Mount the flash as MicroPython's _boot.py does: what has no file system gets one."""
    try:
        filesystem = vfs.VfsLfs2(flash, progsize=256)
    except OSError:
        vfs.VfsLfs2.mkfs(flash, progsize=256)
        filesystem = vfs.VfsLfs2(flash, progsize=256)
    vfs.umount("/")
    vfs.mount(filesystem, "/")


def main():
    flash = Flash(bytearray(_in.read(int(_in.readline()))))
    mounted(flash)
    printed = []

    def told(*words, sep=" ", end="\n"):
        printed.append(sep.join(str(word) for word in words) + end)

    names = {"print": told, "image": lambda: printed.append(bytes(flash.data)), "io": io}
    while True:
        line = _in.readline()
        if not line:
            return
        code = _in.read(int(line))
        printed.clear()
        kind = "ok"
        try:
            exec(code, names)
        except Exception as error:
            kind = "raised"
            sys.print_exception(error, file := io.StringIO())
            printed.append(file.getvalue())
        answer = b"".join(p if isinstance(p, bytes) else p.encode() for p in printed)
        _out.write("%s %d\n" % (kind, len(answer)))
        _out.write(answer)


main()
