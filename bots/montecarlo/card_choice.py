"""The choice of a card: its value in each of some sampled worlds, and which value is best.

A world is a tuple of the four hands as still held, by Seat, as `bots.library.sampling` draws them.
Worlds may come in batches, so that none is drawn that there is no time to solve. What is maximised
over the worlds is an objective: tricks, points or IMPs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from bridge_arena.bots.library.double_dummy import distinct_cards
from bridge_arena.bots.library.learning.layers import Array
from bridge_arena.bots.library.sampling.sampler import Hands
from bridge_arena.bots.montecarlo.parallel import is_up, map_in_time
from bridge_arena.bridge.calls import Contract
from bridge_arena.bridge.cards import SUITS_DOWN, Card, Hand, Rank, Suit
from bridge_arena.bridge.play import Play
from bridge_arena.bridge.scoring import contract_score, imps
from bridge_arena.bridge.seats import Side, Vulnerability
from bridge_arena.oracle.position import Position
from bridge_arena.oracle.solver import card_values


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Solved worlds, all different; both fields are empty if no world was solved in time."""

    counts: tuple[int, ...]  # how often each world was drawn
    # For each legal card and each world, the tricks (0 to 13) that the side playing it takes in the
    # whole play, those already won included.
    tricks: dict[Card, tuple[int, ...]]


def evaluate(
    play: Play,
    batches: Iterable[Sequence[Hands]],
    until: float | None = None,
    is_enough: Callable[[Evaluation], bool] | None = None,
) -> Evaluation:
    """Solve each world of the batches once, for all cards of the hand whose turn it is.

    The result is in the order of the worlds, whichever was solved first. Worlds that are not solved
    at `until`, a time of `time.monotonic()`, are left out; None sets no limit. No batch is drawn
    after one that `is_enough`, together with those before.
    """
    won = play.won[play.turn.side]
    counts: Counter[Hands] = Counter()
    solved: dict[Hands, dict[Card, int]] = {}
    for batch in batches:
        fresh = [world for world in dict.fromkeys(batch) if world not in counts]
        counts.update(batch)
        positions = [Position(world, play.trump, play.leader, tuple(play.trick)) for world in fresh]
        answers = map_in_time(card_values, positions, until)
        solved |= {
            world: values
            for world, values in zip(fresh, answers, strict=True)
            if values is not None
        }
        if is_up(until) or (is_enough and is_enough(_evaluation(counts, solved, won))):
            break
    return _evaluation(counts, solved, won)


def _evaluation(
    counts: Mapping[Hands, int], solved: Mapping[Hands, Mapping[Card, int]], won: int
) -> Evaluation:
    cards = next(iter(solved.values()), {})
    return Evaluation(
        counts=tuple(counts[world] for world in solved),
        tricks={card: tuple(won + values[card] for values in solved.values()) for card in cards},
    )


def are_equal(play: Play, legal: Hand) -> bool:
    """Return whether the legal cards all have the same value, whatever the others hold."""
    return len(distinct_cards(play, legal)) == 1


def costs_of(play: Play, legal: Hand, costs: Array) -> dict[Card, float]:
    """Return what legal cards cost by a network, 52: of equal cards, the lowest speaks for all."""
    lowest = distinct_cards(play, legal)
    return {card: float(costs[max(low for low in lowest if low <= card)]) for card in legal}


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
    """Return how well each card serves an objective of `side`, if any world was solved."""
    points = score_by_tricks(contract, side, vulnerability)
    counts = evaluation.counts
    values = {
        card: [points[taken] for taken in tricks] for card, tricks in evaluation.tricks.items()
    }
    scores = {card: _total(counts, value) for card, value in values.items()}
    served: Mapping[Card, Sequence[int]] = values
    if objective == "tricks":
        served = evaluation.tricks
    elif objective == "imps":
        elsewhere = values[max(scores, key=lambda card: (scores[card], -card))]
        served = {
            card: [imps(here - there) for here, there in zip(value, elsewhere, strict=True)]
            for card, value in values.items()
        }
    return {card: (_total(counts, value), scores[card]) for card, value in served.items()}


def advised(
    merits: Merits, evaluation: Evaluation, costs: Mapping[Card, float], layouts: float
) -> Merits:
    """Return merits that also heed a network, which counts as much as some layouts do.

    It says what each card costs in tricks. The solver thinks that everybody will see all hands, and
    values cards by a few layouts; the network has learned from thousands of boards what cards like
    these cost. A trick is worth what it is worth between the cards of the most and the fewest
    tricks, nothing if more tricks are worth less, and 1 if all cards take as many.
    """
    tricks = {card: _total(evaluation.counts, taken) for card, taken in evaluation.tricks.items()}
    most, fewest = max(tricks, key=tricks.__getitem__), min(tricks, key=tricks.__getitem__)
    spread = tricks[most] - tricks[fewest]
    worth = max(merits[most][0] - merits[fewest][0], 0) / spread if spread else 1.0
    return {
        card: (merit - layouts * worth * costs[card], points)
        for card, (merit, points) in merits.items()
    }


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
    return tuple(-score for score in reversed(points))


def _total(counts: Sequence[int], values: Sequence[int]) -> int:
    """Return the sum over all worlds drawn: an int, so equal cards are exactly equal."""
    return sum(count * value for count, value in zip(counts, values, strict=True))


def preferred(play: Play, hand: Hand, cards: Iterable[Card]) -> Card:
    """Return the standard opening lead of several cards that are equally good, or the lowest."""
    # A trump is played only to follow suit or to lead.
    good = Hand.of(cards)
    if not play.cards:
        return _opening_lead(hand, good)
    discarding = bool(play.trick) and not hand.holding(play.trick[0].suit)
    return min(
        good, key=lambda card: (discarding and card.suit == play.trump, card.rank, card.suit)
    )


def _opening_lead(hand: Hand, good: Hand) -> Card:
    """Return the standard lead of the longest suit, or the lowest good card of that suit."""
    suit = max(
        (suit for suit in SUITS_DOWN if good.length(suit)),
        key=lambda suit: (hand.length(suit), suit),
    )
    standard = standard_lead(hand, suit)
    return standard if standard in good else min(good.suit(suit))


def standard_lead(hand: Hand, suit: Suit) -> Card:
    """Return the standard lead of a suit.

    It is the top of two touching honours (ace to ten), else the fourth best, else the higher of two
    cards, else the lowest.
    """
    cards = list(hand.suit(suit))
    for upper, lower in pairwise(cards):
        if lower == upper - 1 and lower.rank >= Rank.TEN:
            return upper
    if len(cards) >= 4:
        return cards[3]
    return cards[0] if len(cards) == 2 else cards[-1]
