"""A listening test by machine: are the phrases of a pack understood?

What is heard is what the device would play: the pack's reader and the mixer of the firmware. Two
listeners, both of limited wit, so their figures are lower bounds:

* a speech recogniser (pocketsphinx with its English model; Spanish words are spelled out in the
  nearest English sounds) with a grammar of all phrases: it must come up with the right one;
* a comparison of mel cepstra (MFCC) by dynamic time warping: the nearest of all phrases as the
  engine speaks them, without effect and codec, must be the right one. It knows no language.

A place for a name is a short pause. Phrases with the same words count as one. Nobody hears a
single word out of its place, a number among the names of a menu's values, say: those of a word are
told apart from each other where they are said, and all others from everything.
"""

import functools
import re
import tempfile
import unicodedata
from collections.abc import Collection
from pathlib import Path

import numpy as np
import scipy.fft

from . import effects
from .catalogue import Phrase

HEAR_HZ = 16000
NAME_PAUSE_MS = 150
RECOGNISED = ("en", "es")  # languages that the speech recogniser can be taught
ANYWHERE = ""  # the place of all phrases of more than a word
_FEW = 3


def words(text: str) -> str:
    """Return the spoken words of a text: small letters, no signs, no names."""
    text = re.sub(r"\{\d\}|\[\d+\]", " ", text).lower().replace("’", "'")
    return " ".join(re.findall(r"[\w']+", text))


_VOWELS = {"a": "AA", "e": "EH", "i": "IY", "o": "OW", "u": "UW"}
_CONSONANTS = {
    "b": "B", "v": "B", "d": "D", "f": "F", "j": "HH", "k": "K", "l": "L", "m": "M", "n": "N",
    "p": "P", "r": "R", "s": "S", "t": "T", "z": "TH", "w": "W", "ñ": "N Y", "x": "K S",
}  # fmt: skip


def spanish_sounds(word: str) -> str:
    """Return a Spanish word in the sounds of the English model (ARPAbet), by its spelling."""
    plain = "".join(
        c if c in "ñ" else unicodedata.normalize("NFD", c)[0] for c in word.lower() if c.isalpha()
    )
    sounds = []
    i = 0
    while i < len(plain):
        letter, after = plain[i], plain[i + 1 : i + 2]
        pair = letter + after
        step = 1
        if pair in ("qu", "ch", "ll", "rr"):
            sounds.append({"qu": "K", "ch": "CH", "ll": "Y", "rr": "R"}[pair])
            step = 2
        elif pair == "gu" and plain[i + 2 : i + 3] in ("e", "i"):
            sounds.append("G")
            step = 2
        elif letter in "iu" and after and after in _VOWELS:
            sounds.append("Y" if letter == "i" else "W")
        elif letter in _VOWELS:
            sounds.append(_VOWELS[letter])
        elif letter in "cg":
            soft = after and after in "ei"
            sounds.append({"c": ("K", "TH"), "g": ("G", "HH")}[letter][bool(soft)])
        elif letter == "y":
            sounds.append("Y" if after else "IY")
        elif letter != "h":
            sounds.append(_CONSONANTS[letter])
        i += step
    return " ".join(sounds)


# Words that the recogniser's English dictionary lacks.
_ENGLISH_EXTRA = {
    "fibs": "F IH B Z",
    "roboto": "R OW B OW T OW",
    "moo": "M UW",
    "lorry": "L AO R IY",
    "nickname": "N IH K N EY M",
}


