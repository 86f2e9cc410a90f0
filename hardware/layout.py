"""Places and routes the carrier board with KiCad's own Python module.

    /usr/bin/python3 -m hardware.layout      (pcbnew belongs to the system's Python, not to a
    virtual environment)

Positions come from board.toml, net by net the pins too; router.py draws the tracks. Coordinates:
mm from the board's top left, seen from the side of the Pico (KiCad's front). Buttons and record
LED sit on the other side, behind the robot's front wall.
"""

import itertools
import math
import pathlib
import re
import sys
import time
from typing import Any

import pcbnew  # pyright: ignore[reportMissingImports]
from pcbnew import VECTOR2I, FromMM, ToMM  # pyright: ignore[reportMissingImports]

from hardware import board, icons, router, sexpr
from hardware.schematic import PCB_FOLDER, PROJECT, footprint_path, full_name
from hardware.symbols import key_uuid

_FOOTPRINTS = pathlib.Path("/usr/share/kicad/footprints")
_ORIGIN_MM = (80.0, 60.0)  # of the board on KiCad's sheet
_HOLE = ("MountingHole", "MountingHole_3.2mm_M3")
_SCREW_HEAD_MM = 3.3
_LOOSE = {"footprint", "segment", "via", "zone", "pad"} | {
    "gr_line", "gr_arc", "gr_text", "gr_poly"
} | {
    "fp_line", "fp_arc", "fp_circle", "fp_rect", "fp_poly", "fp_text"
}  # fmt: skip
_THICK = {"BAT", "BAT_FUSED", "VBAT", "VSYS", "GND"}
_RULES = """(version 1)
(rule "the Pico stands on sockets 8.5 mm high, and resistors lie below it"
  (severity ignore)
  (condition "A.Reference == '%s' || B.Reference == '%s'")
  (constraint courtyard_clearance (min 0mm)))
"""


def _settled(text: str) -> str:
    """The same board as the same text each time: KiCad gives its items random numbers and saves
    them in their order."""
    whole = sexpr.parse(text)

    def bare(one: list[Any]) -> str:
        return re.sub(r'\(uuid "[^"]*"\)', "", sexpr.write(one))

    def sort(expression: list[Any]) -> None:
        # How a footprint's drawing was grouped for its author says nothing to a fab, and lists
        # random numbers.
        expression[:] = [one for one in expression if not _is_group(one)]
        for one in sexpr.children(expression, "footprint"):
            sort(one)
        places = [
            i for i, one in enumerate(expression) if isinstance(one, list) and one[0] in _LOOSE
        ]
        order = sorted((expression[i] for i in places), key=lambda one: (one[0], bare(one)))
        for i, one in zip(places, order):
            expression[i] = one

    sort(whole)
    count = itertools.count()
    return re.sub(
        r'\(uuid "[^"]*"\)',
        lambda _: f"(uuid {key_uuid('item', next(count))})",
        sexpr.write(whole),
    )


def _is_group(one: Any) -> bool:
    return isinstance(one, list) and one[0] == "group"


def _at(x: float, y: float) -> Any:
    return VECTOR2I(FromMM(_ORIGIN_MM[0] + x), FromMM(_ORIGIN_MM[1] + y))


def _local(point: Any) -> tuple[float, float]:
    return ToMM(point.x) - _ORIGIN_MM[0], ToMM(point.y) - _ORIGIN_MM[1]


def _id(*key: object) -> Any:
    return pcbnew.KIID(key_uuid("pcb", *key).strip('"'))


def main() -> int:
    started = time.monotonic()
    table = board.load()
    pcb = pcbnew.NewBoard(str(PCB_FOLDER / f"{PROJECT}.kicad_pcb"))
    _outline(pcb, table["board"]["size_mm"])
    for one in board.on_board(table):
        _place(pcb, one)
    for i, (x, y) in enumerate(table["board"]["holes_mm"]):
        _hole(pcb, f"H{i + 1}", x, y)
    nets = _connect(pcb, table)
    width, height = table["board"]["size_mm"]
    routed = router.route(width, height, _pads(pcb), _keep_out(table), _THICK, "GND")
    _copper(pcb, nets, routed)
    _ground(pcb, nets["GND"], table["board"]["size_mm"])
    _print(pcb, table)
    for name in board.nets(table):
        nets[name].SetNetname(full_name(table, name))
    pcb.BuildConnectivity()
    pcbnew.ZONE_FILLER(pcb).Fill(pcb.Zones())
    path = PCB_FOLDER / f"{PROJECT}.kicad_pcb"
    pcbnew.SaveBoard(str(path), pcb)
    path.write_text(_settled(path.read_text(encoding="utf-8")), encoding="utf-8")
    pico = table["board"]["pico"]
    path.with_suffix(".kicad_dru").write_text(_RULES % (pico, pico), encoding="utf-8")
    took = time.monotonic() - started
    print(f"layout: {len(routed.tracks)} tracks, {len(routed.vias)} vias, {took:.0f} s")
    return 0


