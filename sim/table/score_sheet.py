"""Score sheets to look at: each game, what it brought each player, the running sums, who has won
and why. What is shown is what `scoring.Sheet.to_json` gives, so it may come out of a saved run."""

from __future__ import annotations

import html
from typing import Any

from .columns import columns
from .scoring import WAYS, player


def as_text(sheet: dict[str, Any], title: str) -> str:
    """Return the sheet for a terminal; below each player "what a game brought = the sum"."""
    lines = [f"{title}: {sheet['counts_as']}", "", *columns(*_table(sheet))]
    if "with_partner" in sheet:
        lines += ["", "points with each partner", *columns(*_accounts(sheet))]
    return "\n".join([*lines, "", verdict(sheet)])


def as_html(sheet: dict[str, Any], title: str) -> str:
    """Return the sheet as a piece of a page."""
    parts = [
        f"<h2>{html.escape(title)}</h2>\n<p>{html.escape(sheet['counts_as'])}</p>\n",
        _html_table(*_table(sheet)),
    ]
    if "with_partner" in sheet:
        parts += ["<p>Points with each partner</p>\n", _html_table(*_accounts(sheet))]
    return "".join([*parts, f"<p><b>{html.escape(verdict(sheet))}</b></p>\n"])


def verdict(sheet: dict[str, Any]) -> str:
    """Return in one line who has won the match and why."""
    n_games = len(sheet["games"])
    if not sheet["why"]:
        return f"not played to the end: {n_games} game{'s' * (n_games != 1)}"
    winners = " and ".join(player(who) for who in sheet["winners"]) or "nobody"
    win = "win" if len(sheet["winners"]) > 1 else "wins"
    return f"{winners} {win} after {n_games} game{'s' * (n_games != 1)}: {sheet['why']}"


def _table(sheet: dict[str, Any]) -> tuple[list[str], list[list[str]]]:
    n_players = sheet["players"]
    rows = []
    for number, game in enumerate(sheet["games"], 1):
        cells = [
            f"{game['points'][who]:+d} = {game['sums'][who]}" if who in game["seated"] else ""
            for who in range(n_players)
        ]
        rows.append([str(number), _out(sheet, game), *cells])
    rows.append(["sum", "", *map(str, sheet["points"])])
    return ["game", "out first", *map(player, range(n_players))], rows


def _out(sheet: dict[str, Any], game: dict[str, Any]) -> str:
    if game["out"] is None:
        return "nobody"
    if not WAYS[sheet["scoring"]].pairs:
        return player(game["out"])
    seated = game["seated"]
    partner = seated[(seated.index(game["out"]) + len(seated) // 2) % len(seated)]
    return f"{player(game['out'])} with {partner}"


def _accounts(sheet: dict[str, Any]) -> tuple[list[str], list[list[str]]]:
    names = [player(who) for who in range(sheet["players"])]
    rows = [
        [names[who], *("" if partner == who else str(made) for partner, made in enumerate(row))]
        for who, row in enumerate(sheet["with_partner"])
    ]
    return ["", *names], rows


def _html_table(head: list[str], rows: list[list[str]]) -> str:
    def line(cells: list[str], tag: str) -> str:
        return f"<tr>{''.join(f'<{tag}>{html.escape(cell)}</{tag}>' for cell in cells)}</tr>\n"

    return f"<table>{line(head, 'th')}{''.join(line(row, 'td') for row in rows)}</table>\n"
