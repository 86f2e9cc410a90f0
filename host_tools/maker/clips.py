"""Recordings as WAV files, and back.

A pulled WAV can be listened to and edited. It also carries the recording as the robot stores it,
in a RIFF chunk "rbto" that players skip, with the checksum of the samples: pushed back unchanged,
the robot gets the very same bytes. Any other WAV is recorded anew by the firmware's own recorder:
trimmed, and brought to its loudness.
"""

import binascii
import io
import struct
import wave
from array import array
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from roboto.game import kept, tuning
from roboto.sound.format import HALF_RATE_HZ, RATE_HZ
from roboto.storage.clips import HEADER, MAGIC

from .. import disk, wav
from ..voice.packfile import SPARING
from . import device_files
from .device_files import MICROPHONE_SHIFT, RECORDING_BYTES, Recorder, kernels, rate_for, tables
from .errors import BoardError, MakerError
from .files import Files, Progress

_RATES_HZ = (HALF_RATE_HZ, RATE_HZ)
_HEADER = struct.Struct(HEADER)
_VERSION = 1
_INDEX_MAX = 88  # of ADPCM's table of steps
_GAIN_MAX = 1 << 20  # 256 times: the recorder never gives so much
_LONGEST_S = 20.0
_CHUNK_ID = b"rbto"
_PLAYERS = tuple(map(str, range(tuning.PLAYERS_MAX)))
_NUMBERS = tuple(map(str, range(1, tuning.PLAYERS_MAX + 1)))  # as people count players
_LIMITS_MS = {
    "name": tuning.NAME_LIMIT_MS,
    "nickname": tuning.NAME_LIMIT_MS,
    "house_rule": tuning.RULE_LIMIT_MS,
}


@dataclass(frozen=True)
class Recording:
    """A clip: its key ("name/0", "nickname/0", "house_rule") and the payload of its file."""

    key: str
    payload: bytes

    def __post_init__(self) -> None:
        if not _is_key(self.key):
            raise MakerError(f"{self.key}: not the name of a recording")
        if len(self.payload) < _HEADER.size or self.payload[:2] != MAGIC:
            raise MakerError(f"{self.key}: not a recording")
        _, version, index, rate_hz, _, n_samples, gain, _ = self._fields
        if version != _VERSION:
            raise MakerError(f"{self.key}: a recording of another version's")
        whole = len(self.payload) == _HEADER.size + (n_samples + 1) // 2
        usual = rate_hz in _RATES_HZ and index <= _INDEX_MAX and gain <= _GAIN_MAX
        if not whole or not usual or not 0 < n_samples <= _LONGEST_S * rate_hz:
            raise MakerError(f"{self.key}: the recording is damaged")

    @property
    def _fields(self) -> tuple:
        return _HEADER.unpack_from(self.payload)

    @property
    def n_samples(self) -> int:
        return self._fields[5]

    @property
    def rate_hz(self) -> int:
        return self._fields[3]

    @property
    def seconds(self) -> float:
        return self.n_samples / self.rate_hz

    @property
    def who(self) -> str:
        """Return whose it is, for people: players count from 1."""
        what, _, player = self.key.partition("/")
        return f"player {int(player) + 1}, {what}" if player else "House Rule"

    def samples(self) -> array:
        """Return int16 samples at their rate, as loud as the robot plays them at full volume."""
        _, _, index, _, predictor, n, gain_q12, _ = self._fields
        even = n + n % 2
        state = tables.codec_state()
        state[0], state[1] = predictor, index
        out = bytearray(2 * even)
        kernels.decode(self.payload[_HEADER.size :], out, even, state)
        plain = memoryview(out).cast("h")
        return array("h", (max(-32768, min(32767, s * gain_q12 >> 12)) for s in plain[:n]))

    def wav(self) -> bytes:
        """Return a WAV file of it, from which from_wav() makes the same recording again."""
        samples = self.samples().tobytes()
        file = io.BytesIO()
        with wave.open(file, "wb") as out:
            out.setparams((1, 2, self.rate_hz, 0, "NONE", ""))
            out.writeframes(samples)
        extra = struct.pack("<I", binascii.crc32(samples)) + self.payload
        extra += b"\0" * (len(extra) % 2)
        data = file.getvalue() + _CHUNK_ID + struct.pack("<I", 4 + len(self.payload)) + extra
        return data[:4] + struct.pack("<I", len(data) - 8) + data[8:]


def names_hz(board: Files) -> int:
    """Return the rate at which the robot records names at most: its voice packs say so."""
    headers = [board.read(p, 8) for p in board.tree() if p.lstrip("/").startswith("voice/")]
    rates = [
        HALF_RATE_HZ if header[5] & SPARING else int.from_bytes(header[6:8], "little")
        for header in headers
        if len(header) == 8
    ]
    return min((rate for rate in rates if rate in _RATES_HZ), default=RATE_HZ)


def from_wav(key: str, data: bytes, name: str = "WAV", names_hz: int = RATE_HZ) -> Recording:
    """Return a recording of a WAV file, as a robot that records names at such a rate would have
    made it. Raises MakerError."""
    try:
        found = wav.parse(data, name)
    except wav.BadWav as error:
        raise MakerError(str(error)) from error
    own = found.chunks.get(_CHUNK_ID, b"")
    if len(own) > 4 and binascii.crc32(found.raw) == int.from_bytes(own[:4], "little"):
        try:
            return Recording(key, own[4:])
        except MakerError:
            pass  # its chunk is damaged, its sound is not
    return _record(key, wav.at_rate(found, RATE_HZ), name, names_hz)


