"""Recordings as WAV files, and back; a whole robot in one file.

A pulled WAV can be listened to and edited. It also carries the recording as the robot stores it,
in a RIFF chunk "rbto" that players skip, with the checksum of the samples: pushed back unchanged,
the robot gets the very same bytes. Any other WAV is recorded anew by the firmware's own recorder:
trimmed, and brought to its loudness.
"""

import binascii
import io
import struct
import wave
import zipfile
import zlib
from array import array
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from roboto.game import kept, tuning
from roboto.sound.format import RATE_HZ
from roboto.storage.clips import HEADER, MAGIC

from .. import wav
from . import device_files
from .board import Board
from .device_files import MICROPHONE_SHIFT, RECORDING_BYTES, Recorder, kernels, rate_for, tables
from .errors import MakerError

_HEADER = struct.Struct(HEADER)
_CHUNK = b"rbto"
_PLAYERS = tuple(map(str, range(tuning.PLAYERS_MAX)))
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
        if not self.rate_hz or self.n_samples > 2 * (len(self.payload) - _HEADER.size):
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
        """For people: players count from 1."""
        what, _, player = self.key.partition("/")
        return f"player {int(player) + 1}, {what}" if player else "House Rule"

    def samples(self) -> array:
        """int16 samples at their rate, as loud as the robot plays them at full volume."""
        _, _, index, _, predictor, n, gain_q12, _ = self._fields
        even = n + n % 2
        state = tables.codec_state()
        state[0], state[1] = predictor, index
        out = bytearray(2 * even)
        kernels.decode(self.payload[_HEADER.size :], out, even, state)
        plain = memoryview(out).cast("h")
        return array("h", (max(-32768, min(32767, s * gain_q12 >> 12)) for s in plain[:n]))

    def wav(self) -> bytes:
        """A WAV file of it, from which from_wav() makes the same recording again."""
        samples = self.samples().tobytes()
        file = io.BytesIO()
        with wave.open(file, "wb") as out:
            out.setparams((1, 2, self.rate_hz, 0, "NONE", ""))
            out.writeframes(samples)
        extra = struct.pack("<I", binascii.crc32(samples)) + self.payload
        extra += b"\0" * (len(extra) % 2)
        data = file.getvalue() + _CHUNK + struct.pack("<I", 4 + len(self.payload)) + extra
        return data[:4] + struct.pack("<I", len(data) - 8) + data[8:]


def voice_hz(board: Board) -> int:
    """The rate of the robot's voice, which is that of the names it records."""
    headers = [board.read(p, 8) for p in board.tree() if p.lstrip("/").startswith("voice/")]
    return min((int.from_bytes(header[6:8], "little") for header in headers), default=RATE_HZ)


def from_wav(key: str, data: bytes, name: str = "WAV", voice_hz: int = RATE_HZ) -> Recording:
    """A recording of a WAV file, as a robot with such a voice would have made it. Raises
    MakerError."""
    try:
        found = wav.parse(data, name)
    except wav.BadWav as error:
        raise MakerError(str(error)) from error
    kept = found.chunks.get(_CHUNK, b"")
    if len(kept) > 4 and binascii.crc32(found.raw) == int.from_bytes(kept[:4], "little"):
        return Recording(key, kept[4:])
    return _record(key, wav.at_rate(found, RATE_HZ), name, voice_hz)


def _record(key: str, samples: array, name: str, voice_hz: int) -> Recording:
    limit_ms = _LIMITS_MS[key.partition("/")[0]]
    recorder = Recorder(bytearray(RECORDING_BYTES), limit_ms)
    recorder.start(limit_ms, rate_for(limit_ms, RECORDING_BYTES, voice_hz))
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
        *(b"RC", 1, clip.index, clip.rate_hz, clip.predictor),
        *(clip.n_samples, clip.gain_q12, clip.ms),
    )
    return Recording(key, header + bytes(data))


# ---- names of files


def wav_name(key: str) -> str:
    """ "name/0" -> "player-1-name.wav" """
    what, _, player = key.partition("/")
    return f"player-{int(player) + 1}-{what}.wav" if player else "house-rule.wav"


def key_of(file_name: str) -> str:
    """The other way round. Raises MakerError."""
    stem = file_name.lower().removesuffix(".wav").replace("_", "-")
    if stem == "house-rule":
        return "house_rule"
    words = stem.split("-")
    if len(words) == 3 and words[0] == "player" and words[1].isdigit():
        if words[2] in ("name", "nickname") and 1 <= int(words[1]) <= tuning.PLAYERS_MAX:
            return f"{words[2]}/{int(words[1]) - 1}"
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


def stored(board: Board) -> tuple[list[Recording], list[str]]:
    """The recordings on the board, and a line for each that is damaged."""
    found, damaged = [], []
    for path in sorted(board.tree()):
        if path.startswith(device_files.DATA) and path.endswith(".clip"):
            name = path[len(device_files.DATA) :]
            key = name[: -len(".clip")].replace("-", "/")
            try:
                found.append(Recording(key, device_files.payload(board, name) or b""))
            except MakerError as error:
                damaged.append(str(error))
    return sorted(found, key=_order), damaged


def pull(board: Board, folder: Path) -> tuple[list[Path], list[str]]:
    """Writes a WAV for each recording: which, and a line for each recording that is damaged.
    Raises MakerError."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    found, damaged = stored(board)
    for recording in found:
        path = folder / wav_name(recording.key)
        path.write_bytes(recording.wav())
        written.append(path)
    return written, damaged


def push(board: Board, recordings: Mapping[str, Recording]) -> None:
    """Stores recordings, and the game that they belong to, so that the robot can go on with "
    "them."""
    for key, recording in recordings.items():
        board.replace(_path(key), device_files.as_file(recording.payload))
    _tell_game(board)


def wipe(board: Board) -> int:
    """Deletes every recording and the game; how many there were."""
    paths = [p for p in board.tree() if p.startswith(device_files.DATA) and p.endswith(".clip")]
    board.remove([*paths, device_files.DATA + "game"])
    return len(paths)


def _tell_game(board: Board) -> None:
    """The game's record must fit the recordings: the robot keeps what it says is there."""
    there = {
        path[len(device_files.DATA) : -len(".clip")].replace("-", "/")
        for path in board.tree()
        if path.startswith(device_files.DATA) and path.endswith(".clip")
    }
    game = kept.made_of(there)
    board.replace(device_files.DATA + "game", device_files.record_file(game))


# ---- a whole robot in one file


def backup(board: Board) -> bytes:
    """Everything on the board's file system, as a ZIP."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        # A pack on the SPI flash goes before its namesake beside the firmware.
        for path, where in {path.lstrip("/"): path for path in sorted(board.tree())}.items():
            if not path.startswith("next/"):
                archive.writestr(zipfile.ZipInfo(path, (2020, 1, 1, 0, 0, 0)), board.read(where))
    return file.getvalue()


def read_backup(data: bytes, name: str) -> dict[str, bytes]:
    """The files of a backup. Raises MakerError."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            files = {path: archive.read(path) for path in archive.namelist()}
    except _NO_ZIP as error:
        raise MakerError(f"{name}: not a backup of a robot, or damaged ({error})") from error
    if "main.py" not in files or any(".." in path or path.startswith("/") for path in files):
        raise MakerError(f"{name}: not a backup of a robot")
    return files


# What the standard library raises on a ZIP that is cut short, changed, locked or none at all.
_NO_ZIP = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    OSError,
    RuntimeError,
    ValueError,
)
