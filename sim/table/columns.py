"""Columns of text, the first to the left and all others to the right."""

from __future__ import annotations

from collections.abc import Sequence


def columns(head: Sequence[object], rows: Sequence[Sequence[object]]) -> list[str]:
    """Return the head and the rows as lines; each column is as wide as its widest cell."""
    table = [[str(cell) for cell in row] for row in [head, *rows]]
    widths = [max(len(row[i]) for row in table) for i in range(len(head))]
    return [
        "  ".join(
            cell.ljust(width) if i == 0 else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in table
    ]
