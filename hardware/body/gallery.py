"""Writes what a maker downloads and looks at: STL and 3MF of each part, pictures of parts and
whole."""

import itertools
import pathlib
import re
import uuid
import zipfile
from typing import Any

from manifold3d import Manifold

from hardware import board
from hardware.body import checks, parts
from hardware.body.pictures import Solid, draw
from hardware.body.sizes import Sizes, on_face

_GREEN, _DARK, _METAL = (60, 130, 70), (60, 60, 66), (170, 172, 178)
_BOUGHT_COLOURS = {
    "record LED": (255, 70, 60),
    "carrier": _GREEN,
    "speaker": _DARK,
    "cells": _DARK,
    "Pico": (70, 140, 80),
}


def models(table: dict[str, Any], folder: pathlib.Path) -> None:
    """Write NAME.stl and NAME.3mf, lying as they are printed; mm."""
    folder.mkdir(parents=True, exist_ok=True)
    sizes = Sizes()
    for name, made in parts.PRINTED.items():
        mesh = checks.mesh(parts.on_bed(name, made[0](sizes, table)))
        mesh.export(folder / f"{name}.stl")
        mesh.units = "mm"
        mesh.export(folder / f"{name}.3mf")
        _settle(folder / f"{name}.3mf")


def _settle(path: pathlib.Path) -> None:
    """The same part as the same bytes each time: no dates, no random numbers in the archive."""
    with zipfile.ZipFile(path) as archive:
        files = [(name, archive.read(name)) for name in sorted(archive.namelist())]
    count = itertools.count()

    def number(_: re.Match[bytes]) -> bytes:
        return str(uuid.uuid5(uuid.NAMESPACE_URL, f"{path.stem}/{next(count)}")).encode()

    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files:
            content = re.sub(rb"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", number, content)
            info = zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0))
            archive.writestr(info, content, zipfile.ZIP_DEFLATED)


