"""What people did at a robot that was played live, and the scenario that does it again."""

from __future__ import annotations

from typing import Any

LIGHT_PATIENCE_S = 2.0  # a person who sees no light speaks after this time all the same


class Deed:
    """Something that people did, at its exact time: a contact that went `down` or `up`, a move of
    the `switch`, a setting and its value that were `set`."""

    def __init__(
        self, at_us: int, down: str = "", up: str = "", switch: str = "", set: Any = None
    ) -> None:
        self.at_us = at_us
        self.down = down
        self.up = up
        self.switch = switch
        self.set: tuple[str, Any] | None = set
        # down: when the record LED lit while this contact was closed
        self.lit_us: int | None = None
        self.take = ""  # down: the name of what was said from then on


def scenario(deeds: list[Deed], end_us: int, lang: str, seed: int) -> tuple[str, list[str]]:
    """Return the scenario's text, and the names of the takes that it plays as WAVs.

    Every time is `after`, to the microsecond, and so the firmware meets each contact in the same
    turn of its loop. A press is a hold when nothing else was done meanwhile, else down and up.
    """
    lines = [f'lang = "{lang}"', f"seed = {seed}", 'switch = "off"', "step_by_step = true"]
    takes: list[str] = []
    ended_us = 0
    i = 0
    while i < len(deeds):
        deed = deeds[i]
        following = deeds[i + 1] if i + 1 < len(deeds) else None
        mic: list[str] = []
        if deed.take:
            takes.append(deed.take)
            mic = [f'mic = "{deed.take}.wav"']
        begun_us = deed.at_us
        seen = deed.lit_us is None or deed.lit_us - begun_us < LIGHT_PATIENCE_S * 1e6
        if mic and deed.lit_us is not None:
            begun_us = deed.lit_us
        lines += ["", "[[step]]", f"after = {_seconds(deed.at_us - ended_us)}"]
        ended_us = deed.at_us
        i += 1
        if deed.switch:
            lines.append(f'switch = "{deed.switch}"')
        elif deed.set:
            key, value = deed.set
            shown = '"%s"' % value if isinstance(value, str) else str(value).lower()
            lines.append("set = { %s = %s }" % (key, shown))
        elif deed.up:
            lines.append(f'up = "{deed.up}"')
        elif following and following.up == deed.down and seen and following.at_us > begun_us:
            held = _seconds(following.at_us - begun_us)
            lines += [f'hold = "{deed.down}"', f"for = {held}"] + mic
            ended_us = following.at_us
            i += 1
        else:
            lines += [f'down = "{deed.down}"'] + mic
    if end_us > ended_us:
        lines += ["", "[[step]]", f"wait = {_seconds(end_us - ended_us)}"]
    return "\n".join(lines) + "\n", takes


def _seconds(us: int) -> str:
    return "%d.%06d" % (us // 1_000_000, us % 1_000_000)
