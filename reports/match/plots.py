"""The plots of the match report."""

from __future__ import annotations

from itertools import pairwise

from bridge_arena.base.plots import FIRST, INK, SECOND, Plot, thinned
from bridge_arena.oracle.ledger import Role
from bridge_arena.reports.match.figures import MatchFigures

FEWEST_BOARDS = 3
"""The fewest boards with plots: fewer are told by the table of boards at a glance."""

_COLOURS = (FIRST, SECOND)


def draw(figures: MatchFigures) -> dict[str, Plot]:
    """Return the plots by name; a match of few boards has none."""
    if len(figures.board_results) < FEWEST_BOARDS:
        return {}
    drawn = {"cumulative": cumulative_imps(figures), "swings": swings(figures)}
    if figures.has_play and figures.analysed:
        drawn |= {"lost": tricks_lost(figures), "levels": tricks_by_level(figures)}
    return drawn


def cumulative_imps(figures: MatchFigures) -> Plot:
    """Draw the running total, coloured by the side that is ahead."""
    running = _running(figures)
    # A total holds until the next board is over.
    steps = [
        (board, total) for (start, total), (end, _) in pairwise(running) for board in (start, end)
    ]
    steps.append(running[-1])
    plot = Plot("IMPs", "boards played")
    plot.area([(board, 0, max(0, total)) for board, total in steps], FIRST)
    plot.area([(board, min(0, total), 0) for board, total in steps], SECOND)
    plot.line(steps, INK)
    return plot


def swings(figures: MatchFigures) -> Plot:
    """Draw a bar for the swing of each board, up for the first bot, down for the second.

    If there are many boards, each bar is the sum of several consecutive ones.
    """
    running = _running(figures)
    together = running[1][0]
    bars = [
        ((start + end + 1) / 2, 0, after - before)
        for (start, before), (end, after) in pairwise(running)
    ]
    plot = Plot("IMPs", "boards in order" + (f", {together} to a bar" if together > 1 else ""))
    plot.bars([bar for bar in bars if bar[2] > 0], FIRST, 0.8 * together)
    plot.bars([bar for bar in bars if bar[2] <= 0], SECOND, 0.8 * together)
    return plot


def _running(figures: MatchFigures) -> list[tuple[int, int]]:
    """Return numbers of boards played, with the totals after them."""
    totals = [0, *(row.cumulative for row in figures.board_results)]
    return [(board, totals[board]) for board in thinned(len(totals))]


def tricks_lost(figures: MatchFigures) -> Plot:
    """Draw the double-dummy tricks that each bot lost per board in each role."""
    plot = Plot("DD tricks lost per board", names=list(Role))
    for bot, colour, shift in zip(figures.bots, _COLOURS, (-0.18, 0.18), strict=True):
        means = [bot.ledger.tricks_lost_per_board[role] for role in Role]
        plot.bars([(at + shift, 0, mean.mean or 0) for at, mean in enumerate(means)], colour, 0.34)
        plot.errors([(at + shift, *mean.band) for at, mean in enumerate(means)])
    return plot


def tricks_by_level(figures: MatchFigures) -> Plot:
    """Draw declarer's tricks against double dummy by the level of the contract.

    The defenders' tricks are not drawn: what one bot gains as declarer, the other loses.
    """
    plot = Plot("tricks vs DD", "level of the contract", names=list("1234567"))
    shapes = ("circle", "square")
    for bot, colour, shift, shape in zip(figures.bots, _COLOURS, (-0.1, 0.1), shapes, strict=True):
        known = [
            (level - 1 + shift, mean)
            for level, mean in bot.tricks_vs_dd.declarer.by_level.items()
            if mean.n
        ]
        plot.errors([(at, *mean.band) for at, mean in known], colour)
        plot.dots([(at, mean.mean or 0.0) for at, mean in known], colour, shape)
    return plot
