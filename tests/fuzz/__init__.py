"""Inputs that nobody would think of, at every door through which something comes in.

A door is a *surface*: a module of this folder whose name begins neither with test_ nor with "_".
It holds

    IN_CI = 500                 how many drawn inputs a run in CI tries: some seconds' worth

    def draw(rng):              Return one input, made from `rng` (random.Random) alone: bytes, or
                                what JSON can hold, with bytes in it wherever they are wanted.
    def one(given) -> str:      Try it. Return TAKEN or REFUSED; or LOST when something is gone
                                that was there before. Whatever it raises is a traceback; when it
                                takes longer than HANG_S of processor time, it hangs.

Nothing else is asked of it. one() must leave nothing behind and must not depend on earlier inputs:
failures are made smaller by trying parts of them, and are kept in corpus/NAME/, where every run
tries them first. Inputs that were found by thinking belong there, too: see _corpus.py keep().

    python -m tests.fuzz --seconds 600             all surfaces, together so long
    python -m tests.fuzz boot console --count 100  those two, a hundred inputs each
    python -m tests.fuzz soak --hours 24           a day in one go (--micropython: there)
    pytest tests/fuzz                              the corpus, and IN_CI inputs of each surface
"""

TAKEN, REFUSED, LOST = "taken", "refused", "lost"

HANG_S = 20  # of processor time: far more than any input may take on a slow machine
HANG_WALL_S = 300  # for what waits without computing
