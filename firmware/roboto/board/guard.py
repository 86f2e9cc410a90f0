"""The guard between sound and flash.

Erasing flash stops interrupts for 45 ms and more. While I2S receives, its DMA then runs past its
buffer and overwrites the heap. So flash is never written while an I2S object is open, and this is
the one place that knows.
"""

from ..storage.broken import Refused


class Guard:
    def __init__(self) -> None:
        self._open: list[str] = []
        self.low_battery = False

    def open(self, name: str) -> None:
        """Note that an I2S object is about to be opened."""
        if name not in self._open:
            self._open.append(name)

    def close(self, name: str) -> None:
        """Note that it has been closed."""
        if name in self._open:
            self._open.remove(name)

    @property
    def sounding(self) -> bool:
        return bool(self._open)

    def writing(self) -> None:
        """Raise Refused while writing to flash would do harm; asked before every write."""
        if self._open:
            raise Refused("flash is not written while sound is open: " + ", ".join(self._open))
        if self.low_battery:
            raise Refused("flash is not written on a low battery")
