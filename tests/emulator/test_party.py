"""A whole party on the emulated board, seen and heard at its pins, and beside it in the
simulator."""

from __future__ import annotations

import dataclasses
import shutil
import wave
from pathlib import Path

import numpy as np
import pytest

from sim import scenario as scenarios
from sim.emulated import install
from sim.emulated.board import EmulatedBoard
from sim.robot import Robot

from . import people

RATE_HZ = 16_000
SEEDS = 500  # in so many parties there is one whose second card brings a duel
SETTINGS = {"pace": "wild", "names_voice": "plain", "language": "en"}


def spoken_name() -> np.ndarray:
    """A third of a second that sounds like no other: a rising buzz with a voice's overtones."""
    t = np.arange(int(0.36 * RATE_HZ)) / RATE_HZ
    phase = 2 * np.pi * (140 * t + 160 * t**2)
    buzz = sum(np.sin(k * phase) / k for k in range(1, 9))
    envelope = np.minimum(1, np.minimum(t, t[::-1]) / 0.03)
    return (7000 * buzz * envelope).astype(np.int16)


@dataclasses.dataclass
class Party:
    board: EmulatedBoard
    trace: list[dict]
    presses_ms: list[float]
    scenario: scenarios.Scenario
    folder: Path
    seed: int


@pytest.fixture(scope="module")
def party(image, tmp_path_factory) -> Party:
    folder = tmp_path_factory.mktemp("party")
    with wave.open(str(folder / "ada.wav"), "wb") as file:
        file.setparams((1, 2, RATE_HZ, 0, "NONE", ""))
        file.writeframes(spoken_name().tobytes())
    text = (Path(__file__).parent / "party.toml").read_text()
    (folder / "party.toml").write_text(text)
    scenario = scenarios.read(folder / "party.toml")
    seed = next(n for n in range(SEEDS) if _a_duel_comes(_simulated(folder, scenario, n)))
    board = people.robot(seed, people.saved(**SETTINGS))
    presses_ms = people.play(board, scenario)
    board.amplifier.write_wav(folder / "heard.wav")
    return Party(board, people.trace(board), presses_ms, scenario, folder, seed)


def _simulated(folder: Path, scenario: scenarios.Scenario, seed: int) -> list[dict]:
    """The same party in the simulator: its trace."""
    flash = folder / "flash"
    shutil.rmtree(flash, ignore_errors=True)
    flash.mkdir()
    for name, content in people.saved(**SETTINGS).items():
        (flash / name).write_bytes(content)
    pack = folder / "en.pack"
    pack.write_bytes(install.small_pack("en"))
    robot = Robot({"en": pack}, flash, seed, False, "en")
    scenarios.play(robot, scenarios.People(robot, scenario))
    return robot.trace.events


def _a_duel_comes(trace: list[dict]) -> bool:
    return any(entry["event"] == "say" and entry["kind"] == "duel" for entry in trace)


def _of(trace: list[dict], event: str) -> list[dict]:
    return [entry for entry in trace if entry["event"] == event]


def _place(heard: np.ndarray, sound: np.ndarray) -> tuple[int, float]:
    """Where `sound` is most like what was heard, and how alike: 1 is the same but for loudness."""
    n = len(sound)
    size = 1 << (len(heard) + n).bit_length()
    product = np.fft.irfft(np.fft.rfft(heard, size) * np.conj(np.fft.rfft(sound, size)), size)
    energy = np.concatenate(([0.0], np.cumsum(heard.astype(float) ** 2)))
    energy = energy[n:] - energy[:-n]
    alike = product[: len(energy)] / np.sqrt(np.maximum(energy, 1.0) * np.sum(sound**2.0))
    at = int(np.argmax(alike))
    return at, float(alike[at])


def test_it_boots_to_names_and_greets_within_a_second_and_a_half(party):
    assert party.trace[0] == {"event": "state", "state": "names"}
    first_ms = party.board.amplifier.first_sound_ms()
    assert first_ms is not None and first_ms < 1500


def test_it_goes_through_the_states_of_a_game(party):
    assert [entry["state"] for entry in _of(party.trace, "state")] == [
        "names",
        "house_rule",
        "play",
        "won",
    ]


def test_nothing_failed(party):
    assert not _of(party.trace, "fault")
    assert b"Traceback" not in party.board.console
    assert [cause for _, cause in party.board.resets] == ["power"]


def test_the_record_led_is_lit_while_real_samples_come(party):
    led = party.board.record_led.edges
    assert [on for _, on in led] == [True, False] * 3
    holds_ms = (*party.presses_ms[:2], party.presses_ms[3])
    for press_ms, (lit_ms, _) in zip(holds_ms, led[::2], strict=True):
        assert lit_ms - press_ms < 100
    assert [entry["result"] for entry in _of(party.trace, "record")] == ["stored"] * 3