def _segment(
    pcb: Any, layer: int, a: tuple[float, float], b: tuple[float, float], w: float
) -> None:
    line = pcbnew.PCB_SHAPE(pcb)
    line.SetShape(pcbnew.SHAPE_T_SEGMENT)
    line.SetLayer(layer)
    line.SetWidth(FromMM(w))
    line.SetStart(_at(*a))
    line.SetEnd(_at(*b))
    pcb.Add(line)


def _outline(pcb: Any, size: list[float]) -> None:
    """Rounded corners of 2 mm."""
    w, h, r = size[0], size[1], 2.0
    for a, b in (
        ((r, 0), (w - r, 0)),
        ((w, r), (w, h - r)),
        ((w - r, h), (r, h)),
        ((0, h - r), (0, r)),
    ):
        _segment(pcb, pcbnew.Edge_Cuts, a, b, 0.1)
    k = r * (1 - 0.5**0.5)
    for start, mid, end in (
        ((0, r), (k, k), (r, 0)),
        ((w - r, 0), (w - k, k), (w, r)),
        ((w, h - r), (w - k, h - k), (w - r, h)),
        ((r, h), (k, h - k), (0, h - r)),
    ):
        arc = pcbnew.PCB_SHAPE(pcb)
        arc.SetShape(pcbnew.SHAPE_T_ARC)
        arc.SetLayer(pcbnew.Edge_Cuts)
        arc.SetWidth(FromMM(0.1))
        arc.SetArcGeometry(_at(*start), _at(*mid), _at(*end))
        pcb.Add(arc)


def _load(library: str, name: str) -> Any:
    footprint = pcbnew.FootprintLoad(str(_FOOTPRINTS / f"{library}.pretty"), name)
    if footprint is None:
        raise SystemExit(f"board.toml: KiCad has no footprint {library}:{name}")
    footprint.SetFPID(pcbnew.LIB_ID(library, name))
    return footprint


def _place(pcb: Any, one: dict[str, Any]) -> None:
    library, name = one["footprint"].split(":")
    footprint = _load(library, name)
    footprint.SetReference(one["ref"])
    footprint.SetExcludedFromBOM(False)  # as the schematic: its netlist is what is checked
    footprint.SetValue(one["value"])
    field = footprint.GetFieldByName("Description")
    if field:
        field.SetText(one["name"])
    path, sheet, file = footprint_path(one["ref"])
    footprint.SetPath(pcbnew.KIID_PATH(path))
    footprint.SetSheetname(sheet)
    footprint.SetSheetfile(file)
    pcb.Add(footprint)
    if "at" in one:
        x, y, angle = one["at"]
        footprint.SetPosition(_at(x, y))
        footprint.SetOrientationDegrees(angle)
        return
    footprint.SetPosition(_at(0, 0))
    if one["where"] == "back":
        footprint.Flip(footprint.GetPosition(), pcbnew.FLIP_DIRECTION_LEFT_RIGHT)
    spots = [_local(pad.GetPosition()) for pad in footprint.Pads()]
    middle = [(min(s[i] for s in spots) + max(s[i] for s in spots)) / 2 for i in (0, 1)]
    x, y = one["centre"]
    footprint.SetPosition(_at(x - middle[0], y - middle[1]))


