"""Pictures for paper, all of them the browser page's: the robot, its five buttons, the tray, and a
sign for each colour. They are cut out of the page's own files, so they cannot differ from it."""

from __future__ import annotations

import re
from functools import cache

from . import STATIC

ROBOT_BOX = (480, 640)  # the page's units: .robot is 100 cqw wide
_CQW = ROBOT_BOX[0] / 100
_COLOURS = {"record": "red", "replay": "green", "volume": "yellow", "win": "blue", "mode": "white"}
_DARK = ("volume", "mode")  # a dark icon, as in style.css


@cache
def _page() -> str:
    return (STATIC / "index.html").read_text(encoding="utf-8")


@cache
def _style() -> str:
    return (STATIC / "style.css").read_text(encoding="utf-8")


def _cut(pattern: str, text: str, what: str) -> str:
    found = re.search(pattern, text, re.DOTALL)
    if found is None:
        raise LookupError(f"the page has no {what} any more: sim/paper/art.py looks for it")
    return found[1]


def colour(name: str) -> str:
    """Return one of the page's colours, "red" or "white", as CSS writes it."""
    return _cut(rf"--{name}: (#\w+);", _style(), f"colour {name}")


def icon(control: str) -> str:
    """Return the drawing on a button, in a box of 24 by 24."""
    svg = rf'<button[^>]*data-control="{control}"[^>]*><svg[^>]*>(.*?)</svg>'
    return _cut(svg, _page(), f"button {control}")


def button(control: str, size: str = "1em") -> str:
    """Return a button as a picture of its own."""
    ink = "dark" if control in _DARK else "light"
    return (
        f'<svg class="button" viewBox="-12 -12 48 48" width="{size}" height="{size}" '
        f'aria-hidden="true"><circle cx="12" cy="12" r="22.500" fill="{_fill(control)}" '
        f'stroke="#1d232d" stroke-width="2"/><g class="icon {ink}">'
        f"{icon(control)}</g></svg>"
    )


def _fill(control: str) -> str:
    return colour(_COLOURS[control])


def sign(colour_name: str, size: str = "1em") -> str:
    """Return a colour's sign, in its colour, as a picture of its own."""
    symbols = (STATIC / "symbols.svg").read_text(encoding="utf-8")
    shape = _cut(rf'<symbol id="{colour_name}"[^>]*>(.*?)</symbol>', symbols, colour_name)
    return (
        f'<svg class="sign" viewBox="0 0 24 24" width="{size}" height="{size}" '
        f'aria-hidden="true" fill="{colour(colour_name)}">{shape}</svg>'
    )


def tray(size: str = "1em") -> str:
    """Return the tray as a picture of its own, 400 by 150."""
    return (
        f'<svg class="tray" viewBox="0 0 400 150" width="{size}" aria-hidden="true">'
        f"{_tray()}</svg>"
    )


def _tray() -> str:
    svg = r'data-control="plate"[^>]*>\s*<svg[^>]*>(.*?)</svg>'
    return _cut(svg, _page(), "tray")


def robot() -> str:
    """Return the whole robot with its tray and its buttons, 480 by 640."""
    art = _cut(r'<svg class="art"[^>]*>(.*?)</svg>', _page(), "robot")
    parts = [art, f'<svg x="40" y="1" width="400" height="150" overflow="visible">{_tray()}</svg>']
    x, y, d = _place(
        r"\.led \{ position: absolute; left: (?P<x>[\d.]+)cqw; top: (?P<y>[\d.]+)cqw; "
        r"width: (?P<d>[\d.]+)cqw"
    )
    parts.append(
        f'<circle cx="{x + d / 2}" cy="{y + d / 2}" r="{d / 2}" fill="#ff1f2e" '
        'stroke="#1d232d" stroke-width="3"/>'
    )
    parts.append(_mouth())
    for control in _COLOURS:
        x, y, d = _place(
            rf"\.knob\.{control} \{{ [^}}]*--d: (?P<d>[\d.]+)cqw; "
            r"--x: (?P<x>[\d.]+)cqw; --y: (?P<y>[\d.]+)cqw"
        )
        parts.append(
            f'<g transform="translate({x - d / 2} {y - d / 2}) scale({d / 48})">'
            f"{button(control, '48')}</g>"
        )
    return (
        f'<svg class="robot-art" viewBox="20 0 440 640" role="img" aria-label="Roboto">'
        f"{''.join(parts)}</svg>"
    )


def _mouth() -> str:
    """Return the mouth as face.js draws it while the robot says nothing."""
    face = (STATIC / "face.js").read_text(encoding="utf-8")
    n_bars = int(_cut(r"MOUTH_BARS = (\d+);", face, "mouth"))
    bars = [
        f'<rect x="{235 + (i - (n_bars - 1) / 2) * 13}" y="271" width="8" height="6" rx="4"/>'
        for i in range(n_bars)
    ]
    return f'<g fill="#59d6f5">{"".join(bars)}</g>'


def chair(size: str = "1em") -> str:
    """Return a chair, for what is done sitting down."""
    return (
        f'<svg class="chair" viewBox="0 0 24 24" width="{size}" height="{size}" '
        'aria-hidden="true"><path d="M6 2v20M6 13h12v9M6 13V9" fill="none" '
        'stroke="currentColor" stroke-width="2.600" stroke-linecap="round"/></svg>'
    )


def _place(pattern: str) -> tuple[float, float, float]:
    """Return x, y and size of something on the robot, in the drawing's units."""
    found = re.search(pattern, _style())
    if found is None:
        raise LookupError(f"style.css has no {pattern} any more: sim/paper/art.py looks for it")
    return (float(found["x"]) * _CQW, float(found["y"]) * _CQW, float(found["d"]) * _CQW)