@pytest.mark.parametrize("recording", [0, 2], ids=["a name", "the House Rule, at 8 kHz"])
def test_what_was_spoken_is_heard_again(party, recording):
    lit_ms = party.board.record_led.edges[2 * recording][0]
    dark_ms = party.board.record_led.edges[2 * recording + 1][0]
    heard = party.board.amplifier.heard(dark_ms, dark_ms + 1500)
    assert lit_ms < dark_ms
    name = spoken_name().astype(float)
    core = name[len(name) // 4 : -len(name) // 4]
    assert _place(heard.astype(float), core)[1] > 0.9


def test_each_plate_press_in_play_beeps_at_once(party):
    for press_ms in party.presses_ms[4:6]:
        sound_ms = party.board.amplifier.first_sound_ms(press_ms)
        assert sound_ms is not None and sound_ms - press_ms < 50


def test_a_surprise_command_calls_by_the_recorded_names(party):
    command = next(entry for entry in _of(party.trace, "say") if entry["kind"])
    assert command["players"]
    spoken = _of(party.trace, "say").index(command)
    assert spoken >= 4
    name = spoken_name().astype(float)
    core = name[len(name) // 4 : -len(name) // 4]
    heard = party.board.amplifier.heard(party.presses_ms[5], party.presses_ms[6]).astype(float)
    assert _place(heard, core)[1] > 0.9


def test_the_tray_ends_the_race_and_only_then_somebody_is_called(party):
    says = _of(party.trace, "say")
    again, call = says[-3:-1]  # the command, said again, and the call; then the congratulation
    assert again["kind"] == "duel" and again["race"]
    assert call["kind"] is None and len(call["players"]) == 1
    sound_ms = party.board.amplifier.first_sound_ms(party.presses_ms[8])
    assert sound_ms is not None and sound_ms - party.presses_ms[8] < 50


def test_volume_goes_up_and_replay_says_the_same_louder(party):
    assert [entry["level"] for entry in _of(party.trace, "volume")] == [3]
    says = _of(party.trace, "say")
    command = next(entry for entry in says if entry["kind"])
    again = says[says.index(command) + 1]
    assert again["parts"] == command["parts"]
    before = party.board.amplifier.heard(party.presses_ms[5] + 400, party.presses_ms[6])
    after = party.board.amplifier.heard(party.presses_ms[7] + 300, party.presses_ms[8])
    assert 1.3 < np.max(np.abs(after.astype(float))) / np.max(np.abs(before.astype(float))) < 3


def test_the_amplifier_is_on_only_while_there_is_sound_and_clicks_at_no_end(party):
    amplifier = party.board.amplifier
    heard = amplifier.heard()
    for (on_ms, _), (off_ms, _) in zip(amplifier.switched[::2], amplifier.switched[1::2]):
        span = heard[int(on_ms * 16) : int(off_ms * 16)]
        sounding = np.flatnonzero(span)
        assert sounding[0] >= 5 * 16, "5 ms of zeros while it wakes"
        assert abs(int(span[sounding[0]])) < 600 and abs(int(span[sounding[-1]])) < 600
        assert len(span) - sounding[-1] > 16, "ends in zeros"


def test_no_clock_stops_and_no_gap_is_heard_within_an_utterance(party):
    times_ms = np.array(party.board.amplifier.times_ns) / 1e6
    for on_ms, off_ms in _spans(party.board.amplifier.switched):
        inside = times_ms[(times_ms > on_ms + 1) & (times_ms < off_ms - 1)]
        assert np.max(np.diff(inside)) < 0.07


def _spans(switched):
    return [(a[0], b[0]) for a, b in zip(switched[::2], switched[1::2])]


def test_the_talk_led_follows_the_speech(party):
    says_ms = party.board.amplifier.first_sound_ms()
    assert party.board.talk_led.share_on(says_ms + 10, says_ms + 50) > 0.05
    end_ms = party.board.amplifier.switched[1][0]
    assert party.board.talk_led.share_on(end_ms + 5, end_ms + 25) == 0


def test_names_and_settings_are_on_flash_and_flash_was_written_in_silence_only(party):
    files = party.board.files()
    clips = {"data/name-0.clip", "data/name-1.clip", "data/house_rule.clip"}
    assert clips | {"data/settings"} <= set(files)
    assert len(files["data/house_rule.clip"]) < 0.6 * len(files["data/name-0.clip"])
    amplifier = party.board.amplifier
    on = _spans(amplifier.switched)
    first_ms = party.board.amplifier.switched[0][0]
    for ms, _, _ in party.board.flash_log:
        assert ms < first_ms or not any(a < ms < b for a, b in on)


def test_the_simulator_tells_the_same_story(party):
    again = _simulated(party.folder, party.scenario, party.seed)
    assert _story(again) == _story(party.trace)


def _story(trace) -> list[tuple]:
    """What a trace tells, less what the world around the firmware adds."""
    told = []
    for entry in trace:
        entry = entry if isinstance(entry, dict) else {"event": entry.event, **entry.fields}
        if entry["event"] in ("state", "tone", "volume", "quiet"):
            told.append(
                (entry["event"], *(v for k, v in sorted(entry.items()) if k not in ("event", "t")))
            )
        elif entry["event"] == "say":
            told.append(("say", entry["text"], tuple(entry["players"]), entry["kind"]))
        elif entry["event"] == "record":
            told.append(("record", entry["what"], entry["player"], entry["result"]))
    return told
