"""What the browser tests and the screenshots share: a robot of their own, a browser, and a fake
microphone."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
import urllib.request
import wave
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
DEMO = ROOT / "sim" / "demo"
TOKEN = "a-token-for-the-tests"
RATE_HZ = 16000

# The fake microphone says one name after the other, for ever: where in its slot, which slot.
SLOT_S = 3.0
SAID_AT_S = 0.6
NAMES = ("lucia", "hugo")
_SLOTS = 100


class RobotServer:
    """`python -m sim play` on a port of its own."""

    def __init__(self, *arguments: str, port: int = 0, token: str = TOKEN, seed: int = 3) -> None:
        self._arguments = arguments
        self.token = token
        command = [
            sys.executable, "-m", "sim", "play", "--no-open", f"--port={port}", f"--seed={seed}",
            f"--token={token}", *arguments,
        ]  # fmt: skip
        self.process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout
        found = re.search(r"http://127\.0\.0\.1:(\d+)/#\S+", self.process.stdout.readline())
        assert found, "the server did not start"
        self.url, self.port = found[0], int(found[1])

    def __enter__(self) -> RobotServer:
        return self

    def __exit__(self, *_error: object) -> None:
        self.stop()

    def get(self, path: str) -> bytes:
        url = f"http://127.0.0.1:{self.port}/{path}?token={self.token}"
        with urllib.request.urlopen(url, timeout=20) as answer:
            return answer.read()

    def trace(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.get("session/trace.jsonl").splitlines()]

    def sound(self) -> np.ndarray:
        """int16 samples, all since the start."""
        with wave.open(io.BytesIO(self.get("session/sound.wav"))) as file:
            return np.frombuffer(file.readframes(file.getnframes()), "<i2")

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(10)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(10)


def chromium_arguments(microphone: Path | None = None) -> list[str]:
    arguments = [
        "--no-sandbox", "--disable-gpu", "--disable-background-networking",
        "--disable-component-update", "--disable-sync", "--use-fake-device-for-media-stream",
        "--use-fake-ui-for-media-stream",
    ]  # fmt: skip
    if microphone:
        arguments.append(f"--use-file-for-fake-audio-capture={microphone}%noloop")
    return arguments


def chromium_path() -> str | None:
    import shutil

    return os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")


def wav(path: Path) -> np.ndarray:
    with wave.open(str(path)) as file:
        return np.frombuffer(file.readframes(file.getnframes()), "<i2")


def write_fake_microphone(path: Path) -> None:
    """What the fake microphone hears: the names in turn, with silence between."""
    out = np.zeros(int(_SLOTS * SLOT_S * RATE_HZ), "<i2")
    for slot in range(_SLOTS):
        said = wav(DEMO / f"{NAMES[slot % len(NAMES)]}.wav")
        at = int((slot * SLOT_S + SAID_AT_S) * RATE_HZ)
        out[at : at + len(said)] = said
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE_HZ)
        file.writeframes(out.tobytes())


def switch_on(page: Any, position: str = "on") -> None:
    radio = page.locator(f"input[value={position}]")
    if radio.is_checked():
        page.locator("input[value=off]").check(force=True)
        wait_for_state(page, "off")
    radio.check(force=True)
    page.wait_for_function("() => roboto.speaker.isOn")


def wait_for_state(page: Any, state: str, timeout_s: float = 30) -> None:
    page.wait_for_function(
        "state => document.body.dataset.state === state", arg=state, timeout=timeout_s * 1000
    )


def say_name(page: Any, name: str) -> None:
    """Holds the red button while the fake microphone says this name; again if a busy machine was
    too late for it, which leaves a recording that is too short."""
    for _ in range(3):
        if _hold_for(page, name):
            return
        page.wait_for_timeout(2500)  # the robot says that it heard nothing
    raise AssertionError(f"three times too late for {name}")


def _hold_for(page: Any, name: str) -> bool:
    page.wait_for_function("() => roboto.microphone.state === 'on'")
    slot, length_s = NAMES.index(name), len(wav(DEMO / f"{name}.wav")) / RATE_HZ
    round_s = len(NAMES) * SLOT_S
    open_s = "(performance.now() - roboto.microphone.openedMs) / 1000"
    place = f"({open_s} + {round_s - slot * SLOT_S}) % {round_s}"
    page.locator("[data-control=record]").hover()
    page.wait_for_function(f"() => {place} < 0.3")
    page.mouse.down()
    page.wait_for_selector("body.recording")
    in_time = page.evaluate(f"() => {place} < {SAID_AT_S}")
    if in_time:
        page.wait_for_function(f"() => {place} > {SAID_AT_S + length_s + 0.2}")
    page.mouse.up()
    page.wait_for_selector("body:not(.recording)")
    return in_time


def press(page: Any, control: str) -> None:
    """A click of a tenth of a second."""
    page.locator(f"[data-control={control}]").click(delay=100, force=True)


def drop_wav(page: Any, data: bytes) -> None:
    """Drops a file on the red button."""
    page.evaluate(
        """data => {
          const transfer = new DataTransfer();
          transfer.items.add(new File([new Uint8Array(data)], "said.wav"));
          const red = document.querySelector("button[data-control=record]");
          red.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true }));
        }""",
        list(data),
    )


def likeness(said: np.ndarray, heard: np.ndarray) -> float:
    """The highest normalised cross-correlation of `said` with any stretch of `heard`: 0 to 1."""
    said, heard = said.astype(float), heard.astype(float)
    n = 1 << int(np.ceil(np.log2(len(said) + len(heard))))
    cross = np.fft.irfft(np.fft.rfft(heard, n) * np.conj(np.fft.rfft(said, n)), n)[: len(heard)]
    energy = np.cumsum(np.concatenate([[0.0], np.concatenate([heard, np.zeros(len(said))]) ** 2]))
    around = energy[len(said) : len(said) + len(heard)] - energy[: len(heard)]
    return float(np.max(np.abs(cross) / np.sqrt(np.maximum(around, 1e4) * np.sum(said**2))))
