"""The quick run and the rest are all tests, each once."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

from tests import tiers

ROOT = Path(__file__).resolve().parent.parent


def test_each_test_is_in_one_tier() -> None:
    files = [path.relative_to(ROOT).as_posix() for path in (ROOT / "tests").rglob("test_*.py")]
    items = [SimpleNamespace(nodeid=file + "::test") for file in sorted(files)]
    quick, rest = tiers.of_tier("quick", items)
    assert (len(quick), len(rest)) == tuple(len(x) for x in reversed(tiers.of_tier("rest", items)))
    assert quick and rest and len(quick) + len(rest) == len(items)
    assert quick[0].nodeid.startswith("tests/test_style.py")
    assert not [item for item in quick if item.nodeid.startswith(("tests/emulator", "tests/hil"))]


def test_the_lists_name_what_is_there() -> None:
    for prefix in tiers.QUICK:
        assert list((ROOT / prefix).parent.glob((ROOT / prefix).name + "*")), prefix
    for prefix in tiers.LONG:
        file, _, test = prefix.partition("::")
        assert f"def {test}" in (ROOT / file).read_text(encoding="utf-8"), prefix
        assert file.startswith(tiers.QUICK), f"{prefix} is not in the quick run anyway"
