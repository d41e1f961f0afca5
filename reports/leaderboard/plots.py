"""The plots of the leaderboard."""

from __future__ import annotations

from collections.abc import Sequence

from bridge_arena.base.plots import CARD, FIRST, SERIES, Plot, Span, thinned
from bridge_arena.oracle.ledger import Role
from bridge_arena.reports.common.intervals import interval
from bridge_arena.reports.leaderboard.figures import Leaderboard, RankedEntry
from bridge_arena.reports.leaderboard.links import Links

PARTS = ("auction", *(f"own {role}" for role in Role), "opponents' errors")
"""The parts of the ledger's bars, in the order of the colours."""

MOST_ROWS = 32
"""The most entries in a plot: the first of the table."""

MOST_LINES = 16
"""The most running scores that can be told apart."""

_DASHES = ("", "6 3")

_POINTS = 2000
"""The most points of all lines of running scores."""


def draw(board: Leaderboard) -> dict[str, Plot]:
    """Return the plots by name, without those that would be empty."""
    drawn: dict[str, Plot] = {}
    if board.has_comparisons:
        drawn["compared"] = compared(board)
    if any(entry.rating for entry in board.entries):
        drawn["ratings"] = ratings(board)
        drawn["cumulative"] = cumulative_imps(board)
    if board.has_ledger:
        drawn["ledger"] = ledger_bars(board)
    return drawn


def ratings(board: Leaderboard) -> Plot:
    """Draw every rating with its 95 % interval, the best on top."""
    rated = [(entry, entry.rating.estimate) for entry in board.entries if entry.rating]
    rows = [(entry, estimate.value, estimate.interval) for entry, estimate in rated]
    return _intervals(board, rows, "IMPs per board")


def compared(board: Leaderboard) -> Plot:
    """Draw every pair's or player's cross-IMPs with 95 % intervals."""
    rows = [
        (entry, entry.cross_imps.mean or 0.0, interval(entry.cross_imps))
        for entry in board.compared
    ]
    return _intervals(board, rows, "IMPs per comparison")


def _intervals(
    board: Leaderboard,
    rows: Sequence[tuple[RankedEntry, float, tuple[float, float] | None]],
    values: str,
) -> Plot:
    """Draw a point for the value of each row, and a line for its interval."""
    shown = rows[:MOST_ROWS]
    plot = _rows(board, [entry for entry, _, _ in shown], values + _of(rows))
    known = [(row, *interval) for row, (_, _, interval) in enumerate(shown) if interval]
    plot.errors(known, FIRST, 2.2)
    plot.dots([(row, value) for row, (_, value, _) in enumerate(shown)], FIRST)
    return plot


def _rows(board: Leaderboard, entries: Sequence[RankedEntry], values: str) -> Plot:
    """Return a plot whose rows lead to the scorecards of entries that have one alone."""
    plot, links = Plot(values, rows=[entry.name for entry in entries]), Links(board)
    for row, entry in enumerate(entries):
        if address := links.of_only_scorecard(entry):
            plot.link(row, address, f"scorecard of {entry.name}")
    return plot


def cumulative_imps(board: Leaderboard) -> Plot:
    """Draw every entry's running total; the key is in the order of the ends."""
    every = [entry for entry in board.entries if entry.running]
    playing = sorted(every[:MOST_LINES], key=lambda entry: -entry.running[-1])
    plot, links = Plot("IMPs", "boards played" + _of(every, MOST_LINES)), Links(board)
    for place, entry in enumerate(playing):
        totals = [0, *entry.running]
        at = thinned(len(totals), _POINTS // max(10, len(playing)))
        colour, dash = SERIES[place % len(SERIES)], _DASHES[place // len(SERIES)]
        points = [(boards, totals[boards]) for boards in at]
        plot.line(points, colour, entry.name, dash, links.of_only_scorecard(entry))
    return plot


def ledger_bars(board: Leaderboard) -> Plot:
    """Draw the parts of each entry's IMPs per board.

    Gains are right of zero, losses left, and the sum is a diamond.
    """
    every = [entry for entry in board.entries if entry.ledger.boards]
    known = every[:MOST_ROWS]
    plot = _rows(board, known, "IMPs per board" + _of(every))
    ends = {True: [0.0] * len(known), False: [0.0] * len(known)}
    for colour, values in zip(SERIES, zip(*map(_parts, known), strict=True), strict=False):
        bars: list[Span] = []
        for row, value in enumerate(values):
            side = ends[value > 0]
            bars.append((row, side[row], side[row] + value))
            side[row] += value
        plot.bars(bars, colour, 0.6)
    totals = [entry.ledger.imps_per_board.all.mean or 0.0 for entry in known]
    plot.dots(enumerate(totals), CARD, "diamond")
    return plot


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
