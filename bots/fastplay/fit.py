"""How well worlds fit the cards that the other players chose, as the network judges them.

A world in which a player would have thrown tricks away by a card is less likely, the more of them
the network says it cost him. `Sampler` knows only ranges of points and lengths.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bots.fastplay.net import DECLARER, DUMMY, NOTRUMP, SUITS, PlayNet, Positions
from bridge_arena.bots.library.learning.hands import hands_array
from bridge_arena.bots.library.learning.layers import rounded
from bridge_arena.bots.library.sampling.sampler import Hands
from bridge_arena.bridge.seats import SEATS
from bridge_arena.protocol.view import View

Weights = NDArray[np.float64]  # numbers in proportion to the likelihood of worlds, n


class Errors(NamedTuple):
    """How players err, in the eyes of a network."""

    scale: float  # what costs so much more than the best choice is a third as likely
    otherwise: float  # the likelihood of a choice however much it costs: players have other systems

    def likelihood(self, lost: NDArray[np.floating]) -> Weights:
        likelihood: Weights = self.otherwise + rounded(np.exp(-lost / self.scale))
        return likelihood


CARDS = Errors(0.15, 0.02)  # cards, in tricks


RECENT = 8
"""The number of the last cards that are judged, leads or not.

A lead tells most, as there is most to choose from. Leads and these cards tell five sixths of what
all cards do, and are half as many.
"""


def cards_fit(
    net: PlayNet, worlds: Sequence[Hands], view: View, promised: NDArray[np.int64]
) -> Weights:
    """Return how well worlds fit the cards that were chosen by players whose hands are hidden.

    They are worlds that the seat of the view believes in. A card is the less likely, the more
    others would have served as well: a player who follows with the queen is likelier to have the
    queen alone than queen and jack (the principle of restricted choice). The players are thought to
    play by the network; `promised` is what the auction told of each, as `Positions` has it.
    """
    play = view.playing
    cards = np.array(play.cards, np.int64)
    seats = [SEATS[(play.declarer + player) % 4] for player in range(4)]
    hands = hands_array(world[seat] | view.played[seat] for world in worlds for seat in seats)
    owner = hands.reshape(-1, 4, 52).argmax(axis=1)
    turns = owner[0, cards]
    own = (view.seat - play.declarer) % 4
    chooser = np.where(turns == DUMMY, DECLARER, turns)
    number = np.arange(len(cards))
    tells = (number % 4 == 0) | (number >= len(cards) - RECENT)
    places = np.flatnonzero(tells & (chooser != (DECLARER if own == DUMMY else own)))
    if not len(places):
        return np.ones(len(worlds))
    legal = np.stack([_legal(owner, cards, place) for place in places.tolist()])
    # Where a world leaves no choice, the network need not be asked.
    at, world = np.nonzero(legal.sum(axis=2) > 1)
    positions = Positions(
        owner[world],
        np.full(len(at), NOTRUMP if play.trump is None else play.trump),
        np.broadcast_to(promised, (len(at), *promised.shape)),
        np.tile(np.pad(cards, (0, 52 - len(cards))), (len(at), 1)),
        places[at],
        turns[places[at]],
    )
    costs = np.where(legal[at, world], net.costs(positions), np.inf)
    likely = rounded(np.exp((costs.min(axis=1, keepdims=True) - costs) / CARDS.scale))
    chances = np.ones(legal.shape[:2])
    chances[at, world] = likely[np.arange(len(at)), cards[places[at]]] / likely.sum(axis=1)
    weights: Weights = (CARDS.otherwise + chances).prod(axis=0)
    return weights


def _legal(owner: NDArray[np.int64], cards: NDArray[np.int64], place: int) -> NDArray[np.bool_]:
    """Return the cards that could be played at a place of the play, in each world, n×52."""
    held = owner == owner[:, cards[place], None]
    held[:, cards[:place]] = False
    following = held & (SUITS[cards[place - place % 4]] == SUITS)
    follows = following.any(axis=1, keepdims=True) & (place % 4 > 0)
    return np.asarray(np.where(follows, following, held))


def thinned(worlds: Sequence[Hands], weights: Weights, number: int, rng: Random) -> list[Hands]:
    """Return a number of worlds, which are in random order, by their weights, not all of them 0."""
    # Drawn at equal steps of the sum, few come more than once.
    sums = np.cumsum(weights)
    steps = (np.arange(number) + rng.random()) * (sums[-1] / number)
    rows = np.searchsorted(sums, steps).clip(max=len(worlds) - 1)
    return [worlds[row] for row in rows.tolist()]
