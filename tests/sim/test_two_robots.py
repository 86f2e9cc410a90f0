"""Several robots in one process do not know of each other."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from roboto.sound import kernels, mixer, plain
from roboto.sound.clip import Pause
from roboto.sound.mixer import Mixer

from host_tools.voice import ensure_pack
from sim.machine.chip import Halt
from sim.robot import Robot
from sim.scenario import People, read
from sim.unheard import UnheardMixer
from tests.sound.signals import clip_of, tone
from tests.spec.voices import voice, write_wav

PARTY = """
[[step]]
after_quiet = 0.4
hold = "record"
for = 1.0
mic = "name.wav"

[[step]]
after = 0.3
hold = "record"
for = 1.0
mic = "name.wav"

[[step]]
after_quiet = 0.3
press = "plate"
times = 2
every = 2.5

[[step]]
after_quiet = 0.3
press = "plate"
times = 14
every = 3.0

[[step]]
after = 0.2
power = "cut"

[[step]]
after = 1.0
power = "restore"

[[step]]
after = 0.3
press = "volume"
times = 3
every = 0.3
"""


class Course:
    """One robot and its people, whose course is taken in turns with others."""

    def __init__(self, folder: Path, name: str, seed: int, listen: bool) -> None:
        (folder / name).mkdir()
        packs = {lang: ensure_pack(lang) for lang in ("es", "en")}
        self.robot = Robot(packs, folder / name, seed, listen)
        People(self.robot, read(folder / "party.toml"))
        self.over = False

    def go_on(self, us: int) -> None:
        try:
            self.robot.run_until(self.robot.chip.now_us + us)
        except Halt:
            self.over = True

    def result(self) -> tuple[list[dict[str, Any]], bytes | None]:
        tape = self.robot.tape
        heard = bytes(tape.samples(0, self.robot.chip.now_us)) if tape else None
        return self.robot.trace.events, heard


@pytest.fixture
def folder(tmp_path):
    write_wav(tmp_path / "name.wav", voice(0.8))
    (tmp_path / "party.toml").write_text(PARTY)
    yield tmp_path
    kernels.use(plain)


def test_two_at_once_are_each_as_alone(folder):
    """Heard and unheard, started in either order and taken by turns: the same samples, the same
    traces, as when there is only one in the world."""
    alone = {}
    for listen in (True, False):
        course = Course(folder, f"alone {listen}", 5, listen)
        while not course.over:
            course.go_on(3_600_000_000)
        alone[listen] = course.result()
    events, heard = alone[True]
    assert heard is not None and max(heard) > 0
    assert [e for e in events if e["event"] == "say"] and events == alone[False][0]
    for order in ((True, False), (False, True)):
        courses = [Course(folder, f"{order} {listen}", 5, listen) for listen in order]
        turn = 0
        while not all(course.over for course in courses):
            course = courses[turn % 2]
            if not course.over:
                course.go_on((370_000, 810_000, 90_000)[turn % 3])
            turn += 1
        for listen, course in zip(order, courses):
            assert course.result() == alone[listen]


# ---- the mixer that nobody hears

PARTS = [
    *(clip_of(tone(500, ms)) for ms in (8, 33, 401)),
    *(clip_of(tone(500, ms), 8000) for ms in (16, 100)),
    Pause(31),
    Pause(8),
    None,
]
_parts = st.lists(st.integers(0, len(PARTS) - 1), min_size=1, max_size=4)
_deeds = st.one_of(
    st.tuples(st.just("say"), _parts, st.lists(st.booleans(), max_size=4)),
    st.tuples(st.just("tone"), st.sampled_from(("plate", "volume", "fanfare", "limit"))),
    st.tuples(st.just("cut")),
    st.tuples(st.just("volume"), st.integers(1, 3)),
    st.tuples(st.just("render"), st.integers(1, 40)),
)


@settings(max_examples=150, deadline=None)
@given(st.lists(_deeds, min_size=1, max_size=12))
def test_what_nobody_hears_takes_the_same_time(deeds):
    """Whatever is asked of the two mixers, they talk, are busy and find parts missing alike."""
    told = []
    for one in (Mixer(), UnheardMixer(mixer)):
        seen: list[tuple[bool, bool, int]] = []
        for deed in [*deeds, ("render", 200)]:
            if deed[0] == "say":
                one.say([PARTS[number] for number in deed[1]], deed[2])
            elif deed[0] == "tone":
                one.tone(deed[1])
            elif deed[0] == "cut":
                one.cut()
            elif deed[0] == "volume":
                one.set_volume(deed[1])
            else:
                for _ in range(deed[1]):
                    played = one.render(bytearray(256))
                    seen.append((played, one.talking, one.busy, one.broken))
        told.append(seen)
    assert told[0] == told[1]


@given(st.lists(st.sampled_from(PARTS), min_size=1, max_size=5), st.integers(0, 60))
@settings(max_examples=100, deadline=None)
def test_chunks_that_are_skipped_are_those_that_would_be_rendered(parts, rendered):
    """skip() leaves the mixer where as many calls of render() would, and nothing happens on the
    way."""
    skipping, stepping = UnheardMixer(mixer), UnheardMixer(mixer)
    for one in (skipping, stepping):
        one.say(parts)
        for _ in range(rendered):
            one.render(bytearray(256))
    ahead = skipping.chunks_ahead
    skipping.skip(ahead)
    for _ in range(ahead):
        assert stepping.render(bytearray(256)) and stepping.talking
    for _ in range(100):
        seen = [
            (m.render(bytearray(256)), m.talking, m.busy, m.broken) for m in (skipping, stepping)
        ]
        assert seen[0] == seen[1]


def test_the_mixer_that_nobody_hears_has_all_that_the_other_offers():
    offered = {name for name in dir(Mixer()) if not name.startswith("_")}
    assert offered <= set(dir(UnheardMixer(mixer)))
