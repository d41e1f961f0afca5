"""The plots of the match report."""

from __future__ import annotations

from itertools import pairwise

from bridge_arena.base.plots import FIRST, INK, SECOND, Plot, shortened, thinned
from bridge_arena.reports.common.intervals import interval
from bridge_arena.reports.common.replay_pages import FOLDER, LIST, list_address
from bridge_arena.reports.common.wording import signed
from bridge_arena.reports.match.figures import MatchFigures
from bridge_arena.reports.match.wording import is_shown

FEWEST_BOARDS = 3
"""The fewest boards with plots: fewer are told by the table of boards at a glance."""

MOST_LINKS = 60
"""The most places of a plot that lead to boards."""

_NAME = 85.0
"""The room for a name in the label of an axis."""


def draw(figures: MatchFigures) -> dict[str, Plot]:
    """Return the plots by name; a match of few boards has only its verdict."""
    drawn: dict[str, Plot] = {}
    if figures.imps_per_board.standard_error is not None:
        drawn["verdict"] = estimates(figures)
    if len(figures.board_results) < FEWEST_BOARDS:
        return drawn
    return drawn | {"cumulative": cumulative_imps(figures), "swings": swings(figures)}


def estimates(figures: MatchFigures) -> Plot:
    """Draw the mean swing, plain and controlled, with its 95 % interval against zero."""
    means = {"as played": figures.imps_per_board}
    if figures.control is not None:
        means["luck taken off"] = figures.control.imps_per_board
    first, second = (shortened(name, _NAME) for name in figures.names)
    plot = Plot(f"{second}  ←  IMPs per board  →  {first}", rows=list(means))
    for row, mean in enumerate(means.values()):
        span = interval(mean)
        low, high = span or (0.0, 0.0)
        # What is shown of the plain mean is the verdict's, which may differ from the interval's.
        is_clear = low > 0 or high < 0 if row else is_shown(figures)
        colour = INK if not is_clear else FIRST if (mean.mean or 0.0) > 0 else SECOND
        if span:
            plot.errors([(row, low, high)], colour, 4)
        plot.dots([(row, mean.mean or 0.0)], colour)
        plot.link(row, f"{FOLDER}/{list_address(LIST)}", "all boards")
    return plot


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
    _link_boards(plot, figures, 0.0)
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
    _link_boards(plot, figures, 0.5)
    return plot


def _running(figures: MatchFigures) -> list[tuple[int, int]]:
    """Return numbers of boards played, with the totals after them."""
    totals = [0, *(row.cumulative for row in figures.board_results)]
    return [(board, totals[board]) for board in thinned(len(totals))]


def _link_boards(plot: Plot, figures: MatchFigures, shift: float) -> None:
    """Have the places of boards lead to them, those of several to the biggest swing."""
    rows = figures.board_results
    for start, end in pairwise(thinned(len(rows) + 1, MOST_LINKS)):
        board = max(rows[start:end], key=lambda row: abs(row.imps))
        text = f"board {board.board}: {signed(board.imps)}"
        plot.link((start + end) / 2 + shift, board.replay, text, end - start)
