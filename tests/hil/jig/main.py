"""The jig: a second Pico that presses the robot's buttons, speaks in its microphone's place, and
watches its lights and its sound.

Wiring in hardware/jig.md. It takes a command a line on its USB and answers with a line, "ok ..."
or "error ...". Times are microseconds of its own clock since it started.

    hello                      "jig", the protocol's number, the time
    close CONTROL [US ...]     close a contact now; each US later it changes again, as it bounces.
                               Answers with the time of the first contact
    open CONTROL [US ...]      open it likewise
    press CONTROL MS [IN_MS]   close it for so long; answers at once
    release                    open all contacts
    power off|on [IN_US]       drive the transistor in the battery's line; answers with the time
    microphone KIND [NOISE]    be an ICS-43434, an INMP441, or none; noise of up to +-NOISE of
                               its 24 bits (that of the part when left out)
    words BASE64               int16 samples to be said, 16 kHz; answers with the room left
    go                         say them, from the next frame on; answers with the time
    mute                       say nothing more
    said                       words still to be said, and how often they came too late
    listen on|off              tell all that goes to the amplifier, as it comes
    watch on|off               tell when a light or a supply is switched
    leds                       which lights are lit: record talk, 0 to 100 percent over 20 ms
    levels                     the levels of all pins that go to the robot, GP2 first
    hear MS                    samples, peak, zero crossings, share of the time it is on

Unasked, between the answers: "!TIME NAME LEVEL" when something was switched, and "=FIRST TIME
COUNT BASE64": the samples from number FIRST on, and that COUNT samples had come at TIME.
"""

import array
import binascii
import sys
import time

import ear
import mouth
import pins  # the robot's own, copied beside this file: GP2 here goes to GP2 there
from machine import Pin

PROTOCOL = 2
CONTROLS = {
    control: getattr(pins, control.upper())
    for control in ("record", "replay", "volume", "win", "mode", "plate", "try_me")
}
WATCHED = (
    ("record", pins.RECORD_LED),
    ("amplifier", pins.AMP_SHUTDOWN),
    ("supply", pins.MIC_POWER),
)
TALK_LED, RECORD_LED, AMPLIFIER_ON = pins.TALK_LED, pins.RECORD_LED, pins.AMP_SHUTDOWN
CUT = 28  # high: no battery
_EDGES = 64
_TICKS = 1 << 30  # ticks_us() goes round after so many
_BOUNCES = 16


def let_go(gpio):
    """The contact is open: the robot's own pull-up decides."""
    return Pin(gpio, Pin.IN)


def close(gpio):
    return Pin(gpio, Pin.OUT, value=0)


class Clock:
    """Microseconds that do not wrap, for as long as somebody asks every few minutes."""

    def __init__(self):
        self._last = time.ticks_us()
        self._us = 0

    def at(self, ticks):
        """When ticks_us() was so, at most some minutes ago."""
        now = time.ticks_us()
        self._us += time.ticks_diff(now, self._last)
        self._last = now
        return self._us + time.ticks_diff(ticks, now)

    def now(self):
        return self.at(time.ticks_us())


class Edges:
    """When watched pins change: noted in their interrupts, told later."""

    def __init__(self):
        self._ticks = array.array("i", bytes(4 * _EDGES))
        self._what = array.array("b", bytes(_EDGES))
        self._n = array.array("i", (0, 0))  # noted, told
        for number, (_, gpio) in enumerate(WATCHED):
            Pin(gpio, Pin.IN, Pin.PULL_DOWN).irq(
                self._noter(number), Pin.IRQ_RISING | Pin.IRQ_FALLING, hard=True
            )

    def _noter(self, number):
        ticks, what, n = self._ticks, self._what, self._n

        def note(pin):
            at = n[0] % _EDGES
            ticks[at] = time.ticks_us()
            what[at] = number << 1 | pin.value()
            n[0] += 1

        return note

    def tell(self, clock, out):
        n = self._n
        while n[1] < n[0]:
            if n[0] - n[1] > _EDGES:
                n[1] = n[0] - _EDGES
            at = n[1] % _EDGES
            what = self._what[at]
            n[1] += 1
            if out:
                out("!%d %s %d\n" % (clock.at(self._ticks[at]), WATCHED[what >> 1][0], what & 1))


