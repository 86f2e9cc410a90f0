"""What many games came to: as text, JSON, a picture and a small HTML page."""

import html
import math

from . import score_sheet
from .columns import columns
from .tally import Tally, fairness, mean, quantile


def summary(key, tally):
    """Return the figures of one rule set and number of players, flat, as json can write them."""
    name, n_players = key.rsplit("/", 1)
    games = tally.counts["games"]
    turns = tally.spreads.get("turns", {})
    wins = tally.by_index("won")
    figures = {
        "rules": name,
        "players": int(n_players),
        "games": games,
        "matches": tally.counts["matches"] or games,
        "turns_mean": _round(mean(turns)),
        "turns_5_50_95": [quantile(turns, share) for share in (0.05, 0.5, 0.95)] if turns else [],
        "drawn_mean": _round(mean(tally.spreads.get("drawn", {}))),
        "won_by_seat": wins,
        "fairness_p": _round(fairness(wins), 4),
        "blocked": tally.counts["blocked"],
        "uno_missed": tally.counts["uno_missed"],
        "uno_caught": tally.counts["uno_caught"],
        "challenges": tally.counts["challenges"],
        "challenges_won": tally.counts["challenges_won"],
    }
    for spread in ("points", "match_games"):
        if spread in tally.spreads:
            figures[f"{spread}_mean"] = _round(mean(tally.spreads[spread]))
    figures.update(_robot_figures(tally))
    return figures


def _robot_figures(tally):
    """Return what only a table with the robot has; nothing for plain games."""
    if "robot_seconds" not in tally.spreads:
        return {}
    spreads, counts, games = tally.spreads, tally.counts, max(1, tally.counts["games"])
    length = spreads["robot_seconds"]
    return {
        "minutes_mean": _round(mean(length) / 60, 1),
        "minutes_5_50_95": [_round(quantile(length, s) / 60, 1) for s in (0.05, 0.5, 0.95)],
        "interruptions_mean": _round(mean(spreads["interruptions"])),
        "talk_share": _round(mean(spreads["talk_seconds"]) / max(1, mean(length)), 3),
        "interruptions_by_kind": tally.by_name("kind"),
        "white_mean": _round(sum(tally.by_name("pulled").values()) / games),
        "white_by_outcome": tally.by_name("pulled"),
        "cards_moved_mean": _round(mean(spreads["cards_moved"])),
        "named_spread_max": max(spreads["named_spread"], default=0),
        "ordered_spread_max": max(spreads["ordered_spread"], default=0),
        "slowest_beep_ms": max(spreads["beep_ms"], default=0),
        "slowest_light_ms": max(spreads["light_ms"], default=0),
        "longest_silence_s": max(spreads["silence_ms"], default=0) / 1000,
        "longest_silence_median_s": quantile(spreads["silence_ms"], 0.5) / 1000,
        "sleeps": counts["sleeps"],
        "sleep_warnings": counts["sleep_warnings"],
        "presses": counts["presses"],
        "lost_presses": counts["lost_presses"],
        "early_surprises": counts["early"],
        "vetoes": counts["vetoes"],
        "races": counts["races"],
        "races_forgotten": counts["races_forgotten"],
        "races_cut": counts["races_cut"],
        "nicknames_refused": counts["refused"],
        "winners_named": counts["named_winner"],
        "against_the_spec": counts["wrong"],
        "unknown_effects": counts["unknown_effects"],
        "stuck": counts["stuck"],
        "exceptions": counts["exceptions"],
        "faults": counts["faults"],
        "faults_a_game": _round(counts["faults"] / games, 3),
        "won_on_command": counts["won_on_command"],
        "trouble": tally.by_name("trouble"),
        "fault_lines": tally.by_name("fault"),
    }


def _round(value, digits=2):
    return None if math.isnan(value) else round(value, digits)


def summaries(tallies):
    """Return summaries of all keys, ordered by rule set and number of players."""
    keys = sorted(tallies, key=lambda key: (key.rsplit("/", 1)[0], int(key.rsplit("/", 1)[1])))
    return [summary(key, tallies[key]) for key in keys]


def sheets(tallies):
    """Return the score sheets that were kept, in the order of the matches."""
    found = {}
    for key, tally in tallies.items():
        for number, sheet in tally.sheets.items():
            found[number] = {"match": number, "rules": key.rsplit("/", 1)[0], **sheet}
    return [found[number] for number in sorted(found)]


