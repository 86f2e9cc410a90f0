"""I2S in the assembler of PIO, out of the robot and into it."""

# ruff: noqa: F821 - the assembler knows these names

from rp2 import PIO, asm_pio


@asm_pio(
    sideset_init=(PIO.OUT_LOW, PIO.OUT_LOW),
    out_init=PIO.OUT_LOW,
    out_shiftdir=PIO.SHIFT_LEFT,
    autopull=True,
    pull_thresh=32,
)
def send():
    # Side-set: bit 0 SCK, bit 1 WS. 32 clocks a frame. Data and WS change as SCK falls; a word's
    # first bit follows one clock after WS has changed.
    # fmt: off
    set(x, 14)          .side(0b01)
    label("left")
    out(pins, 1)        .side(0b00)
    jmp(x_dec, "left")  .side(0b01)
    out(pins, 1)        .side(0b10)
    set(x, 14)          .side(0b11)
    label("right")
    out(pins, 1)        .side(0b10)
    jmp(x_dec, "right") .side(0b11)
    out(pins, 1)        .side(0b00)
    # fmt: on


@asm_pio(
    sideset_init=(PIO.OUT_LOW, PIO.OUT_LOW),
    in_shiftdir=PIO.SHIFT_LEFT,
    autopush=True,
    push_thresh=32,
)
def receive():
    # As above, with 64 clocks a frame; a bit is taken as SCK rises. The right slot is empty.
    # fmt: off
    nop()               .side(0b00)
    set(x, 29)          .side(0b01)
    nop()               .side(0b00)
    label("left")
    in_(pins, 1)        .side(0b01)
    jmp(x_dec, "left")  .side(0b00)
    in_(pins, 1)        .side(0b01)
    set(x, 30)          .side(0b10)
    in_(pins, 1)        .side(0b11)
    label("right")
    nop()               .side(0b10)
    jmp(x_dec, "right") .side(0b11)
    # fmt: on
