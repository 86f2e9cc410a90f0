"""The serial ports of this computer: find the board's, and say why one cannot be opened.

A port is a name (/dev/ttyACM0, COM3, /dev/cu.usbmodem101), "serial:NUMBER" for the board with that
USB serial number, "auto" for the only one there, or an address that pyserial knows
(socket://host:1234).
"""

import errno
from typing import Any

import serial
import serial.tools.list_ports

from .door import clean
from .errors import BoardError

_RASPBERRY_PI_VID = 0x2E8A
_MICROPYTHON_PID = 0x0005
_ASLEEP = (
    "plug it in with a USB cable that carries data, which wakes a sleeping robot, too (an "
    "older one wakes by its tray); a bare board, or one that shows up as the drive RPI-RP2, gets "
    "its first image with `roboto image`"
)


def seen() -> list[Any]:
    """Return pyserial's entries for the USB ports there are."""
    return [port for port in serial.tools.list_ports.comports() if port.vid is not None]


def find(port: str = "auto") -> str:
    """Return the port's name or address. Raise BoardError when no board is there, or more than
    one."""
    if port != "auto" and not port.startswith("serial:"):
        return port
    there = seen()
    if port != "auto":
        number = port.partition(":")[2]
        for candidate in there:
            if (candidate.serial_number or "").lower() == number.lower():
                return candidate.device
        raise BoardError(f"no board with the serial number {clean(number)}: {_listed(there)}")
    boards = [p for p in there if p.vid == _RASPBERRY_PI_VID and p.pid == _MICROPYTHON_PID]
    if len(boards) == 1:
        return boards[0].device
    if not boards:
        raise BoardError(f"no board found ({_listed(there)}): {_ASLEEP}")
    raise BoardError(
        "several boards: choose with --port "
        + " or ".join(f"{p.device} (serial:{clean(p.serial_number or '?')})" for p in boards)
    )


def _listed(there: list[Any]) -> str:
    return "ports seen: " + (", ".join(p.device for p in there) or "none")


def open_serial(device: str, write_timeout_s: float) -> Any:
    """Return pyserial's port, opened for this program alone; a read returns what is there. Raise
    BoardError with the reason and what to do."""
    try:
        return serial.serial_for_url(
            device, timeout=0, write_timeout=write_timeout_s, exclusive=True
        )
    except (OSError, ValueError) as reason:
        raise BoardError(_why_not(device, reason)) from reason


def _why_not(device: str, reason: Exception) -> str:
    text = str(reason).lower()
    busy = getattr(reason, "errno", None) in (errno.EBUSY, errno.EAGAIN, errno.EWOULDBLOCK)
    shown = clean(device)
    if busy or "exclusively lock" in text or "busy" in text or "access is denied" in text:
        return f"{shown} is in use: close the program that holds it (Thonny, another roboto …)"
    if getattr(reason, "errno", None) == errno.EACCES or "permission denied" in text:
        return (
            f"{shown} may not be opened: on Linux add yourself to its group (sudo usermod -a -G "
            "dialout $USER) and log in again"
        )
    return f"no board at {shown}: plug it in, or see `roboto ports` for what is there"
