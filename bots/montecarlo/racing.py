"""The race between cards: when enough worlds are solved to know which card is best.

Cards are compared in the same worlds. The race is over when no other card can be better than the
best so far by more than a little, which is so after a few worlds for most cards. So the worlds that
are left need not be drawn or solved.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from operator import mul

from bridge_arena.bots.montecarlo.card_choice import Evaluation, Merits, Objective, score_by_tricks
from bridge_arena.bridge.calls import Contract
from bridge_arena.bridge.cards import Card
from bridge_arena.bridge.scoring import imps
from bridge_arena.bridge.seats import Side, Vulnerability

ERRORS = 2.5
"""The standard errors by which another card may be better than it seems."""

LITTLE = 0.2
"""How much better another card may be, on average, in tricks or in what an overtrick is worth."""

_OVERTRICK: dict[Objective, int] = {"tricks": 1, "score": 30, "imps": 1}


class Race:
    """The race between the cards of `side`, for an objective."""

    def __init__(
        self, objective: Objective, contract: Contract, side: Side, vulnerability: Vulnerability
    ) -> None:
        points = score_by_tricks(contract, side, vulnerability)
        # What tricks gain over other tricks in the same world.
        self._gains = [
            [_gain(objective, points, here, there) for there in range(14)] for here in range(14)
        ]
        self._overtrick = _OVERTRICK[objective]

    def is_over(self, evaluation: Evaluation, merits: Merits) -> bool:
        """Return whether no other card can be better than that of the greatest merit by much.

        The error is reckoned with one more world, in which the cards differ by an overtrick: cards
        that are equal in a few worlds may differ in others.
        """
        best = max(merits, key=lambda card: (merits[card], -card))
        worlds = sum(evaluation.counts)
        return all(
            (merits[card][0] - merits[best][0] + ERRORS * self._deviation(evaluation, card, best))
            < LITTLE * self._overtrick * worlds
            for card in merits
            if card != best
        )

    def _deviation(self, evaluation: Evaluation, card: Card, best: Card) -> float:
        """Return the standard error of the sum that a card gains over another in the worlds."""
        tricks = evaluation.tricks
        gains = [
            self._gains[here][there] for here, there in zip(tricks[card], tricks[best], strict=True)
        ]
        mean = sum(map(mul, evaluation.counts, gains)) / sum(evaluation.counts)
        # A world that was drawn several times is one observation.
        squares = [
            (count * (gain - mean)) ** 2
            for count, gain in zip(evaluation.counts, gains, strict=True)
        ]
        return sqrt(sum(squares) + self._overtrick**2)


def _gain(objective: Objective, points: Sequence[int], here: int, there: int) -> int:
    if objective == "tricks":
        return here - there
    gained = points[here] - points[there]
    return gained if objective == "score" else imps(gained)
