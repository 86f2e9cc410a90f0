"""Recordings: names, nicknames and the House Rule, one file each.

A clip file's payload is a header and then IMA ADPCM, high nibble first:

     0  2s  magic "RC"          2  u8 version 1        3  u8 index      4  u16 rate_hz
     6  i16 predictor           8  u32 n_samples      12  u32 gain_q12     16  u32 length in ms
"""

import struct

from ..sound.clip import Clip
from ..sound.format import HALF_RATE_HZ, RATE_HZ, adpcm_bytes
from .broken import Broken

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .volume import FileBlob, Job, Volume

MAGIC = b"RC"
HEADER = "<2sBBHhIII"
_HEADER_BYTES = 20
_VERSION = 1
_SUFFIX = ".clip"
_KINDS = ("name", "nickname")
_LONGEST_MS = 12000  # a House Rule has 10 s at most
_EIO = 5

# An open file costs 1 KB on the device. An utterance names at most three players and may play
# the House Rule; a few more stay open so that the next one starts without opening them again.
_OPEN_AT_MOST = 6


class Clips:
    """The clips of one volume, by key: "name/0" ... "nickname/9", "house_rule".

    What was handed to save() can be loaded at once: it comes from RAM until it is on flash.
    """

    def __init__(self, volume: "Volume") -> None:
        self._volume = volume
        # key -> (job, clip to be saved or None to be forgotten)
        self._pending: dict[str, tuple[Job, Clip | None]] = {}
        # (key, clip, its file), the least recently used first
        self._open: list[tuple[str, Clip, FileBlob]] = []
        self._checked: set[str] = (
            set()
        )  # keys whose unchanged file was read through and found whole

    def load(self, key: str) -> Clip:
        """Return the Clip. KeyError when there is none; Broken when its file is damaged.

        Up to six clips stay open; loading more closes the one not asked for the longest.
        """
        name = _file_name(key)
        self._settle(key)
        if key in self._pending:
            clip = self._pending[key][1]
            if clip is None:
                raise KeyError(key)
            return clip
        for i, (open_key, clip, _) in enumerate(self._open):
            if open_key == key:
                self._open.append(self._open.pop(i))
                return clip
        blob = self._volume.open_blob(name, check=key not in self._checked)
        if blob is None:
            raise KeyError(key)
        whole = False
        try:
            clip = _parse(name, blob)
            whole = True
        except OSError as error:
            raise Broken(f"{name}: cannot be read ({error})")
        finally:
            if not whole:
                blob.close()
        self._checked.add(key)
        self._open.append((key, clip, blob))
        if len(self._open) > _OPEN_AT_MOST:
            self._open.pop(0)[2].close()
        return clip

    def save(self, key: str, clip: Clip) -> "Job":
        """Return a job that stores a clip. Where it lies now, it must stay until job.done."""
        header = struct.pack(
            HEADER, MAGIC, _VERSION, clip.index, clip.rate_hz, clip.predictor,
            clip.n_samples, clip.gain_q12, clip.ms,
        )  # fmt: skip
        job = self._volume.replace(_file_name(key), [header, _Samples(clip)])
        self._change(key, job, clip)
        return job

    def forget(self, key: str) -> "Job":
        """Return a job that deletes a clip; load() no longer finds it from now on."""
        job = self._volume.remove(_file_name(key))
        self._change(key, job, None)
        return job

    def keys(self) -> list[str]:
        """Return the keys that load() would find, sorted. Files of other names are no clips."""
        keys = set()
        for name in self._volume.names():
            key = _key_of(name)
            if key:
                keys.add(key)
        for key in list(self._pending):
            self._settle(key)
        for key, (_, clip) in self._pending.items():
            if clip is None:
                keys.discard(key)
            else:
                keys.add(key)
        return sorted(keys)

    def close(self) -> None:
        """Close all files."""
        while self._open:
            self._open.pop()[2].close()

    def _change(self, key: str, job: "Job", clip: Clip | None) -> None:
        """From now on `clip` is what the key means. No file may stay open while it is replaced."""
        self._pending[key] = (job, clip)
        self._checked.discard(key)
        for i, (open_key, _, blob) in enumerate(self._open):
            if open_key == key:
                blob.close()
                self._open.pop(i)
                break

    def _settle(self, key: str) -> None:
        """Once a change is on flash, or was given up, the file says what the key means."""
        if key in self._pending:
            job = self._pending[key][0]
            if job.done or job.failed:
                del self._pending[key]


class _Samples:
    """A clip's bytes as a piece for Volume.replace, read as they are asked for."""

    def __init__(self, clip: Clip) -> None:
        self._clip = clip
        self._n_bytes = adpcm_bytes(clip.n_samples)

    def __len__(self) -> int:
        return self._n_bytes

    def __getitem__(self, part: slice) -> bytearray:
        start = part.start
        data = bytearray(min(part.stop, self._n_bytes) - start)
        if self._clip.blob.read_at(self._clip.start_byte + start, data) < len(data):
            raise OSError(_EIO, "the clip is gone")
        return data


def _file_name(key: str) -> str:
    """ "name/0" -> "name-0.clip" """
    if "-" in key or "." in key:
        raise ValueError(f"not a clip's key: {key!r}")
    return key.replace("/", "-") + _SUFFIX


def _key_of(name: str) -> str | None:
    """Return the key of a file's clip, or None when it is not the robot's: "name-0.clip" ->
    "name/0"."""
    if name == "house_rule" + _SUFFIX:
        return "house_rule"
    kind, _, number = name[: -len(_SUFFIX)].partition("-")
    if name.endswith(_SUFFIX) and kind in _KINDS and _is_number(number):
        return kind + "/" + number
    return None


def _is_number(text: str) -> bool:
    """Return whether it is a player's number as this firmware writes it."""
    return len(text) in (1, 2) and all(c in "0123456789" for c in text) and str(int(text)) == text


def _parse(name: str, blob: "FileBlob") -> Clip:
    header = bytearray(_HEADER_BYTES)
    if blob.read_at(0, header) < _HEADER_BYTES:
        raise Broken(f"{name}: cut short")
    magic, version, index, rate_hz, predictor, n_samples, gain_q12, _ = struct.unpack(
        HEADER, header
    )
    if magic != MAGIC:
        raise Broken(f"{name}: not a clip")
    if version != _VERSION:
        raise Broken(f"{name}: clip format {version}, this firmware reads {_VERSION}")
    if blob.length != _HEADER_BYTES + adpcm_bytes(n_samples):
        raise Broken(f"{name}: header does not fit its samples")
    if (
        index > 88
        or rate_hz not in (RATE_HZ, HALF_RATE_HZ)
        or not 0 < n_samples <= rate_hz * _LONGEST_MS // 1000
    ):
        raise Broken(f"{name}: no clip has such a header")
    return Clip(blob, _HEADER_BYTES, n_samples, rate_hz, predictor, index, gain_q12)
