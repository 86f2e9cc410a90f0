"""A robot's day among people who do not know how it wants to be treated; and what it owes them.

Day draws what is done to it: games, and all that comes between. Table is its surroundings, which
soak.py makes of the simulator's chip and tests/micropython/soak.py of stand-ins; both interpreters
read this file. Table also keeps the accounts: each press of the tray that counts must be answered,
nothing may come out of the loop, and neither flash nor memory may fill.
"""

PLATE_MS = 150  # from a press to its beep, at most, while something is saved
_CONTROLS = ("record", "replay", "volume", "win", "mode", "plate")
_STATES_WITHOUT_BEEP = (None, "asleep", "demo")
_ALIVE_MS = 12000  # after a press in peace something is said or beeped
_LOG_BYTES = 2 * 4096
_FILES_MOST = 90
_DATA_BYTES = 1200 * 1024


class Off(BaseException):
    """The power goes."""


class Table:
    """What a robot is connected with. A port of it defines pin(), cable(), supply(), skip() and
    now_ms()."""

    def __init__(self, folder):
        self.folder = folder
        self.sent = []  # pieces on their way to the robot
        self.reads = True
        self.hearing = "people"
        self.full = False
        self.cut_in = -1  # operations of the flash until the power goes
        self.powered = True
        self.usb = False
        self.switch = "on"
        self.running = False
        self.state = None
        self.booted_ms = self.void_until_ms = 0
        self.closed_ms = {}
        self.opened_ms = {}
        self.waiting = []  # presses of the tray that are to be answered, by when they were
        self.complaints = []
        self.heard_ms = 0  # the last time it said or beeped something
        self.faults = {}
        self.boots = self.sleeps = self.bites = self.said = self.presses = self.slowest_ms = 0

    # ---- what is done to it

    def contact(self, control, closed):
        """A contact closes or opens."""
        now = self.now_ms()
        if closed == (control in self.closed_ms):
            return
        if closed:
            self.closed_ms[control] = now
            if control == "plate" and self._counts(now):
                self.waiting.append(now)
                self.presses += 1
        else:
            since = self.closed_ms.pop(control)
            self.opened_ms[control] = now
            if control == "plate" and now - since < 20 and since in self.waiting:
                self.waiting.remove(since)
                self.presses -= 1
        self.pin(control, closed)

    def _counts(self, now):
        return (
            self.running
            and now - self.booted_ms > 500
            and now > self.void_until_ms
            and self.state not in _STATES_WITHOUT_BEEP
            and not self.usb  # a computer's presses would be mistaken for it
            and now - self.opened_ms.get("plate", -1000) > 150
        )

    def plug(self, present):
        """A computer comes, or goes."""
        self.usb = present
        self.void(200)
        self.cable(present)

    def slide(self, position):
        """The slide switch is moved."""
        self.void(500)
        self.switch = position
        self.pin("try_me", position == "try-me")

    def power(self, on):
        """The battery goes out, or in."""
        if on == self.powered:
            return
        self.powered = on
        if not on:
            self.void(0)
            if self.running:
                raise Off

    def jump(self, ms):
        """The robot's clock jumps."""
        self.void(1000)
        self.skip(ms)

    def lay(self, name, data):
        """Something lies in its folder that nobody knows of."""
        with open(self.folder + "/" + name, "wb") as file:
            file.write(data)

    def void(self, ms):
        """What was pressed up to now, and for some time on, need not be answered."""
        self.waiting = []
        self.void_until_ms = max(self.void_until_ms, self.now_ms() + ms)

    def operate(self):
        """An operation of the flash begins."""
        if self.cut_in == 0:
            self.cut_in = -1
            self.power(False)
        elif self.cut_in > 0:
            self.cut_in -= 1

    # ---- its end of the cable

    def read(self):
        """Return the next byte from the computer, or -1."""
        if not self.sent:
            return -1
        piece = self.sent[0]
        if len(piece) > 1:
            self.sent[0] = piece[1:]
        else:
            self.sent.pop(0)
        return piece[0]

    def write(self, byte):
        """Take a byte; whether the computer does."""
        return self.reads

    # ---- what it does

    def begins(self):
        """It is switched on, or wakes."""
        self.boots += 1
        self.booted_ms = self.now_ms()
        self.state = None
        self.running = True
        self.waiting = []
        self.sent = []

    def ends(self):
        """It stands still, for whatever reason."""
        self.running = False
        self.waiting = []

    def told(self, event, fields):
        """It tells what it does."""
        now = self.now_ms()
        if event == "state":
            self.state = fields["state"]
        elif event == "say":
            self.said += 1
            self.heard_ms = now
        elif event == "tone":
            self.heard_ms = now
            if fields["tone"] == "plate" and self.waiting:
                late = now - self.waiting.pop(0)
                self.slowest_ms = max(self.slowest_ms, late)
                if late > PLATE_MS:
                    self.complain("a beep %d ms late" % late)
        elif event == "fault":
            self._fault(fields["what"])
        self.look()

    def _fault(self, line):
        kind = "".join("#" if c in "0123456789" else c for c in line)[:60]
        self.faults[kind] = self.faults.get(kind, 0) + 1
        word = line.rsplit("(", 1)[-1]
        if "Error" in line and line.endswith(")") and word[:-1].replace("_", "").isalpha():
            self.complain("it raised: " + line)
        if "hung" in line:
            self.complain(line)

    def look(self):
        """See whether a press is overdue."""
        while self.waiting and self.now_ms() - self.waiting[0] > PLATE_MS:
            self.waiting.pop(0)
            self.complain("a press of the tray was missed in state %s" % self.state)

    def complain(self, line):
        """Note what must not be."""
        if len(self.complaints) < 50:
            self.complaints.append("%.1f s: %s" % (self.now_ms() / 1000, line))

    def account(self, sizes):
        """Look at the folder: sizes, file -> bytes."""
        log = sum(n for name, n in sizes.items() if name in ("log-0", "log-1"))
        if log > _LOG_BYTES:
            self.complain("the log has %d bytes" % log)
        if len(sizes) > _FILES_MOST or sum(sizes.values()) > _DATA_BYTES:
            self.complain("%d files, %d bytes" % (len(sizes), sum(sizes.values())))
        return log


