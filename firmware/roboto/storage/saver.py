"""Works through the changes to flash, one bite a call, and never lets an error out."""

from .broken import FULL, Refused

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from ..shapes import Note
    from .volume import Job

_ENOSPC = 28
_LONGEST_WAIT = 64  # calls: half a second in a loop of 8 ms steps


class Saver:
    """A queue of jobs. note(line) is told about those that failed, and gave_up(job) then gets the
    job, whose `failed` says why: FULL, or the reason in words."""

    def __init__(self, note: "Note", gave_up: "Callable[[Job], None] | None" = None) -> None:
        self._note = note
        self._gave_up = gave_up
        self._jobs: list[Job] = []
        self._refusals = 0
        self._wait = 0

    @property
    def busy(self) -> bool:
        """Return whether anything still waits to be written."""
        return bool(self._jobs)

    def add(self, job: "Job") -> None:
        """Queue a job. One for the same file that has not begun would be overwritten: it is
        dropped and counts as done, so that ten turns of the volume are written once."""
        for waiting in self._jobs:
            if waiting.name == job.name and not waiting.begun:
                waiting.done = True
        self._jobs = [waiting for waiting in self._jobs if not waiting.done]
        self._jobs.append(job)

    def step(self) -> None:
        """Do one bite: at most one flash operation. Call it while no sound is open.

        A refused job stays first in the queue and is tried again, ever more rarely at first.
        """
        if self._wait:
            self._wait -= 1
            return
        if not self._jobs:
            return
        job = self._jobs[0]
        try:
            if job.step():
                self._jobs.pop(0)
            self._refusals = 0
        except Refused:
            self._wait = min(1 << self._refusals, _LONGEST_WAIT)
            self._refusals = min(self._refusals + 1, 6)
        except Exception as error:  # the loop goes on, whatever a job ran into
            self._jobs.pop(0)
            job.failed = _reason(error)
            self._note(f"{job.about}: {job.failed}")
            if self._gave_up is not None:
                self._gave_up(job)


def _reason(error: Exception) -> str:
    if isinstance(error, OSError) and error.errno == _ENOSPC:
        return FULL
    return f"{type(error).__name__} {error}"
