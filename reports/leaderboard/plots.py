"""The plots of the leaderboard; see `report.drawing` for what they have in common."""

from __future__ import annotations

from matplotlib.axes import Axes

from bridge_arena.oracle.ledger import Role
from bridge_arena.reports.common.drawing import (
    CARD,
    FIRST,
    INK,
    SERIES,
    look,
    new_axes,
    svg,
    whole_numbers,
)
from bridge_arena.reports.leaderboard.figures import Leaderboard, RankedEntry
from bridge_arena.tournaments.statistics.student import two_sided_t

PARTS = (
    "auction",
    *(f"own {role}" for role in Role),
    "opponents' errors",
)
"""What the bars of the ledger are made of, in the order of the colours."""

_LONGEST_NAME = 28
_DASHES = ("-", "--", ":", "-.")
_IN_COLUMN = 12


def draw(board: Leaderboard) -> dict[str, str]:
    """The plots by name, trusted markup; those without anything to show left out."""
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
    """Every rating with its 95 % interval, the best on top."""
    rated = [(entry.name, entry.rating.estimate) for entry in board.entries if entry.rating]
    with look():
        figure, axes = new_axes(_height(len(rated)))
        for at, (_, estimate) in enumerate(rated):
            if estimate.interval is not None:
                axes.plot(estimate.interval, [at, at], color=FIRST, linewidth=2.2)
            axes.plot([estimate.value], [at], "o", color=FIRST, markersize=6.5)
        axes.axvline(0, color=INK, linewidth=0.8)
        _rows(axes, [name for name, _ in rated])
        axes.set_xlabel("IMPs per board against the mean of the field")
        return svg(figure, "ratings")


def compared(board: Leaderboard) -> str:
    """What every pair or player made of its boards, with its 95 % interval, the best on top."""
    entries = board.compared
    with look():
        figure, axes = new_axes(_height(len(entries)))
        for at, entry in enumerate(entries):
            mean = entry.cross_imps
            value = mean.mean or 0.0
            if mean.standard_error is not None:
                reach = two_sided_t(0.95, mean.n - 1) * mean.standard_error
                ends = [value - reach, value + reach]
                axes.plot(ends, [at, at], color=FIRST, linewidth=2.2)
            axes.plot([value], [at], "o", color=FIRST, markersize=6.5)
        axes.axvline(0, color=INK, linewidth=0.8)
        _rows(axes, [entry.name for entry in entries])
        axes.set_xlabel("IMPs per comparison")
        return svg(figure, "compared")


def cumulative_imps(board: Leaderboard) -> str:
    """Every entry's running total over its boards; the key is in the order of the ends."""
    playing = [entry for entry in board.entries if entry.running]
    playing.sort(key=lambda entry: -entry.running[-1])
    with look():
        columns = -(-len(playing) // _IN_COLUMN)
        figure, axes = new_axes(max(2.8, 0.5 + 0.2 * min(len(playing), _IN_COLUMN)))
        for place, entry in enumerate(playing):
            totals = [0, *entry.running]
            axes.plot(
                range(len(totals)),
                totals,
                color=SERIES[place % len(SERIES)],
                linestyle=_DASHES[place // len(SERIES) % len(_DASHES)],
                linewidth=1.5,
                label=_short(entry.name),
            )
        axes.axhline(0, color=INK, linewidth=0.8)
        axes.set_xlim(left=0)
        whole_numbers(axes)
        axes.set_xlabel("boards played")
        axes.set_ylabel("IMPs")
        axes.legend(
            loc="center left",
            bbox_to_anchor=(1.0, 0.5),
            fontsize=8,
            ncols=columns,
            handlelength=1.6,
        )
        return svg(figure, "cumulative")


def ledger_bars(board: Leaderboard) -> str:
    """What each entry's IMPs per board are made of: gains right, losses left, the sum a diamond."""
    known = [entry for entry in board.entries if entry.ledger.boards]
    with look():
        figure, axes = new_axes(_height(len(known)))
        for at, entry in enumerate(known):
            ends = {True: 0.0, False: 0.0}
            for colour, value in zip(SERIES, _parts(entry), strict=False):
                axes.barh(at, value, left=ends[value > 0], height=0.62, color=colour)
                ends[value > 0] += value
            total = entry.ledger.imps_per_board.all.mean or 0.0
            axes.plot([total], [at], "D", color=CARD, markeredgecolor=INK, markersize=6)
        axes.axvline(0, color=INK, linewidth=0.8)
        _rows(axes, [entry.name for entry in known])
        axes.set_xlabel("IMPs per board")
        return svg(figure, "ledger")


def _parts(entry: RankedEntry) -> list[float]:
    """As PARTS names them; they add up to the IMPs per board."""
    imps = entry.ledger.imps_per_board
    return [
        imps.auction.mean or 0.0,
        *(imps.own[role].mean or 0.0 for role in Role),
        sum(imps.opponents[role].mean or 0.0 for role in Role),
    ]


def _height(rows: int) -> float:
    return 0.75 + 0.3 * max(rows, 3)


def _rows(axes: Axes, names: list[str]) -> None:
    """A row for each name, the first on top."""
    axes.set_yticks(range(len(names)), [_short(name) for name in names])
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.grid(visible=True, axis="x")
    axes.grid(visible=False, axis="y")


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…"
