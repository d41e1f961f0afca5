"""The plots of the match report; `drawing` has the parts that all plots share."""

from __future__ import annotations

from itertools import pairwise
from math import nan

from bridge_arena.oracle.ledger import Role
from bridge_arena.reports.common.drawing import (
    FIRST,
    INK,
    SECOND,
    contract_levels,
    look,
    new_axes,
    svg,
    thinned,
    whole_numbers,
)
from bridge_arena.reports.match.figures import MatchFigures

_BARS = 240.0
"""The width in points of all bars together."""


def cumulative_imps(figures: MatchFigures) -> str:
    """Return the plot of the running total, coloured by the side that is ahead."""
    at, totals = _running(figures)
    with look():
        figure, axes = new_axes()
        ahead = [max(0, total) for total in totals]
        behind = [min(0, total) for total in totals]
        axes.fill_between(at, ahead, step="pre", color=FIRST, alpha=0.25, linewidth=0)
        axes.fill_between(at, behind, step="pre", color=SECOND, alpha=0.25, linewidth=0)
        axes.step(at, totals, where="pre", color=INK, linewidth=1.4)
        axes.axhline(0, color=INK, linewidth=0.8)
        axes.set_xlim(0, max(1, at[-1]))
        whole_numbers(axes)
        axes.set_xlabel("boards played")
        axes.set_ylabel("IMPs")
        return svg(figure, "cumulative")


def swings(figures: MatchFigures) -> str:
    """Return the plot of swings, a bar for each board, up for the first bot, down for the second.

    If there are many boards, each bar is the sum of several consecutive ones.
    """
    at, totals = _running(figures)
    together = at[1] - at[0]
    with look():
        figure, axes = new_axes()
        for colour, sign in ((FIRST, 1), (SECOND, -1)):
            # All bars of a colour are one line with gaps, which makes the SVG small.
            places: list[float] = []
            heights: list[float] = []
            for (start, before), (end, after) in pairwise(zip(at, totals, strict=True)):
                if (after - before) * sign > 0:
                    places += [(start + end + 1) / 2] * 2 + [nan]
                    heights += [0, after - before, nan]
            axes.plot(
                places,
                heights,
                color=colour,
                linewidth=_BARS / (len(at) - 1),
                solid_capstyle="butt",
            )
        axes.axhline(0, color=INK, linewidth=0.8)
        axes.set_xlim(0.4, at[-1] + 0.6)
        whole_numbers(axes)
        axes.set_xlabel("boards in order" + (f", {together} to a bar" if together > 1 else ""))
        axes.set_ylabel("IMPs")
        return svg(figure, "swings")


def _running(figures: MatchFigures) -> tuple[list[int], list[int]]:
    """Return numbers of boards played, and the totals after them."""
    return thinned([0, *(row.cumulative for row in figures.board_results)])


def tricks_lost(figures: MatchFigures) -> str:
    """Return the plot of double-dummy tricks that each bot lost per board in each role."""
    with look():
        figure, axes = new_axes()
        for index, bot in enumerate(figures.bots):
            means = [bot.ledger.tricks_lost_per_board[role] for role in Role]
            axes.bar(
                [at + (index - 0.5) * 0.36 for at in range(len(means))],
                [mean.mean or 0.0 for mean in means],
                width=0.34,
                color=(FIRST, SECOND)[index],
                yerr=[mean.standard_error or 0.0 for mean in means],
                error_kw={"ecolor": INK, "elinewidth": 1},
            )
        axes.set_xticks(range(len(Role)), [str(role) for role in Role])
        axes.set_ylim(bottom=0)
        axes.set_ylabel("DD tricks lost per board")
        return svg(figure, "lost")


def tricks_by_level(figures: MatchFigures) -> str:
    """Return the plot of declarer's tricks against double dummy, by the level of the contract.

    The defenders' tricks are not drawn: what one bot gains as declarer, the other loses.
    """
    with look():
        figure, axes = new_axes()
        for index, bot in enumerate(figures.bots):
            by_level = bot.tricks_vs_dd.declarer.by_level
            known = [(level, mean) for level, mean in by_level.items() if mean.n]
            axes.errorbar(
                [level + (index - 0.5) * 0.2 for level, _ in known],
                [mean.mean or 0.0 for _, mean in known],
                yerr=[mean.standard_error or 0.0 for _, mean in known],
                color=(FIRST, SECOND)[index],
                fmt="os"[index],
                markersize=6,
                elinewidth=1.2,
            )
        contract_levels(axes)
        return svg(figure, "levels")
