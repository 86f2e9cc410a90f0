"""The people of a scenario file (sim/scenario.py) at the emulated board's table.

They steer by what can be seen and heard: the record LED, and whether the amplifier is on. What the
firmware has to say of itself, its trace, comes through a terminal that it believes is not there.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import numpy as np
from roboto.sound.clip import Clip, RamBlob
from roboto.sound.mixer import Mixer
from roboto.storage import game_save
from roboto.storage.clips import Clips
from roboto.storage.settings import Settings
from roboto.storage.volume import Volume

from host_tools.places import ROOT
from sim.emulated import install
from sim.emulated.board import EmulatedBoard
from sim.scenario import LIGHT_PATIENCE_S, Scenario, Step

TRACING_MAIN = """
import json
from roboto import start

def tell(event, fields):
    fields["event"] = event
    print(json.dumps(fields))

start.run(tell, seed=%d)
"""


_TELLS = (
    "\n    import json\n"
    "    roboto.start.run(lambda event, fields: print(json.dumps(dict(fields, event=event))))\n"
)


def main_that_tells() -> bytes:
    """The robot's own main.py, all but for a trace that goes to the terminal."""
    main = (ROOT / "firmware/main.py").read_text()
    assert "\n    roboto.start.run()\n" in main
    return main.replace("\n    roboto.start.run()\n", _TELLS).encode()


def saved(game: dict | None = None, /, **chosen) -> dict[str, bytes]:
    """The files of a robot's data folder, by name: with these settings, and with a kept game whose
    players are all called by a short chirp."""
    with tempfile.TemporaryDirectory() as folder:
        volume = Volume(folder)
        settings = Settings(volume)
        for key, value in chosen.items():
            settings.set(key, value)
        jobs = [settings.save()]
        if game is not None:
            jobs.append(game_save.save(volume, game_save.GAME, game))
            sound = install.chirp(50, 200)
            clip = Clip(RamBlob(bytearray(sound.data)), 0, sound.n_samples, 16000, 0, 0, 4096)
            clips = Clips(volume)
            jobs += [clips.save(f"name/{player}", clip) for player in range(game["players"])]
        for job in jobs:
            while not job.step():
                pass
        return {path.name: path.read_bytes() for path in Path(folder).iterdir()}


def kept_game(**chosen) -> dict[str, bytes]:
    """Two players in the middle of a game: the robot boots and asks whether to go on, with its
    microphone off, which makes it cheap to emulate."""
    game = {"state": "play", "players": 2, "nicknames": [], "has_rule": False}
    return saved(game, keep_game=True, language="en", **chosen)


def robot(seed: int = 1, data: dict[str, bytes] | None = None, **board) -> EmulatedBoard:
    """A robot as a maker installs it, but for a main.py that prints its trace."""
    files = install.robot_files()
    files["main.py"] = (TRACING_MAIN % seed).encode()
    files.update({f"data/{name}": content for name, content in (data or {}).items()})
    return EmulatedBoard(files, console=True, **board)


def rendered(parts) -> np.ndarray:
    """What the mixer makes of an utterance, computed here: int16 at 16 kHz."""
    mixer = Mixer()
    mixer.say(parts)
    out, chunk = [], bytearray(256)
    while mixer.talking:
        mixer.render(chunk)
        out.append(bytes(chunk))
    return np.frombuffer(b"".join(out), np.int16)


def trace(board: EmulatedBoard) -> list[dict]:
    """What the firmware has told so far."""
    lines = bytes(board.console).decode(errors="replace").splitlines()
    return [json.loads(line) for line in lines if line.startswith("{") and line.endswith("}")]


def play(board: EmulatedBoard, scenario: Scenario) -> list[float]:
    """Switch the board on and play the scenario; returns when each press was, in ms."""
    presses: list[float] = []
    board.power_on()
    for step in scenario.steps:
        if step.after_quiet is not None:
            board.until(lambda: board.amplifier.switched, 5000)
            board.silent_for(step.after_quiet * 1000)
        else:
            board.run((step.after if step.after is not None else step.wait or 0) * 1000)
        if step.control:
            for _ in range(step.times):
                presses.append(board.ms)
                _press(board, step)
                if step.times > 1:
                    board.run(max(0.0, presses[-1] + step.every * 1000 - board.ms))
    board.silent_for(1000)
    return presses


def _press(board: EmulatedBoard, step: Step) -> None:
    assert step.control
    if step.mic is None:
        board.press(step.control, step.held * 1000)
        board.run(step.held * 1000)
        return
    board.hold(step.control)
    board.until(lambda: board.record_led.on, LIGHT_PATIENCE_S * 1000)
    board.microphone.say(np.array(step.mic, np.int16))
    board.run(step.held * 1000)
    board.release(step.control)
