"""Inputs kept as files: bytes as they are, everything else as JSON, with bytes in hexadecimal."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "corpus"


def kept(surface: str) -> Iterator[tuple[str, Any]]:
    """Yield the name and the input of everything kept for a surface, in the order of names."""
    folder = FOLDER / surface
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        data = path.read_bytes()
        yield path.name, data if path.suffix == ".bin" else _plain(json.loads(data))


def keep(surface: str, given: Any, why: str) -> Path:
    """Store an input; `why` begins its file's name. Return the file."""
    if isinstance(given, bytes):
        data, suffix = given, ".bin"
    else:
        data, suffix = (json.dumps(_told(given), indent=1) + "\n").encode(), ".json"
    path = FOLDER / surface / f"{why}-{hashlib.sha256(data).hexdigest()[:8]}{suffix}"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def _told(value: Any) -> Any:
    if isinstance(value, bytes):
        return {"hex": value.hex()}
    if isinstance(value, list | tuple):
        return [_told(item) for item in value]
    if isinstance(value, dict):
        return {key: _told(item) for key, item in value.items()}
    return value


def _plain(value: Any) -> Any:
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        if set(value) == {"hex"}:
            return bytes.fromhex(value["hex"])
        return {key: _plain(item) for key, item in value.items()}
    return value
