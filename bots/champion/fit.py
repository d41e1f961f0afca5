"""How well worlds fit the calls of the other players.

A world in which a player would have thrown something away by a call is less likely, the more IMPs
the networks that judge it say it cost him. `bots.fastplay.fit` says the same of cards.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from bridge_arena.bots.fastplay.fit import Errors, Weights
from bridge_arena.bots.library.learning.arrays import read_shipped
from bridge_arena.bots.library.learning.hands import hands_array
from bridge_arena.bots.library.many_auctions.auctions import Auctions
from bridge_arena.bots.library.many_auctions.boards import Boards
from bridge_arena.bots.library.sampling.sampler import Hands
from bridge_arena.bots.neural.net import Nets, public, shipped
from bridge_arena.bridge.seats import SEATS
from bridge_arena.protocol.view import View


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
