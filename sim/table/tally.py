"""Figures of many games that can be added up: counts, and spreads (how often each value came).

Tallies of parts of a run merge into that of the whole, in any order, and go through JSON unharmed;
so a run can be cut into jobs, interrupted and taken up again.
"""

import math
from collections import Counter


class Tally:
    """counts: name -> sum. spreads: name -> Counter of values (whole numbers). sheets: number of a
    match -> its score sheet, as scoring.Sheet.to_json has it, of the few that are shown."""

    def __init__(self):
        self.counts = Counter()
        self.spreads = {}
        self.sheets = {}

    def add(self, name, amount=1):
        """Add to a count."""
        self.counts[name] += amount

    def see(self, name, value):
        """Note one value of a spread, rounded to a whole number."""
        self.spreads.setdefault(name, Counter())[round(value)] += 1

    def merge(self, other):
        """Add another tally to this one."""
        self.counts.update(other.counts)
        for name, spread in other.spreads.items():
            self.spreads.setdefault(name, Counter()).update(spread)
        self.sheets.update(other.sheets)

    def by_index(self, prefix):
        """Return the counts called prefix/0, prefix/1 ... as a list."""
        found = [name for name in self.counts if name.startswith(prefix + "/")]
        n = 1 + max((int(name.rsplit("/", 1)[1]) for name in found), default=-1)
        return [self.counts[f"{prefix}/{i}"] for i in range(n)]

    def by_name(self, prefix):
        """Return the counts called prefix/something as a dict, the largest first."""
        found = {
            name[len(prefix) + 1 :]: n
            for name, n in self.counts.items()
            if name.startswith(prefix + "/")
        }
        return dict(sorted(found.items(), key=lambda item: -item[1]))

    def to_json(self):
        """Return a dict that json can write."""
        spreads = {
            name: {str(value): n for value, n in sorted(spread.items())}
            for name, spread in self.spreads.items()
        }
        data = {"counts": dict(self.counts), "spreads": spreads}
        if self.sheets:
            data["sheets"] = {str(n): sheet for n, sheet in sorted(self.sheets.items())}
        return data

    @classmethod
    def from_json(cls, data):
        """Return the tally that to_json wrote."""
        tally = cls()
        tally.counts.update(data["counts"])
        for name, spread in data["spreads"].items():
            tally.spreads[name] = Counter({int(value): n for value, n in spread.items()})
        tally.sheets = {int(n): sheet for n, sheet in data.get("sheets", {}).items()}
        return tally


def mean(spread):
    """Return the mean of a spread; nan when it is empty."""
    n = sum(spread.values())
    return sum(value * times for value, times in spread.items()) / n if n else math.nan


def quantile(spread, share):
    """Return the smallest value that this share of the spread does not exceed; nan when empty."""
    wanted = share * sum(spread.values())
    seen = 0
    for value in sorted(spread):
        seen += spread[value]
        if seen >= wanted:
            return value
    return math.nan


def fairness(wins):
    """Return how likely wins as uneven as these are when all are alike: a chi-squared test's p.

    Small (below 0.001, say) means unfair. 1.0 when there is nothing to compare.
    Method: Pearson's chi-squared against equal shares; the tail by the Wilson-Hilferty cube root.
    """
    total, n = sum(wins), len(wins)
    if n < 2 or total == 0:
        return 1.0
    expected = total / n
    chi2 = sum((won - expected) ** 2 for won in wins) / expected
    df = n - 1
    z = ((chi2 / df) ** (1 / 3) - (1 - 2 / (9 * df))) / math.sqrt(2 / (9 * df))
    return 0.5 * math.erfc(z / math.sqrt(2))
