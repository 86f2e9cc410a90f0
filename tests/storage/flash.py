"""A flash chip in RAM with littlefs on it, under both interpreters, and power cuts.

Every program and erase is written to a journal. A power cut at any instant is then the chip's
first contents with the first part of the journal applied.
"""

import errno

from roboto.storage.volume import Volume

from tests.portable import MICROPYTHON

BLOCK_BYTES = 4096
PAGE_BYTES = 256
MOUNT_POINT = "/flash"


class RamFlash:
    """A MicroPython block device. Programming only clears bits, as flash does."""

    def __init__(self, n_blocks=0, memory=None):
        self.memory = memory or bytearray(b"\xff" * (n_blocks * BLOCK_BYTES))
        self.journal = []

    def readblocks(self, block, buffer, offset=0):
        start = block * BLOCK_BYTES + offset
        buffer[:] = self.memory[start : start + len(buffer)]
        return 0

    def writeblocks(self, block, buffer, offset=None):
        if offset is None:
            self.ioctl(6, block)
            offset = 0
        for start in range(0, len(buffer), PAGE_BYTES):  # a page is what the chip does at once
            page = bytes(buffer[start : start + PAGE_BYTES])
            self.journal.append((block * BLOCK_BYTES + offset + start, page))
            _apply(self.memory, self.journal[-1])
        return 0

    def ioctl(self, op, arg):
        if op == 4:
            return len(self.memory) // BLOCK_BYTES
        if op == 5:
            return BLOCK_BYTES
        if op == 6:
            self.journal.append((arg * BLOCK_BYTES, None))
            _apply(self.memory, self.journal[-1])
        return 0


def _apply(memory, operation, half=False):
    """Carry out an operation; with half, as if the power had gone in the middle of it."""
    start, data = operation
    if data is None:
        length = BLOCK_BYTES // 2 if half else BLOCK_BYTES
        memory[start : start + length] = b"\xff" * length
    else:
        for i in range(len(data) // 2 if half else len(data)):
            memory[start + i] &= data[i]


def power_cuts(memory, journal):
    """Yields the memory after a cut before, and in the middle of, each operation, and at last
    after the last one. The caller may write to what it gets."""
    memory = bytearray(memory)
    for operation in journal:
        yield bytearray(memory)
        torn = bytearray(memory)
        _apply(torn, operation, half=True)
        yield torn
        _apply(memory, operation)
    yield bytearray(memory)


# As PLATFORM.md advises for a device behind Python: reads and programs of 256 bytes.
if MICROPYTHON:
    import vfs

    class Mounted:
        """with Mounted(device) as volume: a Volume on littlefs on that device."""

        def __init__(self, device, blank=False):
            options = {"readsize": 256, "progsize": 256, "lookahead": 128}
            if blank:
                vfs.VfsLfs2.mkfs(device, **options)
            self._filesystem = vfs.VfsLfs2(device, **options)

        def __enter__(self):
            vfs.mount(self._filesystem, MOUNT_POINT)
            return Volume(MOUNT_POINT)

        def __exit__(self, *error):
            vfs.umount(MOUNT_POINT)

else:
    import littlefs

    class _Context:
        """Lets littlefs work on a block device."""

        def __init__(self, device):
            self._device = device

        def read(self, cfg, block, offset, size):
            buffer = bytearray(size)
            self._device.readblocks(block, buffer, offset)
            return buffer

        def prog(self, cfg, block, offset, data):
            return self._device.writeblocks(block, bytes(data), offset)

        def erase(self, cfg, block):
            return self._device.ioctl(6, block)

        def sync(self, cfg):
            return self._device.ioctl(3, 0)

    class _File:
        """A littlefs file with the errors that the system's files have."""

        def __init__(self, raw):
            self._raw = raw

        def __enter__(self):
            return self

        def __exit__(self, *error):
            self.close()

        def __getattr__(self, name):
            return _with_oserror(getattr(self._raw, name))

    class _Files:
        """What a Volume asks of its file system, on a littlefs."""

        def __init__(self, filesystem):
            self._filesystem = filesystem
            for name in ("listdir", "remove", "mkdir", "rename"):
                setattr(self, name, _with_oserror(getattr(filesystem, name)))

        def stat(self, path):
            return (0x8000 >> (_with_oserror(self._filesystem.stat)(path).type == 2),)

        def rmdir(self, path):
            self.remove(path)

        def open(self, path, mode):
            return _File(_with_oserror(self._filesystem.open)(path, mode, buffering=0))

        def statvfs(self, path):
            n_blocks = self._filesystem.block_count
            free = n_blocks - self._filesystem.used_block_count
            return (BLOCK_BYTES, BLOCK_BYTES, n_blocks, free)

    def _with_oserror(call):
        def wrapped(*args, **options):
            try:
                return call(*args, **options)
            except littlefs.LittleFSError as error:
                raise OSError(-error.code, str(error)) from None
            except FileNotFoundError as error:
                raise OSError(errno.ENOENT, str(error)) from None

        return wrapped

    class Mounted:
        """with Mounted(device) as volume: a Volume on littlefs on that device."""

        def __init__(self, device, blank=False):
            self._filesystem = littlefs.LittleFS(
                context=_Context(device),
                mount=False,
                block_size=BLOCK_BYTES,
                block_count=device.ioctl(4, 0),
                read_size=256,
                prog_size=256,
                cache_size=1024,
                lookahead_size=128,
                disk_version=0x00020000,
            )
            if blank:
                self._filesystem.format()
            self._filesystem.mount()

        def __enter__(self):
            return Volume(files=_Files(self._filesystem))

        def __exit__(self, *error):
            pass
