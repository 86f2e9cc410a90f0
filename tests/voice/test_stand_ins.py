"""The melody before a name: the piece goes on, and nothing of the stand-in is left in it."""

import re

import numpy as np
import pytest

from host_tools.voice import build, catalogue, effects, engines, hear, stand_ins
from host_tools.voice.catalogue import Phrase
from tests.conftest import need
from tests.voice.conftest import tone
from tests.voice.pitch import fall

# Names that build never speaks: what these leave tells whether a cut depends on the stand-in.
OTHERS = {"es": "Toni", "en": "Carl", "de": "Peter", "fr": "Paul", "it": "Carla"}
SOME = 5  # without --slow each fifth piece is spoken, in every language
MELODY_LEAST = 1.5  # semitones by which the middle piece ends higher than spoken alone
TAILS = [
    ("¡Hola, {0}!", ["!"]),
    ("{0} contra {1}: pierde quien parpadee.", [":", None]),
    ("Le toca a {0}", ["."]),
    ("{0}, ¡ya!", [None]),
    ("{0} elige pares, {1} elige nones", [",", None]),
    ("Salut, {0} !", ["!"]),
    ("{0}", []),
    ("Nada.", [None]),
]


@pytest.mark.parametrize("text, tails", TAILS)
def test_what_stands_behind_the_name_that_follows_a_piece(text, tails):
    phrase = Phrase("x", "ours", text)
    assert phrase.tails() == tails
    assert len(tails) == len(phrase.segments())


class Marked:
    """A voice with volume marks, which act 40 ms early as Pico's do: each letter is a tone.

    hiss: what is heard in a pause.
    early: how many letters before a name already sound of it.
    drifts: whether a mark changes more than the loudness.
    """

    def __init__(self, early: int = 0, drifts: bool = False, hiss: float = 0.0) -> None:
        self.early, self.drifts, self.hiss, self.runs = early, drifts, hiss, 0

    def __call__(self, text: str) -> np.ndarray:
        self.runs += 1
        _, *marks = re.split(r'<volume level="(\d+)">', text)
        levels, words = [int(level) for level in marks[::2]], marks[1::2]
        made, loud = [], []
        for level, word, after in zip(levels, words, [*words[1:], ""]):
            for k, letter in enumerate(word):
                if not letter.isalpha():
                    made.append(np.full(960, self.hiss))
                elif after and k >= len(word.rstrip()) - self.early:
                    breath = np.random.default_rng(1).normal(0, 3000, 1280 + 4)
                    made.append(np.diff(breath, 2 * (ord(after[0]) % 3))[:1280])
                else:
                    made.append(tone(200 + 31 * (ord(letter) % 64), 0.08))
                loud.append(np.full(len(made[-1]), level / 50))
        x, gain = np.concatenate(made), np.concatenate(loud)
        gain = np.append(gain[640:], gain[-1:].repeat(640))
        return np.round(np.append(np.zeros(16 * min(levels) * self.drifts), x * gain))


NAMES = ("Pepe", "Tito", "Carlos")


@pytest.mark.parametrize("hiss", [0, 20])
def test_what_is_kept_is_the_text_and_no_letter_of_the_stand_in(hiss):
    for text in ("Le toca", "Ahora juega", "hola", "mit", "go on with"):
        kept = stand_ins.before_name(Marked(hiss=hiss), text, ".", NAMES)
        assert kept is not None
        letters = sum(c.isalpha() for c in text)
        spoken = 0.08 * letters + 0.06 * text.count(" ")
        glide = 0.07 if text[-1] in "aeiourl" else 0  # to the stand-in's first consonant
        assert spoken - glide < len(kept) / 16000 < spoken + 0.07


def test_a_voice_that_lets_the_name_be_heard_before_it_is_not_cut():
    assert stand_ins.before_name(Marked(early=3), "Ahora juega", ".", NAMES) is None


def test_a_voice_that_does_not_heed_the_marks_is_not_cut():
    drifting = Marked(drifts=True)
    assert stand_ins.before_name(drifting, "Ahora juega", ".", NAMES) is None
    assert drifting.runs == 2 * len(NAMES)  # each was tried
    deaf = stand_ins.before_name(lambda text: tone(300, 1.0), "Ahora", ".", NAMES)
    assert deaf is None


