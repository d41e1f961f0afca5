"""MiniBridge: deals without an auction, whose contracts follow from honour points.

The side with more honour points declares, and of it the hand that has more. Its contract is the
notrump contract of Hadjur's table (Artificial Intelligence methods applied to Contract Bridge,
2018, table 4.1). Here the four hands stand in the order of their turns from declarer on.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from bridge_arena.bots.library.portable_random import shuffled
from bridge_arena.bridge.cards import Hand
from bridge_arena.bridge.evaluation import hcp

DECLARER, DUMMY = 0, 2
"""Places at the table, clockwise: the leader of the first trick sits after declarer."""

LEAST_POINTS = 21
"""Of the side that declares: with twenty each nobody does."""

_TARGETS = ((37, 13), (33, 12), (29, 11), (27, 10), (25, 9), (23, 8), (LEAST_POINTS, 7))
"""The least honour points for so many tricks at notrump; 29-30 and 31-32 are 5NT both."""


@dataclass(frozen=True, slots=True)
class MiniDeal:
    """A deal with its contract. `hands`: 52-bit sets of cards, by place from declarer on;
    `target`: the tricks that declarer needs, 7..13."""

    hands: tuple[int, int, int, int]
    target: int


def target_tricks(points: int) -> int:
    """The tricks of the notrump contract with so many honour points of both hands. Raises
    ValueError where the side does not declare."""
    for least, tricks in _TARGETS:
        if points >= least:
            return tricks
    raise ValueError(f"a side with {points} points does not declare: {LEAST_POINTS} are needed")


def as_declared(hands: tuple[int, int, int, int]) -> MiniDeal | None:
    """The deal of four hands, clockwise, turned until declarer's is the first; None where the
    sides have as many points. Of partners with as many, the one before declares."""
    points = [hcp(Hand(hand)) for hand in hands]
    sides = points[0] + points[2], points[1] + points[3]
    if sides[0] == sides[1]:
        return None
    side = int(sides[1] > sides[0])
    declarer = side if points[side] >= points[side + 2] else side + 2
    first, second, third, fourth = (hands[(declarer + turn) % 4] for turn in range(4))
    return MiniDeal((first, second, third, fourth), target_tricks(sides[side]))


def random_deal(rng: Random) -> MiniDeal:
    """A random deal that somebody declares, all equally likely."""
    while True:
        cards = shuffled(rng, range(52))
        first, second, third, fourth = (
            sum(1 << card for card in cards[start : start + 13]) for start in range(0, 52, 13)
        )
        deal = as_declared((first, second, third, fourth))
        if deal is not None:
            return deal
