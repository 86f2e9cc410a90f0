"""A board's flash under MicroPython on a computer, with the littlefs that the board has:
`micropython tests/micropython/littlefs.py`

On standard input come a line with the size of the image in bytes, the image, and then pieces of
code, each after a line with its length. Code sees what it sees on a board: the root is the
littlefs. `image()` gives the flash as it is. After each piece comes a line: "ok", or "raised";
how many bytes of output follow; and those bytes.
"""

import io
import sys

sys.path.append(".")

from tests.micropython.flash_image import Flash, mounted

_in = sys.stdin.buffer
_out = sys.stdout.buffer


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
