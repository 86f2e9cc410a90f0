"""KiCad's own checks of schematic and board, and what a fab needs. Calls kicad-cli of KiCad 9."""

import csv
import json
import pathlib
import re
import shutil
import subprocess
import tempfile
import zipfile
from typing import Any
from xml.etree import ElementTree

from hardware import board, sexpr
from hardware.schematic import PCB_FOLDER, PROJECT
from hardware.sexpr import child, children, unquote

SCHEMATIC = PCB_FOLDER / f"{PROJECT}.kicad_sch"
LAYOUT = PCB_FOLDER / f"{PROJECT}.kicad_pcb"
NETLIST = PCB_FOLDER / f"{PROJECT}.net.xml"
HOW_TO_GET = "KiCad 9 is missing: sh hardware/apt-packages.sh"
_LAYERS = "F.Cu,B.Cu,F.Mask,B.Mask,F.Silkscreen,B.Silkscreen,F.Paste,Edge.Cuts"
_DAY = (2026, 1, 1, 0, 0, 0)  # in the archive, so that the same board gives the same bytes


def installed() -> bool:
    """Return whether KiCad 9 or later can be called."""
    if shutil.which("kicad-cli") is None:
        return False
    version = subprocess.run(
        ["kicad-cli", "version"], check=False, capture_output=True, text=True
    ).stdout
    return version.strip().split(".")[0].isdigit() and int(version.split(".")[0]) >= 9


def _kicad(*arguments: object) -> None:
    run = subprocess.run(
        ["kicad-cli", *map(str, arguments)], check=False, capture_output=True, text=True
    )
    if run.returncode:
        raise RuntimeError(f"kicad-cli {arguments[0]} {arguments[1]}: {run.stderr.strip()}")


def rule_complaints() -> list[str]:
    """Return what ERC and DRC with schematic parity find, warnings too: one line for each
    violation."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "report.json"
        common = ("--severity-all", "--format", "json", "-o", report)
        _kicad("sch", "erc", *common, SCHEMATIC)
        for sheet in json.loads(report.read_text(encoding="utf-8"))["sheets"]:
            found += [_line("ERC", one) for one in sheet["violations"]]
        _kicad("pcb", "drc", "--schematic-parity", *common, LAYOUT)
        whole = json.loads(report.read_text(encoding="utf-8"))
        for kind in ("violations", "unconnected_items", "schematic_parity"):
            found += [_line("DRC", one) for one in whole[kind]]
    return found


def _line(check: str, violation: dict[str, Any]) -> str:
    where = "; ".join(item["description"] for item in violation["items"])
    return f"{check}: {violation['description']}: {where}"


def export_netlist(path: pathlib.Path = NETLIST) -> None:
    """Write KiCad's view of the schematic, parts off the board included (its ordinary netlist
    leaves them out).

    Without the date and the paths that differ from machine to machine.
    """
    _kicad("sch", "export", "python-bom", "-o", path, SCHEMATIC)
    text = path.read_text(encoding="utf-8")
    text = re.sub(r"<(source|date|uri)>[^<]*</", r"<\1></", text)
    path.write_text(text, encoding="utf-8")


def netlist_complaints(table: dict[str, Any], path: pathlib.Path = NETLIST) -> list[str]:
    """Return whether the schematic joins exactly what board.toml says."""
    drawn: dict[str, set[board.Node]] = {}
    for net in ElementTree.parse(path).getroot().iter("net"):
        name = net.attrib["name"].rsplit("/", 1)[-1]  # a net of one page has that page's name
        if not name.startswith("unconnected-"):
            drawn[name] = {(node.attrib["ref"], node.attrib["pin"]) for node in net.iter("node")}
    wanted = board.nets(table)
    found = [f"net {name}: only in the schematic" for name in sorted(set(drawn) - set(wanted))]
    found += [f"net {name}: not in the schematic" for name in sorted(set(wanted) - set(drawn))]
    for name in sorted(set(drawn) & set(wanted)):
        if drawn[name] != wanted[name]:
            differ = sorted(drawn[name] ^ wanted[name])
            found.append(f"net {name}: schematic and board.toml differ at {differ}")
    return found


def placement_complaints(table: dict[str, Any], path: pathlib.Path = LAYOUT) -> list[str]:
    """Return whether the layout has each part's footprint, and each pad the net of board.toml."""
    whole = sexpr.parse(path.read_text(encoding="utf-8"))
    placed: dict[str, tuple[str, dict[str, str]]] = {}
    for one in children(whole, "footprint"):
        names = {unquote(p[1]): unquote(p[2]) for p in children(one, "property")}
        pads = {
            unquote(pad[1]): unquote(child(pad, "net")[-1])
            for pad in children(one, "pad")
            if children(pad, "net")
        }
        placed[names["Reference"]] = (unquote(one[1]), pads)
    found = []
    for part in board.on_board(table):
        ref = part["ref"]
        if ref not in placed:
            found.append(f"{ref}: not on the board")
            continue
        footprint, pads = placed[ref]
        if footprint != part["footprint"]:
            found.append(f"{ref}: the board has {footprint}, board.toml says {part['footprint']}")
        joined = {
            n: net.rsplit("/", 1)[-1]
            for n, net in pads.items()
            if not net.startswith("unconnected-")
        }
        if joined != board.pins_of(table, ref):
            found.append(f"{ref}: its pads' nets on the board differ from board.toml")
    return found