class Both(engines.Engine):
    """An engine that can speak before a name, and notes what it was asked."""

    name = key = "both"

    def __init__(self) -> None:
        self.asked: list[tuple] = []

    def synth(self, text, lang):
        self.asked.append((text,))
        return tone(300, 0.3 + 0.01 * len(text)), 16000

    def before_name(self, text, lang, tail):
        self.asked.append((text, tail))
        return None if text.endswith("!") else (tone(500, 0.2 + 0.01 * len(text)), 16000)


def test_what_a_name_follows_is_spoken_as_before_a_name_and_once_for_each_tail(tmp_path):
    lines = ["{0} contra {1}: ¡ya!", "{1} contra {0}: ¡ya!", "contra {0}: no", "Va a {0}", "Va a"]
    lines.append("¡Alto! [300] ¡Ahora! {0}")
    phrases = {f"x.{n}": Phrase(f"x.{n}", "ours", text) for n, text in enumerate(lines)}
    engine = Both()
    voice = build.Voice("es", effects.presets()["plain"], 16000, engine)
    one = build.make(voice, phrases, tmp_path)
    before = [asked for asked in engine.asked if len(asked) == 2]
    assert sorted(before) == [
        ("Va a", "."),
        ("contra", ":"),
        ("¡Ahora!", "."),
    ]
    alone = sorted(asked[0] for asked in engine.asked if len(asked) == 1)
    assert alone == ["Va a", "no", "¡Ahora!", "¡Alto!", "¡ya!"]
    engine.asked.clear()
    assert build.make(voice, phrases, tmp_path) == one and engine.asked == []


def pieces_before_names(lang: str) -> list[tuple[str, str]]:
    """Return each piece of a language that a name follows, and what stands behind that."""
    found = set()
    for phrase in catalogue.read(catalogue.PHRASES / f"{lang}.txt").values():
        for segment, tail in zip(phrase.segments(), phrase.tails()):
            piece = catalogue.pieces(segment)[-1]
            if tail and isinstance(piece, str) and piece[-1] not in "!?.":
                found.add((piece, tail))
    return sorted(found)


@pytest.mark.parametrize("every", [SOME, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("lang", stand_ins.STAND_INS)
def test_before_a_name_the_voice_goes_on(lang, every, record_property):
    need("py_nanotts", "pip install py-nanotts")
    preset = effects.presets()["robot"]
    engine = engines.choose("pico", lang, preset)

    def spoken_before(other: str, text: str, tail: str) -> np.ndarray | None:
        return stand_ins.before_name(
            lambda marked: engine.synth(marked, lang)[0], text, tail, (other, "Pit")
        )

    wanted = pieces_before_names(lang)
    asked = wanted[::every]
    alone = [build._clean(*engine.synth(text, lang)) for text, _ in wanted]
    listener = hear.Comparer([hear.cepstra(x) for x in alone])
    higher, falls, unlike, cut = [], [], [], 0
    for text, tail in asked:
        n = wanted.index((text, tail))
        said = engine.before_name(text, lang, tail)
        if said is None:
            continue
        cut += 1
        x = build._clean(*said)
        # Nothing but the words: no longer than spoken alone, and known again among all.
        assert len(x) <= len(alone[n]) + 1600, text
        near = wanted[int(np.argmin(listener.distances(hear.cepstra(x))))][0]
        # One short word has little to be told apart by.
        assert near == text or " " not in text, f"{text} is heard as {near}"
        third = spoken_before(OTHERS[lang], text, tail)
        if third is not None and not stand_ins.alike(said[0], third):
            unlike.append(text)
        moves = fall(x), fall(alone[n])
        if None not in moves:
            higher.append(moves[0] - moves[1])
            falls.append(moves[0])
    engine.close()
    assert cut >= 0.9 * len(asked)
    assert len(unlike) <= 0.1 * len(asked), unlike
    assert float(np.median(higher)) >= MELODY_LEAST
    assert float(np.median(falls)) >= -3.0
    record_property(
        "figure",
        f"{lang}: {cut} of {len(asked)} pieces before a name are cut; they move by "
        f"{np.median(falls):.1f} semitones, {np.median(higher):.1f} higher than alone",
    )
