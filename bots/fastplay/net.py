"""The network of card costs in numpy, and what it reads: what the player of a card sees.

Many positions are looked at at once. A suit's cards are counted from the top, and only those in a
hand or in the trick are counted. So a king is shown as an ace is, once the ace is gone. The layers
are the same for all suits (`bots.library.learning.layers`).

Players are numbered clockwise from declarer: 0 is declarer, 1 the opening leader, 2 dummy, 3 the
other defender.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bots.library.hand_ranges import HandRanges
from bridge_arena.bots.library.learning.arrays import Arrays, Rows, read_shipped
from bridge_arena.bots.library.learning.hands import POINTS
from bridge_arena.bots.library.learning.layers import (
    Array,
    Shapes,
    SuitLayers,
    mixing,
    read_weights,
    trunk,
)
from bridge_arena.bots.library.sampling.beliefs import Beliefs
from bridge_arena.bridge.cards import Hand
from bridge_arena.bridge.explanation import Range
from bridge_arena.bridge.seats import SEATS
from bridge_arena.protocol.view import View

DECLARER, LEADER, DUMMY = range(3)

NOTRUMP = 4

NUMBERS = np.arange(52)  # the cards, or the places in the order of play

SUITS, RANKS = NUMBERS // 13, NUMBERS % 13  # of each card


def strengths(led: NDArray[np.integer], trump: NDArray[np.integer]) -> NDArray[np.int64]:
    """Return the strength, from 1, of each card in n tricks, n×52: the highest wins (Law 44E, 44F).

    They are those of the suits led and of the trump suits, or `NOTRUMP`.
    """
    following, trumps = led[:, None] == SUITS, trump[:, None] == SUITS
    return np.asarray(RANKS + 13 * following + 26 * trumps + 1)


def numbers_of(ranges: HandRanges) -> list[Range]:
    """Return the ranges of a hand as arrays hold them, narrowed by its having thirteen cards."""
    whole = ranges.completed()
    return [whole.hcp, *whole.lengths]


UNSEEN = 4  # the owner of a card that the player does not know to be in any hand

_PLANES = 9
"""Facts about a card.

