"""A board's flash in memory, and its littlefs under MicroPython on a computer."""

import vfs

_BLOCK_BYTES = 4096


class Flash:
    """Flash as a block device; data: its bytes."""

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
    """Mount the flash as MicroPython's _boot.py does: what has no file system gets one. Return
    whether it got one."""
    made = False
    try:
        filesystem = vfs.VfsLfs2(flash, progsize=256)
    except OSError:
        made = True
        vfs.VfsLfs2.mkfs(flash, progsize=256)
        filesystem = vfs.VfsLfs2(flash, progsize=256)
    vfs.umount("/")
    vfs.mount(filesystem, "/")
    return made
