"""One page for the whole of hardware/: pictures, files, and the board with its parts.

A click on a row shows where its parts go; a tick is remembered by the browser. No other file is
needed to read it.
"""

import math
import pathlib
from html import escape
from typing import Any

from hardware import board, bom, power, sexpr
from hardware.sexpr import child, children, unquote

PAGE = board.HERE / "index.html"
_LAYOUT = board.HERE / "pcb" / "roboto.kicad_pcb"
_ORIGIN_MM = (80.0, 60.0)  # of the board on KiCad's sheet, as layout.py puts it
_FILES = (
    ("../docs/build.md", "How to build one"),
    ("../docs/build.es.md", "Cómo construir uno"),
    ("../docs/safety.md", "Safety"),
    ("pcb/schematic.pdf", "Schematic, seven pages"),
    ("pcb/gerbers.zip", "Gerbers and drills, for a fab"),
    ("pcb/fab-bom.csv", "Parts on the board, for a fab"),
    ("pcb/placement.csv", "Their places, for a fab"),
    ("bom.csv", "All parts, as a table"),
    ("body/print", "Printed parts, STL and 3MF"),
)
_STYLE = """
body{font:16px/1.45 system-ui,sans-serif;margin:0 auto;max-width:76rem;padding:1rem;color:#222}
h1{margin:.2em 0}.warn{background:#fff3cd;border-left:6px solid #d39e00;padding:.6em 1em}
.row{display:flex;flex-wrap:wrap;gap:1rem;align-items:flex-start}.row img{max-height:19rem}
svg{width:100%;background:#204a33;border-radius:8px}
.side{flex:1 1 32rem}.pad{fill:#c9b458}.part{fill:#ffffff14;stroke:#dfe8df;stroke-width:.15}
.hot .part{fill:#ff3b3bcc;stroke:#fff}.hot .pad{fill:#fff}
text{font-size:1.7px;fill:#fff;text-anchor:middle;dominant-baseline:middle;pointer-events:none}
table{border-collapse:collapse;width:100%}
td,th{border-bottom:1px solid #ccc;padding:.25em .5em;text-align:left}
tr.row-hot{background:#ffe1e1}tbody tr{cursor:pointer}td input{width:1.2em;height:1.2em}
"""
_SCRIPT = """
const rows=[...document.querySelectorAll('tbody tr')];
const groups=[...document.querySelectorAll('g[data-ref]')];
function show(refs){groups.forEach(g=>g.classList.toggle('hot',refs.includes(g.dataset.ref)));
rows.forEach(r=>r.classList.toggle('row-hot',r.dataset.refs.split(' ').some(x=>refs.includes(x))))}
rows.forEach(r=>{const box=r.querySelector('input'),key='roboto-'+r.dataset.refs;
try{box.checked=localStorage.getItem(key)==='1'}catch(e){}
box.addEventListener('change',()=>{try{localStorage.setItem(key,box.checked?'1':'0')}catch(e){}});
r.addEventListener('click',()=>show(r.dataset.refs.split(' ')));r.tabIndex=0;
r.addEventListener('keydown',e=>{if(e.key==='Enter')show(r.dataset.refs.split(' '))})});
groups.forEach(g=>g.addEventListener('click',()=>show([g.dataset.ref])));
"""

Pad = tuple[float, float, float]  # x, y, half its width, mm from the board's top left


def pads(path: pathlib.Path = _LAYOUT) -> dict[str, tuple[str, list[Pad]]]:
    """Reference -> side ("front" or "back") and pads of each part of the layout."""
    found: dict[str, tuple[str, list[Pad]]] = {}
    for one in children(sexpr.parse(path.read_text(encoding="utf-8")), "footprint"):
        names = {unquote(p[1]): unquote(p[2]) for p in children(one, "property")}
        at = [float(v) for v in child(one, "at")[1:]]
        turn = math.radians(at[2] if len(at) > 2 else 0.0)
        spots = []
        for pad in children(one, "pad"):
            dx, dy = (float(v) for v in child(pad, "at")[1:3])
            x = at[0] + dx * math.cos(turn) + dy * math.sin(turn) - _ORIGIN_MM[0]
            y = at[1] - dx * math.sin(turn) + dy * math.cos(turn) - _ORIGIN_MM[1]
            spots.append((x, y, min(float(v) for v in child(pad, "size")[1:3]) / 2))
        side = "back" if unquote(child(one, "layer")[1]) == "B.Cu" else "front"
        found[names["Reference"]] = (side, spots)
    return found


