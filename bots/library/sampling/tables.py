"""What may become of the unseen cards: weights for one suit, two suits and all four.

Three hands share them, `x`, `y` and `z`. These tables give exactly: the lengths of all
three in each suit, and x's HCP there. Weights are of all the sets of cards that make a
case; a table is found when it is first asked for and then kept.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, combinations
from math import comb
from operator import mul
from random import Random

from bridge_arena.bots.library.portable_random import pick
from bridge_arena.bridge.cards import SUIT_MASK, Hand, Suit


@dataclass(frozen=True, slots=True)
class HandToFill:
    """A hand to fill: how many cards, its factors by the HCP of these (0 to 40), and for
    each suit by their number in the suit (0 to 13)."""

    size: int
    points: Sequence[float]
    lengths: Sequence[Sequence[float]]


NOBODY = HandToFill(0, (1.0,) + (0.0,) * 40, ((1.0,) + (0.0,) * 13,) * 4)
"""Takes no cards."""


class SuitTable:
    """The unseen cards of one suit, and what may become of them.

    `takes[length][points]`: the weight of x having so many cards with such HCP.
    `splits[left][cards]`: the weight of y having so many of those that x left.
    """

    def __init__(
        self, unseen: int, suit: Suit, x: HandToFill, y: HandToFill, z: HandToFill
    ) -> None:
        self.cards = unseen & SUIT_MASK << 13 * suit
        self.count = self.cards.bit_count()
        self.honours = [
            (bit, points)
            for points in (4, 3, 2, 1)
            if (bit := 1 << 13 * suit + points + 8) & self.cards
        ]
        self.spots = self.cards & ~sum(bit for bit, _ in self.honours)
        self._spots = [1 << card for card in Hand(self.spots)]
        top = sum(points for _, points in self.honours)
        # All sets of honours by how many and their HCP.
        self._sets: dict[tuple[int, int], list[int]] = {}
        for number in range(len(self.honours) + 1):
            for chosen in combinations(self.honours, number):
                together = sum(points for _, points in chosen)
                mask = sum(bit for bit, _ in chosen)
                self._sets.setdefault((number, together), []).append(mask)
        spots = len(self._spots)
        factors, y_factors, z_factors = x.lengths[suit], y.lengths[suit], z.lengths[suit]
        self.splits = [
            [
                comb(left, cards) * y_factors[cards] * z_factors[left - cards]
                for cards in range(left + 1)
            ]
            for left in range(self.count + 1)
        ]
        self.takes = [[0.0] * (top + 1) for _ in range(self.count + 1)]
        for (number, together), masks in self._sets.items():
            for low in range(spots + 1):
                length = number + low
                ways = len(masks) * comb(spots, low)
                self.takes[length][together] += ways * factors[length]
        self._choices: dict[tuple[int, int], tuple[list[int], list[float]]] = {}
        self._subsets: dict[int, list[int]] = {}

    def x_honours(self, rng: Random, length: int, points: int) -> int:
        """The honours of x, who has `length` cards with `points` HCP here."""
        choice = self._choices.get((length, points))
        if choice is None:
            spots = len(self._spots)
            sets = [
                (mask, comb(spots, length - number))
                for (number, together), masks in self._sets.items()
                if together == points and number <= length <= number + spots
                for mask in masks
            ]
            weights = accumulate(float(ways) for _, ways in sets)
            choice = self._choices[length, points] = [mask for mask, _ in sets], list(weights)
        masks, cumulative = choice
        return masks[0] if len(masks) == 1 else masks[choose(rng, cumulative)]

    def y_honours(self, rng: Random, x_honours: int, left: int, wanted: int) -> tuple[int, int]:
        """The honours of y, who has `wanted` of the `left` cards that x has not; their HCP."""
        mask = together = 0
        for bit, points in self.honours:
            if x_honours & bit:
                continue
            if wanted and (wanted == left or rng.random() * left < wanted):
                mask |= bit
                together += points
                wanted -= 1
            left -= 1
        return mask, together

    def x_spots(self, rng: Random, number: int) -> int:
        """So many of the cards below the jack, each set equally likely."""
        subsets = self._subsets.get(number)
        if subsets is None:
            subsets = self._subsets[number] = list(map(sum, combinations(self._spots, number)))
        return subsets[0] if len(subsets) == 1 else pick(rng, subsets)


class PairTable:
    """x's lengths in two suits; the weights of its HCP in them together, and of how many
    of the other cards in them y has."""

    __slots__ = (
        "_both",
        "_cards",
        "_points",
        "cards",
        "first",
        "lengths",
        "points",
        "second",
        "splits",
    )

    def __init__(self, first: SuitTable, second: SuitTable, lengths: tuple[int, int]) -> None:
        self.first, self.second = first, second
        self.lengths = lengths
        self.cards = sum(lengths)
        self.points = _convolved(first.takes[lengths[0]], second.takes[lengths[1]])
        self.splits = _convolved(
            first.splits[first.count - lengths[0]], second.splits[second.count - lengths[1]]
        )
        self._both: dict[int, list[float]] = {}
        self._points: dict[int, list[float]] = {}
        self._cards: dict[int, list[float]] = {}

    @classmethod
    def all_of(cls, first: SuitTable, second: SuitTable, size: int) -> list[PairTable]:
        """The pairs of at most `size` cards that are admitted."""
        seconds = [length for length, weights in enumerate(second.takes) if any(weights)]
        return [
            cls(first, second, (length, other))
            for length, weights in enumerate(first.takes)
            if any(weights)
            for other in seconds
            if length + other <= size
        ]

    def both_points(self, others: int, goals: list[float]) -> list[float]:
        """Cumulative weights of x's HCP in both suits, when it has `others` elsewhere and
        `goals` are its factors from that number on."""
        found = self._both.get(others)
        if found is None:
            found = self._both[others] = list(accumulate(map(mul, self.points, goals)))
        return found

    def first_points(self, points: int) -> list[float]:
        """Cumulative weights of x's HCP in the first suit, when it has `points` in both."""
        found = self._points.get(points)
        if found is None:
            first, second = self.first.takes[self.lengths[0]], self.second.takes[self.lengths[1]]
            found = self._points[points] = _partitions(first, second, points)
        return found

    def first_cards(self, cards: int) -> list[float]:
        """Cumulative weights of y's cards in the first suit, when it has `cards` in both."""
        found = self._cards.get(cards)
        if found is None:
            first, second = self.first, self.second
            found = self._cards[cards] = _partitions(
                first.splits[first.count - self.lengths[0]],
                second.splits[second.count - self.lengths[1]],
                cards,
            )
        return found


