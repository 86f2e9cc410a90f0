"""`python -m sim run --device`: what cannot be done is one line, before anything is done."""

from __future__ import annotations

import wave
from pathlib import Path

import pytest

from sim.__main__ import main

NOBODY = "/dev/ttyNOBODY"


def scenario(folder: Path, text: str) -> str:
    with wave.open(str(folder / "ana.wav"), "wb") as file:
        file.setparams((1, 2, 16000, 0, "NONE", ""))
        file.writeframes(bytes(3200))
    (folder / "party.toml").write_text('lang = "en"\n' + text)
    return str(folder / "party.toml")


@pytest.mark.parametrize(
    "steps, says",
    [
        ('[[step]]\nafter = 1\nhold = "record"\nmic = "ana.wav"\n', "step 1: somebody speaks"),
        ('[[step]]\nafter = 1\npress = "win"\n[[step]]\nafter = 1\npower = "cut"\n', "step 2"),
        ('[[step]]\nafter = 1\nswitch = "try-me"\n', "step 1: the switch is moved"),
        ('switch = "off"\n', "the switch is to stand at"),
        (
            '[[step]]\nafter = 1\npress = "win"\n[[step]]\nafter = 1\nset = { gentle = true }\n',
            "step 2: settings come after a press",
        ),
    ],
)
def test_what_takes_a_jig_is_said_before_the_robot_is_looked_for(
    steps: str, says: str, tmp_path: Path, capsys
) -> None:
    assert main(["run", scenario(tmp_path, steps), "--device", NOBODY]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert says in line


PRESS = '[[step]]\nafter = 1\npress = "win"\n'


@pytest.mark.parametrize(
    "options, says",
    [
        (["--device", NOBODY], NOBODY),
        (["--device", NOBODY, "--wav", "x.wav"], "--wav"),
        (["--device", NOBODY, "--flash", "x"], "--flash"),
        (["--device", NOBODY, "--speed", "2"], "--speed"),
        (["--jig", NOBODY], "--jig"),
        (["--device", "emulator", "--jig", NOBODY], "--jig"),
    ],
)
def test_options_that_do_not_go_together(options, says, tmp_path, capsys, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["run", scenario(tmp_path, PRESS), *options]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert says in line
    assert not (tmp_path / "x.wav").exists() and not (tmp_path / "x").exists()