def _side(table: dict[str, Any], side: str, found: dict[str, tuple[str, list[Pad]]]) -> str:
    """One side of the board as one sees it: the back turned round."""
    width, height = table["board"]["size_mm"]
    out = [f'<svg viewBox="0 0 {width} {height}" role="img" aria-label="{side} of the board">']
    for x, y in table["board"]["holes_mm"]:
        out.append(f'<circle cx="{x}" cy="{y}" r="1.6" fill="#fff"/>')
    for part in board.on_board(table):
        its_side, spots = found[part["ref"]]
        if its_side != side:
            continue
        spots = [(width - x if side == "back" else x, y, r) for x, y, r in spots]
        left, right = min(x - r for x, _, r in spots), max(x + r for x, _, r in spots)
        top, bottom = min(y - r for _, y, r in spots), max(y + r for _, y, r in spots)
        name = f"{part['ref']} {escape(part['value'])}"
        out.append(f'<g data-ref="{part["ref"]}"><title>{name}</title>')
        out.append(
            f'<rect class="part" x="{left - 0.4:.2f}" y="{top - 0.4:.2f}" rx="0.5" '
            f'width="{right - left + 0.8:.2f}" height="{bottom - top + 0.8:.2f}"/>'
        )
        out += [
            f'<circle class="pad" cx="{x:.2f}" cy="{y:.2f}" r="{r:.2f}"/>' for x, y, r in spots
        ]
        middle = f'x="{(left + right) / 2:.2f}" y="{(top + bottom) / 2:.2f}"'
        out.append(f"<text {middle}>{part['ref']}</text></g>")
    return "".join([*out, "</svg>"])


def text(table: dict[str, Any]) -> str:
    """Return the page. Raises KeyError when the layout lacks a part of board.toml."""
    found = pads()
    placed = {part["ref"] for part in board.on_board(table)}
    rows = []
    for row in bom.rows(table):
        refs = [ref for ref in row["refs"].split() if ref in placed]
        if refs:
            rows.append(
                f'<tr data-refs="{" ".join(refs)}"><td><input type="checkbox" '
                f'aria-label="{escape(row["name"])} is soldered"></td><td>{", ".join(refs)}</td>'
                f"<td>{escape(row['name'])}{' (optional)' if row['optional'] else ''}</td>"
                f"<td>{escape(row['mpn'])}</td></tr>"
            )
    cost = sum(row["price"] for row in bom.rows(table) if row["for"] != "breadboard")
    files = "".join(f'<li><a href="{href}">{escape(name)}</a></li>' for href, name in _FILES)
    title, hours = table["board"]["name"], power.party_hours(table)
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Roboto: the hardware</title><style>{_STYLE}</style></head><body>
<h1>Roboto: the hardware</h1>
<p class="warn"><b>Nobody has built one yet.</b> All here comes from files, data sheets,
computation and emulation.</p>
<div class="row"><img src="body/pictures/front.png" alt="the robot from the front">
<img src="body/pictures/exploded.png" alt="its parts, taken apart"><ul>{files}
<li>about {cost:.0f} € of parts and {hours:.0f} hours of party from three AA cells</li>
<li>CERN-OHL-P-2.0</li></ul></div>
<h2>{escape(title)} {escape(table["board"]["revision"])}: what goes where</h2>
<p>A click on a row or a part shows the other. A tick, for what is soldered, stays in this
browser.</p>
<div class="row"><div class="side"><h3>Side of the Pico</h3>{_side(table, "front", found)}</div>
<div class="side"><h3>Side of the buttons</h3>{_side(table, "back", found)}</div></div>
<table><thead><tr><th>Done</th><th>Part</th><th>What</th><th>For example</th></tr></thead>
<tbody>{"".join(rows)}</tbody></table>
<script>{_SCRIPT}</script></body></html>
"""


def write(table: dict[str, Any], path: pathlib.Path = PAGE) -> None:
    """Writes the page."""
    path.write_text(text(table), encoding="utf-8")


def complaints(table: dict[str, Any], path: pathlib.Path = PAGE) -> list[str]:
    """Tell whether the page is current and its links lead to files."""
    found = [
        f"index.html: {href} is missing" for href, _ in _FILES if not (path.parent / href).exists()
    ]
    if not path.exists() or path.read_text(encoding="utf-8") != text(table):
        found.append("index.html differs from board.toml: run python -m hardware.build overview")
    return found
