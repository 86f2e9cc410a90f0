"""The kernels that run all the time while somebody is recorded, in assembler: see thumb.py."""

# ruff: noqa: F821 - the emitter knows these names

import micropython


@micropython.asm_thumb
def encode(r0, r1, r2, r3):
    push({r3})
    push({r2})
    ldr(r4, [r3, 0])  # r4: predictor
    ldr(r5, [r3, 4])
    ldr(r6, [r3, 16])  # r6: MOVES
    ldr(r7, [r3, 8])
    add(r0, r0, r7)
    add(r0, r0, r7)  # r0: samples
    ldr(r7, [r3, 12])
    add(r1, r1, r7)  # r1: codes
    lsl(r5, r5, 6)
    add(r5, r5, r6)  # r5: the row of MOVES that belongs to the index

    label(SAMPLE)
    push({r2})
    ldrh(r7, [r0, 0])
    add(r0, 2)
    lsl(r7, r7, 16)
    asr(r7, r7, 16)
    # what code 4 moves more than code 0 is the step; their next rows leave no borrow
    ldr(r2, [r5, 16])
    ldr(r3, [r5, 0])
    sub(r2, r2, r3)
    asr(r2, r2, 11)  # r2: step
    mov(r3, 0)  # r3: code
    sub(r7, r7, r4)  # r7: difference
    bpl(UP)
    neg(r7, r7)
    mov(r3, 8)
    label(UP)
    cmp(r7, r2)
    blt(NOT_4)
    sub(r7, r7, r2)
    add(r3, 4)
    label(NOT_4)
    lsr(r2, r2, 1)
    cmp(r7, r2)
    blt(NOT_2)
    sub(r7, r7, r2)
    add(r3, 2)
    label(NOT_2)
    lsr(r2, r2, 1)
    cmp(r7, r2)
    blt(NOT_1)
    add(r3, 1)
    label(NOT_1)
    lsl(r7, r3, 2)
    add(r7, r7, r5)
    ldr(r7, [r7, 0])
    asr(r2, r7, 11)
    add(r4, r4, r2)
    lsl(r7, r7, 21)
    lsr(r7, r7, 19)
    add(r5, r7, r6)
    lsl(r7, r4, 16)
    asr(r7, r7, 16)
    cmp(r7, r4)
    beq(FITS)
    asr(r4, r4, 31)
    mvn(r7, r4)
    lsl(r4, r4, 15)
    lsr(r7, r7, 17)
    orr(r4, r7)
    label(FITS)
    pop({r2})
    sub(r2, 1)
    lsr(r7, r2, 1)
    bcs(HIGH)  # an odd number of samples is left: this one goes into the high nibble
    ldrb(r7, [r1, 0])
    add(r7, r7, r3)
    strb(r7, [r1, 0])
    add(r1, 1)
    cmp(r2, 0)
    bne(SAMPLE)
    b(DONE)
    label(HIGH)
    lsl(r3, r3, 4)
    strb(r3, [r1, 0])
    b(SAMPLE)

    label(DONE)
    pop({r2})
    pop({r3})
    str(r4, [r3, 0])
    sub(r5, r5, r6)
    lsr(r5, r5, 6)
    str(r5, [r3, 4])
    ldr(r7, [r3, 8])
    add(r7, r7, r2)
    str(r7, [r3, 8])
    lsr(r2, r2, 1)
    ldr(r7, [r3, 12])
    add(r7, r7, r2)
    str(r7, [r3, 12])


@micropython.asm_thumb
def clean(r0, r1, r2, r3):
    push({r3})
    ldr(r4, [r3, 12])
    add(r5, r4, r2)
    str(r5, [r3, 12])
    lsl(r4, r4, 2)
    add(r0, r0, r4)  # r0: words
    ldr(r4, [r3, 16])
    add(r5, r4, r2)
    str(r5, [r3, 16])
    add(r1, r1, r4)
    add(r1, r1, r4)  # r1: samples
    ldr(r4, [r3, 0])  # r4: offset
    ldr(r5, [r3, 4])  # r5: its step
    ldr(r6, [r3, 8])  # r6: sum
    mov(r7, r8)
    push({r7})
    ldr(r7, [r3, 20])
    mov(r8, r7)  # r8: shift

    label(SAMPLE)
    ldr(r7, [r0, 0])
    add(r0, 4)
    asr(r3, r7, 12)
    add(r6, r6, r3)
    asr(r7, r7, 8)
    asr(r3, r4, 8)
    sub(r7, r7, r3)
    mov(r3, r8)
    asr(r7, r3)
    lsl(r3, r7, 16)
    asr(r3, r3, 16)
    cmp(r3, r7)
    beq(FITS)
    asr(r7, r7, 31)
    mvn(r3, r7)
    lsl(r7, r7, 15)
    lsr(r3, r3, 17)
    orr(r7, r3)
    label(FITS)
    strh(r7, [r1, 0])
    add(r1, 2)
    add(r4, r4, r5)
    sub(r2, 1)
    bne(SAMPLE)

    pop({r7})
    mov(r8, r7)
    pop({r3})
    str(r4, [r3, 0])
    str(r6, [r3, 8])


