"""Folds a module's private integer constants into its code, as MicroPython's const() does.

On the board a global costs its name, its place in the module's dictionary, and a look-up wherever
it is used: 4 KB of heap in all. Code for CPython needs no const(), so it is put in here.
"""

import ast
import re
import threading

_PRIVATE = re.compile(r"_[A-Z][A-Z0-9_]*")
_ONE_AT_A_TIME = threading.Lock()  # Python 3.11's ast mixes up the depths of threads
_SMALL = 1 << 30  # larger integers are objects on the board; const() takes none


def fold(source: str) -> str:
    """The source with `_NAME = const(number)` wherever `_NAME` is a private number, set once."""
    with _ONE_AT_A_TIME:
        return _fold(source)


def _fold(source: str) -> str:
    tree = ast.parse(source)
    lines = source.splitlines()
    known: dict[str, int] = {}
    stored = [
        node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    ]
    for node in tree.body:
        if not (isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)):
            continue
        name = node.targets[0].id
        value = _number(node.value, known)
        once = len(node.targets) == 1 and stored.count(name) == 1
        if value is None or not once or not _PRIVATE.fullmatch(name):
            continue
        known[name] = value
        if -_SMALL <= value < _SMALL:
            assert node.end_lineno is not None
            lines[node.lineno - 1 : node.end_lineno] = [f"{name} = const({value})"] + [""] * (
                node.end_lineno - node.lineno
            )
    return "\n".join(lines) + "\n"


def _number(node: ast.expr, known: dict[str, int]) -> int | None:
    """The integer that an expression of integers and known names is, or None."""
    for part in ast.walk(node):
        allowed = (ast.BinOp, ast.UnaryOp, ast.operator, ast.unaryop, ast.Load)
        if isinstance(part, ast.Name):
            if part.id not in known:
                return None
        elif isinstance(part, ast.Constant):
            if type(part.value) is not int:
                return None
        elif not isinstance(part, allowed):
            return None
    code = compile(ast.Expression(node), "constant", "eval")
    value = eval(code, {"__builtins__": {}}, dict(known))
    return value if type(value) is int else None
