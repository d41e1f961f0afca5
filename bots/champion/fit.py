"""How well worlds fit what the other players did: their calls and their cards.

A world in which a player would have thrown something away by a call or a card is less likely, the
more the network that judges it says it cost him. `Sampler` knows only ranges of points and lengths.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from random import Random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bots.fastplay.net import DECLARER, DUMMY, NOTRUMP, SUITS, PlayNet, Positions
from bridge_arena.bots.library.learning.arrays import read_shipped
from bridge_arena.bots.library.learning.hands import hands_array
from bridge_arena.bots.library.learning.layers import rounded
from bridge_arena.bots.library.many_auctions.auctions import Auctions
from bridge_arena.bots.library.many_auctions.boards import Boards
from bridge_arena.bots.library.sampling.sampler import Hands
from bridge_arena.bots.neural.net import Nets, public, shipped
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


class Judge(NamedTuple):
    nets: Nets  # the networks that say what a call cost, in IMPs
    errors: Errors  # how the player errs, in their eyes


def like_us() -> Judge:
    """Return the judge of players who bid by the same networks."""
    return Judge(shipped(), Errors(0.3, 0.02))


@lru_cache(maxsize=1)
def strangers() -> Judge:
    """Return the judge of players whose system is another or unknown."""
    # Its networks began with `natural`'s system. So they understand the calls of most players
    # better than those that bid best, whose system is their own.
    nets = read_shipped("bridge_arena.bots.champion", Nets.read, "strangers.npz")
    return Judge(nets, Errors(2.0, 0.05))


CARDS = Errors(0.15, 0.02)  # cards, in tricks


def boards_of(worlds: Sequence[Hands], view: View) -> Boards:
    """Return the hands as dealt in worlds that the seat of a view believes in."""
    seats = [SEATS[(view.dealer + place) % 4] for place in range(4)]
    hands = hands_array([world[seat] | view.played[seat] for world in worlds for seat in seats])
    sides = [view.vulnerability.includes(seat.side) for seat in seats[:2]]
    return Boards(hands.reshape(-1, 4, 52), np.tile(sides, (len(worlds), 1)))


def calls_fit(boards: Boards, view: View, partner: Judge, opponents: Judge) -> Weights:
    """Return how well worlds, n, fit the calls of the players whose hands are hidden.

    The view is that of the seat that has drawn the worlds; `partner` and `opponents` judge its
    partner and its opponents. The greatest weight is 1.
    """
    weights = np.ones(len(boards))
    state = Auctions(1)
    for place, call in enumerate(view.auction.calls):
        seat = (view.dealer + place) % 4
        if seat != view.seat:
            judge = partner if seat == view.seat.partner else opponents
            features = public(state, boards.vulnerable[:1], state.turn)
            held = boards.hands[:, state.turn]
            ratings = judge.nets.ratings(held, features.repeat(len(held), axis=0))
            best = np.where(state.legal(), ratings, -np.inf).max(axis=1)
            weights *= judge.errors.likelihood(best - ratings[:, call])
            # A long auction's product would be too small for a number.
            weights /= weights.max()
        state.push(np.array([call]))
    return weights


def cards_fit(net: PlayNet, boards: Boards, view: View, promised: NDArray[np.int64]) -> Weights:
    """Return how well worlds fit the cards that were chosen by players whose hands are hidden.

    A card is the less likely, the more others would have served as well: a player who follows with
    the queen is likelier to have the queen alone than queen and jack (the principle of restricted
    choice). The players are thought to play by the network; `promised` is what the auction told of
    each, as `Positions` has it.
    """
    play = view.playing
    cards = np.array(play.cards, np.int64)
    turned = (np.arange(4) + play.declarer - view.dealer) % 4
    owner = boards.hands[:, turned].argmax(axis=1)
    turns = owner[0, cards]
    own = (view.seat - play.declarer) % 4
    chooser = np.where(turns == DUMMY, DECLARER, turns)
    places = np.flatnonzero(chooser != (DECLARER if own == DUMMY else own))
    if not len(places):
        return np.ones(len(boards))
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