def pictures(table: dict[str, Any], folder: pathlib.Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    s = Sizes()
    whole = parts.assembled(s, table)
    inside = bought(s, table)
    middle = s.depth / 2
    draw([*whole.values(), inside["record LED"]], folder / "front.png", -28, 20, 620, 800)
    draw(whole.values(), folder / "back.png", 208, 20, 620, 800)
    for name, made in parts.PRINTED.items():
        lying = parts.on_bed(name, made[0](s, table))
        draw([(lying, made[3])], folder / f"part-{name}.png", -30, 42, 560, 460)

    # the face from behind: what is screwed to it
    open_back = [whole["body"], *(inside[n] for n in ("carrier", "Pico", "amplifier"))]
    open_back += [inside["speaker"], inside["microphone"]]
    x, z = on_face(s, table, [26, 19])
    labels = [
        ("speaker, glued into its ring", (0.0, 24.0, s.speaker_z), (0.3, 0.04)),
        ("microphone, its hole to the face", (s.microphone_x, 9.0, s.microphone_z), (0.76, 0.04)),
        ("Pico, USB to the side", (x, 26.0, z), (0.2, 0.95)),
        ("amplifier on J3", (-12.0, 33.0, 55.0), (0.8, 0.95)),
    ]
    draw(open_back, folder / "inside-body.png", 180, 12, 800, 760, labels)

    # the back from inside: cells and slide switch
    y = s.depth - s.wall
    labels = [
        ("battery holder", (0.0, y - 14, s.holder_z), (0.2, 0.95)),
        ("slide switch SW7", (0.0, y - 10, s.switch_z), (0.8, 0.06)),
        ("screw to the body", (-30.0, y, s.body_height - 6.2), (0.2, 0.06)),
    ]
    draw(
        [whole["back"], inside["cells"], inside["slide switch"]],
        folder / "inside-back.png", -25, 25, 800, 640, labels,
    )  # fmt: skip

    # the head from below: wells, switch, light pipes
    upside = [(_flip(solid, s), colour) for solid, colour in (
        whole["head"], whole["eye left"], whole["eye right"], whole["mouth"], inside["tray switch"]
    )]  # fmt: skip
    labels = _flipped_labels(
        s,
        [
            ("tray switch SW6, two M2 screws", (-s.lever_tip_x, middle, 146.5), (0.5, 0.95)),
            ("well: self-locking nut here", (-40.0, middle - 25, 146.1), (0.2, 0.95)),
            ("post: screw from the body", (-47.0, middle - 14, s.body_height), (0.2, 0.05)),
            (
                "eye: LED into the hole, glue",
                (-s.eye_x, 5.0, s.body_height + s.eye_z),
                (0.6, 0.05),
            ),
        ],
    )
    draw(upside, folder / "inside-head.png", 155, 48, 800, 640, labels)

    # a cut through the tray's guide screws, and through its middle
    draw(_cut(s, whole, inside), folder / "tray-cut.png", -8, 8, 900, 560, _cut_labels(s))

    draw(_guide_cut(s, whole), folder / "spring-cut.png", -8, 8, 900, 560, _guide_labels(s))

    # exploded
    moves = {"back": (0, 70, 0), "door": (0, 110, 0), "head": (0, 0, 45), "tray": (0, 0, 85)}
    moves |= {"trigger": (0, 0, 70)}
    moves |= {"mouth": (0, -30, 45), "eye left": (0, -30, 45), "eye right": (0, -30, 45)}
    exploded = [
        (solid.translate(moves.get(n, (0, -40, 0) if n.startswith("cap") else (0, 0, 0))), colour)
        for n, (solid, colour) in whole.items()
    ]
    carrier = [inside[n] for n in ("carrier", "Pico", "amplifier", *parts.CAP_COLOURS)]
    exploded += [(solid.translate((0, 0, -95)), colour) for solid, colour in carrier]
    draw(exploded, folder / "exploded.png", -38, 18, 800, 900)


def bought(s: Sizes, table: dict[str, Any]) -> dict[str, Solid]:
    return {
        name: (solid, _BOUGHT_COLOURS.get(name, _METAL))
        for name, solid in parts.bought(s, table).items()
    }


def _flip(solid: Manifold, s: Sizes) -> Manifold:
    """Head down: turned about the axis from front to back through the head's middle."""
    z = s.body_height + s.head_height / 2
    return solid.translate((0, 0, -z)).rotate((0, 180, 0)).translate((0, 0, z))


def _flipped_labels(s: Sizes, labels: list[Any]) -> list[Any]:
    z = 2 * (s.body_height + s.head_height / 2)
    return [(text, (-spot[0], spot[1], z - spot[2]), where) for text, spot, where in labels]


def _hardware(s: Sizes) -> list[Solid]:
    """Screws, springs and nuts of the tray, as they sit."""
    found: list[Solid] = []
    floor = s.deck + s.tray_gap
    middle = s.depth / 2
    for gx, gy in parts._guides(s):
        screw = parts.rod(3.0, 30).translate((gx, middle + gy, floor + s.tray_floor - 30))
        found.append((screw, _METAL))
        spring = Manifold()
        low, high = s.deck - s.well_deep, floor
        turns = 7
        for i in range(turns):
            ring = parts.rod(5.2, 0.9) - parts.rod(4.0, 2).translate((0, 0, -0.5))
            spring += ring.translate((gx, middle + gy, low + (high - low - 0.9) * i / (turns - 1)))
        found.append((spring, (90, 90, 95)))
        nut = Manifold.cylinder(4, 3.2, 3.2, 6)
        found.append((nut.translate((gx, middle + gy, s.deck - s.well_deep - s.wall - 4)), _METAL))
    tip = floor + s.tray_floor - s.trigger_tip
    trigger = parts.rod(3.0, s.trigger_screw)
    found.append((trigger.translate((0, middle, tip)), _METAL))
    lever = parts.box(16, 3.2, 0.4, (-6.5, middle, tip - 0.3))
    found.append((lever, (200, 160, 60)))
    return found


def _cut(s: Sizes, whole: dict[str, Solid], inside: dict[str, Solid]) -> list[Solid]:
    """Head and tray without what is in front of the middle; the screws of the rear pair behind
    it."""
    keep = parts.box(400, 200, 400, (0, s.depth / 2 + 100, 200))
    found = [(whole[n][0] ^ keep, whole[n][1]) for n in ("head", "tray", "trigger")]
    found += [(inside["tray switch"][0] ^ keep, inside["tray switch"][1])]
    keep_screws = parts.box(400, 200, 400, (0, s.depth / 2 + 98, 200))
    return found + [(solid ^ keep_screws, colour) for solid, colour in _hardware(s)]


def _cut_labels(s: Sizes) -> list[Any]:
    middle = s.depth / 2
    top = s.deck + s.tray_gap + s.tray_floor
    line = s.deck - s.wall - s.switch_line
    return [
        (f"trigger screw M3x{s.trigger_screw:.0f}", (0.0, middle, top - 2), (0.5, 0.06)),
        ("trigger: its ring stops the tray", (7.5, middle, top - 3.4), (0.7, 0.55)),
        ("lever", (-4.0, middle, top - s.trigger_tip - 0.3), (0.66, 0.75)),
        ("tray switch SW6", (-8.0, middle, line + 2), (0.4, 0.93)),
        ("gap: the tray's way down", (47.0, middle, s.deck + 1.3), (0.86, 0.12)),
    ]


def _guide_cut(s: Sizes, whole: dict[str, Solid]) -> list[Solid]:
    """Head and tray cut through the rear pair of guide screws; screws, springs and nuts left
    whole."""
    keep = parts.box(400, 200, 400, (0, s.depth / 2 + s.guide[1] + 100, 200))
    found = [(whole[n][0] ^ keep, whole[n][1]) for n in ("head", "tray")]
    behind = parts.box(400, 200, 400, (0, s.depth / 2 + s.guide[1] + 90, 200))
    return found + [(solid ^ behind, colour) for solid, colour in _hardware(s)]


def _guide_labels(s: Sizes) -> list[Any]:
    y = s.depth / 2 + s.guide[1]
    top = s.deck + s.tray_gap + s.tray_floor
    return [
        ("M3x30, countersunk", (-40.0, y, top), (0.3, 0.06)),
        ("spring, cut to 21 mm", (-40.0, y - 2, s.deck - 7), (0.36, 0.6)),
        ("self-locking nut: sets the gap", (-40.0, y - 3, s.deck - 20), (0.3, 0.93)),
        (f"gap {s.tray_gap} mm: the gauge", (10.0, y, s.deck + 1.3), (0.66, 0.6)),
    ]


def main() -> None:
    """Make only the pictures, for whoever changes a size and wants to look."""
    pictures(board.load(), board.HERE / "body" / "pictures")


if __name__ == "__main__":
    main()
