"""What lies in an emulated robot's flash."""

from __future__ import annotations

import functools
from collections.abc import Mapping

from host_tools.image import make_filesystem
from host_tools.maker import firmware
from sim.emulated import install


@functools.cache
def pack() -> bytes:
    """A voice pack of chirps, small, so that it is soon sent."""
    return install.small_pack("en", 20)


def robot_files(changed: Mapping[str, bytes | None] | None = None) -> dict[str, bytes]:
    """A whole robot; `changed`: other contents by path, None for a file that is missing."""
    files = {**firmware.collect(), "voice/en.pack": pack(), **(changed or {})}
    return {path: data for path, data in files.items() if data is not None}


def robot_image(changed: Mapping[str, bytes | None] | None = None) -> bytes:
    """Its littlefs."""
    return make_filesystem(robot_files(changed))