def read_wavs(paths: Iterable[Path]) -> dict[str, tuple[bytes, str]]:
    """Return key -> (WAV, its name) of files named as wav_name() names them. Raise MakerError,
    FileError."""
    wavs: dict[str, tuple[bytes, str]] = {}
    for path in paths:
        key = key_of(path.name)
        if key in wavs:
            raise MakerError(f"{path} and {wavs[key][1]} are of the same player: give one of them")
        wavs[key] = disk.read(path, wav.MOST_BYTES, "a WAV file"), str(path)
    return wavs


def recordings_of(
    wavs: Mapping[str, tuple[bytes, str]], names_hz: int = RATE_HZ
) -> dict[str, Recording]:
    """Return key -> recording of what read_wavs() read. Raise MakerError."""
    return {key: from_wav(key, *given, names_hz) for key, given in wavs.items()}


def _record(key: str, samples: array, name: str, names_hz: int) -> Recording:
    limit_ms = _LIMITS_MS[key.partition("/")[0]]
    recorder = Recorder(bytearray(RECORDING_BYTES), limit_ms)
    recorder.start(limit_ms, rate_for(limit_ms, RECORDING_BYTES, names_hz))
    # As the microphone would have sent it: 32-bit words, and so much quieter.
    quieter = 16 - (8 - MICROPHONE_SHIFT)
    words = array("i", (sample << quieter for sample in samples))
    for start in range(0, len(words), 128):
        if recorder.full:
            break
        part = words[start : start + 128]
        recorder.feed(part, len(part))
    result, clip = recorder.finish()
    if clip is None:
        reason = "nothing but silence" if result == "silent" else "less than 0.3 s of sound"
        raise MakerError(f"{name}: {reason}: the robot would not keep it either")
    data = bytearray((clip.n_samples + 1) // 2)
    clip.blob.read_at(clip.start_byte, data)
    header = _HEADER.pack(
        *(MAGIC, _VERSION, clip.index, clip.rate_hz, clip.predictor),
        *(clip.n_samples, clip.gain_q12, clip.ms),
    )
    return Recording(key, header + bytes(data))


# ---- names of files


def wav_name(key: str) -> str:
    """Return the name of its WAV: "name/0" is "player-1-name.wav"."""
    what, _, player = key.partition("/")
    return f"player-{int(player) + 1}-{what}.wav" if player else "house-rule.wav"


def key_of(file_name: str) -> str:
    """Return the key of a WAV by its name, as wav_name() gives it. Raises MakerError."""
    stem = file_name.lower().removesuffix(".wav").replace("_", "-")
    if stem == "house-rule":
        return "house_rule"
    player, _, rest = stem.partition("-")
    number, _, what = rest.partition("-")
    if player == "player" and what in ("name", "nickname") and number in _NUMBERS:
        return f"{what}/{_NUMBERS.index(number)}"
    raise MakerError(
        f"{file_name}: name it player-N-name.wav, player-N-nickname.wav (N from 1 to "
        f"{tuning.PLAYERS_MAX}) or house-rule.wav"
    )


def _is_key(key: str) -> bool:
    what, _, player = key.partition("/")
    return key == "house_rule" or what in ("name", "nickname") and player in _PLAYERS


def _path(key: str) -> str:
    return device_files.DATA + key.replace("/", "-") + ".clip"


def _order(recording: Recording) -> tuple:
    what, _, player = recording.key.partition("/")
    return (list(_LIMITS_MS).index(what) if what in _LIMITS_MS else 9, int(player or 0))


# ---- on the board


def _clips_on(board: Files) -> list[str]:
    """The paths of all that is called a clip, whether or not it can be a robot's."""
    return [p for p in board.tree() if p.startswith(device_files.DATA) and p.endswith(".clip")]


def _key_at(path: str) -> str:
    return path[len(device_files.DATA) : -len(".clip")].replace("-", "/")


def stored(board: Files) -> tuple[list[Recording], list[str]]:
    """Return the recordings on the board, and a line for each that is damaged or none of a
    robot's."""
    found, damaged = [], []
    for path in sorted(_clips_on(board)):
        try:
            data = device_files.payload(board, path[len(device_files.DATA) :])
            found.append(Recording(_key_at(path), data or b""))
        except BoardError:
            raise
        except MakerError as error:
            damaged.append(str(error))
    return sorted(found, key=_order), damaged


def pull(board: Files, folder: Path) -> tuple[list[Path], list[str]]:
    """Write a WAV for each recording; return which, and a line for each recording that is damaged.
    Raise MakerError, FileError."""
    disk.folder(folder)
    written = []
    found, damaged = stored(board)
    for recording in found:
        path = folder / wav_name(recording.key)
        disk.save(path, recording.wav())
        written.append(path)
    return written, damaged


def push(
    board: Files, recordings: Mapping[str, Recording], progress: Progress | None = None
) -> None:
    """Store recordings, and the game that they belong to, so that the robot can go on with
    them."""
    for key, recording in recordings.items():
        board.replace(_path(key), device_files.as_file(recording.payload), progress)
    _tell_game(board)


def wipe(board: Files) -> int:
    """Delete every recording and the game; return how many there were."""
    paths = _clips_on(board)
    board.remove([*paths, device_files.GAME])
    return len(paths)


def _tell_game(board: Files) -> None:
    """Have the game's record fit the recordings: the robot keeps what it says is there."""
    there = {_key_at(path) for path in _clips_on(board)}
    game = kept.made_of({key for key in there if _is_key(key)})
    board.replace(device_files.GAME, device_files.record_file(game))
