"""Keeps the tables in docs/build.md and docs/build.es.md equal to board.toml.

A table stands between `<!-- begin NAME -->` and `<!-- end NAME -->`; what is between is written
here.
"""

import pathlib
import re
from typing import Any

from hardware import board, bom, power, wiring

DOCS = {
    "en": board.REPO / "docs" / "build.md",
    "es": board.REPO / "docs" / "build.es.md",
}
_BLOCK = re.compile(r"(<!-- begin ([\w.-]+) -->\n).*?(<!-- end \2 -->)", re.DOTALL)

_WORDS = {
    "en": {
        "part_head": "| Part | How many | What | Price, € | Or |",
        "pin_head": "| Signal | GPIO | Pin of the Pico | What |",
        "power_head": "| Part | talking | recording | idle | asleep |",
        "wire_head": "| From | To | Colour |",
        "total": "**from the cells**",
        "together": "**together**",
        "tool_head": "| Tool | When | Price, € |",
        "time_head": "| Chapter | Work |",
        "see": "You should see",
        "optional": " (optional)",
        "inside": "inside the Pico",
        "pico": "Pico",
        "rail": "rail",
    },
    "es": {
        "part_head": "| Pieza | Cuántas | Qué es | Precio, € | O bien |",
        "pin_head": "| Señal | GPIO | Pin de la Pico | Qué es |",
        "power_head": "| Pieza | hablando | grabando | en espera | dormido |",
        "wire_head": "| De | A | Color |",
        "total": "**de las pilas**",
        "together": "**en total**",
        "tool_head": "| Herramienta | Cuándo | Precio, € |",
        "time_head": "| Capítulo | Trabajo |",
        "see": "Debes ver",
        "optional": " (opcional)",
        "inside": "dentro de la Pico",
        "pico": "Pico",
        "rail": "línea",
    },
}
_NEEDED = {
    "en": {"breadboard": "from the breadboard on", "body": "for the body"},
    "es": {"breadboard": "desde la protoboard", "body": "para el cuerpo"},
}
_COLOURS = {
    "en": {"BK": "black", "RD": "red", "OG": "orange", "YE": "yellow", "GN": "green"}
    | {"BU": "blue", "VT": "violet", "GY": "grey", "WH": "white", "PK": "pink"},
    "es": {"BK": "negro", "RD": "rojo", "OG": "naranja", "YE": "amarillo", "GN": "verde"}
    | {"BU": "azul", "VT": "violeta", "GY": "gris", "WH": "blanco", "PK": "rosa"},
}
_LABELS_ES = {
    "blue rails": "líneas azules",
    "red rail": "línea roja",
    "other red rail": "la otra línea roja",
    "one end": "un extremo",
    "other end": "el otro extremo",
    "a leg": "una pata",
    "the leg 5 mm beside it": "la pata a 5 mm de ella",
    "short leg": "pata corta",
    "long leg": "pata larga",
    "ring": "anillo",
    "other": "el otro",
    "leave open": "sin conectar",
}


def _parts(table: dict[str, Any], language: str, builds: tuple[str, ...]) -> list[str]:
    words = _WORDS[language]
    together = 0.0
    lines = [words["part_head"], "| --- | --- | --- | --- | --- |"]
    for row in bom.rows(table):
        if row["for"] not in builds:
            continue
        name = row["name"] if language == "en" else row["es"]
        name += words["optional"] if row["optional"] else ""
        other = row["alternatives" if language == "en" else "alternatives_es"]
        if row["mpn"]:
            name += f": {row['mpn']}"
        refs = row["refs"].replace(" ", ", ")
        lines.append(
            f"| {refs} | {row['quantity']} | {name} | "
            f"{_number(row['price'], language)} | {other} |"
        )
        together += row["price"]
    lines.append(f"| | | {words['together']} | **{_number(together, language)}** | |")
    return lines


def _number(value: float, language: str) -> str:
    text = f"{value:.2f}"
    return text if language == "en" else text.replace(".", ",")


def _tools(table: dict[str, Any], language: str) -> list[str]:
    lines = [_WORDS[language]["tool_head"], "| --- | --- | --- |"]
    for one in table["tool"]:
        name = one["name" if language == "en" else "es"]
        price = _number(one["price"], language) if one["price"] else ""
        lines.append(f"| {name} | {_NEEDED[language][one['needed']]} | {price} |")
    return lines


def _time(table: dict[str, Any], language: str) -> list[str]:
    lines = [_WORDS[language]["time_head"], "| --- | --- |"]
    for one in table["chapter"]:
        name = one["name" if language == "en" else "es"]
        lines.append(f"| {one['number']}. {name} | {one['minutes']} min |")
    hours = sum(one["minutes"] for one in table["chapter"]) / 60
    rounded = f"{hours:.1f}" if language == "en" else f"{hours:.1f}".replace(".", ",")
    lines.append(f"| {_WORDS[language]['together']} | {rounded} h |")
    return lines


