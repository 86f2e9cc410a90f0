"""A whole game in a real browser, through a fake microphone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from host_tools.maker import device_files
from host_tools.maker.clips import Recording

from . import tools

# What is heard, straight from the worklet that plays it, without the silence.
_TAP = """async () => {
  const node = roboto.speaker.node;
  const code = `registerProcessor("tap", class extends AudioWorkletProcessor {
    process([input]) { if (input[0]) this.port.postMessage(input[0].filter(Boolean)); return true;
    }
  })`;
  const url = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
  await node.context.audioWorklet.addModule(url);
  const tap = new AudioWorkletNode(node.context, "tap", { numberOfOutputs: 0 });
  window.heard = [];
  tap.port.onmessage = ({ data }) => { for (const v of data) heard.push(Math.round(v * 32768)); };
  node.connect(tap);
}"""


def _wait_quiet(server: tools.RobotServer, page: Any) -> None:
    """Until the robot has said what it was saying, and the page has played it. On a busy machine
    the page may stand still in the middle of a sentence."""
    page.wait_for_function("() => !document.body.classList.contains('silent')")
    for _ in range(150):
        talk = [e["event"] for e in server.trace() if e["event"] in ("say", "quiet")]
        if talk[-1:] != ["say"]:
            break
        page.wait_for_timeout(200)
    page.evaluate("() => { window.lastPlayed = -1; }")
    page.wait_for_function(
        """() => {
          const now = performance.now(), played = roboto.speaker.played;
          if (window.lastPlayed !== played) { window.lastPlayed = played; window.since = now; }
          return now - window.since > 400;
        }""",
        timeout=30_000,
    )


def _says(trace: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [event for event in trace if event["event"] == "say"]


def _is_surprise(trace: list[dict[str, Any]]) -> bool:
    """A command is being given; one for a nickname would be cancelled by the next card."""
    asked = any(event.get("state") == "nickname" for event in trace)
    return asked or bool(_says(trace)[-1]["kind"])


def _recorded(flash: Path, key: str) -> np.ndarray:
    """The samples of a recording on the robot's flash."""
    name = key.replace("/", "-") + ".clip"
    recording = Recording(key, device_files.payload_of(name, (flash / name).read_bytes()))
    return np.array(recording.samples())


def test_whole_game(
    start_robot: Callable[..., tools.RobotServer],
    open_page: Callable[..., Any],
    flash_settings: Callable[..., Path],
) -> None:
    flash = flash_settings(sleep_s=20, names_voice="plain", pace="wild")
    server = start_robot(f"--flash={flash}")
    page = open_page(server)
    tools.switch_on(page)
    _wait_quiet(server, page)
    page.evaluate(_TAP)
    before = np.count_nonzero(server.sound())

    for name in tools.NAMES:
        tools.say_name(page, name)
        page.wait_for_timeout(1000)  # what was said is saved first, if it is long
        _wait_quiet(server, page)
    kept = [event["player"] for event in server.trace() if event.get("result") == "stored"]
    assert kept == [0, 1]
    page.locator("#names input").nth(0).fill("Lucía")
    assert page.locator("#names input").count() == 2

    tools.press(page, "plate")
    tools.wait_for_state(page, "house_rule")
    page.wait_for_function(
        "() => /House Rule/.test(document.getElementById('caption').textContent)"
    )
    tools.say_name(page, "hugo")
    tools.wait_for_state(page, "play")
    _wait_quiet(server, page)

    for presses in range(1, 9):
        tools.press(page, "plate")
        page.wait_for_function(
            "n => document.querySelectorAll('#timeline .is-tone').length >= n", arg=presses
        )
        if _is_surprise(server.trace()):
            break
    else:
        raise AssertionError("no surprise command after eight cards")
    while not _says(server.trace())[-1]["kind"]:  # it takes a breath between beep and words
        page.wait_for_timeout(50)
    _wait_quiet(server, page)

    # The PCM that reached the worklet is the device's output, sample for sample.
    sent = server.sound()
    sounding = sent[sent != 0]
    page.wait_for_function("n => heard.length >= n", arg=int(len(sounding) - before))
    page.wait_for_timeout(1000)  # a page that lagged behind when the tap was set has more to come
    heard = np.array(page.evaluate("heard"), "<i2")
    assert np.array_equal(heard, sounding[-len(heard) :])

    # Whoever is named is heard, in the voice that was recorded; nobody else is.
    command = _says(server.trace())[-1]
    assert command["players"], "every utterance with a command names somebody"
    at = command["t"] * tools.RATE_HZ // 1000
    heard = sent[at : at + command["ms"] * tools.RATE_HZ // 1000 + tools.RATE_HZ // 5]
    recordings = [_recorded(flash, f"name/{player}") for player in range(len(tools.NAMES))]
    for player, recorded in enumerate(recordings):
        like = tools.likeness(recorded, heard)
        assert (like > 0.8) == (player in command["players"]), f"player {player}: {like:.2f}"
    # And what was recorded is what that player said, even if the machine lost some of it.
    said = [tools.wav(tools.DEMO / f"{name}.wav") for name in tools.NAMES]
    for player, recorded in enumerate(recordings):
        likes = [tools.likeness(recorded, voice) for voice in said]
        assert int(np.argmax(likes)) == player, likes

    tools.press(page, "win")
    tools.wait_for_state(page, "won")
    page.wait_for_timeout(2000)  # within 1.5 s of the press before, the tray only beeps
    tools.press(page, "plate")
    tools.wait_for_state(page, "house_rule")
    tools.wait_for_state(page, "asleep", timeout_s=60)
    page.wait_for_timeout(3000)  # it stops when all is saved; before, it restarts
    tools.press(page, "plate")
    tools.wait_for_state(page, "names")
    assert [e["event"] for e in server.trace() if e["event"] in ("sleep", "wake")] == [
        "sleep",
        "wake",
    ]
    assert not [event for event in server.trace() if event["event"] == "fault"]
