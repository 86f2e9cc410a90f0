"""Folds integer constants into the code that uses them, as MicroPython's const() does.

On the board a global costs its name, its place in the module's dictionary, and a look-up wherever
it is used: 4 KB of heap in all. Code for CPython needs no const(), so it is put in here. Public
constants of another module are folded, too: `from roboto.sound.format import RATE_HZ` costs the
board no more than the number itself, and a module of nothing but numbers (board/pins.py) is not
even loaded. What is for type checkers alone (`if TYPE_CHECKING:`) goes altogether.
"""

import ast
import re
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

_PRIVATE = re.compile(r"_[A-Z][A-Z0-9_]*")
_PUBLIC = re.compile(r"[A-Z][A-Z0-9_]*")
_ONE_AT_A_TIME = threading.Lock()  # Python 3.11's ast mixes up the depths of threads


def fold(source: str, path: str = "", root: Path | None = None) -> str:
    """Return the source of a module with its constants folded in.

    A private number `_NAME`, set once, becomes `const(number)`; a public one that is imported from
    another module of the firmware is replaced by its number wherever it is used, and its import
    goes. `path`: of the module below `root`, the firmware's folder; without them nothing is looked
    up in other modules.
    """
    with _ONE_AT_A_TIME:
        return _Module(ast.parse(source), path, root).folded(source)


def is_numbers_only(source: str) -> bool:
    """Return whether a module is nothing but numbers, all of which fold() puts where they are
    used, or a package that says nothing: the board can do without it."""
    with _ONE_AT_A_TIME:
        module = _Module(ast.parse(source))
        names = module.numbers()
        body = module.tree.body[ast.get_docstring(module.tree) is not None :]
    return len(body) == len(names) and all(map(_PUBLIC.fullmatch, names))