def _title(sheet):
    return f"match {sheet['match']}: {sheet['rules']}, {sheet['players']} players"


def as_text(tallies):
    """Return the report for a terminal: the score sheets first, where there are any."""
    head = ("rules", "players", "games", "turns", "5-95 %", "drawn", "UNO missed", "fair p")
    rows = []
    robot_rows = []
    for s in summaries(tallies):
        low_high = f"{s['turns_5_50_95'][0]}-{s['turns_5_50_95'][2]}" if s["turns_5_50_95"] else ""
        rows.append(
            (s["rules"], s["players"], s["games"], s["turns_mean"], low_high, s["drawn_mean"],
             s["uno_missed"], s["fairness_p"])
        )  # fmt: skip
        if "minutes_mean" in s:
            robot_rows.append(
                (s["rules"], s["players"], s["minutes_mean"], s["interruptions_mean"],
                 s["cards_moved_mean"], s["named_spread_max"], s["longest_silence_s"],
                 s["sleeps"], s["lost_presses"], s["stuck"], s["exceptions"], s["faults"])
            )  # fmt: skip
    lines = columns(head, rows)
    if robot_rows:
        head = ("rules", "players", "minutes", "interrupts", "cards moved", "names apart",
                "silence s", "sleeps", "lost", "stuck", "exceptions", "faults")  # fmt: skip
        lines += ["", *columns(head, robot_rows)]
        for key, tally in sorted(tallies.items()):
            lines += [f"{key} {line}" for line in tally.by_name("trouble")]
    for sheet in reversed(sheets(tallies)):
        lines = [score_sheet.as_text(sheet, _title(sheet)), "", "", *lines]
    return "\n".join(lines)


def draw(tallies, path):
    """Draw the spreads of all games into a picture. ImportError without matplotlib."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    whole = Tally()
    for tally in tallies.values():
        whole.merge(tally)
    wanted = [
        ("turns", "turns a game", 1),
        ("drawn", "cards drawn a game", 1),
        ("robot_seconds", "minutes a game", 60),
        ("interruptions", "interruptions a game", 1),
        ("cards_moved", "cards moved by commands a game", 1),
        ("silence_ms", "longest silence in a game, s", 1000),
    ]
    wanted = [(name, title, unit) for name, title, unit in wanted if name in whole.spreads]
    rows = (len(wanted) + 1) // 2
    figure, axes = pyplot.subplots(rows, 2, figsize=(10, 3 * rows), squeeze=False)
    for axis, (name, title, unit) in zip(axes.flat, wanted, strict=False):
        for key, tally in sorted(tallies.items()):
            spread = tally.spreads.get(name)
            if spread:
                values = sorted(spread)
                axis.hist(
                    [value / unit for value in values],
                    bins=30,
                    weights=[spread[value] for value in values],
                    histtype="step",
                    density=True,
                    label=key,
                )
        axis.set_title(title)
        axis.set_yticks([])
    for axis in list(axes.flat)[len(wanted) :]:
        axis.set_visible(False)
    if len(tallies) <= 10:
        axes.flat[0].legend(fontsize="small")
    figure.tight_layout()
    figure.savefig(path)
    pyplot.close(figure)


def as_html(tallies, picture=None):
    """Return a page that stands alone but for the picture (a path beside it, or None)."""
    rows = summaries(tallies)
    keys = list(dict.fromkeys(key for row in rows for key in row))

    def cell(value):
        if isinstance(value, dict):
            value = ", ".join(f"{name} {n}" for name, n in value.items())
        elif isinstance(value, list):
            value = " ".join(map(str, value))
        return html.escape("" if value is None else str(value))

    body = "".join(
        f"<tr><th>{html.escape(key.replace('_', ' '))}</th>"
        + "".join(f"<td>{cell(row.get(key))}</td>" for row in rows)
        + "</tr>\n"
        for key in keys
    )
    scores = "".join(score_sheet.as_html(sheet, _title(sheet)) for sheet in sheets(tallies))
    image = f'<img src="{html.escape(picture)}" alt="spreads">' if picture else ""
    return (
        "<!doctype html><meta charset=utf-8><title>The table</title>\n"
        "<style>body{font:15px sans-serif;margin:2em}table{border-collapse:collapse}"
        "th{text-align:left}td,th{padding:.2em .7em;border-bottom:1px solid #ccc}</style>\n"
        f"<h1>The table: what the games came to</h1>\n<table>{body}</table>\n{image}\n{scores}"
    )
