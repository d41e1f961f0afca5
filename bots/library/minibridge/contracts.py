"""MiniBridge: deals without an auction, whose contracts follow from honour points.

The side with more honour points declares; of its two hands, the one with more. The contract is the
notrump contract of Hadjur's table (Artificial Intelligence methods applied to Contract Bridge,
2018, table 4.1). The four hands stand in the order of their turns, from declarer on.
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
"""The fewest points of a side that declares: with twenty each, no side does."""

_TARGETS = ((37, 13), (33, 12), (29, 11), (27, 10), (25, 9), (23, 8), (LEAST_POINTS, 7))
"""The fewest points for each number of tricks at notrump; 29-30 and 31-32 are both 5NT."""


@dataclass(frozen=True, slots=True)
class MiniDeal:
    """A deal with its contract.

    Attributes:
        hands: The hands as 52-bit sets of cards, by place from declarer on.
        target: The tricks that declarer needs, 7 to 13.
    """

    hands: tuple[int, int, int, int]
    target: int


def target_tricks(points: int) -> int:
    """Return the tricks of the notrump contract for the honour points of both hands.

    Args:
        points: The honour points of the side.

    Returns:
        The tricks, 7 to 13.

    Raises:
        ValueError: A side with so few points does not declare.
    """
    for least, tricks in _TARGETS:
        if points >= least:
            return tricks
    raise ValueError(f"a side with {points} points does not declare: {LEAST_POINTS} are needed")


def as_declared(hands: tuple[int, int, int, int]) -> MiniDeal | None:
    """Return the deal of four hands, turned until declarer's hand is the first.

    Of partners with equal points, the first in `hands` declares.

    Args:
        hands: The hands as 52-bit sets of cards, clockwise.

    Returns:
        The deal, or None if both sides have the same number of points.
    """
    points = [hcp(Hand(hand)) for hand in hands]
    sides = points[0] + points[2], points[1] + points[3]
    if sides[0] == sides[1]:
        return None
    side = int(sides[1] > sides[0])
    declarer = side if points[side] >= points[side + 2] else side + 2
    first, second, third, fourth = (hands[(declarer + turn) % 4] for turn in range(4))
    return MiniDeal((first, second, third, fourth), target_tricks(sides[side]))


def random_deal(rng: Random) -> MiniDeal:
    """Return a random deal that some side declares, all equally likely."""
    while True:
        cards = shuffled(rng, range(52))
        first, second, third, fourth = (
            sum(1 << card for card in cards[start : start + 13]) for start in range(0, 52, 13)
        )
        deal = as_declared((first, second, third, fourth))
        if deal is not None:
            return deal
