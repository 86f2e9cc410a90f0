"""Writes the voice pack file, as docs/architecture.md lays its format down.

Header, hash and records are a second implementation on purpose: the firmware's reader
(storage/pack.py) is held to it by tests/voice/test_packfile.py, and neither to itself.
"""

import re
import struct
import zlib
from collections.abc import Callable

from roboto.game.tuning import PLAYERS_MIN

from .catalogue import OUTCOMES, Phrase, games
from .commands import Traits

HEADER = "<4sBBH8sIHHII"
MAGIC = b"RBVP"
FORMAT = 1
CODECS = ("adpcm", "mdct")  # by their numbers in the file
SPARING = 128  # added to it where names beside the pack have half the rate


class Segment:
    """A spoken stretch of a phrase. IMA ADPCM: high nibble first, from predictor 0, index 0."""

    def __init__(self, data: bytes, n_samples: int) -> None:
        self.data, self.n_samples = data, n_samples


def fnv1a(id: str) -> int:
    """Return the 32-bit FNV-1a of a phrase id."""
    value = 0x811C9DC5
    for byte in id.encode():
        value = ((value ^ byte) * 0x01000193) & 0xFFFFFFFF
    return value


def _counted(text: str) -> bytes:
    data = text.encode()
    return bytes([len(data)]) + data


def _in_number_order(id: str) -> list:
    return [int(s) if s.isdigit() else s for s in re.split(r"(\d+)", id)]


def groups_of(phrases: dict[str, Phrase]) -> dict[str, list[str]]:
    """Ids by group: commands by kind, numbered variants by prefix; the same order everywhere."""
    groups: dict[str, list[str]] = {}
    for phrase in phrases.values():
        head = phrase.id.partition(".")[0]
        name = phrase.kind or phrase.prefix or (head if head in OUTCOMES else "")
        if name:
            groups.setdefault(name, []).append(phrase.id)
    return {name: sorted(groups[name], key=_in_number_order) for name in sorted(groups)}


def trait_groups(
    phrases: dict[str, Phrase], traits: Callable[[str], Traits]
) -> dict[str, list[str]]:
    """Return what commands ask of a table, as groups of their ids: "+race" those at which people
    race, "+holds", "+rough" what a gentle table leaves out, "+min3" … what wants so many players,
    "+stopwatch" … what does so after it was said.

    "+race" is there even where it is empty: without it a pack is one from before traits.
    """
    groups: dict[str, list[str]] = {"+race": []}
    for phrase in phrases.values():
        if not phrase.kind:
            continue
        asked = traits(phrase.id)
        names = [name for name in ("race", "holds") if getattr(asked, name)]
        names += [] if asked.gentle else ["rough"]
        names += [f"min{asked.players_min}"] if asked.players_min > PLAYERS_MIN else []
        names += [asked.act] if asked.act else []
        for name in names:
            groups.setdefault("+" + name, []).append(phrase.id)
    return groups


def games_group(phrases: dict[str, Phrase]) -> dict[str, list[str]]:
    """Return the group "+games", the names of the games that these phrases can say; no group where
    there is none."""
    names = [f"menu.value.{game}" for game in games(phrases)]
    return {"+games": names} if names else {}


def pack_bytes(
    language: str,
    rate_hz: int,
    version: int,
    phrases: dict[str, Phrase],
    sounds: dict[str, list[Segment]],
    traits: Callable[[str], Traits] | None = None,
    codec: str = "adpcm",
    sparing: bool = False,
) -> bytes:
    """Return the whole pack file. sounds: the segments of each phrase id, of that codec; traits:
    what a command asks of a table, else nothing is said of it. sparing: the robot is to record
    names at half the rate, since the pack leaves no room for more."""
    order = sorted(phrases, key=fnv1a)
    if len({fnv1a(id) for id in order}) != len(order):
        raise ValueError("two phrase ids have the same hash; rename one of the newest")
    number = {id: n for n, id in enumerate(order)}
    named = {**groups_of(phrases), **(trait_groups(phrases, traits) if traits else {})}
    named |= games_group(phrases)
    groups = b"".join(
        _counted(name) + struct.pack(f"<H{len(ids)}H", len(ids), *(number[id] for id in ids))
        for name, ids in sorted(named.items())
    )
    n_groups = len(named)
    heads = [_record_head(phrases[id], len(sounds[id])) for id in order]
    entry = struct.Struct("<IIII" if codec == "mdct" else "<III")
    at = struct.calcsize(HEADER) + 8 * len(order) + len(groups)
    directory = b""
    for id, head in zip(order, heads):
        directory += struct.pack("<II", fnv1a(id), at)
        at += len(head) + entry.size * len(sounds[id])
    records = b""
    audio: dict[bytes, int] = {}  # sound -> where it lies: what is said often is stored once
    for id, head in zip(order, heads):
        records += head
        for segment in sounds[id]:
            if segment.data not in audio:
                audio[segment.data] = at
                at += len(segment.data)
            place = audio[segment.data]
            about = (place, segment.n_samples, zlib.crc32(segment.data), len(segment.data))
            records += entry.pack(*about[: entry.size // 4])
    body = directory + groups + records
    name = language.encode().ljust(8, b"\0")
    header = struct.pack(
        *(HEADER, MAGIC, FORMAT, CODECS.index(codec) | SPARING * sparing, rate_hz, name, version),
        *(len(order), n_groups, at, zlib.crc32(body)),
    )
    return header + body + b"".join(audio)  # in the order of their places


def _record_head(phrase: Phrase, n_segments: int) -> bytes:
    """A record without its segment table."""
    text = phrase.shown.encode()
    parts = phrase.parts()
    return (
        _counted(phrase.id)
        + _counted(phrase.kind)
        + struct.pack("<H", len(text))
        + text
        + struct.pack(f"<B{len(parts)}b", len(parts), *parts)
        + bytes([n_segments])
    )
