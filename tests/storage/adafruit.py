"""The SPIDevice of the installed adafruit_bus_device, under both interpreters.

MicroPython does not see Python's installed packages, and the build copies only spi_device.py;
so the runner names that one file in an environment variable.
"""

import os

_FILE = os.getenv("SPI_DEVICE_PY")

if _FILE:
    _names = {"__name__": "spi_device"}
    with open(_FILE) as file:
        exec(file.read(), _names)  # noqa: S102
    SPIDevice = _names["SPIDevice"]
else:
    from adafruit_bus_device import spi_device

    SPIDevice = spi_device.SPIDevice
