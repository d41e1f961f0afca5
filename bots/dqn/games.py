"""MiniBridge games (`bots.library.minibridge`) of a network against the defenders `follow`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bots.fastplay.net import (
    DECLARER,
    DUMMY,
    LEADER,
    NOTRUMP,
    RANKS,
    SUITS,
    Features,
    Positions,
    features,
    numbers_of,
)
from bridge_arena.bots.fastplay.playing import Playing
from bridge_arena.bots.library.hand_ranges import ANY
from bridge_arena.bots.library.learning.hands import POINTS
from bridge_arena.bots.library.learning.layers import Array
from bridge_arena.bots.library.minibridge.game import MiniDeal

ANY_HAND = np.array(numbers_of(ANY))
"""What MiniBridge tells of a hand, as `Positions` has it."""

_PACK = np.repeat(np.arange(4), 13)

Costs = Callable[[Array], Array]
"""A function from what is seen, n×4×`INPUTS`, to the costs of cards by place, n×4×13."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """Decisions of declarer's side to learn from, m in all."""

    inputs: Array  # what was seen, m×4×`INPUTS`
    card: NDArray[np.int64]  # the card that was played: its place among the 4×13 of `Features`, m
    cost: Array  # the tricks that the defenders take from there on: the target of the card, m


def random_deals(rng: np.random.Generator, number: int) -> NDArray[np.int64]:
    """Return the owners of the cards in random deals that some side declares, n×52."""
    # The players are numbered from declarer, as in `Positions`.
    dealt = np.empty((0, 52), np.int64)
    while len(dealt) < number:
        owner = rng.permuted(np.tile(_PACK, (number, 1)), axis=1)
        points = np.stack([(owner == seat) @ POINTS for seat in range(4)], axis=1)
        north, east = points[:, 0] + points[:, 2], points[:, 1] + points[:, 3]
        side = (east > north).astype(np.int64)
        first = np.take_along_axis(points, side[:, None], axis=1)[:, 0]
        second = np.take_along_axis(points, side[:, None] + 2, axis=1)[:, 0]
        declarer = np.where(first >= second, side, side + 2)
        dealt = np.concatenate([dealt, ((owner - declarer[:, None]) & 3)[north != east]])
    return dealt[:number]


def owners(deals: Iterable[MiniDeal]) -> NDArray[np.int64]:
    """Return the owners of the cards in deals, n×52."""
    hands = np.array([deal.hands for deal in deals], np.uint64)
    held = hands[:, :, None] >> np.arange(52, dtype=np.uint64) & np.uint64(1)
    owner: NDArray[np.int64] = held.argmax(axis=1)
    return owner


def before_the_lead(owner: NDArray[np.int64]) -> Positions:
    """Return the positions of deals at notrump before a card is played."""
    number = len(owner)
    return Positions(
        owner,
        np.full(number, NOTRUMP),
        np.broadcast_to(ANY_HAND, (number, 4, *ANY_HAND.shape)),
        np.zeros((number, 52), np.int64),
        np.zeros(number, np.int64),
        np.full(number, LEADER),
    )


def played(
    costs: Costs,
    owner: NDArray[np.int64],
    rng: np.random.Generator,
    exploration: float = 0.0,
    share: float = 0.0,
) -> tuple[NDArray[np.int64], Lesson]:
    """Play deals out; return the tricks of declarer's side, n, and its decisions with a choice.

    The target of a card is the number of tricks that the defenders take until declarer's side has
    its next choice, plus the value of that choice: a share of the target of the card played there,
    if it is the cheapest, and for the rest the cost of the cheapest card (Watkins' Q(λ)).
    `exploration` is the probability that declarer's side plays any legal card.
    """
    playing = Playing(before_the_lead(owner))
    decided: list[_Decided] = []
    while playing.place < 52:
        legal = playing.legal()
        defends = playing.turn % 2 == 1
        chosen = legal.argmax(axis=1)
        rows = np.flatnonzero(defends)
        chosen[rows] = followed(playing.now.rows(rows), playing.held[rows], legal[rows], rng)
        rows = np.flatnonzero(~defends & (legal.sum(axis=1) > 1))
        if len(rows):
            shown = features(playing.now.rows(rows))
            of_cards = np.where(legal[rows], shown.by_card(costs(shown.suits)), np.inf)
            cheapest = of_cards.argmin(axis=1)
            explores = rng.random(len(rows)) < exploration
            card = np.where(explores, any_of(legal[rows], rng), cheapest)
            chosen[rows] = card
            lost = playing.place // 4 - playing.tricks[rows]
            least = of_cards.min(axis=1)
            decided.append(_Decided(rows, shown, card, card == cheapest, least, lost))
        playing.play(chosen)
    return playing.tricks, _lesson(decided, 13 - playing.tricks, share)


