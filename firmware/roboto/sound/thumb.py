"""The kernels that run all the time while the robot speaks, in assembler for the RP2040's
Cortex-M0+.

What each does is told in plain.py. On entry r0..r3 hold source, destination, n and state; the
emitter saves r4-r7. A clamp is: if the low 16 bits, sign-extended, are not the number, take
0x7fff with all bits turned where the number was negative.
"""

# ruff: noqa: F821 - the emitter knows these names

import micropython


@micropython.asm_thumb
def decode(r0, r1, r2, r3):
    push({r3})
    push({r2})
    ldr(r4, [r3, 0])  # r4: predictor
    ldr(r5, [r3, 4])
    ldr(r6, [r3, 16])  # r6: MOVES
    ldr(r7, [r3, 8])
    add(r0, r0, r7)  # r0: codes
    ldr(r7, [r3, 12])
    add(r1, r1, r7)
    add(r1, r1, r7)  # r1: samples
    lsl(r5, r5, 6)
    add(r5, r5, r6)  # r5: the row of MOVES that belongs to the index

    label(PAIR)
    ldrb(r7, [r0, 0])
    add(r0, 1)
    lsr(r3, r7, 4)  # high nibble first
    lsl(r3, r3, 2)
    add(r3, r3, r5)
    ldr(r3, [r3, 0])
    asr(r5, r3, 11)
    add(r4, r4, r5)
    lsl(r3, r3, 21)  # next row: the low 11 bits, as a count of 4-byte entries
    lsr(r3, r3, 19)
    add(r5, r3, r6)
    lsl(r3, r4, 16)
    asr(r3, r3, 16)
    cmp(r3, r4)
    beq(HIGH_FITS)
    asr(r4, r4, 31)
    mvn(r3, r4)
    lsl(r4, r4, 15)
    lsr(r3, r3, 17)
    orr(r4, r3)
    label(HIGH_FITS)
    strh(r4, [r1, 0])

    lsl(r3, r7, 28)
    lsr(r3, r3, 26)
    add(r3, r3, r5)
    ldr(r3, [r3, 0])
    asr(r5, r3, 11)
    add(r4, r4, r5)
    lsl(r3, r3, 21)
    lsr(r3, r3, 19)
    add(r5, r3, r6)
    lsl(r3, r4, 16)
    asr(r3, r3, 16)
    cmp(r3, r4)
    beq(LOW_FITS)
    asr(r4, r4, 31)
    mvn(r3, r4)
    lsl(r4, r4, 15)
    lsr(r3, r3, 17)
    orr(r4, r3)
    label(LOW_FITS)
    strh(r4, [r1, 2])
    add(r1, 4)
    sub(r2, 2)
    bgt(PAIR)

    pop({r2})
    pop({r3})
    str(r4, [r3, 0])
    sub(r5, r5, r6)
    lsr(r5, r5, 6)
    str(r5, [r3, 4])
    ldr(r7, [r3, 12])
    add(r7, r7, r2)
    str(r7, [r3, 12])
    lsr(r2, r2, 1)
    ldr(r7, [r3, 8])
    add(r7, r7, r2)
    str(r7, [r3, 8])


@micropython.asm_thumb
def ramp(r0, r1, r2):
    ldr(r4, [r2, 8])
    add(r0, r0, r4)
    add(r0, r0, r4)  # r0: samples
    ldr(r4, [r2, 0])  # r4: gain
    ldr(r5, [r2, 4])  # r5: step
    mov(r6, 0)  # r6: peak

    label(SAMPLE)
    ldrh(r3, [r0, 0])
    lsl(r3, r3, 16)
    asr(r3, r3, 16)
    mov(r7, r3)
    bpl(POSITIVE)
    neg(r7, r7)
    label(POSITIVE)
    cmp(r7, r6)
    ble(NO_PEAK)
    mov(r6, r7)
    label(NO_PEAK)
    asr(r7, r4, 15)
    mul(r3, r7)
    asr(r3, r3, 10)
    asr(r7, r3, 13)  # -3..2 from -24576 to 24575: nothing to bend
    add(r7, 3)
    cmp(r7, 5)
    bhi(BEND)
    label(STORE)
    strh(r3, [r0, 0])
    add(r0, 2)
    add(r4, r4, r5)
    sub(r1, 1)
    bne(SAMPLE)
    mov(r0, r6)
    b(END)

    label(BEND)
    push({r6})
    asr(r6, r3, 31)
    beq(LOUD)
    neg(r3, r3)
    label(LOUD)
    mov(r7, 96)
    lsl(r7, r7, 8)  # 24576
    sub(r3, r3, r7)
    asr(r3, r3, 1)
    add(r3, r3, r7)
    mov(r7, 112)
    lsl(r7, r7, 8)  # 28672
    cmp(r3, r7)
    ble(BENT)
    sub(r3, r3, r7)
    asr(r3, r3, 1)
    add(r3, r3, r7)
    mov(r7, 120)
    lsl(r7, r7, 8)  # 30720
    cmp(r3, r7)
    ble(BENT)
    sub(r3, r3, r7)
    asr(r3, r3, 1)
    add(r3, r3, r7)
    mov(r7, 255)
    lsl(r7, r7, 7)
    add(r7, 127)  # 32767
    cmp(r3, r7)
    ble(BENT)
    mov(r3, r7)
    label(BENT)
    cmp(r6, 0)
    beq(BENT_UP)
    neg(r3, r3)
    label(BENT_UP)
    pop({r6})
    b(STORE)

    label(END)


@micropython.asm_thumb
def silence(r0, r1, r2):
    add(r0, r0, r1)
    add(r0, r0, r1)
    mov(r3, 0)
    cmp(r2, 0)
    beq(END)
    label(SAMPLE)
    strh(r3, [r0, 0])
    add(r0, 2)
    sub(r2, 1)
    bne(SAMPLE)
    label(END)


@micropython.asm_thumb
def copy(r0, r1, r2, r3):
    add(r0, r0, r1)
    cmp(r3, 0)
    beq(END)
    label(BYTE)
    ldrb(r1, [r0, 0])
    strb(r1, [r2, 0])
    add(r0, 1)
    add(r2, 1)
    sub(r3, 1)
    bne(BYTE)
    label(END)


@micropython.asm_thumb
def place(r0, r1, r2, r3):
    ldr(r4, [r3, 0])
    ldr(r5, [r3, 4])
    add(r6, r4, r2)
    str(r6, [r3, 0])
    add(r6, r5, r2)
    str(r6, [r3, 4])
    add(r0, r0, r4)
    add(r0, r0, r4)
    add(r1, r1, r5)
    add(r1, r1, r5)
    label(SAMPLE)
    ldrh(r4, [r0, 0])
    strh(r4, [r1, 0])
    add(r0, 2)
    add(r1, 2)
    sub(r2, 1)
    bne(SAMPLE)
