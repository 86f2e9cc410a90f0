"""The signs of the five buttons, as the browser page has them: for the board's print and for the
caps, where fingers and those who do not see colours tell them apart.

Each is drawn on a square of 24 x 24, x to the right, y down, by strokes and filled shapes.
"""

import math
from dataclasses import dataclass

Point = tuple[float, float]


@dataclass(frozen=True)
class Icon:
    """strokes: lines with round ends; filled: closed shapes."""

    strokes: tuple[tuple[Point, ...], ...] = ()
    filled: tuple[tuple[Point, ...], ...] = ()


def _arc(x: float, y: float, r: float, start: float, stop: float) -> tuple[Point, ...]:
    """Points of an arc; degrees, 0 to the right, turning down."""
    n = max(2, round(abs(stop - start) / 15) + 1)
    turns = [math.radians(start + (stop - start) * i / (n - 1)) for i in range(n)]
    return tuple((x + r * math.cos(t), y + r * math.sin(t)) for t in turns)


def _star() -> tuple[Point, ...]:
    turns = [(math.radians(-90 + 36 * i), 10.0 if i % 2 == 0 else 4.6) for i in range(10)]
    return tuple((12 + r * math.cos(t), 12.6 + r * math.sin(t)) for t, r in turns)


ICONS = {
    # a microphone
    "SW1": Icon(
        strokes=(_arc(12, 11, 7, 0, 180), ((12, 18), (12, 21)), ((8, 21.5), (16, 21.5))),
        filled=((*_arc(12, 5.5, 3.2, 180, 360), *_arc(12, 11, 3.2, 0, 180)),),
    ),
    # an arrow that goes round
    "SW2": Icon(
        strokes=(_arc(12, 12.5, 7.5, -150, 150),),
        filled=(((1.5, 5.0), (9.5, 5.5), (4.5, 12.0)),),
    ),
    # a loudspeaker
    "SW3": Icon(
        strokes=(_arc(11, 12, 6.5, -45, 45), _arc(11, 12, 10.5, -45, 45)),
        filled=(((3, 9), (7, 9), (12, 4.5), (12, 19.5), (7, 15), (3, 15)),),
    ),
    # a star
    "SW4": Icon(filled=(_star(),)),
    # forbidden: a ring with a bar
    "SW5": Icon(strokes=(_arc(12, 12, 9, 0, 360), ((6, 18), (18, 6)))),
}
