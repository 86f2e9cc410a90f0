"""Makes everything in hardware/ from board.toml and body/sizes.py, or checks what is there.

    python -m hardware.build                all, with a line for each step
    python -m hardware.build pins docs      only these steps
    python -m hardware.build --check        makes nothing; exit status 2 when something is wrong or
    out of date

What a step needs and the machine lacks is said in one line, and the step is skipped.
"""  # fmt: skip

import importlib.util
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

from hardware import (
    board,
    bom,
    breadboard,
    breadboard_picture,
    generate_pins,
    overview,
    pcb,
    power,
    rules,
    schematic,
    tables,
    wiring,
)

_PIP = "pip install -r requirements-test.lock"
_PICTURES = board.HERE / "body" / "pictures"
_MODELS = board.HERE / "body" / "print"

Table = dict[str, Any]


def _without(*modules: str) -> str:
    missing = [name for name in modules if importlib.util.find_spec(name) is None]
    return f"{', '.join(missing)} missing: {_PIP}" if missing else ""


def _without_kicad() -> str:
    return "" if pcb.installed() else pcb.HOW_TO_GET


def _without_drawing() -> str:
    if shutil.which("dot") is None:
        return "graphviz is missing: sh hardware/apt-packages.sh"
    return _without("wireviz", "PIL", "yaml")


def _make_pins(table: Table) -> None:
    generate_pins.write(table)


def _check_pins(table: Table) -> list[str]:
    current = generate_pins.PINS_PY.read_text(encoding="utf-8")
    same = current == generate_pins.text(table)
    return [] if same else ["pins.py differs from board.toml: run python -m hardware.build pins"]


def _make_docs(table: Table) -> None:
    bom.write(table)
    tables.write(table)


def _check_docs(table: Table) -> list[str]:
    found = tables.stale(table)
    if bom.BOM_CSV.read_text(encoding="utf-8") != bom.text(table):
        found.append("bom.csv differs from board.toml: run python -m hardware.build docs")
    return found


def _make_wiring(table: Table) -> None:
    for step in table["step"]:
        wiring.draw(table, step)


def _check_wiring(table: Table) -> list[str]:
    found = []
    for step in table["step"]:
        path = wiring.FOLDER / f"{step['name']}.yml"
        if not path.exists() or path.read_text(encoding="utf-8") != wiring.text(table, step):
            found.append(
                f"wiring/{path.name} differs from board.toml: run python -m hardware.build wiring"
            )
    return found


def _make_breadboard(table: Table) -> None:
    breadboard_picture.write(table)


def _check_breadboard(table: Table) -> list[str]:
    return [*breadboard.complaints(table), *breadboard_picture.stale(table)]


def _make_pcb(table: Table) -> None:
    schematic.write(table)
    pcb.export_netlist()
    # pcbnew belongs to the system's Python; a virtual environment does not see it
    command = ["/usr/bin/python3", "-m", "hardware.layout"]
    run = subprocess.run(command, check=False, cwd=board.REPO, capture_output=True, text=True)
    if run.returncode:
        raise RuntimeError(f"layout: {run.stderr.strip().splitlines()[-1]}")
    pcb.export()


def _check_pcb(table: Table) -> list[str]:
    return pcb.rule_complaints()


def _check_netlist(table: Table) -> list[str]:
    return [*pcb.netlist_complaints(table), *pcb.placement_complaints(table)]


def _make_body(table: Table) -> None:
    from hardware.body import gallery

    gallery.models(table, _MODELS)
    gallery.pictures(table, _PICTURES)


def _check_body(table: Table) -> list[str]:
    from hardware.body import checks
    from hardware.body.sizes import Sizes

    return checks.complaints(Sizes(), table)


def _make_overview(table: Table) -> None:
    overview.write(table)


def _check_overview(table: Table) -> list[str]:
    return overview.complaints(table)


def _nothing(table: Table) -> None:
    """For steps that only check."""


def _always() -> str:
    return ""


Step = tuple[Callable[[], str], Callable[[Table], None], Callable[[Table], list[str]]]

# name -> (what is missing, or ""; make; check)
STEPS: dict[str, Step] = {
    "rules": (
        _always,
        _nothing,
        lambda table: [*rules.complaints(table), *power.complaints(table)],
    ),
    "pins": (_always, _make_pins, _check_pins),
    "docs": (_always, _make_docs, _check_docs),
    "wiring": (_without_drawing, _make_wiring, _check_wiring),
    "breadboard": (_always, _make_breadboard, _check_breadboard),
    "pcb": (_without_kicad, _make_pcb, _check_pcb),
    "netlist": (_always, _nothing, _check_netlist),
    "overview": (_always, _make_overview, _check_overview),
    "body": (
        lambda: _without("manifold3d", "trimesh", "scipy", "networkx", "lxml", "PIL"),
        _make_body,
        _check_body,
    ),
}


def run(names: list[str], check_only: bool) -> list[str]:
    """Carries out steps with a line for each; returns what is wrong."""
    table = board.load()
    found: list[str] = []
    for i, name in enumerate(names):
        missing, make, check = STEPS[name]
        print(f"[{i + 1}/{len(names)}] {name} ... ", end="", flush=True)
        started = time.monotonic()
        why_not = missing()
        if why_not:
            print(f"skipped: {why_not}")
            continue
        if not check_only:
            make(table)
        wrong = check(table)
        found += wrong
        print(
            f"{'ok' if not wrong else f'{len(wrong)} wrong'}, {time.monotonic() - started:.0f} s"
        )
        for line in wrong:
            print(f"    {line}")
    return found


def main(arguments: list[str]) -> int:
    check_only = "--check" in arguments
    names = [name for name in arguments if name != "--check"]
    unknown = [name for name in names if name not in STEPS]
    if unknown:
        print(f"no step {unknown[0]}; there are: {', '.join(STEPS)}", file=sys.stderr)
        return 2
    try:
        return 2 if run(names or list(STEPS), check_only) else 0
    except (OSError, RuntimeError, ValueError) as error:
        print(f"\n{error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