They are: held by the player, the hand on the left, partner or the hand on the right; unseen; played
to the trick by one of the other three; winning the trick.
"""

_OF_A_SUIT, _OF_ALL = 10, 19  # numbers that describe a suit, and the whole position
INPUTS = 13 * _PLANES + _OF_A_SUIT + _OF_ALL  # numbers that the network reads for each suit
_SEATS = np.arange(4)  # the four seats, or the four suits


@dataclass(frozen=True, slots=True)
class Positions(Rows):
    """n positions in the play, each seen by the player who is to play a card, without any check."""

    # The player who was dealt each card, n×52, as far as it is known; hands that the player cannot
    # see are not looked at.
    owner: NDArray[np.integer]
    trump: NDArray[np.integer]  # the trump suit, or `NOTRUMP`, n
    promised: NDArray[np.integer]  # what the auction told of each player, n×4×5×2, as in `Plays`
    # The cards in the order of play, n×52; only those before `place` are looked at.
    cards: NDArray[np.integer]
    place: NDArray[np.integer]
    # The player from whose hand the next card comes, n; at first the opening leader.
    turn: NDArray[np.integer]


def promised_to(view: View, believed: Beliefs) -> NDArray[np.int64]:
    """Return what the auction, with a contract, told of each player, 4×5×2, as in `Positions`."""
    declarer = view.playing.declarer
    return np.array(
        [numbers_of(believed[(declarer + player) % 4]) for player in range(4)], np.int64
    )


def positions_of(views: Sequence[View], promised: Sequence[NDArray[np.int64]]) -> Positions:
    """Return what seats see that are to play a card, with what `promised_to` has for each."""
    number = len(views)
    dealt = np.zeros((number, 4), np.uint64)
    cards = np.zeros((number, 52), np.int64)
    trump, place, turn = np.empty((3, number), np.int64)
    for row, view in enumerate(views):
        play = view.playing
        for seat in SEATS:
            held = view.held(seat) or Hand()
            dealt[row, (seat - play.declarer) & 3] = held.mask | view.played[seat].mask
        place[row] = len(play.cards)
        cards[row, : len(play.cards)] = play.cards
        trump[row] = NOTRUMP if play.trump is None else play.trump
        turn[row] = (play.turn - play.declarer) & 3
    owner = np.full((number, 52), UNSEEN)
    holds = (dealt[:, :, None] >> NUMBERS.astype(np.uint64) & np.uint64(1)).astype(np.bool_)
    for player in range(4):
        owner[holds[:, player]] = player
    return Positions(owner, trump, np.stack(promised), cards, place, turn)


def position_of(view: View, believed: Beliefs) -> Positions:
    """Return what one seat sees that is to play a card; it believes `believed` of each hand."""
    return positions_of([view], [promised_to(view, believed)])


@dataclass(frozen=True, slots=True)
class Features:
    """What the network reads of n positions."""

    suits: Array  # the numbers of each suit, n×4×`INPUTS`
    # The rank of the card at each place from the top of a suit, counted from the ace, n×4×13.
    ranks: NDArray[np.int64]

    def by_card(self, numbers: Array) -> Array:
        """Return numbers in the order of the cards, n×52, from the order of places, n×4×13."""
        cards = np.zeros_like(numbers)
        np.put_along_axis(cards, self.ranks, numbers, axis=2)
        return cards[..., ::-1].reshape(-1, 52)

    def by_place(self, numbers: Array) -> Array:
        """Return numbers in the order of places, n×4×13, from the order of the cards, n×52."""
        return np.take_along_axis(numbers.reshape(-1, 4, 13)[..., ::-1], self.ranks, axis=2)


def features(positions: Positions) -> Features:
    """Return what the network reads of positions."""
    turn, place = positions.turn[:, None], positions.place[:, None]
    trumps = np.eye(5, dtype=np.bool_)[positions.trump, :4]
    number = len(turn)
    rows, places = np.nonzero(place > NUMBERS)
    out = positions.cards[rows, places]
    # When each card was played; 52 stands for cards that were not.
    when = np.full((number, 52), 52)
    when[rows, out] = places
    left = when == 52

    from_turn = np.where(positions.owner == UNSEEN, UNSEEN, (positions.owner - turn) & 3)
    dealt = from_turn[:, None] == _SEATS[:, None]
    visible = _visible(turn, place)
    held = dealt & left[:, None] & visible[..., None]
    unseen = left & ~held.any(axis=1)
    played = dealt & ~left[:, None]

    # The winner of the trick is found by strength, so that a low trump beats an ace.
    trick = place % 4
    since = np.where(left, 0, place - when)
    in_trick = (since > 0) & (since <= trick)
    by_others = [in_trick & (since == 4 - seat) for seat in (1, 2, 3)]
    led = _of_suits(in_trick & (since == trick)).max(axis=2)
    strength = strengths(led.argmax(axis=1), positions.trump)
    best = (strength * in_trick).argmax(axis=1)[:, None]
    winning = in_trick & (best == NUMBERS)
    winner = np.take_along_axis(from_turn, best, axis=1)

    # Cards that are gone go last, so that the highest card left always stands in the same place.
    outstanding = _of_suits(left | in_trick)[..., ::-1]
    ranks = np.argsort(~outstanding, axis=2, kind="stable")
    planes = np.stack([*held.swapaxes(0, 1), unseen, *by_others, winning], axis=1)
    from_top = np.take_along_axis(
        planes.reshape(number, _PLANES, 4, 13)[..., ::-1], ranks[:, None], axis=3
    )

    # What is left in each hand, from the one that is to play on.
    promised = positions.promised[np.arange(number)[:, None], (turn + _SEATS) & 3].astype(np.int64)
    gone, held_in = (cards.reshape(number, 4, 4, 13).sum(axis=3) for cards in (played, held))
    size = 13 - gone.sum(axis=2, keepdims=True)
    room = np.minimum(_of_suits(unseen).sum(axis=2)[:, None], size)
    room[_shown_out(positions, rows, places)] = 0
    lengths = _left(promised[:, :, 1:], gone, room, held_in, visible[..., None])
    unseen_points = (unseen @ POINTS)[:, None]
    points = _left(promised[:, :, 0], played @ POINTS, unseen_points, held @ POINTS, visible)
    # A network learns best from numbers of a size, so lengths and points are divided.
    of_suit = [
        lengths[:, 1:].swapaxes(1, 2).reshape(number, 4, 6) / 4,
        lengths[:, 0, :, :1] / 4,
        _of_suits(unseen).sum(axis=2)[..., None] / 4,
        trumps[..., None],
        led[..., None],
    ]
    of_all = [
        points[:, 1:].reshape(number, 6) / 10,
        positions.turn[:, None] == _SEATS,
        trick == _SEATS,
        (trick > 0) & (winner == 2),
        (trick > 0) & (winner != 2),
        ~trumps.any(axis=1, keepdims=True),
        (13 - place // 4) / 13,
        place == 0,
    ]
    everything = np.concatenate(of_all, axis=1)[:, None].repeat(4, axis=1)
    cards = from_top.swapaxes(1, 2).reshape(number, 4, 13 * _PLANES)
    return Features(np.concatenate([cards, *of_suit, everything], axis=2, dtype=np.float32), ranks)


def _visible(turn: NDArray[np.integer], place: NDArray[np.integer]) -> NDArray[np.bool_]:
    """Return which hands the player sees, n×4, from the one that is to play a card."""
    dummy = ((DUMMY - turn) & 3 == _SEATS) & (place > 0)
    declarer = ((DECLARER - turn) & 3 == _SEATS) & (turn == DUMMY)
    return np.asarray(dummy | declarer | (_SEATS == 0))


def _shown_out(
    positions: Positions, rows: NDArray[np.integer], places: NDArray[np.integer]
) -> NDArray[np.bool_]:
    """Return who did not follow to which suit, n×4×4, from the hand that is to play."""
    card, led = positions.cards[rows, places], positions.cards[rows, places - places % 4]
    out = card // 13 != led // 13
    rows, card, led = rows[out], card[out], led[out]
    shown_out = np.zeros((len(positions.turn), 4, 4), np.bool_)
    shown_out[rows, (positions.owner[rows, card] - positions.turn[rows]) & 3, led // 13] = True
    return shown_out


def _left(
    promised: NDArray[np.int64],
    played: NDArray[np.int64],
    room: NDArray[np.int64],
    held: NDArray[np.int64],
    visible: NDArray[np.bool_],
) -> NDArray[np.int64]:
    """Return the fewest and the most cards or points that are left in each hand, ...×2."""
    # A `visible` hand has what is held. A hidden one has what was promised less what was played, as
    # far as there is `room` for it.
    rest = promised - played[..., None]
    most = np.minimum(np.maximum(rest[..., 1], 0), room)
    least = np.clip(rest[..., 0], 0, most)
    return np.where(visible[..., None], held[..., None], np.stack([least, most], axis=-1))


def _of_suits(cards: NDArray[np.bool_]) -> NDArray[np.bool_]:
    return cards.reshape(-1, 4, 13)


class PlayNet:
    """A network that estimates the tricks that each card loses, double dummy."""

    def __init__(self, weights: dict[str, Array]) -> None:
        self.weights = weights
        self._layers = SuitLayers(weights)
        self.width, self.deep = len(weights["first.own.bias"]), self._layers.steps

    @classmethod
    def read(cls, path: Path) -> PlayNet:
        """Read the network from a file of weights; ArraysError if it does not hold one."""
        arrays = Arrays(path)
        width = len(arrays.weights("first.own.weight", None, INPUTS))
        shapes: Shapes = trunk(INPUTS, width, arrays.names) | mixing("cards", width, 13)
        return cls(read_weights(arrays, shapes, frozenset()))

    def costs(self, positions: Positions) -> Array:
        """Return the expected cost in tricks of each card that may be played, n×52."""
        read = features(positions)
        costs = self._layers.mix("cards", self._layers.trunk(read.suits))
        return read.by_card(costs.astype(np.float32))

    def cheapest(self, positions: Positions, legal: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Return the card of the lowest cost among the `legal` ones, n×52, of each position, n."""
        cheapest: NDArray[np.int64] = legal.argmax(axis=1)
        free = np.flatnonzero(legal.sum(axis=1) > 1)
        costs = self.costs(positions.rows(free))
        cheapest[free] = np.where(legal[free], costs, np.inf).argmin(axis=1)
        return cheapest


@lru_cache(maxsize=1)
def shipped() -> PlayNet:
    return read_shipped("bridge_arena.bots.fastplay", PlayNet.read)