class Day:
    """What is done to it, drawn by `rng`: its methods random, randint, choice and randrange."""

    def __init__(self, rng, table):
        self._rng = rng
        self._table = table

    def doings(self):
        """Yield, without end, how many ms to wait and what is to be done then, a function."""
        rng, table = self._rng, self._table
        yield 3000, _nothing
        while True:
            activity = rng.choice(
                (self._game, self._game, self._game, self._hammer, self._idle, self._menu)
            )
            troubles = [t for t in self._troubles() if rng.random() < 0.12]
            for wait_ms, act in self._around(activity, troubles):
                yield wait_ms, act
            for wait_ms, act in self._peace():
                yield wait_ms, act
            table.look()

    def _around(self, activity, troubles):
        rng = self._rng
        for begin, _ in troubles:
            yield rng.randint(0, 500), begin
        for wait_ms, act in activity():
            for _, again in troubles:
                if again is not None and rng.random() < 0.2:
                    yield rng.randint(0, 300), again
            yield wait_ms, act

    def _peace(self):
        """All is as it should be: then it must answer."""
        rng, table = self._rng, self._table
        table.full, table.reads, table.hearing, table.cut_in = False, True, "people", -1
        for control in _CONTROLS:
            yield 20, self._open(control)
        yield 10, lambda: table.plug(False)
        yield 10, lambda: table.slide("on")
        yield 10, lambda: table.supply(4500)
        yield 100, lambda: table.power(True)
        yield rng.randint(2000, 20000), _nothing
        asked_ms = []
        yield 10, lambda: asked_ms.append(table.now_ms())
        yield 10, self._close("plate")
        yield 100, self._open("plate")
        yield _ALIVE_MS, lambda: self._alive(asked_ms[0])

    def _alive(self, since_ms):
        table = self._table
        if table.heard_ms < since_ms:
            table.complain("it does not answer in peace, in state %s" % table.state)

    # ---- what people do

    def _close(self, control):
        return lambda: self._table.contact(control, True)

    def _open(self, control):
        return lambda: self._table.contact(control, False)

    def _press(self, control, ms=100):
        yield 10, self._close(control)
        yield ms, self._open(control)

    def _game(self):
        rng, table = self._rng, self._table
        if rng.random() < 0.5:
            yield 500, lambda: table.power(False)
            yield 1000, lambda: table.power(True)
        for _ in range(rng.randint(2, 5)):
            yield rng.randint(1500, 9000), _nothing
            yield from self._press("record", rng.choice((200, 900, 1500, 3500)))
        yield rng.randint(1000, 8000), _nothing
        yield from self._press("plate")
        yield rng.randint(1000, 9000), _nothing
        yield from self._press(rng.choice(("record", "plate")), rng.randint(100, 11000))
        for _ in range(rng.randint(4, 30)):
            yield rng.randint(300, 9000), _nothing
            yield from self._press("plate", rng.randint(20, 300))
            if rng.random() < 0.25:
                yield rng.randint(0, 4000), _nothing
                yield from self._press(rng.choice(_CONTROLS), rng.randint(20, 2500))
        yield 1000, _nothing
        yield from self._press("win")
        yield rng.randint(1000, 8000), _nothing
        yield from self._press(rng.choice(("win", "plate")))

    def _hammer(self):
        rng, table = self._rng, self._table
        for _ in range(rng.randint(10, 120)):
            control = rng.choice(_CONTROLS)
            closed = control in table.closed_ms
            yield (
                rng.choice((1, 5, 20, 100, 400)),
                (self._open(control) if closed else self._close(control)),
            )
        yield 200, lambda: table.slide(rng.choice(("on", "try-me")))
        yield rng.randint(100, 30000), lambda: table.slide("on")

    def _idle(self):
        rng = self._rng
        yield rng.choice((30, 65, 69, 70, 71, 75, 200, 900)) * 1000 + rng.randrange(1000), _nothing

    def _menu(self):
        rng = self._rng
        for _ in range(rng.randint(1, 12)):
            yield rng.randint(200, 6000), _nothing
            yield from self._press("mode", rng.choice((100, 2500)))
            yield rng.randint(200, 3000), _nothing
            yield from self._press(rng.choice(_CONTROLS))

    # ---- what comes between

    def _troubles(self):
        """Pairs of how a trouble begins and what of it comes again and again. Peace ends all."""
        rng, table = self._rng, self._table

        def cable():
            table.plug(not table.usb)

        def talk():
            if table.usb and len(table.sent) < 20:
                table.sent.append(self._words())
            table.reads = rng.random() < 0.6

        def cut():
            table.power(not table.powered)

        def cut_soon():
            table.power(True)
            table.cut_in = rng.randint(0, 40)

        def full():
            table.full = not table.full

        def sag():
            table.supply(rng.choice((2500, 2590, 2610, 3000, 3090, 3110, 3600, 4500)))

        def noise():
            table.hearing = rng.choice(("nothing", "noise", "words", "people"))

        def stuck():
            control = rng.choice(_CONTROLS)
            table.contact(control, control not in table.closed_ms)

        def jump():
            table.jump(rng.choice((-3000, -50, 40, 900, 20000, 200000)))

        def stray():
            name = rng.choice(("x.tmp", "._name-0.clip", "name-99.clip", "Thumbs.db", "a b"))
            table.lay(name, b"x" * rng.choice((0, 1, 900)))

        return (
            (cable, talk), (cable, cable), (cut, cut), (cut_soon, cut_soon), (full, None),
            (full, full), (sag, sag), (noise, noise), (stuck, None), (stuck, stuck), (jump, jump),
            (stray, None),
        )  # fmt: skip

    def _words(self):
        rng = self._rng
        if rng.random() < 0.5:
            return bytes([rng.randrange(256) for _ in range(rng.choice((1, 3, 90)))])
        command = rng.choice(("hello", "follow", "press", "release", "log", "battery", "\xff"))
        word = rng.choice(_CONTROLS + ("on", "off", "20000", "", "-1"))
        return ("%s %s\n" % (command, word)).encode()


def _nothing():
    """Let time pass."""
