"""Layouts of unseen cards, drawn with probability proportional to their weight.

The unseen cards go to three hands, of which one or two may take none. The weight of a layout is a
product over the hands: a factor for the hand's HCP, and one for its length in each suit. The
lengths of all three hands and the HCP of one, `x`, are drawn exactly. Tables for each suit are
combined to tables for two suits, and these to the weight of each way in which x may hold the four
suits; then the choices are drawn in the opposite order. Only the HCP of `y` and `z` remain. Their
cards are dealt at random and kept with a probability: the product of their factors over the
greatest product possible with x's HCP. If z takes no card, this is certainty.

Dealing at random and rejecting by weight is as fast where little is known. But it is 5 to 10 times
slower at the opening lead and once both sides have bid, and in long auctions it is slower without
bound.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, combinations
from math import comb
from operator import mul
from random import Random

from bridge_arena.bots.library.portable_random import pick
from bridge_arena.bridge.cards import SUIT_MASK, SUITS, Hand, Suit
from bridge_arena.bridge.evaluation import hcp


@dataclass(frozen=True, slots=True)
class HandToFill:
    size: int  # the number of its cards
    points: Sequence[float]  # its factor by the HCP of these cards, 0 to 40
    # Its factor by the number of these cards in each suit, 0 to 13, indexed by Suit.
    lengths: Sequence[Sequence[float]]


NOBODY = HandToFill(0, (1.0,) + (0.0,) * 40, ((1.0,) + (0.0,) * 13,) * 4)
"""The hand that takes no cards."""


Masks = tuple[int, int, int]  # the cards of the three hands, as masks of Hand


class Layouts:
    """All layouts of the unseen cards, given as a mask, over three hands to fill."""

    def __init__(self, unseen: int, hands: Sequence[HandToFill]) -> None:
        self._total = total = hcp(Hand(unseen))
        self._roles = sorted(range(3), key=lambda index: _freedom(hands[index], total))
        x, y, z = (hands[index] for index in self._roles)
        self._y_points, self._z_points = y.points, z.points
        # The greatest product of y's and z's factors, by x's HCP.
        self._ceiling = [
            max(map(mul, y.points, z.points[total - points :: -1])) for points in range(total + 1)
        ]
        goal = list(map(mul, x.points, self._ceiling))
        self._suits = [SuitTable(unseen, suit, x, y, z) for suit in SUITS]
        # The goal from each number of HCP on.
        self._goals = [goal[points:] for points in range(total + 1)]
        self._y_size = y.size
        self._shapes: list[Shape] = []
        self._cumulative: list[float] = []
        self._add_shapes(x.size)

    def _add_shapes(self, x_size: int) -> None:
        clubs, diamonds, hearts, spades = self._suits
        by_cards: list[list[tuple[PairTable, list[float]]]] = [[] for _ in range(x_size + 1)]
        for majors in PairTable.all_of(hearts, spades, x_size):
            # By y's cards in the minors: the weight of y holding the rest of its cards here.
            here = len(majors.splits) - 1
            needed = [
                majors.splits[rest] if 0 <= (rest := self._y_size - cards) <= here else 0.0
                for cards in range(clubs.count + diamonds.count + 1)
            ]
            by_cards[majors.cards].append((majors, needed))
        top = len(hearts.takes[0]) + len(spades.takes[0]) - 1
        summed = 0.0
        for minors in PairTable.all_of(clubs, diamonds, x_size):
            goal = [sum(map(mul, minors.points, self._goals[points])) for points in range(top)]
            for majors, needed in by_cards[x_size - minors.cards]:
                shape = Shape(minors, majors, goal, needed)
                weight = shape.weight
                if weight:
                    summed += weight
                    self._shapes.append(shape)
                    self._cumulative.append(summed)

    @property
    def are_any(self) -> bool:
        """Whether some layout may have a weight."""
        # False is certain. True is not, because the HCP of two hands are left to chance.
        return bool(self._shapes)

    def attempt(self, rng: Random) -> Masks | None:
        """Return a layout, or None if the one tried was not kept."""
        shape = self._shapes[choose(rng, self._cumulative)]
        points = self._x_points(rng, shape)
        y_lengths = self._y_lengths(rng, shape)
        # The honours are dealt first, because they decide whether the layout is kept.
        honours: list[tuple[int, int]] = []
        x_points = y_points = 0
        for suit, length, worth, wanted in zip(
            self._suits, shape.lengths, points, y_lengths, strict=True
        ):
            x_honours = suit.x_honours(rng, length, worth)
            y_honours, y_worth = suit.y_honours(rng, x_honours, suit.count - length, wanted)
            honours.append((x_honours, y_honours))
            x_points += worth
            y_points += y_worth
        chance = self._y_points[y_points] * self._z_points[self._total - x_points - y_points]
        ceiling = self._ceiling[x_points]
        if chance < ceiling and rng.random() * ceiling >= chance:
            return None
        x_mask = y_mask = z_mask = 0
        for suit, length, (x_honours, y_honours), wanted in zip(
            self._suits, shape.lengths, honours, y_lengths, strict=True
        ):
            x_cards = x_honours | suit.x_spots(rng, length - x_honours.bit_count())
            spots = suit.spots & ~x_cards
            y_cards = y_honours | subset(rng, spots, wanted - y_honours.bit_count())
            x_mask |= x_cards
            y_mask |= y_cards
            z_mask |= suit.cards & ~(x_cards | y_cards)
        masks = [0, 0, 0]
        for index, mask in zip(self._roles, (x_mask, y_mask, z_mask), strict=True):
            masks[index] = mask
        return masks[0], masks[1], masks[2]

    def _x_points(self, rng: Random, shape: Shape) -> tuple[int, int, int, int]:
        minors, majors = shape.minors, shape.majors
        in_majors = choose(rng, shape.major_points)
        in_minors = choose(rng, minors.both_points(in_majors, self._goals[in_majors]))
        clubs = choose(rng, minors.first_points(in_minors))
        hearts = choose(rng, majors.first_points(in_majors))
        return clubs, in_minors - clubs, hearts, in_majors - hearts

    def _y_lengths(self, rng: Random, shape: Shape) -> tuple[int, int, int, int]:
        in_minors = choose(rng, shape.y_minors)
        in_majors = self._y_size - in_minors
        clubs = choose(rng, shape.minors.first_cards(in_minors))
        hearts = choose(rng, shape.majors.first_cards(in_majors))
        return clubs, in_minors - clubs, hearts, in_majors - hearts


def _freedom(place: HandToFill, total: int) -> float:
    """Return roughly what share of all hands the factors by HCP admit."""
    # A hand with a low share is worth drawing exactly; one that takes no cards gets the highest.
    if not place.size:
        return 2.0
    mean = total / 3
    likely = [max(0.0, 12 - abs(points - mean)) for points in range(total + 1)]
    admitted: float = sum(map(mul, likely, place.points))
    return admitted / sum(likely)


class SuitTable:
    """The unseen cards of one suit and the ways to divide them."""

    def __init__(
        self, unseen: int, suit: Suit, x: HandToFill, y: HandToFill, z: HandToFill
    ) -> None:
        self.cards = unseen & SUIT_MASK << 13 * suit
        self.count = self.cards.bit_count()
        # Each honour as bit and HCP; the spots are the other cards.
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
        # splits[left][cards]: the weight of y holding so many of the cards that x left.
        self.splits = [
            [
                comb(left, cards) * y_factors[cards] * z_factors[left - cards]
                for cards in range(left + 1)
            ]
            for left in range(self.count + 1)
        ]
        # takes[length][points]: the weight of x holding so many cards with such HCP.
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
        """Return the honours of y as a mask, and their HCP."""
        # Of the `left` cards that x, with `x_honours`, does not have here, y has `wanted`.
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
    """x's lengths in two suits, with the weights of its HCP and of y's cards in both together."""

    def __init__(self, first: SuitTable, second: SuitTable, lengths: tuple[int, int]) -> None:
        self.lengths = lengths
        self.cards = sum(lengths)
        here, there = lengths
        self._takes = first.takes[here], second.takes[there]
        self._splits = first.splits[first.count - here], second.splits[second.count - there]
        # The weights of x's HCP, and of y's number of cards, in both suits.
        self.points, self.splits = _convolved(*self._takes), _convolved(*self._splits)
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
        """Return cumulative weights of x's HCP in both suits."""
        # `others` are x's HCP in the other suits, `goals` the factors of x's HCP, from `others` on.
        weights = self._both.get(others)
        if weights is None:
            weights = self._both[others] = list(accumulate(map(mul, self.points, goals)))
        return weights

    def first_points(self, points: int) -> list[float]:
        """Return cumulative weights of x's HCP in the first suit, if it has `points` in both."""
        weights = self._points.get(points)
        if weights is None:
            weights = self._points[points] = _partitions(*self._takes, points)
        return weights

    def first_cards(self, cards: int) -> list[float]:
        """Return cumulative weights of y's cards in the first suit, if it has `cards` in both."""
        weights = self._cards.get(cards)
        if weights is None:
            weights = self._cards[cards] = _partitions(*self._splits, cards)
        return weights


class Shape:
    """x's lengths in all four suits."""

    def __init__(
        self, minors: PairTable, majors: PairTable, goal: list[float], needed: list[float]
    ) -> None:
        self.minors, self.majors = minors, majors
        # Weights of the minors by x's HCP in the majors, and of the majors by y's minor cards.
        self.goal, self.needed = goal, needed
        self.lengths = (*minors.lengths, *majors.lengths)

    @property
    def weight(self) -> float:
        points = sum(map(mul, self.majors.points, self.goal))
        return points * sum(map(mul, self.minors.splits, self.needed)) if points else 0.0

    @cached_property
    def major_points(self) -> list[float]:
        """Cumulative weights of x's HCP in the majors."""
        return list(accumulate(map(mul, self.majors.points, self.goal)))

    @cached_property
    def y_minors(self) -> list[float]:
        """Cumulative weights of y's cards in the minors."""
        return list(accumulate(map(mul, self.minors.splits, self.needed)))


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
