"""Weights of the ways to divide the unseen cards: for one suit, two suits and all four.

Three hands share the cards: `x`, `y` and `z`. The tables give exactly the lengths of all three in
each suit, and x's HCP there. A weight counts all sets of cards that make a case. A table is
computed when it is first needed and then kept.
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
    """A hand to fill with unseen cards.

    Attributes:
        size: The number of its cards.
        points: Its factor by the HCP of these cards, 0 to 40.
        lengths: Its factor by the number of these cards in each suit, 0 to 13, indexed by Suit.
    """

    size: int
    points: Sequence[float]
    lengths: Sequence[Sequence[float]]


NOBODY = HandToFill(0, (1.0,) + (0.0,) * 40, ((1.0,) + (0.0,) * 13,) * 4)
"""The hand that takes no cards."""


class SuitTable:
    """The unseen cards of one suit and the ways to divide them.

    Args:
        unseen: The mask of the unseen cards of all suits.
        suit: The suit.
        x: The first hand to fill.
        y: The second hand to fill.
        z: The third hand to fill.

    Attributes:
        cards: The mask of the suit's unseen cards.
        count: Their number.
        honours: The honours among them, each as bit and HCP.
        spots: The mask of the others.
        splits: `splits[left][cards]` is the weight of y holding so many of the cards that x left.
        takes: `takes[length][points]` is the weight of x holding so many cards with such HCP.
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
        # All sets of honours, by their number and their HCP.
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
        """Return the honours of x, who has `length` cards with `points` HCP here, as a mask."""
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
        """Return the honours of y and their HCP.

        Args:
            rng: The generator.
            x_honours: The mask of x's honours.
            left: The number of cards that x does not have.
            wanted: The number of y's cards among them.

        Returns:
            The mask of y's honours, and their HCP.
        """
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
        """Return a mask of `number` cards below the jack, each set equally likely."""
        subsets = self._subsets.get(number)
        if subsets is None:
            subsets = self._subsets[number] = list(map(sum, combinations(self._spots, number)))
        return subsets[0] if len(subsets) == 1 else pick(rng, subsets)


class PairTable:
    """x's lengths in two suits, with the weights of its HCP and of y's cards in both together.

    Args:
        first: The table of the first suit.
        second: The table of the second suit.
        lengths: x's lengths in the two suits.

    Attributes:
        first: The table of the first suit.
        second: The table of the second suit.
        lengths: x's lengths in the two suits.
        cards: The sum of these lengths.
        points: The weights of x's HCP in both suits.
        splits: The weights of y's number of cards in both suits.
    """

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
        """Return the tables of all admitted lengths that add up to at most `size` cards."""
        seconds = [length for length, weights in enumerate(second.takes) if any(weights)]
        return [
            cls(first, second, (length, other))
            for length, weights in enumerate(first.takes)
            if any(weights)
            for other in seconds
            if length + other <= size
        ]

    def both_points(self, others: int, goals: list[float]) -> list[float]:
        """Return cumulative weights of x's HCP in both suits.

        Args:
            others: x's HCP in the other suits.
            goals: The factors of x's HCP, from `others` on.

        Returns:
            The cumulative weights, by HCP.
        """
        found = self._both.get(others)
        if found is None:
            found = self._both[others] = list(accumulate(map(mul, self.points, goals)))
        return found

    def first_points(self, points: int) -> list[float]:
        """Return cumulative weights of x's HCP in the first suit, if it has `points` in both."""
        found = self._points.get(points)
        if found is None:
            first, second = self.first.takes[self.lengths[0]], self.second.takes[self.lengths[1]]
            found = self._points[points] = _partitions(first, second, points)
        return found

    def first_cards(self, cards: int) -> list[float]:
        """Return cumulative weights of y's cards in the first suit, if it has `cards` in both."""
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
    """x's lengths in all four suits.

    Args:
        minors: The table of clubs and diamonds.
        majors: The table of hearts and spades.
        goal: The weight of the minors, by x's HCP in the majors.
        needed: The weight of the majors, by y's cards in the minors.

    Attributes:
        lengths: x's lengths, indexed by Suit.
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
        """The weight of the shape."""
        points = sum(map(mul, self.majors.points, self.goal))
        return points * sum(map(mul, self.minors.splits, self.needed)) if points else 0.0

    def major_points(self) -> list[float]:
        """Return cumulative weights of x's HCP in the majors."""
        if self._major_points is None:
            self._major_points = list(accumulate(map(mul, self.majors.points, self.goal)))
        return self._major_points

    def y_minors(self) -> list[float]:
        """Return cumulative weights of y's cards in the minors."""
        if self._y_minors is None:
            self._y_minors = list(accumulate(map(mul, self.minors.splits, self.needed)))
        return self._y_minors


def _convolved(first: Sequence[float], second: Sequence[float]) -> list[float]:
    """Return the weights of the sums of two numbers, from the weights of the numbers."""
    result = [0.0] * (len(first) + len(second) - 1)
    for index, weight in enumerate(first):
        if weight:
            for place, other in enumerate(second, index):
                result[place] += weight * other
    return result


def _partitions(first: Sequence[float], second: Sequence[float], total: int) -> list[float]:
    """Return cumulative weights of the first of two numbers that add up to `total`."""
    last = len(second) - 1
    return list(
        accumulate(
            weight * second[total - number] if 0 <= total - number <= last else 0.0
            for number, weight in enumerate(first)
        )
    )


def choose(rng: Random, cumulative: Sequence[float]) -> int:
    """Return an index with probability proportional to its own weight."""
    total = cumulative[-1]
    index = bisect_right(cumulative, rng.random() * total)
    # Rounding may reach the total; then return the last index that has a weight.
    return index if index < len(cumulative) else bisect_left(cumulative, total)


def subset(rng: Random, cards: int, number: int) -> int:
    """Return a mask of `number` cards of a mask, each set equally likely."""
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
