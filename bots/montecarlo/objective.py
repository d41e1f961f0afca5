"""What a player maximises over the worlds: tricks, points, or IMPs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from bridge_arena.bots.montecarlo.evaluation import Evaluation
from bridge_arena.bridge.calls import Contract
from bridge_arena.bridge.cards import Card
from bridge_arena.bridge.scoring import contract_score, imps
from bridge_arena.bridge.seats import Side, Vulnerability

Objective = Literal["tricks", "score", "imps"]
"""The names of the objectives.

- `tricks`: the most tricks on average.
- `score`: the most points on average.
- `imps`: the most IMPs on average against another table that plays the card of the most points.
"""


Merits = dict[Card, tuple[float, int]]
"""How well cards serve an objective, then their points: sums over all worlds drawn."""


def merits_of(
    evaluation: Evaluation,
    objective: Objective,
    contract: Contract,
    side: Side,
    vulnerability: Vulnerability,
) -> Merits:
    """Return how well each card serves an objective.

    Args:
        evaluation: The solved worlds.
        objective: The objective.
        contract: The contract.
        side: The side that plays the card.
        vulnerability: The vulnerability of the board.

    Returns:
        The merit and the points of each card.

    Raises:
        ValueError: No world was solved.
    """
    points = score_by_tricks(contract, side, vulnerability)
    counts = evaluation.counts
    values = {card: [points[each] for each in tricks] for card, tricks in evaluation.tricks.items()}
    scores = {card: _total(counts, value) for card, value in values.items()}
    merits: dict[Card, int]
    if objective == "score":
        merits = scores
    elif objective == "tricks":
        merits = {card: _total(counts, tricks) for card, tricks in evaluation.tricks.items()}
    else:
        elsewhere = values[max(scores, key=lambda card: (scores[card], -card))]
        merits = {
            card: _total(
                counts,
                [imps(here - there) for here, there in zip(value, elsewhere, strict=True)],
            )
            for card, value in values.items()
        }
    return {card: (merits[card], scores[card]) for card in merits}


def best_cards(merits: Merits) -> list[Card]:
    """Return the cards of the greatest merit; several only if their points are equal too."""
    most = max(merits.values())
    return [card for card, merit in merits.items() if merit == most]


def mean_merits(merits: Merits, worlds: int) -> dict[Card, float]:
    """Return the merit of each card per world, the best first."""
    in_order = sorted(merits, key=lambda card: (merits[card], -card), reverse=True)
    return {card: merits[card][0] / worlds for card in in_order}


def score_by_tricks(
    contract: Contract, side: Side, vulnerability: Vulnerability
) -> tuple[int, ...]:
    """Return the points of `side` when it takes 0, 1 .. 13 tricks."""
    declaring = contract.declarer.side
    vulnerable = vulnerability.includes(declaring)
    points = [contract_score(contract, tricks, vulnerable=vulnerable) for tricks in range(14)]
    if side == declaring:
        return tuple(points)
    return tuple(-each for each in reversed(points))


def _total(counts: Sequence[int], values: Sequence[int]) -> int:
    """Return the sum over all worlds drawn: an int, so equal cards are exactly equal."""
    return sum(count * value for count, value in zip(counts, values, strict=True))