class Jig:
    def __init__(self):
        for gpio in CONTROLS.values():
            let_go(gpio)
        self._cut = Pin(CUT, Pin.OUT, value=0)
        self._clock = Clock()
        self._edges = Edges()
        self._leds = (Pin(RECORD_LED, Pin.IN, Pin.PULL_DOWN), Pin(TALK_LED, Pin.IN, Pin.PULL_DOWN))
        self._on = Pin(AMPLIFIER_ON, Pin.IN, Pin.PULL_DOWN)
        self._supply = Pin(pins.MIC_POWER, Pin.IN, Pin.PULL_DOWN)
        self._ear = ear.Ear()
        self._mouth = mouth.Mouth(self._supply)
        self._planned = []  # (ticks, gpio, closed)
        self._listening = self._watching = False

    def do(self, line):
        words = line.split()
        command = words[0]
        do = getattr(self, "_do_" + command, None)
        if not do:
            raise ValueError("no command " + command[:20])
        return do(words[1:])

    def _do_hello(self, words):
        return "jig %d %d" % (PROTOCOL, self._clock.now())

    # ---- contacts and supply

    def _do_close(self, words):
        return self._move(words, True)

    def _do_open(self, words):
        return self._move(words, False)

    def _move(self, words, closed):
        gpio = CONTROLS[words[0]]
        later = [int(us) for us in words[1:]]
        if len(later) > _BOUNCES or any(not 0 < us < 20000 for us in later):
            raise ValueError("bounces: at most %d, within 20 ms" % _BOUNCES)
        began = time.ticks_us()
        (close if closed else let_go)(gpio)
        for us in later:
            while time.ticks_diff(time.ticks_us(), began) < us:
                pass
            closed = not closed
            (close if closed else let_go)(gpio)
        return "%d" % self._clock.at(began)

    def _do_press(self, words):
        gpio = CONTROLS[words[0]]
        now = time.ticks_add(time.ticks_ms(), int(words[2]) if len(words) > 2 else 0)
        self._planned.append((now, gpio, True))
        self._planned.append((time.ticks_add(now, int(words[1])), gpio, False))
        return ""

    def _do_release(self, words):
        self._planned = []
        for gpio in CONTROLS.values():
            let_go(gpio)
        return ""

    def _do_power(self, words):
        cut = {"off": 1, "on": 0}[words[0]]
        wait = int(words[1]) if len(words) > 1 else 0
        began = time.ticks_us()
        while time.ticks_diff(time.ticks_us(), began) < wait:
            pass
        self._cut.value(cut)
        return "%d" % self._clock.now()

    # ---- the microphone

    def _do_microphone(self, words):
        self._mouth.be(words[0], int(words[1]) if len(words) > 1 else None)
        return ""

    def _do_words(self, words):
        return "%d" % self._mouth.take(binascii.a2b_base64(words[0]))

    def _do_go(self, words):
        self._mouth.go()
        return "%d" % self._clock.now()

    def _do_mute(self, words):
        self._mouth.mute()
        return ""

    def _do_said(self, words):
        return "%d %d" % (self._mouth.left, self._mouth.late)

    # ---- what is seen and heard

    def _do_listen(self, words):
        self._listening = words[0] == "on"
        self._ear.skip()
        return ""

    def _do_watch(self, words):
        self._watching = words[0] == "on"
        self._edges.tell(self._clock, None)
        return " ".join("%s %d" % (name, Pin(gpio).value()) for name, gpio in WATCHED)

    def _do_leds(self, words):
        lit = [0, 0]
        for _ in range(200):
            for i in (0, 1):
                lit[i] += self._leds[i].value()
            time.sleep_us(100)
        return "%d %d" % (lit[0] // 2, lit[1] // 2)

    def _do_levels(self, words):
        return "".join(str(Pin(gpio).value()) for gpio in range(2, 23))

    def _do_hear(self, words):
        self._ear.skip()
        end = time.ticks_add(time.ticks_ms(), int(words[0]))
        n = peak = crossings = last = on = looks = 0
        while time.ticks_diff(end, time.ticks_ms()) > 0:
            for sample in self._ear.take(256):
                n += 1
                peak = max(peak, abs(sample))
                if sample and (sample > 0) != (last > 0):
                    crossings += 1
                last = sample or last
            looks += 1
            on += self._on.value()
            self.keep()
        return "%d %d %d %d" % (n, peak, crossings, 100 * on // max(looks, 1))

    def keep(self):
        """Carry out what is planned. Called again and again."""
        self._mouth.keep()
        if self._planned:
            now = time.ticks_ms()
            for entry in list(self._planned):
                if time.ticks_diff(now, entry[0]) >= 0:
                    self._planned.remove(entry)
                    (close if entry[2] else let_go)(entry[1])

    def tell(self):
        """Tell what has come. Called again and again, between commands."""
        out = sys.stdout.write
        self._edges.tell(self._clock, out if self._watching else None)
        while self._listening:
            samples = self._ear.take(128)
            if not len(samples):
                return
            first = self._ear.taken - len(samples)
            ticks, count = self._ear.stamp()
            head = "=%d %d %d " % (first, self._clock.at(ticks), count)
            out(head)
            out(binascii.b2a_base64(samples))
            self._mouth.keep()


def main():
    import select

    jig = Jig()
    poll = select.poll()
    poll.register(sys.stdin, select.POLLIN)
    while True:
        jig.keep()
        jig.tell()
        if not poll.poll(0):
            continue
        line = sys.stdin.readline().strip()
        if line:
            try:
                print(("ok " + jig.do(line)).strip())
            except (ValueError, KeyError, IndexError, TypeError) as error:
                print("error", repr(error))


if __name__ == "__main__":
    main()
