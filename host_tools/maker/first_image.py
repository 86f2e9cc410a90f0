"""The file for a bare Pico: MicroPython, firmware, settings and voice in one UF2."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..image import SECTOR_BYTES, ImageError, Stock, merge, room_taken
from . import device_files, firmware, packs
from .errors import MakerError


@dataclass(frozen=True)
class Made:
    """What make() made."""

    uf2: bytes
    n_files: int
    languages: list[str]


def make(base: Stock, languages: Sequence[str], given: Mapping[str, bytes]) -> Made:
    """Put firmware and voice onto a stock MicroPython. given: packs by path, instead of those of
    the languages. The robot speaks the first of the languages. Raise MakerError."""
    files = firmware.collect()
    room = base.layout.n_blocks * SECTOR_BYTES
    room -= room_taken((path, len(data)) for path, data in files.items())
    files |= given or packs.packs_for(list(languages), room)
    spoken = packs.languages(files)
    first = next((code for code in languages if code in spoken), spoken[0] if spoken else "es")
    values = {**device_files.default_settings(), "language": first}
    files[device_files.SETTINGS] = device_files.settings_file(values)
    try:
        return Made(merge(base, files), len(files), spoken)
    except ImageError as error:
        raise MakerError(str(error)) from error
