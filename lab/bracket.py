"""The scoring bracket: the same contracts scored in four ways, one beside the other.

Double dummy flatters some contracts: the best lead is always found, and nobody is doubled for it.
A gain that lives in one column alone may be an effect of the scoring.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bots.library.many_auctions.boards import imps
from bridge_arena.bridge.calls import Denomination
from bridge_arena.lab.bidding import Bid
from bridge_arena.lab.boards import LabBoards
from bridge_arena.lab.experiment import UNKNOWN, Experiment, Match, Part
from bridge_arena.lab.groupings import kind_of_bid
from bridge_arena.lab.scoring import points_of
from bridge_arena.tournaments.statistics.means import Mean, clustered_mean_of

LEVELS = ("part-score", "game", "slam")

KINDS = (*LEVELS, "notrump", "suit", "undoubled", "doubled")
"""Kinds of boards: by the highest contract, its strain, and whether any contract was doubled."""


@dataclass(frozen=True, slots=True)
class Column:
    """A way to score a contract."""

    is_led: bool  # whether the lead is one chosen by what the leader knows; else the best one
    is_doubled: bool  # whether an undoubled contract that goes down is scored doubled


PLAIN = "double_dummy"

COLUMNS: Mapping[str, Column] = MappingProxyType(
    {
        PLAIN: Column(is_led=False, is_doubled=False),
        "lead": Column(is_led=True, is_doubled=False),
        "doubler": Column(is_led=False, is_doubled=True),
        "lead_and_doubler": Column(is_led=True, is_doubled=True),
    }
)
"""The columns by their names in the figures."""


@dataclass(frozen=True, slots=True)
class ColumnFigures:
    """What an arm gained in one column."""

    imps_per_board: Mean  # the mean over all boards
    more_than_plain: Mean  # how much more it is than plain double dummy, of the same boards
    # IMPs a board by kinds of boards, `KINDS`; those of each question add up to `imps_per_board`.
    kinds: Mapping[str, Mean]


@dataclass(frozen=True, slots=True)
class Bracket:
    """An arm compared with its opponent, or with another arm, in each column."""

    name: str  # the arm
    against: str  # the opponent or the other arm
    columns: Mapping[str, ColumnFigures]  # the columns by name


def column_points(
    column: Column,
    boards: LabBoards,
    bid: Bid,
    tricks: NDArray[np.uint8],
    led: NDArray[np.uint8],
) -> NDArray[np.int64]:
    """Return North-South's points in a column.

    Returns:
        The points, n×2.
    """
    taken = led if column.is_led else tricks
    if not column.is_doubled:
        return points_of(boards, bid, taken)
    down = (taken != UNKNOWN) & (taken < (bid.bid - 1) // 5 + 7)
    risk = np.where(down & (bid.risk == 0), 1, bid.risk)
    return points_of(boards, Bid(bid.calls, bid.bid, risk, bid.declarer), taken)


def brackets(experiment: Experiment, part: Part, deals: NDArray[np.int64]) -> tuple[Bracket, ...]:
    """Return the bracket of each comparison: the differences between arms first.

    Returns:
        The brackets; none if the experiment has none.
    """
    if experiment.leader is None:
        return ()
    names = [arm.name for arm in experiment.arms]
    of_arms = [_imps(part.boards, match) for match in part.matches]
    first = of_arms[0]
    differences = [
        _bracket(
            (names[at], names[0]),
            {column: of_arms[at][column] - first[column] for column in COLUMNS},
            _kinds(part.matches[at].bid, part.matches[0].bid),
            deals,
        )
        for at in range(1, len(names))
    ]
    arms = [
        _bracket((name, experiment.opponent.name), gained, _kinds(match.bid), deals)
        for name, gained, match in zip(names, of_arms, part.matches, strict=True)
    ]
    return (*differences, *arms)


def _imps(boards: LabBoards, match: Match) -> dict[str, NDArray[np.int64]]:
    """Return the arm's IMPs in each column, n."""
    assert match.led is not None
    columns = {}
    for name, column in COLUMNS.items():
        points = column_points(column, boards, match.bid, match.tricks, match.led)
        columns[name] = imps(points[:, 0] - points[:, 1])
    return columns


def _kinds(*bids: Bid) -> dict[str, NDArray[np.bool_]]:
    """Return which boards are of each kind, by all tables at which they were bid."""
    reached = np.concatenate([bid.bid for bid in bids], axis=1).max(axis=1)
    risk = np.concatenate([bid.risk for bid in bids], axis=1).max(axis=1)
    # A board that is passed out everywhere gains nothing, in whatever row.
    highest = np.maximum(reached, 1) - 1
    level = np.minimum(kind_of_bid()[highest], len(LEVELS) - 1)
    is_notrump = highest % 5 == Denomination.NOTRUMP
    levels = [level == place for place in range(len(LEVELS))]
    return dict(zip(KINDS, (*levels, is_notrump, ~is_notrump, risk == 0, risk > 0), strict=True))


def _bracket(
    names: Sequence[str],
    gained: Mapping[str, NDArray[np.int64]],
    kinds: Mapping[str, NDArray[np.bool_]],
    deals: NDArray[np.int64],
) -> Bracket:
    columns = {
        name: ColumnFigures(
            clustered_mean_of(deals, column),
            clustered_mean_of(deals, column - gained[PLAIN]),
            {kind: clustered_mean_of(deals, column * rows) for kind, rows in kinds.items()},
        )
        for name, column in gained.items()
    }
    return Bracket(names[0], names[1], columns)