@dataclass
class _Module:
    tree: ast.Module
    path: str = ""
    root: Path | None = None
    _edits: list[tuple[ast.expr | ast.stmt, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Take what is for type checkers alone out of the tree: nothing there is ever run."""
        self._edits += [(node, "pass") for node in self.tree.body if _is_for_checkers(node)]
        self.tree.body = [node for node in self.tree.body if not _is_for_checkers(node)]

    def folded(self, source: str) -> str:
        """Return the source with everything put in."""
        known = self._fold_imports()
        for node, name, value in self._numbers(known):
            if _PRIVATE.fullmatch(name):
                self._edits.append((node, f"{name} = const({value})"))
        return _edited(source, self._edits)

    def numbers(self) -> dict[str, int]:
        """Return the module's own constants: name -> number."""
        return {name: value for _, name, value in self._numbers(self._imported())}

    def _numbers(self, known: dict[str, int]) -> Iterator[tuple[ast.stmt, str, int]]:
        """Yield each assignment of a number to a name that is set once in the whole module."""
        known = dict(known)
        stored = [
            node.id
            for node in ast.walk(self.tree)
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        ]
        for node in self.tree.body:
            if not (isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)):
                continue
            name = node.targets[0].id
            value = _number(node.value, known)
            if value is not None and len(node.targets) == 1 and stored.count(name) == 1:
                known[name] = value
                yield node, name, value

    # ---- what other modules define

    def _imported(self) -> dict[str, int]:
        """Return the numbers that are imported by name: name here -> number."""
        found = {}
        for node in ast.walk(self.tree):
            if isinstance(node, ast.ImportFrom):
                found.update(self._named_by(node))
        return found

    def _named_by(self, node: ast.ImportFrom) -> dict[str, int]:
        # Only where a constant is asked for: classes are imported in circles, for their types.
        if not any(_PUBLIC.fullmatch(alias.name) for alias in node.names):
            return {}
        numbers = self._numbers_of(self._file_of(node))
        return {
            alias.asname or alias.name: numbers[alias.name]
            for alias in node.names
            if alias.name in numbers and _PUBLIC.fullmatch(alias.name)
        }

    def _numbers_of(self, file: Path | None) -> dict[str, int]:
        if file is None or self.root is None or not file.is_file():
            return {}
        return _numbers_in(file.read_text("utf-8"), file.relative_to(self.root), self.root)

    def _file_of(self, node: ast.ImportFrom, child: str = "") -> Path | None:
        """Return the file of the module that is imported from; or of its module `child`."""
        if self.root is None:
            return None
        folder = self.root
        if node.level:
            folder = (folder / self.path).parents[node.level - 1]
        parts = (node.module or "").split(".") + ([child] if child else [])
        return folder.joinpath(*parts).with_suffix(".py")

    # ---- folding them in

    def _fold_imports(self) -> dict[str, int]:
        """Note what is to be edited for imported numbers; return them: name -> number."""
        nodes = list(ast.walk(self.tree))
        kept = _not_to_be_touched(nodes)
        known: dict[str, int] = {}
        modules: dict[str, dict[str, int]] = {}
        for node in nodes:
            if not isinstance(node, ast.ImportFrom):
                continue
            named = {n: v for n, v in self._named_by(node).items() if n not in kept}
            known.update(named)
            gone = set(named)
            for alias in node.names:
                name = alias.asname or alias.name
                numbers = self._numbers_of(self._file_of(node, alias.name))
                if numbers and name not in kept:
                    modules[name] = numbers
                    if not _other_uses(nodes, name, numbers):
                        gone.add(name)
            if gone:
                left = [a for a in node.names if (a.asname or a.name) not in gone]
                stays = ast.ImportFrom(node.module, left, node.level)
                self._edits.append((node, ast.unparse(stays) if left else "pass"))
        for node in nodes:
            value = None
            if isinstance(node, ast.Name):
                value = known.get(node.id)
            elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                value = modules.get(node.value.id, {}).get(node.attr)
            if value is not None:
                assert isinstance(node, ast.expr)
                self._edits.append((node, str(value) if value >= 0 else f"({value})"))
        return known


@cache
def _numbers_in(source: str, path: Path, root: Path) -> dict[str, int]:
    return _Module(ast.parse(source), path.as_posix(), root).numbers()


def _is_for_checkers(node: ast.stmt) -> bool:
    """Return whether a statement is `TYPE_CHECKING = False` or what stands under it."""
    if isinstance(node, ast.Assign):
        return ast.unparse(node) == "TYPE_CHECKING = False"
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"


def _not_to_be_touched(nodes: list[ast.AST]) -> set[str]:
    """Return names that mean something else somewhere in the module, or stand in an f-string,
    where Python 3.11 does not know at which column."""
    names = set()
    for node in nodes:
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            names.add(node.id)
        elif isinstance(node, ast.arg):
            names.add(node.arg)
        elif isinstance(node, ast.JoinedStr):
            names |= {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
    return names


def _other_uses(nodes: list[ast.AST], module: str, numbers: dict[str, int]) -> bool:
    """Return whether a module is used for anything else than its numbers."""
    uses = sum(isinstance(node, ast.Name) and node.id == module for node in nodes)
    for node in nodes:
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            uses -= node.value.id == module and node.attr in numbers
    return uses > 0


def _edited(source: str, edits: list[tuple[ast.expr | ast.stmt, str]]) -> str:
    """Return the source with nodes replaced. No line moves: tracebacks of a board that compiles
    for itself tell them."""
    lines = [line.encode() for line in source.splitlines()]
    for node, text in sorted(edits, key=lambda edit: (edit[0].lineno, edit[0].col_offset))[::-1]:
        assert node.end_lineno is not None and node.end_col_offset is not None
        first, last = node.lineno - 1, node.end_lineno - 1
        if isinstance(node, ast.Assign | ast.If):  # with its comment, or all that it contains
            tail = b""
        else:
            tail = lines[last][node.end_col_offset :]
        lines[first : last + 1] = [lines[first][: node.col_offset] + text.encode() + tail] + [
            b""
        ] * (last - first)
    return b"\n".join(lines).decode() + "\n"


def _number(node: ast.expr, known: dict[str, int]) -> int | None:
    """Return the integer that an expression of integers and known names is, or None."""
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
