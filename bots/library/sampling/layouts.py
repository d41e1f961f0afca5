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

from collections.abc import Sequence
from operator import mul
from random import Random

from bridge_arena.bots.library.sampling.tables import (
    HandToFill,
    PairTable,
    Shape,
    SuitTable,
    choose,
    subset,
)
from bridge_arena.bridge.cards import SUITS, Hand
from bridge_arena.bridge.evaluation import hcp

Masks = tuple[int, int, int]
"""The cards of the three hands, as masks of Hand."""


class Layouts:
    """All layouts of the unseen cards over three hands to fill.

    Args:
        unseen: The mask of the unseen cards.
        places: The three hands to fill.
    """

    def __init__(self, unseen: int, places: Sequence[HandToFill]) -> None:
        self._total = total = hcp(Hand(unseen))
        self._roles = sorted(range(3), key=lambda index: _freedom(places[index], total))
        x, y, z = (places[index] for index in self._roles)
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
        """Whether some layout may have a weight.

        False is certain. True is not, because the HCP of two hands are left to chance.
        """
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
        for place, mask in zip(self._roles, (x_mask, y_mask, z_mask), strict=True):
            masks[place] = mask
        return masks[0], masks[1], masks[2]

    def _x_points(self, rng: Random, shape: Shape) -> tuple[int, int, int, int]:
        """Return x's HCP in each suit."""
        minors, majors = shape.minors, shape.majors
        in_majors = choose(rng, shape.major_points())
        in_minors = choose(rng, minors.both_points(in_majors, self._goals[in_majors]))
        clubs = choose(rng, minors.first_points(in_minors))
        hearts = choose(rng, majors.first_points(in_majors))
        return clubs, in_minors - clubs, hearts, in_majors - hearts

    def _y_lengths(self, rng: Random, shape: Shape) -> tuple[int, int, int, int]:
        """Return y's cards in each suit."""
        in_minors = choose(rng, shape.y_minors())
        in_majors = self._y_size - in_minors
        clubs = choose(rng, shape.minors.first_cards(in_minors))
        hearts = choose(rng, shape.majors.first_cards(in_majors))
        return clubs, in_minors - clubs, hearts, in_majors - hearts


def _freedom(place: HandToFill, total: int) -> float:
    """Return roughly what share of all hands the factors by HCP admit.

    A hand with a low share is worth drawing exactly; one that takes no cards gets the highest.

    Args:
        place: The hand to fill.
        total: The HCP of all unseen cards.

    Returns:
        A number from 0 to 1, or 2 for a hand that takes no cards.
    """
    if not place.size:
        return 2.0
    mean = total / 3
    likely = [max(0.0, 12 - abs(points - mean)) for points in range(total + 1)]
    admitted: float = sum(map(mul, likely, place.points))
    return admitted / sum(likely)
