"""A session that was played live is replayed by `sim run`, to the same trace and the same
sound."""

from __future__ import annotations

import io
import json
import random
import subprocess
import sys
import threading
import time
import zipfile
from array import array
from pathlib import Path
from typing import Any

from sim.audio import read_wav
from sim.web.live import LiveRobot
from sim.web.session import scenario_zip

from . import tools


class _Player:
    """Plays to a LiveRobot, and waits for what it does."""

    def __init__(self, folder: Path, **options: Any) -> None:
        from host_tools.voice import ensure_pack

        (folder / "flash").mkdir(exist_ok=True)
        self.events: list[dict[str, Any]] = []
        self._news = threading.Condition()
        packs = {code: ensure_pack(code) for code in ("en", "es")}
        self.robot = LiveRobot(
            packs, folder / "flash", folder, 7, "es", self._told, **{"speed": 4.0, **options}
        )
        self.robot.start()

    def _told(self, what: str, value: Any) -> None:
        if what == "event":
            with self._news:
                self.events.append(value)
                self._news.notify_all()

    def wait_for(self, **fields: Any) -> None:
        """Until an event with these fields has come since the last one waited for."""
        with self._news:
            while True:
                for i, event in enumerate(self.events):
                    if all(event.get(key) == value for key, value in fields.items()):
                        del self.events[: i + 1]
                        return
                assert self._news.wait(20), fields

    def click(self, control: str) -> None:
        self.robot.do("contact", control, True)
        self.wait_for(event="press", control=control)
        self.robot.do("contact", control, False)

    def speak(self, samples: array[int]) -> None:
        """Into the microphone, in blocks, as a page does; here as fast as they are taken."""
        self.robot.do("contact", "record", True)
        self.wait_for(event="led", led="record", on=True)
        for at in range(0, len(samples), 160):
            self.robot.do("words", samples[at : at + 160])
            time.sleep(0.0015)
        self.robot.do("contact", "record", False)
        self.wait_for(event="led", led="record", on=False)


def _replay(player: _Player, folder: Path) -> tuple[list[str], list[str]]:
    """Traces: played, replayed. Checks the sound on the way."""
    robot = player.robot
    robot.stop()
    data = scenario_zip(
        robot.deeds, robot.takes, robot.now_us, robot.lang, robot.seed, False, robot.flash_at_start
    )
    zipfile.ZipFile(io.BytesIO(data)).extractall(folder)
    trace, wav = folder / "replay.jsonl", folder / "replay.wav"
    command = [
        sys.executable, "-m", "sim", "run", str(folder / "session" / "session.toml"),
        f"--trace={trace}", f"--wav={wav}",
    ]  # fmt: skip
    flash = folder / "session" / "flash"
    if flash.exists():
        command.append(f"--flash={flash}")
    subprocess.run(command, cwd=tools.ROOT, check=True, stderr=subprocess.DEVNULL)
    played = b"".join(robot.tape.wav(robot.now_us))[44:]
    assert any(played)
    assert wav.read_bytes()[44 : 44 + len(played)] == played
    return robot.trace.lines().splitlines(), trace.read_text().splitlines()


def test_a_session_is_replayed_to_the_same_trace(tmp_path: Path) -> None:
    player = _Player(tmp_path)
    robot = player.robot
    robot.do("switch", "on")
    player.wait_for(event="say")
    robot.do("set", "gentle", True)
    robot.do("set", "pace", "wild")
    robot.do("contact", "volume", True)  # two buttons at once
    player.click("plate")
    robot.do("contact", "volume", False)
    robot.do("say", read_wav(tools.DEMO / "lucia.wav"))
    player.wait_for(event="record", player=0, result="stored")
    player.speak(read_wav(tools.DEMO / "hugo.wav"))
    player.wait_for(event="quiet", cut=False)
    player.click("plate")
    player.wait_for(event="state", state="house_rule")
    robot.do("contact", "record", True)
    player.wait_for(event="led", led="record", on=True)
    player.click("replay")  # while the red button is held
    robot.do("contact", "record", False)
    player.wait_for(event="record", what="house_rule")
    time.sleep(0.6)  # 2.4 s at the table: a press within 1.5 s of the one before only beeps
    player.click("plate")
    player.wait_for(event="state", state="play")
    for _ in range(5):
        player.click("plate")
    robot.do("switch", "off")  # in the middle of a word
    player.wait_for(event="power", on=False)
    robot.do("switch", "try-me")
    player.wait_for(event="say")
    player.wait_for(event="quiet", cut=False)
    played, replayed = _replay(player, tmp_path)
    assert replayed[: len(played)] == played
    assert {"volume", "record", "tone", "switch", "set"} <= {
        json.loads(line)["event"] for line in played
    }


def test_random_play_is_replayed_to_the_same_trace(tmp_path: Path) -> None:
    """Whatever children do, with whatever on the flash."""
    seed = random.randrange(1 << 30)
    print("seed", seed)  # shown when it fails
    chance = random.Random(seed)
    (tmp_path / "flash").mkdir()
    (tmp_path / "flash" / "settings").write_bytes(b"damaged")
    player = _Player(tmp_path, speed=20.0)
    robot = player.robot
    robot.do("switch", "on")
    words = read_wav(tools.DEMO / "mateo.wav")
    controls = ["record", "replay", "volume", "win", "mode", "plate", "plate", "record"]
    for _ in range(150):
        do = chance.random()
        if do < 0.05:
            robot.do("switch", chance.choice(["off", "on", "on", "try-me"]))
        elif do < 0.2:
            at = chance.randrange(len(words))
            robot.do("words", words[at : at + chance.randrange(4000)])
        elif do < 0.23:
            robot.do("say", words)
        else:
            robot.do("contact", chance.choice(controls), chance.random() < 0.5)
        time.sleep(chance.random() ** 3 * 0.08)
    robot.do("let_go")
    time.sleep(0.5)
    played, replayed = _replay(player, tmp_path)
    assert replayed[: len(played)] == played
    assert len(played) > 50
