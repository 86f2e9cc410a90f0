# type: ignore - MicroPython's os and sys
"""Runs on the board: the other end of board.py, sent there as text at the start of a session.

It needs nothing but MicroPython, so that it serves a bare board, too. A file comes in frames: four
hexadecimal digits, the length, and so many bytes; a frame of length 0 ends it. In them Ctrl-C is
written as ESC 1 and ESC as ESC 2, so that Ctrl-C still interrupts when the computer has gone away.
"""

import binascii
import hashlib
import os
import sys

_in = sys.stdin.buffer
_out = sys.stdout
_frame = bytearray(8192)
_view = memoryview(_frame)
_FOLDER = 0x4000


def tree(path):
    """Prints a line a file below a path: its size and its path."""
    for size, name in files(path):
        print(size, name)


def files(path):
    """Yields the size and the path of each file below a path."""
    try:
        entries = list(os.ilistdir(path))
    except OSError:
        return
    for entry in entries:
        name = path + "/" + entry[0] if path else entry[0]
        if entry[1] == _FOLDER:
            yield from files(name)
        else:
            yield entry[3], name


def mend(path):
    """Deletes what keeps a file system from finding free blocks, and prints its paths: a file
    whose chain of blocks is damaged. While there is one nothing can be written. Those that cannot
    be read go first, recordings and settings last, and no more than must."""
    doubtful = []
    if not counts(path):
        doubtful = [(reads(name), name.find("data/") >= 0, -n, name) for n, name in files(path)]
    for entry in sorted(doubtful):
        os.remove(entry[3])
        print(entry[3])
        if counts(path):
            return


def counts(path):
    """Tells whether littlefs can follow each file's blocks."""
    try:
        os.statvfs(path or "/")
        return True
    except OSError:
        return False


def reads(path):
    """Tells whether all of a file can be read."""
    try:
        with open(path, "rb") as file:
            while file.readinto(_frame):
                pass
        return True
    except OSError:
        return False


def digests(paths):
    """Prints the SHA-256 of each file, or - where there is none."""
    for path in paths:
        digest = hashlib.sha256()
        try:
            with open(path, "rb") as file:
                while True:
                    n = file.readinto(_frame)
                    if not n:
                        break
                    digest.update(_view[:n])
        except OSError:
            print("-")
            continue
        print(binascii.hexlify(digest.digest()).decode())


def folders(path):
    """Makes the folders that a path lies in; a file in the place of one goes."""
    at = path.find("/", 1)
    while at > 0:
        try:
            os.mkdir(path[:at])
        except OSError:
            if not is_folder(path[:at]):
                aside(path[:at])
                os.mkdir(path[:at])
        at = path.find("/", at + 1)


def is_folder(path):
    """Tells whether a path is a folder's."""
    try:
        return bool(os.stat(path)[0] & _FOLDER)
    except OSError:
        return False


def aside(path):
    """Gets out of the way what bears the name of a file of the robot's and is none. What may be
    somebody's stays as NAME.stray, as the robot itself does it; in next/ everything is an
    update's."""
    try:
        if not (path + "/").startswith("next/"):
            os.rename(path, path + ".stray")
            return
    except OSError:
        pass
    sweep(path)


def sweep(path):
    """Deletes a file, or a folder with all that is in it, however deep."""
    while exists(path):
        last = path
        while is_folder(last):
            names = os.listdir(last)
            if not names:
                break
            last += "/" + names[0]
        (os.rmdir if is_folder(last) else os.remove)(last)


def exists(path):
    """Tells whether there is anything of that name."""
    try:
        os.stat(path)
        return True
    except OSError:
        return False


def rename(old, new):
    """Renames a file, also where a folder stands in its way."""
    if is_folder(new):
        aside(new)
    os.rename(old, new)


def take(paths):
    """Receives files: a dot for each frame that was written, an exclamation mark for one that was
    not. After the first file that does not fit nothing more is written, but all is still
    received."""
    fault = None
    for path in paths:
        file = None
        if not fault:
            try:
                folders(path)
                if is_folder(path):
                    aside(path)
                file = open(path, "wb")
            except OSError as error:
                fault = error
        while True:
            _in.readinto(_view[:4])
            n = int(bytes(_view[:4]), 16)
            if not n:
                break
            _in.readinto(_view[:n])
            if not fault:
                try:
                    data = bytes(_view[:n])
                    file.write(data.replace(b"\x1b1", b"\x03").replace(b"\x1b2", b"\x1b"))
                except OSError as error:
                    fault = error
            _out.write("!" if fault else ".")
        try:
            if file:
                file.close()
        except OSError as error:
            fault = fault or error
    if fault:
        raise fault


def assemble(path, sources, pieces):
    """Writes a file from pieces of others: (number of the source, position, length)."""
    files = [open(source, "rb") for source in sources]
    with open(path, "wb") as file:
        for source, position, left in pieces:
            files[source].seek(position)
            while left:
                n = files[source].readinto(_view[: min(left, len(_frame))])
                if not n:
                    raise OSError(5)
                file.write(_view[:n])
                left -= n
    for file in files:
        file.close()


def give(path, most):
    """Prints a file, or its first bytes, as lines of base64."""
    with open(path, "rb") as file:
        while most > 0:
            data = file.read(min(most, 1536))
            if not data:
                break
            most -= len(data)
            _out.write(binascii.b2a_base64(data))


def remove(paths):
    """Deletes files and empty folders; it is no error when there are none."""
    for path in paths:
        for delete in (os.remove, os.rmdir):
            try:
                delete(path)
                break
            except OSError:
                pass


def room(path):
    """Prints block size, blocks, free blocks of the file system that is mounted there."""
    status = os.statvfs(path)
    print(status[0], status[2], status[3])