def _hole(pcb: Any, ref: str, x: float, y: float) -> None:
    footprint = _load(*_HOLE)
    footprint.SetReference(ref)
    footprint.Reference().SetVisible(False)
    footprint.SetBoardOnly(True)
    footprint.SetExcludedFromBOM(True)
    footprint.SetExcludedFromPosFiles(True)
    pcb.Add(footprint)
    footprint.SetPosition(_at(x, y))
    for layer in (pcbnew.F_Cu, pcbnew.B_Cu):  # no copper where the screw's head presses
        zone = pcbnew.ZONE(pcb)
        zone.SetIsRuleArea(True)
        zone.SetDoNotAllowTracks(True)
        zone.SetDoNotAllowVias(True)
        zone.SetDoNotAllowCopperPour(True)
        zone.SetDoNotAllowPads(False)
        zone.SetDoNotAllowFootprints(False)
        zone.SetLayer(layer)
        outline = zone.Outline()
        outline.NewOutline()
        for i in range(24):
            turn = 2 * math.pi * i / 24
            r = _SCREW_HEAD_MM
            spot = _at(x + r * math.cos(turn), y + r * math.sin(turn))
            outline.Append(spot.x, spot.y)
        pcb.Add(zone)


def _connect(pcb: Any, table: dict[str, Any]) -> dict[str, Any]:
    """Gives each pad its net; a pin left open gets one of its own, as KiCad's schematic names
    it."""
    nets: dict[str, Any] = {}

    def net(name: str) -> Any:
        if name not in nets:
            nets[name] = pcbnew.NETINFO_ITEM(pcb, name)
            pcb.Add(nets[name])
        return nets[name]

    for name in sorted(board.nets(table)):
        net(name)
    for one in board.on_board(table):
        pins = board.pins_of(table, one["ref"])
        for pad in pcb.FindFootprintByReference(one["ref"]).Pads():
            number = pad.GetNumber()
            if number in pins:
                pad.SetNet(net(pins[number]))
            elif number:
                pad.SetNet(net(f"unconnected-({one['ref']}-{_pin_name(one, number)}-Pad{number})"))
    return nets


def _pin_name(one: dict[str, Any], number: str) -> str:
    """The name that the schematic's symbol gives to a pin, as KiCad writes it into a net's
    name."""
    from hardware import symbols

    library, name = one["symbol"].split(":")
    symbol = symbols.kicad_symbol(library, name)
    for unit in sexpr.children(symbol, "symbol"):
        for pin in sexpr.children(unit, "pin"):
            if sexpr.unquote(sexpr.child(pin, "number")[1]) == number:
                return sexpr.unquote(sexpr.child(pin, "name")[1]).replace("/", "{slash}")
    return ""


def _pads(pcb: Any) -> list[router.Pad]:
    found = []
    for footprint in pcb.GetFootprints():
        for pad in footprint.Pads():
            x, y = _local(pad.GetPosition())
            box = pad.GetBoundingBox()
            layers = tuple(
                i for i, layer in enumerate((pcbnew.F_Cu, pcbnew.B_Cu)) if pad.IsOnLayer(layer)
            )
            half = ToMM(box.GetWidth()) / 2, ToMM(box.GetHeight()) / 2
            net = pad.GetNetname()
            net = "" if net.startswith("unconnected-") else net
            found.append(router.Pad(net, x, y, *half, layers))
        for zone in footprint.Zones():  # the Pico's has one where a Pico W has its antenna
            box = zone.GetBoundingBox()
            x, y = _local(box.GetCenter())
            half = ToMM(box.GetWidth()) / 2, ToMM(box.GetHeight()) / 2
            found.append(router.Pad("", x, y, *half, (0, 1)))
    return found


def _keep_out(table: dict[str, Any]) -> list[tuple[float, float, float]]:
    return [(x, y, _SCREW_HEAD_MM) for x, y in table["board"]["holes_mm"]]


def _copper(pcb: Any, nets: dict[str, Any], routed: router.Routed) -> None:
    for track in routed.tracks:
        for a, b in zip(track.points, track.points[1:]):
            line = pcbnew.PCB_TRACK(pcb)
            line.SetStart(_at(*a))
            line.SetEnd(_at(*b))
            line.SetWidth(FromMM(track.width))
            line.SetLayer(pcbnew.B_Cu if track.layer else pcbnew.F_Cu)
            line.SetNet(nets[track.net])
            pcb.Add(line)
    for net, x, y in routed.vias:
        via = pcbnew.PCB_VIA(pcb)
        via.SetPosition(_at(x, y))
        via.SetDrill(FromMM(router.VIA_DRILL_MM))
        via.SetWidth(FromMM(router.VIA_MM))
        via.SetNet(nets[net])
        pcb.Add(via)