def _see(step: dict[str, Any], language: str) -> list[str]:
    """What a step's check looks like when all is well."""
    return [f"*{_WORDS[language]['see']}:* {step['see' if language == 'en' else 'see_es']}"]


def _pins(table: dict[str, Any], language: str) -> list[str]:
    words = _WORDS[language]
    lines = [words["pin_head"], "| --- | --- | --- | --- |"]
    for name, pin in table["gpio"].items():
        number = board.PICO_PIN.get(pin["gpio"], words["inside"])
        what = pin["what"] if language == "en" else pin["es"]
        lines.append(f"| {name} | GP{pin['gpio']} | {number} | {what} |")
    return lines


def _power(table: dict[str, Any], language: str) -> list[str]:
    words = _WORDS[language]
    lines = [words["power_head"], "| --- | --- | --- | --- | --- |"]
    for ref, row in power.budget(table).items():
        name = words["total"]
        if ref != "total":
            part = board.part(table, ref)
            name = f"{ref} {part['name' if language == 'en' else 'es']}"
        cells = " | ".join(f"{row[state]:.4g}" for state in power.STATES)
        lines.append(f"| {name} | {cells} |")
    hours, days = power.party_hours(table), power.asleep_days(table)
    weeks = power.weeks(table, 3)
    if language == "en":
        text = f"Three AA cells: about {hours:.0f} hours of party, or {days:.0f} days asleep, or "
        text += f"{weeks:.0f} weeks with three hours of play a week and the switch never off."
    else:
        text = f"Tres pilas AA: unas {hours:.0f} horas de fiesta, o {days:.0f} días dormido, o "
        text += f"{weeks:.0f} semanas con tres horas de juego a la semana sin apagarlo nunca."
    return [*lines, "", text]


def _wires(table: dict[str, Any], language: str, step: dict[str, Any]) -> list[str]:
    words, colours = _WORDS[language], _COLOURS[language]
    lines = [words["wire_head"], "| --- | --- | --- |"]

    def end(ref: str, label: str) -> str:
        if language == "es":
            for english, spanish in _LABELS_ES.items():
                label = re.sub(rf"(?<![\w ]){re.escape(english)}(?![\w ])", spanish, label)
            label = label.replace("leg ", "pata ").replace(" or ", " o ")
        if ref == "Pico":
            return f"Pico {label}"
        return f"{label}" if ref in wiring.RAILS else f"{ref} {label}"

    for a, a_label, b, b_label, net in wiring.wires(table, step):
        colour = colours[wiring.colour(table, net)]
        lines.append(f"| {end(a, a_label)} | {end(b, b_label)} | {colour} |")
    return lines


def blocks(table: dict[str, Any], language: str) -> dict[str, list[str]]:
    """Name -> lines of every table that a page may hold."""
    made: dict[str, list[str]] = {
        "parts": _parts(table, language, ("both",)),
        "parts-breadboard": _parts(table, language, ("breadboard",)),
        "parts-board": _parts(table, language, ("board",)),
        "parts-body": _parts(table, language, ("body",)),
        "tools": _tools(table, language),
        "time": _time(table, language),
        "pins": _pins(table, language),
        "power": _power(table, language),
    }
    for step in table["step"]:
        made[f"wires-{step['name']}"] = _wires(table, language, step)
        if "see" in step:
            made[f"see-{step['name']}"] = _see(step, language)
    return made


def renewed(table: dict[str, Any], language: str, page: str) -> str:
    """Return the page with its tables as they must be. Raises KeyError on a block that does not
    exist."""
    made = blocks(table, language)

    def fill(found: re.Match[str]) -> str:
        return found[1] + "\n".join(made[found[2]]) + "\n" + found[3]

    return _BLOCK.sub(fill, page)


def write(table: dict[str, Any], docs: dict[str, pathlib.Path] = DOCS) -> None:
    for language, path in docs.items():
        if path.exists():
            page = path.read_text(encoding="utf-8")
            path.write_text(renewed(table, language, page), encoding="utf-8")


def stale(table: dict[str, Any], docs: dict[str, pathlib.Path] = DOCS) -> list[str]:
    """Return one line for each page whose tables differ from board.toml."""
    found = []
    for language, path in docs.items():
        page = path.read_text(encoding="utf-8")
        if renewed(table, language, page) != page:
            found.append(
                f"docs/{path.name}: a table differs from board.toml; run python -m hardware.build docs"  # noqa: E501
            )
    return found
