"""Points functions of MicroPython's to other copies of their bytecode; see in_place.py.

Written around the faults of viper that sound/viper.py names.
"""

# ruff: noqa: F821 - the emitter knows these names

import micropython


@micropython.viper
def relink(function: int, task: ptr32, raw: ptr32):
    """Point a function object, and the functions defined in it, to their bytecode in flash.

    function: its address. task: addresses of the file's blocks, as positions in the file and as
    addresses of memory, and of the module's rows; and the module's position in the file. raw:
    room for three words.
    """
    f = ptr32(function)  # {type, context, children, bytecode}
    r = ptr32(uint(raw))
    r[0] = 0x20000  # seen as a raw code {kind, bytecode, children} it takes the same walk
    r[1] = f[3]
    r[2] = f[2]
    _relink(int(r), task, 0)
    f[3] = r[1]


@micropython.viper
def _relink(code: int, task: ptr32, i: int) -> int:
    """Relink a raw code, which has row i, and its children. Return the row after them; 32767 when
    something is not as it is in the MicroPython that this was written for."""
    x = code - 0x20000000
    if x < 0 or x >= 0x42000 - 12 or code & 3:  # not in RAM
        return 32767
    raw = ptr32(code)
    t = ptr32(uint(task))
    row = ptr16(int(t[2]) + 6 * i)
    at = int(row[0]) + int(t[3])
    n = int(row[1])
    children = int(row[2])
    i += 1
    if raw[0] & 0xFFFFFF != 0x20000:  # machine code, which stays
        return i if children == 0 else 32767
    copy = int(raw[1])
    x = copy - 0x20000000
    if n and x >= 0 and x < 0x42000 - n:
        begin = ptr32(int(t[0]))
        address = ptr32(int(t[1]))
        while at >= begin[1]:
            begin = ptr32(uint(begin) + 4)
            address = ptr32(uint(address) + 4)
        if at + n <= begin[1]:  # else it lies across the border of two blocks
            there = int(address[0]) + at - int(begin[0])
            a = ptr8(copy)
            b = ptr8(there)
            k = 0
            while k < n and a[k] == b[k]:
                k += 1
            if k == n:
                raw[1] = there
    if children:
        first = int(raw[2])
        x = first - 0x20000000
        if x < 0 or x >= 0x42000 - 4 * children or first & 3:
            return 32767
        child = ptr32(first)
        while children and i < 32767:
            i = int(_relink(int(child[0]), task, i))
            child = ptr32(uint(child) + 4)
            children -= 1
    return i
