"""`python -m sim compare`: what it takes for the same, and what it says where traces part."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from sim import compare
from sim.__main__ import main

PARTY = [
    {"t": 0, "event": "state", "state": "names"},
    {"t": 40, "event": "say", "text": "Hello!", "parts": [{"phrase": "hi", "ms": 900}]},
    {"t": 40, "event": "led", "led": "talk", "on": True},
    {"t": 1000, "event": "quiet", "cut": False},
    {"t": 1000, "event": "led", "led": "talk", "on": False},
    {"t": 1500, "event": "press", "control": "win"},
    {"t": 1510, "event": "tone", "tone": "not_now"},
    {"t": 1600, "event": "release", "control": "win"},
    {"t": 3000, "event": "press", "control": "volume"},
    {"t": 3010, "event": "volume", "level": 3},
]


def changed(number: int, **fields) -> list[dict]:
    return [{**e, **fields} if i == number else e for i, e in enumerate(PARTY)]


def lines(second: list[dict], within_ms: float = 100) -> list[str]:
    return compare.differences(PARTY, second, within_ms)


def test_a_trace_is_the_same_as_itself() -> None:
    assert lines(PARTY) == []


def test_small_delays_may_add_up() -> None:
    slow = [{**e, "t": round(1.06 * e["t"])} for e in PARTY]
    assert slow[-1]["t"] - PARTY[-1]["t"] > 100
    assert lines(slow, 100) == []


def test_what_happens_at_once_comes_in_any_order() -> None:
    tangled = [PARTY[i] for i in (0, 2, 1, 4, 3, 5, 6, 7, 8, 9)]
    assert lines(tangled) == []


def test_the_bench_is_no_part_of_the_party() -> None:
    told = [{"t": 0, "event": "bench", "presses": "wire"}, *PARTY]
    assert compare.differences(list(_read(told)), PARTY, 100) == []


def _read(events: list[dict]):
    return compare._events(Path("x"), "".join(json.dumps(e) + "\n" for e in events))


def test_one_delay_is_one_difference() -> None:
    late = [{**e, "t": e["t"] + (400 if e["t"] > 2000 else 0)} for e in PARTY]
    (line,) = lines(late)
    assert line.startswith("3.000 s: 400 ms later") and "press" in line


@pytest.mark.parametrize("number", range(len(PARTY)))
def test_whatever_is_missing_is_one_line_with_its_time(number: int) -> None:
    (line,) = lines(PARTY[:number] + PARTY[number + 1 :], 10_000)
    assert line.startswith(f"{PARTY[number]['t'] / 1000:.3f} s: only in the first")
    (line,) = compare.differences(PARTY[:number] + PARTY[number + 1 :], PARTY, 10_000)
    assert "only in the second" in line


@pytest.mark.parametrize("number", range(len(PARTY)))
def test_whatever_has_another_value_is_one_line(number: int) -> None:
    key = next(k for k in PARTY[number] if k not in ("t", "event", "led"))
    (line,) = lines(changed(number, **{key: "other"}))
    assert "is in the second" in line


def test_a_length_may_differ_as_much_as_a_time() -> None:
    assert lines(changed(1, parts=[{"phrase": "hi", "ms": 980}])) == []
    (line,) = lines(changed(1, parts=[{"phrase": "hi", "ms": 1100}]))
    assert "parts 1 ms is 900 and 1100 ms" in line


def _write(path: Path, events: list[dict]) -> Path:
    path.write_text("".join(json.dumps(e) + "\n" for e in events))
    return path


def test_its_exit_status(tmp_path: Path, capsys) -> None:
    a, b = _write(tmp_path / "a", PARTY), _write(tmp_path / "b", changed(9, level=1))
    assert main(["compare", str(a), str(a)]) == 0
    assert capsys.readouterr().out == "the same: 10 events, times within 200 ms\n"
    assert main(["compare", str(a), str(b)]) == 1
    assert len(capsys.readouterr().out.splitlines()) == 1


BAD = [
    b"\xff\xfe", b"{", b"[]", b"1", b'{"t": 1}', b'{"event": "say"}', b'{"t": -1, "event": "x"}',
    b'{"t": true, "event": "x"}', b'{"t": NaN, "event": "x"}', b"[" * 100_000,
    b'{"t": 1, "event": 2}',
]  # fmt: skip


@pytest.mark.parametrize("content", BAD, ids=range(len(BAD)))
def test_what_is_no_trace_is_one_line(content: bytes, tmp_path: Path, capsys) -> None:
    good, bad = _write(tmp_path / "good", PARTY), tmp_path / "bad"
    bad.write_bytes(content)
    for pair in ((good, bad), (bad, good), (tmp_path / "none", good), (tmp_path, good)):
        assert main(["compare", *map(str, pair)]) == 2
        said = capsys.readouterr()
        assert not said.out and len(said.err.splitlines()) == 1


def test_events_cut_and_thrown_about_never_raise(tmp_path: Path) -> None:
    draw = random.Random(7)
    for _ in range(300):
        second = [dict(e) for e in PARTY if draw.random() < 0.8]
        for event in second:
            if draw.random() < 0.3:
                event[draw.choice(["t", "text", "parts", "ms"])] = draw.randrange(5000)
        found = lines(second)
        assert all("\n" not in line for line in found)
        if [{k: v for k, v in e.items() if k != "t"} for e in second] != [
            {k: v for k, v in e.items() if k != "t"} for e in PARTY
        ]:
            assert found
