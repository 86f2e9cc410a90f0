"""The soak sees what it is there to see, and under MicroPython a robot soaks in a board's heap."""

from __future__ import annotations

import re
import subprocess

import pytest
from roboto.storage.log import Log

from sim import firmware
from tests.fuzz import soak
from tests.micropython import soaking

_MINUTES = 30
_GROWTH_BYTES = 12_000  # what is loaded when an hour ends makes as much of a difference


def _complaints(minutes: int = 10) -> str:
    return "\n".join(soak.spend(3, minutes * 60_000).complaints)


def test_a_press_without_its_beep_is_seen(monkeypatch):
    firmware.load()
    from roboto.speech import Speech

    tone, heard = Speech.tone, []

    def forgetful(self, name, now_ms):
        heard.append(name)
        if name != "plate" or len(heard) % 5:
            tone(self, name, now_ms)

    monkeypatch.setattr(Speech, "tone", forgetful)
    assert "a press of the tray was missed" in _complaints()


def test_what_is_raised_in_the_loop_is_seen(monkeypatch):
    def spoiled(self):
        raise KeyError("spoiled")

    monkeypatch.setattr(Log, "save", spoiled)
    assert "KeyError" in _complaints()


def test_flash_that_fills_is_seen(tmp_path):
    table = soak.SimTable(tmp_path)
    assert table.account({"log-0": 4000, "log-1": 4090}) == 8090 and not table.complaints
    table.account({"log-0": 9000})
    table.account({f"name-0.{n}": 1 for n in range(100)})
    assert [words.split(": ")[1] for words in table.complaints] == [
        "the log has 9000 bytes",
        "100 files, 100 bytes",
    ]


def _soaked(minutes: int, folder, seed: int) -> list[int]:
    """Return the bytes of the heap in use after each hour."""
    done = soaking.run(
        folder, minutes, seed, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    assert done.returncode == 0, done.stdout[-3000:]
    said = re.findall(r"^said (\d+) complaints 0$", done.stdout, re.MULTILINE)
    assert said and int(said[0]) > 2 * minutes, done.stdout[-3000:]
    return [int(n) for n in re.findall(r"used (\d+)", done.stdout)]


def test_under_micropython_it_soaks_in_a_boards_heap(tmp_path):
    _soaked(_MINUTES, tmp_path, 1)


@pytest.mark.slow
def test_a_day_under_micropython(tmp_path, record_property):
    used = _soaked(24 * 60, tmp_path, 2)
    record_property("figure", f"heap in use over 24 hours: {min(used)} to {max(used)} bytes")
    assert len(used) >= 24
    assert max(used[12:]) - max(used[:12]) < _GROWTH_BYTES, used


@pytest.mark.slow
def test_a_day(record_property):
    lines: list[str] = []
    table = soak.spend(2, 24 * 3_600_000, told=lines.append)
    record_property("figure", f"soak {lines[-1]}")
    assert not table.complaints, "\n".join(table.complaints)
    held = [int(re.findall(r"(\d+) objects", line)[0]) for line in lines]
    assert max(held[12:]) - max(held[2:12]) < 500, held
