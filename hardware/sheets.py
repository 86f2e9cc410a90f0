"""Where things stand on the schematic: one page a function, in steps of KiCad's grid (1.27 mm)
from the top left of an A4 page. The wires find their own way between them (sheetwires.py)."""

from dataclasses import dataclass, field

# x, y, turn to the left in degrees, mirrored left to right
Place = tuple[int, int, int]


@dataclass(frozen=True)
class Sheet:
    """One page. ends: where the name of a net that leads to other pages stands, with the side it
    points to; ties: pins of a supply that a wire joins, its arrow on the last."""

    name: str
    title: str
    parts: dict[str, Place]
    ends: dict[str, tuple[int, int, str]] = field(default_factory=dict)
    ties: tuple[tuple[tuple[str, str], ...], ...] = ()
    mirrored: tuple[str, ...] = ()
    fed: tuple[tuple[str, int, int], ...] = ()  # tells the rule check that a net has a source
    captions: tuple[tuple[str, int, int], ...] = ()


SHEETS = (
    Sheet(
        "pico",
        "Pico, and the other pages",
        {"U1": (150, 66, 0), "TP1": (196, 92, 0), "TP3": (170, 32, 0)},
        ties=((("TP3", "1"), ("U1", "36")),),
    ),
    Sheet(
        "supply",
        "Cells, fuse, slide switch",
        {
            "BT1": (24, 64, 0),
            "J1": (40, 40, 90),
            "F1": (58, 52, 90),
            "J2": (88, 34, 90),
            "SW7": (92, 62, 0),
            "SW7:2": (92, 96, 0),
            "C3": (124, 71, 0),
            "D6": (138, 71, 270),
            "D1": (156, 64, 180),
            "R11": (126, 96, 270),
            "TP2": (176, 56, 0),
            "TP4": (112, 56, 0),
        },
        ties=((("TP2", "1"), ("D1", "1")),),
        fed=(("VSYS", 168, 64),),
        captions=(("J1: screw terminal for BT1", 30, 28), ("J2: the plug of SW7", 78, 22)),
    ),
    Sheet(
        "amplifier",
        "Amplifier and speaker",
        {
            "J3": (84, 28, 90),
            "U2": (116, 74, 0),
            "LS1": (152, 73, 0),
            "C1": (134, 48, 0),
            "C2": (146, 48, 0),
            "R2": (60, 84, 0),
            "TP5": (70, 66, 0),
        },
        ends={
            "AMP_WS": (40, 70, "L"),
            "AMP_SCK": (40, 72, "L"),
            "AMP_SD": (40, 74, "L"),
            "AMP_SHUTDOWN": (40, 78, "L"),
        },
        ties=((("J3", "7"), ("U2", "VIN"), ("C1", "1"), ("C2", "1")),),
        captions=(("J3: socket for U2", 74, 18),),
    ),
    Sheet(
        "microphone",
        "Microphone",
        {
            "R16": (58, 46, 90),
            "R13": (58, 65, 90),
            "R14": (58, 75, 90),
            "R15": (58, 85, 90),
            "R1": (42, 93, 0),
            "J4": (92, 30, 90),
            "MK1": (150, 76, 0),
            "C5": (124, 58, 0),
        },
        ends={"MIC_SD": (32, 85, "L")},
        fed=(("MIC_VDD", 136, 46),),
        captions=(("J4: the plug of MK1", 82, 18),),
    ),
    Sheet(
        "buttons",
        "Buttons and tray",
        {
            **{f"SW{n + 1}": (60, 24 + 18 * n, 0) for n in range(5)},
            "R12": (140, 34, 90),
            "C6": (126, 41, 0),
            "J6": (160, 24, 90),
            "SW6": (186, 34, 0),
        },
        ends={"PLATE": (112, 34, "L")},
        mirrored=("SW6",),
        captions=(
            ("record", 66, 20),
            ("say it again", 66, 38),
            ("volume", 66, 56),
            ("winner", 66, 74),
            ("menu, veto", 66, 92),
            ("J6: the plug of SW6", 150, 14),
        ),
    ),
    Sheet(
        "lights",
        "Record LED; eyes and mouth",
        {
            "R3": (56, 26, 270),
            "D2": (72, 26, 180),
            "R7": (50, 96, 90),
            "R17": (62, 103, 0),
            "Q1": (76, 96, 0),
            "R4": (86, 52, 180),
            "R5": (100, 52, 180),
            "R6": (114, 52, 180),
            "J5": (140, 46, 90),
            "D3": (166, 72, 90),
            "D4": (180, 72, 90),
            "D5": (194, 72, 90),
        },
        captions=(("J5: the plug of the head's LEDs", 128, 34),),
    ),
    Sheet(
        "flash",
        "Flash (optional)",
        {
            "U3": (130, 64, 0),
            "R8": (86, 44, 180),
            "R9": (98, 44, 180),
            "R10": (108, 44, 180),
            "C4": (156, 58, 0),
        },
        ends={
            "FLASH_CS": (60, 58, "L"),
            "FLASH_SCK": (60, 60, "L"),
            "FLASH_MOSI": (60, 62, "L"),
            "FLASH_MISO": (60, 64, "L"),
        },
    ),
)


def sheet_of(ref: str) -> Sheet:
    """Return the page that shows a part. Raises KeyError when none does."""
    for sheet in SHEETS:
        if ref in sheet.parts:
            return sheet
    raise KeyError(f"sheets.py: give {ref} a place on a page")
