"""I2S out and in: on an RP2040 by PIO and DMA alone, elsewhere by machine.I2S.

Both modules have the classes Output and Input, which do the same.
"""

try:
    from .i2s_dma import Input, Output
except ImportError:  # there is no rp2: not an RP2040
    from .i2s_machine import Input, Output  # noqa: F401