class Recogniser:
    """pocketsphinx with a grammar of all phrases that may come, for each place where some do."""

    def __init__(self, lang: str, sentences: Collection[str] | dict[str, list[str]]) -> None:
        """lang: en or es. sentences: as words() makes them; or those of each place."""
        from pocketsphinx import Config, Decoder, get_model_path

        places = sentences if isinstance(sentences, dict) else {ANYWHERE: list(sentences)}
        rules = {at: sorted(set(some)) for at, some in places.items()}
        vocabulary = sorted({word for some in rules.values() for s in some for word in s.split()})
        with tempfile.TemporaryDirectory() as folder:
            dictionary = Path(folder, "words.dict")
            sounds = _english(vocabulary) if lang == "en" else _spanish(vocabulary)
            dictionary.write_text("".join(f"{line}\n" for line in sounds), encoding="utf-8")
            self._decoder = Decoder(
                Config(
                    hmm=get_model_path("en-us/en-us"),
                    dict=str(dictionary),
                    samprate=HEAR_HZ,
                    loglevel="FATAL",
                    bestpath=False,  # its second pass loses phrases of a grammar
                    beam=1e-120,
                    wbeam=1e-80,
                    pbeam=1e-120,
                    maxhmmpf=100000,
                )
            )
        for at, some in rules.items():
            rule = " | ".join(some)
            grammar = f"#JSGF V1.0 UTF-8; grammar phrases; public <phrase> = {rule};"
            self._decoder.add_jsgf_string(f"at {at}", grammar)

    def hear(self, samples: np.ndarray, at: str = ANYWHERE) -> str:
        """Return the words of the phrase that was heard in a place; "" for none. int16 at
        16 kHz."""
        self._decoder.activate_search(f"at {at}")
        x = np.pad(samples / 32768, HEAR_HZ // 5)
        x *= 0.7 / max(np.abs(x).max(), 1e-9)
        x += np.random.default_rng(1).normal(0, 0.004, len(x))  # digital silence confuses it
        self._decoder.start_utt()
        self._decoder.process_raw(effects.to_int16(x).tobytes(), full_utt=True)
        self._decoder.end_utt()
        guess = self._decoder.hyp()
        return guess.hypstr if guess else ""


def _spanish(vocabulary: list[str]) -> list[str]:
    return [f"{word} {spanish_sounds(word)}" for word in vocabulary]


def _english(vocabulary: list[str]) -> list[str]:
    from pocketsphinx import get_model_path

    wanted = set(vocabulary)
    found = []
    with open(get_model_path("en-us/cmudict-en-us.dict"), encoding="utf-8") as lines:
        for line in lines:
            word = line.split(" ", 1)[0].partition("(")[0]
            if word in wanted:
                found.append(line.strip())
    known = {line.split(" ", 1)[0] for line in found}
    for word in wanted - known:
        if word not in _ENGLISH_EXTRA:
            raise ValueError(f'the recogniser does not know "{word}": add it to _ENGLISH_EXTRA')
        found.append(f"{word} {_ENGLISH_EXTRA[word]}")
    return sorted(found)


_HOP_MS = 16
_WINDOW_MS = 32
_AVERAGED = 3  # windows in a frame: warping takes a ninth of the time and picks as well
_MELS = 26
_CEPSTRA = 12
_TOP_HZ = 3800  # both rates have this much


def cepstra(samples: np.ndarray) -> np.ndarray:
    """Normalised mel cepstra of int16 or float samples at 16 kHz: (frames, 12), float32."""
    x = effects.trim(samples / max(np.abs(samples).max(), 1e-9), HEAR_HZ, -38.0)
    window, hop = HEAR_HZ * _WINDOW_MS // 1000, HEAR_HZ * _HOP_MS // 1000
    x = np.pad(x, (0, max(0, 2 * window - len(x))))
    x = x + np.random.default_rng(2).normal(0, 1e-3, len(x))  # the noise of a room
    frames = np.lib.stride_tricks.sliding_window_view(x, window)[::hop] * np.hamming(window)
    power = np.abs(np.fft.rfft(frames)) ** 2
    # einsum and not BLAS, here and below: its threads wait noisily between so many small products.
    mels = np.einsum("fb,mb->fm", power, _mel_filters(window))
    c = scipy.fft.dct(np.log(mels + 1e-6), norm="ortho", axis=1)
    c = np.asarray(c)[:, 1 : 1 + _CEPSTRA]
    c = (c - c.mean(axis=0)) / (c.std(axis=0) + 1e-6)
    whole = len(c) // _AVERAGED * _AVERAGED
    return c[:whole].reshape(-1, _AVERAGED, _CEPSTRA).mean(axis=1).astype(np.float32)


@functools.cache
def _mel_filters(n: int) -> np.ndarray:
    """Triangles evenly spaced in mel: (mels, n // 2 + 1)."""
    mel_top = 2595 * np.log10(1 + _TOP_HZ / 700)
    mel_low = 2595 * np.log10(1 + 200 / 700)
    edges = 700 * (10 ** (np.linspace(mel_low, mel_top, _MELS + 2) / 2595) - 1)
    hz = np.fft.rfftfreq(n, 1 / HEAR_HZ)
    low, mid, high = edges[:-2, None], edges[1:-1, None], edges[2:, None]
    return np.maximum(0, np.minimum((hz - low) / (mid - low), (high - hz) / (high - mid)))


class Comparer:
    """Dynamic time warping against many references at once."""

    def __init__(self, references: list[np.ndarray]) -> None:
        """references: cepstra."""
        self._lengths = np.array([len(r) for r in references])
        m = self._lengths.max()
        padded = [np.pad(r, ((0, m - len(r)), (0, 0))).T for r in references]
        self._frames = np.stack(padded, axis=2)  # (cepstra, m, references)
        self._squares = (self._frames**2).sum(axis=0)

    def distances(self, heard: np.ndarray) -> np.ndarray:
        """Return the warped distance of what was heard to each reference, per frame."""
        n, (m, count) = len(heard), self._squares.shape
        square = (heard**2).sum(axis=1)[:, None, None] + self._squares
        square -= 2 * np.einsum("nk,kmr->nmr", heard, self._frames)
        cost = np.sqrt(np.maximum(square, 0))  # (n, m, references)
        # Diagonals: all cells of one depend on the two before alone. Cell (i, j) of the table is
        # in row i of diagonal i + j, so that a diagonal lies in one stretch of memory.
        diagonals = np.full((n + m - 1, n, count), np.inf, np.float32)
        for i in range(n):
            diagonals[i : i + m, i] = cost[i]
        before, last = np.full((2, n + 1, count), np.inf, np.float32)
        before[0] = 0.0  # nothing heard, nothing compared
        ends = np.empty(count)
        for d, costs in enumerate(diagonals):
            now = np.full_like(last, np.inf)
            now[1:] = np.minimum(np.minimum(last[:-1], last[1:]), before[:-1]) + costs
            done = self._lengths == d + 2 - n
            ends[done] = now[n, done]
            before, last = last, now
        return ends / (n + self._lengths)


def sentence(phrase: Phrase) -> str:
    """Return what a listener should come up with."""
    return words(phrase.text)


def places(phrases: list[Phrase]) -> list[str]:
    """Return where each phrase is heard: of a single word its id without the last part, if a few
    are said there; ANYWHERE else."""
    at = [ANYWHERE if " " in sentence(p) else p.id.rpartition(".")[0] for p in phrases]
    return [place if at.count(place) >= _FEW else ANYWHERE for place in at]