def followed(
    now: Positions, held: NDArray[np.bool_], legal: NDArray[np.bool_], rng: np.random.Generator
) -> NDArray[np.int64]:
    """Return the cards of the defenders `follow` (`bots.library.minibridge.game`), n.

    `held` are the cards that no player has played, `legal` those that may be played, n×52 each.
    """
    by_chance = any_of(legal, rng)
    place = int(now.place[0]) if len(now.place) else 0
    number = place % 4
    if not number:
        return by_chance
    turn = now.turn[:, None]
    trick = now.cards[:, place - number : place]
    of_suit = SUITS[trick[:, :1]] == SUITS
    in_trick = np.zeros_like(held)
    np.put_along_axis(in_trick, trick, values=True, axis=1)
    best = _highest(in_trick & of_suit)
    card = 13 * SUITS[trick[:, 0]] + best
    partner_wins = np.take_along_axis(now.owner, card[:, None], axis=1)[:, 0] % 2 == 1
    # Cards that declarer's side may still play to this trick, as far as the defender knows.
    from_dummy = held & (now.owner == DUMMY) & _later(DUMMY, turn, number)
    hidden = held & (now.owner != DUMMY) & (now.owner != turn)
    from_declarer = hidden & _later(DECLARER, turn, number)
    threat = _highest((from_dummy | from_declarer) & of_suit)
    sure = legal & of_suit & (np.maximum(best, threat)[:, None] < RANKS)
    sure &= ~(partner_wins & (threat < best))[:, None]
    return np.where(sure.any(axis=1), sure.argmax(axis=1), by_chance)


def any_of(cards: NDArray[np.bool_], rng: np.random.Generator) -> NDArray[np.int64]:
    """Return a card of each set, all equally likely."""
    chosen: NDArray[np.int64] = (rng.random(cards.shape) * cards).argmax(axis=1)
    return chosen


def _later(player: int, turn: NDArray[np.integer], number: int) -> NDArray[np.bool_]:
    """Return whether a player has still to play to a trick of so many cards."""
    ahead = (player - turn) & 3
    return np.asarray((ahead > 0) & (ahead < 4 - number))


def _highest(cards: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return the highest rank in each set of cards of one suit, -1 if the set is empty."""
    highest: NDArray[np.int64] = np.where(cards, RANKS, -1).max(axis=1, initial=-1)
    return highest


@dataclass(frozen=True, slots=True)
class _Decided:
    """Decisions at one place of the play."""

    games: NDArray[np.int64]
    shown: Features  # what was seen there
    card: NDArray[np.int64]  # the cards that were played
    is_cheapest: NDArray[np.bool_]  # whether they seemed so
    least: Array  # the cost of the cheapest
    lost: NDArray[np.int64]  # the tricks that the defenders had taken

    def places(self) -> NDArray[np.int64]:
        """Return the places of the cards that were played among the 4×13."""
        of_suit = self.shown.ranks[np.arange(len(self.card)), SUITS[self.card]]
        from_top = (of_suit == 12 - RANKS[self.card][:, None]).argmax(axis=1)
        return np.asarray(13 * SUITS[self.card] + from_top)


def _lesson(decided: list[_Decided], lost: NDArray[np.int64], share: float) -> Lesson:
    """Return the decisions with their targets; `lost` is what the defenders took at the end."""
    lost, value = lost.copy(), np.zeros(len(lost), np.float32)
    targets: list[Array] = []
    for decision in reversed(decided):
        target = lost[decision.games] - decision.lost + value[decision.games]
        mixed = decision.least + share * (target - decision.least)
        value[decision.games] = np.where(decision.is_cheapest, mixed, decision.least)
        lost[decision.games] = decision.lost
        targets.append(target.astype(np.float32))
    return Lesson(
        np.concatenate([decision.shown.suits for decision in decided]),
        np.concatenate([decision.places() for decision in decided]),
        np.concatenate(targets[::-1]),
    )
