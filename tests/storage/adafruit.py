"""The SPIDevice of the installed adafruit_bus_device, under both interpreters.

MicroPython does not see Python's installed packages, and the build copies only spi_device.py;
so the runner names that one file in an environment variable. CPython would work the annotations
out, whose names come from packages that nothing here needs: it is told to leave them.
"""

import os

_names = {"__name__": "spi_device"}
_file = os.getenv("SPI_DEVICE_PY")

if _file:
    with open(_file) as file:
        exec(file.read(), _names)
else:
    import __future__

    from host_tools.maker.firmware import spi_device

    _source = spi_device()
    assert _source is not None, "pip install --no-deps adafruit-circuitpython-busdevice"
    _flags = __future__.annotations.compiler_flag
    exec(compile(_source, "spi_device.py", "exec", _flags), _names)

SPIDevice = _names["SPIDevice"]