@micropython.asm_thumb
def energy(r0, r1):
    push({r0})
    ldrh(r4, [r0, 0])
    lsl(r4, r4, 16)
    asr(r4, r4, 16)  # r4: three samples before
    ldrh(r3, [r0, 2])
    lsl(r3, r3, 16)
    asr(r3, r3, 16)  # r3: two before
    ldrh(r2, [r0, 4])
    lsl(r2, r2, 16)
    asr(r2, r2, 16)  # r2: the one before
    mov(r5, 0)  # r5: sum

    label(SAMPLE)
    lsl(r6, r4, 1)
    add(r6, r6, r4)  # 3 x[-3]
    lsl(r7, r3, 2)
    add(r7, r7, r3)
    add(r6, r6, r7)  # 5 x[-2]
    lsl(r7, r2, 3)
    add(r6, r6, r7)  # 8 x[-1]
    mov(r4, r3)
    mov(r3, r2)
    ldrh(r2, [r0, 6])
    add(r0, 2)
    lsl(r2, r2, 16)
    asr(r2, r2, 16)
    mov(r7, 46)
    mul(r7, r2)
    sub(r7, r7, r6)
    asr(r7, r7, 6)
    mul(r7, r7)
    add(r7, 128)
    lsr(r7, r7, 8)
    add(r5, r5, r7)
    sub(r1, 1)
    bne(SAMPLE)

    pop({r0})
    strh(r4, [r0, 0])
    strh(r3, [r0, 2])
    strh(r2, [r0, 4])
    mov(r0, r5)


@micropython.asm_thumb
def halve(r0, r1, r2, r3):
    add(r2, r2, r3)
    add(r2, r2, r3)  # r2: what is made of them
    push({r0})
    mov(r3, r8)
    push({r3})
    # samples have 32768 added: that needs one instruction, a sign two; the taps add up to 512
    mov(r7, 1)
    lsl(r3, r7, 24)
    lsl(r4, r7, 8)
    sub(r3, r3, r4)
    mov(r8, r3)  # r8: 512 * 32768, less what rounds
    lsl(r7, r7, 15)  # r7: 32768

    label(SAMPLE)
    ldrh(r4, [r0, 14])
    eor(r4, r7)
    lsl(r4, r4, 8)  # r4: sum
    ldrh(r5, [r0, 12])
    eor(r5, r7)
    ldrh(r6, [r0, 16])
    eor(r6, r7)
    add(r5, r5, r6)
    mov(r6, 161)
    mul(r5, r6)
    add(r4, r4, r5)
    ldrh(r5, [r0, 8])
    eor(r5, r7)
    ldrh(r6, [r0, 20])
    eor(r6, r7)
    add(r5, r5, r6)
    mov(r6, 47)
    mul(r5, r6)
    sub(r4, r4, r5)
    ldrh(r5, [r0, 4])
    eor(r5, r7)
    ldrh(r6, [r0, 24])
    eor(r6, r7)
    add(r5, r5, r6)
    mov(r6, 21)
    mul(r5, r6)
    add(r4, r4, r5)
    ldrh(r5, [r0, 0])
    eor(r5, r7)
    ldrh(r6, [r0, 28])
    eor(r6, r7)
    add(r5, r5, r6)
    lsl(r6, r5, 3)
    sub(r5, r6, r5)
    sub(r4, r4, r5)
    mov(r5, r8)
    sub(r4, r4, r5)
    asr(r4, r4, 9)
    lsl(r5, r4, 16)
    asr(r5, r5, 16)
    cmp(r5, r4)
    beq(FITS)
    asr(r4, r4, 31)
    mvn(r5, r4)
    lsl(r4, r4, 15)
    lsr(r5, r5, 17)
    orr(r4, r5)
    label(FITS)
    strh(r4, [r2, 0])
    add(r2, 2)
    add(r0, 4)
    sub(r1, 2)
    bne(SAMPLE)

    pop({r3})
    mov(r8, r3)
    pop({r1})
    mov(r2, 14)
    label(COPY)
    ldrh(r3, [r0, 0])
    strh(r3, [r1, 0])
    add(r0, 2)
    add(r1, 2)
    sub(r2, 1)
    bne(COPY)
