"""The bill of materials: all that one robot needs, like things in one row."""

import csv
import io
import pathlib
from typing import Any

from hardware import board

BOM_CSV = board.HERE / "bom.csv"
# fmt: skip
_FIELDS = (
    "refs",
    "quantity",
    "name",
    "es",
    "value",
    "mpn",
    "for",
    "where",
    "price",
    "optional",
    "what",
    "alternatives",
)


def bought(table: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the parts, without what is a pad of the board."""
    return [part for part in table["part"] if part.get("bought", True)]


def rows(table: dict[str, Any]) -> list[dict[str, Any]]:
    """Return one row for each kind of thing; refs joined by blanks, price of the lot in euro,
    notes of the first that has some."""
    found: dict[tuple[str, str, bool], dict[str, Any]] = {}
    for part in bought(table):
        optional = bool(part.get("optional"))
        row = found.setdefault(
            (part["name"], part["for"], optional),
            {
                "refs": [],
                "quantity": 0,
                "name": part["name"],
                "es": part["es"],
                "value": part.get("value", ""),
                "mpn": part.get("mpn", ""),
                "for": part["for"],
                "where": part["where"],
                "price": 0.0,
                "optional": "yes" if optional else "",
                "what": [],
                "alternatives": "",
                "alternatives_es": "",
            },
        )
        row["refs"].append(part["ref"])
        row["quantity"] += part.get("quantity", 1)
        row["price"] = round(row["price"] + part["price"] * part.get("quantity", 1), 2)
        row["what"].append(part["what"])
        for field in ("alternatives", "alternatives_es"):
            row[field] = row[field] or part.get(field, "")
    for row in found.values():
        row["refs"] = " ".join(row["refs"])
        row["what"] = "; ".join(dict.fromkeys(row["what"]))
    return list(found.values())


def text(table: dict[str, Any]) -> str:
    out = io.StringIO()
    writer: csv.DictWriter[str] = csv.DictWriter(
        out, _FIELDS, lineterminator="\n", extrasaction="ignore"
    )
    writer.writeheader()
    writer.writerows(rows(table))
    return out.getvalue()


def write(table: dict[str, Any], path: pathlib.Path = BOM_CSV) -> None:
    path.write_text(text(table), encoding="utf-8")
