"""The robot's buttons as letters, for `roboto console`."""

import threading
from collections.abc import Callable
from typing import TextIO

from .errors import BoardError
from .link import Link

HELP = """r red (record)  g green (say again)  y yellow (volume)  b blue (win)  w white (mode)
t the tray. A letter and Enter presses it; with seconds it is held: r 2.5. ? this text, q quits."""
_CONTROLS = {
    "r": "record",
    "g": "replay",
    "y": "volume",
    "b": "win",
    "w": "mode",
    "t": "plate",
}


def command(line: str) -> str | None:
    """The line protocol's command for what was typed; None for nothing. Raises ValueError, in one
    line."""
    words = line.split()
    if not words:
        return None
    control = _CONTROLS.get(words[0], words[0])
    if control not in _CONTROLS.values():
        raise ValueError(f"no button {words[0]}: ? shows them")
    try:
        seconds = float(words[1]) if len(words) > 1 else 0.1
    except ValueError:
        raise ValueError(f"{words[1]}: how many seconds?") from None
    return f"press {control} {round(seconds * 1000)}"


def run(link: Link, lines: TextIO, tell: Callable[[dict], None]) -> None:
    """Until q or the end of the lines. Raises BoardError."""
    hello = link.ask("hello")
    print(HELP, flush=True)
    tell({"event": "state", "state": hello["state"], "language": hello["language"]})
    link.ask("follow on")
    done = threading.Event()
    fault: list[BoardError] = []

    def listen() -> None:
        try:
            while not done.is_set():
                for event in link.events(0.2):
                    if event["event"] not in ("press", "follow"):
                        tell(event)
        except BoardError as error:
            fault.append(error)

    listener = threading.Thread(target=listen, daemon=True)
    listener.start()
    try:
        for line in lines:
            if fault or line.strip() == "q":
                break
            if line.strip() == "?":
                print(HELP, flush=True)
                continue
            try:
                wanted = command(line.strip())
            except ValueError as error:
                print(error, flush=True)
                continue
            if wanted:
                link.send(wanted)
    except KeyboardInterrupt:
        pass
    done.set()
    listener.join(2)
    if fault:
        raise fault[0]
    link.send("follow off")
