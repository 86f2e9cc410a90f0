"""KiCad's files are S-expressions: lists of words, quoted strings and lists. Reading and writing
of just that."""

import re
from typing import Any

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[()]|[^\s()"]+')


def parse(text: str) -> list[Any]:
    """Return the first expression of a text as nested lists; strings keep their quotes, so that
    writing gives them back."""
    stack: list[list[Any]] = [[]]
    for token in _TOKEN.findall(text):
        if token == "(":
            stack.append([])
        elif token == ")":
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(token)
    return stack[0][0]


def write(expression: Any, depth: int = 0) -> str:
    """Text of an expression; lists of lists go on lines of their own, so that differences can be
    read."""
    if isinstance(expression, str):
        return expression
    if not any(isinstance(one, list) for one in expression):
        return "(" + " ".join(expression) + ")"
    pad = "\n" + "\t" * (depth + 1)
    text = "("
    for i, one in enumerate(expression):
        if isinstance(one, list):
            text += pad + write(one, depth + 1)
        else:
            text += (" " if i else "") + one
    return text + "\n" + "\t" * depth + ")"


def children(expression: list[Any], name: str) -> list[list[Any]]:
    """Return the lists in an expression that begin with that word."""
    return [one for one in expression if isinstance(one, list) and one and one[0] == name]


def child(expression: list[Any], name: str) -> list[Any]:
    """Return the only list that begins with that word; IndexError when there is none."""
    return children(expression, name)[0]


def quote(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def unquote(text: str) -> str:
    return text[1:-1].replace('\\"', '"').replace("\\\\", "\\") if text.startswith('"') else text
