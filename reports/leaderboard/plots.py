"""The plots of the leaderboard; `reports.common.drawing` has the parts that all plots share."""

from __future__ import annotations

from collections.abc import Sequence
from math import nan

from matplotlib.axes import Axes

from bridge_arena.oracle.ledger import Role
from bridge_arena.reports.common.drawing import (
    CARD,
    FIRST,
    INK,
    MOST_POINTS,
    SERIES,
    look,
    new_axes,
    svg,
    thinned,
    whole_numbers,
)
from bridge_arena.reports.leaderboard.figures import Leaderboard, RankedEntry
from bridge_arena.tournaments.statistics.significance import two_sided_t

PARTS = (
    "auction",
    *(f"own {role}" for role in Role),
    "opponents' errors",
)
"""The parts of the ledger's bars, in the order of the colours."""

_LONGEST_NAME = 22
_DASHES = ("-", "--", ":", "-.")
_IN_KEY = 2
_BAR = 13.0

MOST_ROWS = 32
"""The most entries in a plot: the first of the table."""

MOST_LINES = 16
"""The most running scores that can be told apart."""

_POINTS = 2000
"""The most points of all lines of running scores."""


def draw(board: Leaderboard) -> dict[str, str]:
    """Return the plots by name, as trusted markup, without those that would be empty."""
    drawn: dict[str, str] = {}
    if board.has_comparisons:
        drawn["compared"] = compared(board)
    if any(entry.rating for entry in board.entries):
        drawn["ratings"] = ratings(board)
        drawn["cumulative"] = cumulative_imps(board)
    if board.has_ledger:
        drawn["ledger"] = ledger_bars(board)
    return drawn


def ratings(board: Leaderboard) -> str:
    """Return the plot of every rating with its 95 % interval, the best on top."""
    rated = [(entry.name, entry.rating.estimate) for entry in board.entries if entry.rating]
    rows = [(name, estimate.value, estimate.interval) for name, estimate in rated]
    return _intervals(rows, "IMPs per board against the mean of the field", "ratings")


def compared(board: Leaderboard) -> str:
    """Return the plot of every pair's or player's cross-IMPs with 95 % intervals."""
    rows = []
    for entry in board.compared:
        mean = entry.cross_imps
        value = mean.mean or 0.0
        interval = None
        if mean.standard_error is not None:
            reach = two_sided_t(0.95, mean.n - 1) * mean.standard_error
            interval = (value - reach, value + reach)
        rows.append((entry.name, value, interval))
    return _intervals(rows, "IMPs per comparison", "compared")


def _intervals(
    rows: Sequence[tuple[str, float, tuple[float, float] | None]], what: str, name: str
) -> str:
    """Return a plot with a point for the value of each row, and a line for its interval."""
    shown = rows[:MOST_ROWS]
    with look():
        figure, axes = new_axes(_height(len(shown)))
        known = [(at, interval) for at, (_, _, interval) in enumerate(shown) if interval]
        _lines(axes, known, FIRST, 2.2)
        values = [value for _, value, _ in shown]
        axes.plot(values, range(len(shown)), "o", color=FIRST, markersize=6.5)
        axes.axvline(0, color=INK, linewidth=0.8)
        _rows(axes, [name for name, _, _ in shown])
        axes.set_xlabel(what + _of(rows))
        return svg(figure, name)


def cumulative_imps(board: Leaderboard) -> str:
    """Return the plot of every entry's running total; the key is in the order of the ends."""
    every = [entry for entry in board.entries if entry.running]
    playing = sorted(every[:MOST_LINES], key=lambda entry: -entry.running[-1])
    with look():
        figure, axes = new_axes(2.8 + 0.2 * -(-len(playing) // _IN_KEY))
        for place, entry in enumerate(playing):
            at, totals = thinned([0, *entry.running], min(MOST_POINTS, _POINTS // len(playing)))
            axes.plot(
                at,
                totals,
                color=SERIES[place % len(SERIES)],
                linestyle=_DASHES[place // len(SERIES) % len(_DASHES)],
                linewidth=1.5,
                label=_short(entry.name),
            )
        axes.axhline(0, color=INK, linewidth=0.8)
        axes.set_xlim(left=0)
        whole_numbers(axes)
        axes.set_xlabel("boards played" + _of(every, MOST_LINES))
        axes.set_ylabel("IMPs")
        figure.legend(loc="outside lower center", ncols=_IN_KEY, handlelength=1.6)
        return svg(figure, "cumulative")


def ledger_bars(board: Leaderboard) -> str:
    """Return the plot of the parts of each entry's IMPs per board.

    Gains are right of zero, losses left, and the sum is a diamond.
    """
    every = [entry for entry in board.entries if entry.ledger.boards]
    known = every[:MOST_ROWS]
    with look():
        figure, axes = new_axes(_height(len(known)))
        ends = {True: [0.0] * len(known), False: [0.0] * len(known)}
        for colour, values in zip(SERIES, zip(*map(_parts, known), strict=True), strict=False):
            bars = []
            for at, value in enumerate(values):
                side = ends[value > 0]
                bars.append((at, (side[at], side[at] + value)))
                side[at] += value
            _lines(axes, bars, colour, _BAR)
        totals = [entry.ledger.imps_per_board.all.mean or 0.0 for entry in known]
        axes.plot(totals, range(len(known)), "D", color=CARD, markeredgecolor=INK, markersize=6)
        axes.axvline(0, color=INK, linewidth=0.8)
        _rows(axes, [entry.name for entry in known])
        axes.set_xlabel("IMPs per board" + _of(every))
        return svg(figure, "ledger")


def _lines(
    axes: Axes, lines: Sequence[tuple[int, tuple[float, float]]], colour: str, width: float
) -> None:
    """Draw a level line in each of some rows, from one value to another."""
    # One line with gaps takes a fraction of the space of many lines.
    values = [value for _, (start, end) in lines for value in (start, end, nan)]
    rows = [row for at, _ in lines for row in (at, at, nan)]
    axes.plot(values, rows, color=colour, linewidth=width, solid_capstyle="butt")


def _of(every: Sequence[object], most: int = MOST_ROWS) -> str:
    """Return the addition to a label if not all entries are drawn."""
    return f" (the first {most} of {len(every)} entries)" if len(every) > most else ""


def _parts(entry: RankedEntry) -> list[float]:
    """Return the parts named by PARTS, which add up to the IMPs per board."""
    imps = entry.ledger.imps_per_board
    return [
        imps.auction.mean or 0.0,
        *(imps.own[role].mean or 0.0 for role in Role),
        sum(imps.opponents[role].mean or 0.0 for role in Role),
    ]


def _height(rows: int) -> float:
    return 0.75 + 0.3 * max(rows, 3)


def _rows(axes: Axes, names: list[str]) -> None:
    """Set up a row for each name, the first on top."""
    axes.set_yticks(range(len(names)), [_short(name) for name in names])
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.grid(visible=True, axis="x")
    axes.grid(visible=False, axis="y")


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…"