def export(folder: pathlib.Path = PCB_FOLDER) -> None:
    """Gerbers and drill in one archive, parts and placement as tables, schematic as PDF, two
    pictures of the board."""
    with tempfile.TemporaryDirectory() as work:
        out = pathlib.Path(work)
        _kicad("pcb", "export", "gerbers", "-l", _LAYERS, "-o", f"{out}/", LAYOUT)
        _kicad("pcb", "export", "drill", "--excellon-separate-th", "-o", f"{out}/", LAYOUT)
        with zipfile.ZipFile(folder / "gerbers.zip", "w", zipfile.ZIP_DEFLATED) as archive:
            for path in sorted(out.iterdir()):
                # fmt: skip
                text = re.sub(
                    r"\d{4}-\d\d-\d\dT[\d:]+([+-][\d:]+|Z)?",
                    "2026-01-01T00:00:00Z",
                    path.read_text(encoding="utf-8"),
                )
                text = re.sub(r"date \d{4}-\d\d-\d\d \d\d:\d\d:\d\d", "date 2026-01-01", text)
                archive.writestr(zipfile.ZipInfo(path.name, _DAY), text, zipfile.ZIP_DEFLATED)
    # fmt: skip
    _kicad(
        "pcb",
        "export",
        "pos",
        "--format",
        "csv",
        "--units",
        "mm",
        "-o",
        folder / "placement.csv",
        LAYOUT,
    )
    _fab_placement(folder / "placement.csv")
    _fab_bom(folder / "fab-bom.csv")
    pdf = folder / "schematic.pdf"
    _kicad("sch", "export", "pdf", "-o", pdf, SCHEMATIC)
    pdf.write_bytes(re.sub(rb"\(D:\d{14}", b"(D:20260101000000", pdf.read_bytes()))
    for side in ("top", "bottom"):
        _kicad("pcb", "render", "-w", 1500, "-h", 850, "--zoom", 1.7, "--background", "opaque",
               "--side", side, "-o", folder / f"{side}.png", LAYOUT)  # fmt: skip


# A fab solders neither what stands on sockets nor the LED whose height the body sets.
_NOT_BY_A_FAB = ("U1", "D2")


def _fab_placement(path: pathlib.Path) -> None:
    """Rewrite KiCad's table of places with the columns that fabs ask for."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("Designator", "Mid X", "Mid Y", "Rotation", "Layer"))
        for row in sorted(rows, key=lambda row: board.natural(row["Ref"])):
            if row["Ref"] not in _NOT_BY_A_FAB:
                place = (
                    f"{float(row['PosX']):.3f}mm",
                    f"{float(row['PosY']):.3f}mm",
                    f"{float(row['Rot']):.0f}",
                    row["Side"],
                )
                writer.writerow((row["Ref"], *place))


def _fab_bom(path: pathlib.Path) -> None:
    """Write what is soldered to the board, like ones in one row, as fabs read it."""
    rows: dict[tuple[str, str, str], list[str]] = {}
    for part in board.on_board(board.load()):
        if part["ref"] not in _NOT_BY_A_FAB and part.get("bought", True):
            key = (part["value"], part["footprint"].split(":")[1], part.get("mpn", ""))
            rows.setdefault(key, []).append(part["ref"])
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("Comment", "Designator", "Footprint", "Quantity", "MPN"))
        for (value, footprint, mpn), refs in rows.items():
            refs.sort(key=board.natural)
            writer.writerow((value, ",".join(refs), footprint, len(refs), mpn))
