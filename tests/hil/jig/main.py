"""The jig: a second Pico that presses the robot's buttons and watches its lights and its sound.

Wiring in hardware/jig.md. It takes a command a line on its USB and answers with a line, "ok ..."
or "error ...":

    press CONTROL MS [IN_MS]   close a contact for so long; answers at once
    release                    open all contacts
    leds                       which lights are lit: record talk, 0 to 100 percent over 20 ms
    hear MS                    listen to the amplifier's I2S lines: samples, peak, zero crossings,
                               share of the time in which it is on
    wav MS                     the samples themselves: lines of base64, then "ok N"
"""

import array
import binascii
import sys
import time

import pins  # the robot's own, copied beside this file: GP2 here goes to GP2 there
import rp2
from machine import Pin

CONTROLS = {
    control: getattr(pins, control.upper())
    for control in ("record", "replay", "volume", "win", "mode", "plate", "try_me")
}
TALK_LED, RECORD_LED, AMPLIFIER_ON = pins.TALK_LED, pins.RECORD_LED, pins.AMP_SHUTDOWN
# The assembler below takes numbers only; tests/hardware compares them with the robot's.
SCK, WS, SD = 20, 21, 22
RATE_HZ = 16000


# ruff: noqa: F821 - the assembler's own words
@rp2.asm_pio(in_shiftdir=rp2.PIO.SHIFT_LEFT, fifo_join=rp2.PIO.JOIN_RX)
def left_words():
    """The left word of each I2S frame: 16 bits, sampled as the clock rises, a bit after WS has
    fallen."""
    wait(1, gpio, 21)
    wait(0, gpio, 21)
    wait(1, gpio, 20)  # this bit still belongs to the word before
    wait(0, gpio, 20)
    set(x, 15)
    label("bit")
    wait(1, gpio, 20)
    in_(pins, 1)
    wait(0, gpio, 20)
    jmp(x_dec, "bit")
    push(noblock)


def let_go(gpio):
    """The contact is open: the robot's own pull-up decides."""
    return Pin(gpio, Pin.IN)


def close(gpio):
    return Pin(gpio, Pin.OUT, value=0)


class Jig:
    def __init__(self):
        for gpio in CONTROLS.values():
            let_go(gpio)
        self._leds = (Pin(RECORD_LED, Pin.IN, Pin.PULL_DOWN), Pin(TALK_LED, Pin.IN, Pin.PULL_DOWN))
        self._on = Pin(AMPLIFIER_ON, Pin.IN, Pin.PULL_DOWN)
        for gpio in (SCK, WS, SD):
            Pin(gpio, Pin.IN, Pin.PULL_DOWN)
        self._ear = rp2.StateMachine(0, left_words, freq=125_000_000, in_base=Pin(SD))
        self._planned = []  # (ticks, gpio, closed)

    def do(self, words):
        command = words[0]
        if command == "press":
            gpio = CONTROLS[words[1]]
            now = time.ticks_add(time.ticks_ms(), int(words[3]) if len(words) > 3 else 0)
            self._planned.append((now, gpio, True))
            self._planned.append((time.ticks_add(now, int(words[2])), gpio, False))
            return ""
        if command == "release":
            self._planned = []
            for gpio in CONTROLS.values():
                let_go(gpio)
            return ""
        if command == "leds":
            lit = [0, 0]
            for _ in range(200):
                for i in (0, 1):
                    lit[i] += self._leds[i].value()
                time.sleep_us(100)
            return "%d %d" % (lit[0] // 2, lit[1] // 2)
        if command == "hear":
            samples, on = self._listen(int(words[1]))
            peak = crossings = last = 0
            for sample in samples:
                peak = max(peak, abs(sample))
                if sample and (sample > 0) != (last > 0):
                    crossings += 1
                last = sample or last
            return "%d %d %d %d" % (len(samples), peak, crossings, on)
        if command == "wav":
            samples, _ = self._listen(int(words[1]))
            data = memoryview(samples)
            for start in range(0, len(samples), 768):
                sys.stdout.write(binascii.b2a_base64(bytes(data[start : start + 768])))
            return "%d" % len(samples)
        raise ValueError("no command " + command)

    def _listen(self, ms):
        """What came over the lines in so many ms, at most 2 s; and for how much of it the
        amplifier was on."""
        samples = array.array("h", bytes(2 * min(ms, 2000) * RATE_HZ // 1000))
        n = on = looks = 0
        ear = self._ear
        ear.restart()
        ear.active(1)
        end = time.ticks_add(time.ticks_ms(), ms)
        while n < len(samples) and time.ticks_diff(end, time.ticks_ms()) > 0:
            while ear.rx_fifo() and n < len(samples):
                word = ear.get()
                samples[n] = word - 65536 if word > 32767 else word
                n += 1
            looks += 1
            on += self._on.value()
            self.keep()
        ear.active(0)
        return samples[:n], 100 * on // max(looks, 1)

    def keep(self):
        """Carries out what is planned. Called again and again."""
        now = time.ticks_ms()
        for entry in list(self._planned):
            if time.ticks_diff(now, entry[0]) >= 0:
                self._planned.remove(entry)
                (close if entry[2] else let_go)(entry[1])


def main():
    import select

    jig = Jig()
    poll = select.poll()
    poll.register(sys.stdin, select.POLLIN)
    line = ""
    while True:
        jig.keep()
        if not poll.poll(1):
            continue
        character = sys.stdin.read(1)
        if character not in "\r\n":
            line += character
            continue
        words, line = line.split(), ""
        if words:
            try:
                print(("ok " + jig.do(words)).strip())
            except (ValueError, KeyError, IndexError) as error:
                print("error", repr(error))


if __name__ == "__main__":
    main()