def _ground(pcb: Any, net: Any, size: list[float]) -> None:
    """Ground over what is left of both layers, with spokes so that the pads can be soldered by
    hand."""
    w, h, edge = size[0], size[1], 0.6
    for layer in (pcbnew.F_Cu, pcbnew.B_Cu):
        zone = pcbnew.ZONE(pcb)
        zone.SetLayer(layer)
        zone.SetNet(net)
        outline = zone.Outline()
        outline.NewOutline()
        for x, y in ((edge, edge), (w - edge, edge), (w - edge, h - edge), (edge, h - edge)):
            spot = _at(x, y)
            outline.Append(spot.x, spot.y)
        zone.SetPadConnection(pcbnew.ZONE_CONNECTION_THERMAL)
        zone.SetThermalReliefGap(FromMM(0.4))
        zone.SetThermalReliefSpokeWidth(FromMM(0.6))
        zone.SetLocalClearance(FromMM(0.3))
        zone.SetMinThickness(FromMM(0.25))
        zone.SetIslandRemovalMode(pcbnew.ISLAND_REMOVAL_MODE_ALWAYS)
        pcb.Add(zone)


def _text(pcb: Any, text: str, x: float, y: float, size: float, back: bool, angle: float) -> None:
    item = pcbnew.PCB_TEXT(pcb)
    item.SetText(text)
    item.SetPosition(_at(x, y))
    item.SetTextSize(VECTOR2I(FromMM(size), FromMM(size)))
    item.SetTextThickness(FromMM(max(0.12, size * 0.15)))
    item.SetTextAngleDegrees(angle)
    item.SetLayer(pcbnew.B_SilkS if back else pcbnew.F_SilkS)
    item.SetMirrored(back)
    pcb.Add(item)


def _icon(pcb: Any, icon: icons.Icon, x: float, y: float) -> None:
    """A button's sign on the side of the buttons, above its name in the part's circle; from there
    left and right are changed."""
    scale = 3.0 / 24

    def spot(point: icons.Point) -> Any:
        return _at(x - (point[0] - 12) * scale, y - 2.0 + (point[1] - 12) * scale)

    for stroke in icon.strokes:
        for a, b in zip(stroke, stroke[1:]):
            line = pcbnew.PCB_SHAPE(pcb)
            line.SetShape(pcbnew.SHAPE_T_SEGMENT)
            line.SetLayer(pcbnew.B_SilkS)
            line.SetWidth(FromMM(0.2))
            line.SetStart(spot(a))
            line.SetEnd(spot(b))
            pcb.Add(line)
    for shape in icon.filled:
        poly = pcbnew.PCB_SHAPE(pcb)
        poly.SetShape(pcbnew.SHAPE_T_POLY)
        poly.SetLayer(pcbnew.B_SilkS)
        poly.SetFilled(True)
        poly.SetWidth(FromMM(0.12))
        poly.SetPolyPoints(pcbnew.VECTOR_VECTOR2I([spot(point) for point in shape]))
        pcb.Add(poly)


def _print(pcb: Any, table: dict[str, Any]) -> None:
    """The white print: what plugs in where, pin by pin."""
    for text in table["silk"]:
        x, y, angle = text["at"]
        _text(pcb, text["text"], x, y, text.get("size", 1.0), text.get("back", False), angle)
    for ref, icon in icons.ICONS.items():
        _icon(pcb, icon, *board.part(table, ref)["centre"])
    for one in board.on_board(table):
        footprint = pcb.FindFootprintByReference(one["ref"])
        reference = footprint.Reference()
        reference.SetTextSize(VECTOR2I(FromMM(0.9), FromMM(0.9)))
        reference.SetTextThickness(FromMM(0.14))
        if "label_at" in one:
            x, y, angle = one["label_at"]
            reference.SetPosition(_at(x, y))
            reference.SetTextAngleDegrees(angle)
            reference.SetKeepUpright(False)
        pads = {pad.GetNumber(): pad for pad in footprint.Pads()}
        if one["footprint"].split(":")[1].startswith(("R_Axial", "C_Disc")):
            (x1, y1), (x2, y2) = (_local(pads[n].GetPosition()) for n in "12")
            _text(pcb, one["value"], (x1 + x2) / 2, (y1 + y2) / 2, 0.8, False, 0)
        labels = one.get("silk", [])
        for i, label in enumerate(labels):
            x, y = _local(pads[str(i + 1)].GetPosition())
            dx, dy, angle = one["silk_at"]
            _text(pcb, label, x + dx, y + dy, one.get("silk_size", 0.8), False, angle)


if __name__ == "__main__":
    sys.exit(main())