class Shape:
    """x's lengths in all suits.

    `goal`: the weight of the minors, by x's HCP in the majors. `needed`: the weight of
    the majors, by y's cards in the minors.
    """

    __slots__ = ("_major_points", "_y_minors", "goal", "lengths", "majors", "minors", "needed")

    def __init__(
        self, minors: PairTable, majors: PairTable, goal: list[float], needed: list[float]
    ) -> None:
        self.minors, self.majors = minors, majors
        self.goal, self.needed = goal, needed
        self.lengths = (*minors.lengths, *majors.lengths)
        self._major_points: list[float] | None = None
        self._y_minors: list[float] | None = None

    @property
    def weight(self) -> float:
        points = sum(map(mul, self.majors.points, self.goal))
        return points * sum(map(mul, self.minors.splits, self.needed)) if points else 0.0

    def major_points(self) -> list[float]:
        """Cumulative weights of x's HCP in the majors."""
        if self._major_points is None:
            self._major_points = list(accumulate(map(mul, self.majors.points, self.goal)))
        return self._major_points

    def y_minors(self) -> list[float]:
        """Cumulative weights of y's cards in the minors."""
        if self._y_minors is None:
            self._y_minors = list(accumulate(map(mul, self.minors.splits, self.needed)))
        return self._y_minors


def _convolved(first: Sequence[float], second: Sequence[float]) -> list[float]:
    """The weights of sums, from those of the two numbers added."""
    result = [0.0] * (len(first) + len(second) - 1)
    for index, weight in enumerate(first):
        if weight:
            for place, other in enumerate(second, index):
                result[place] += weight * other
    return result


def _partitions(first: Sequence[float], second: Sequence[float], total: int) -> list[float]:
    """Cumulative weights of the first number, when two add up to `total`."""
    last = len(second) - 1
    return list(
        accumulate(
            weight * second[total - number] if 0 <= total - number <= last else 0.0
            for number, weight in enumerate(first)
        )
    )


def choose(rng: Random, cumulative: Sequence[float]) -> int:
    """An index, with probability proportional to its own weight."""
    total = cumulative[-1]
    index = bisect_right(cumulative, rng.random() * total)
    # Rounding may reach the total: then the last index that has a weight.
    return index if index < len(cumulative) else bisect_left(cumulative, total)


def subset(rng: Random, cards: int, number: int) -> int:
    """So many of the cards of a mask, each set equally likely."""
    left = cards.bit_count()
    if number == left:
        return cards
    taken = 0
    while number:
        bit = cards & -cards
        cards ^= bit
        if rng.random() * left < number:
            taken |= bit
            number -= 1
        left -= 1
    return taken
