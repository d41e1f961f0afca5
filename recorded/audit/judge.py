"""The luck of one decision, as a process of the solver's pool computes it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from random import Random

import numpy as np

from bridge_arena.bots.fastplay.net import shipped as play_net
from bridge_arena.bots.library.bidding_systems import System, system
from bridge_arena.bots.library.sampling.beliefs import Beliefs, disclosed
from bridge_arena.bots.library.sampling.sampler import Hands, Sampler
from bridge_arena.bots.library.tricks.net import shipped as tricks_net
from bridge_arena.bots.montecarlo.card_choice import are_equal
from bridge_arena.bridge.scoring import imps
from bridge_arena.bridge.seats import SEATS
from bridge_arena.protocol.view import View
from bridge_arena.recorded.audit import Kind
from bridge_arena.recorded.audit.decisions import Decision
from bridge_arena.recorded.audit.luck import Numbers, luck
from bridge_arena.recorded.audit.values import candidates, stake, values_of_calls, values_of_cards
from bridge_arena.tournaments.events.boards import BIDDER, auction_of

LEAST_STAKE = 0.1
"""The tricks that must be at stake for a card to be judged (see `stake`)."""


@dataclass(frozen=True, slots=True)
class Finding:
    chosen: str  # the call or card that was chosen
    best: str  # the one that is best on average
    luck: float  # the luck of the choice, in IMPs for a call and in tricks for a card
    variance: float  # of the luck of an honest player, over the layouts


def judge(decision: Decision, layouts: int) -> Finding | None:
    """Return the finding on a decision, always of the same layouts; None if nothing is at stake."""
    view = decision.view
    calls = auction_of(decision.record)
    believed = disclosed(view, calls[: len(view.calls)], _system())
    if decision.kind is Kind.CALL:
        return _call(decision, view, believed, layouts)
    return _card(decision, view, believed, layouts)


def _call(decision: Decision, view: View, believed: Beliefs, layouts: int) -> Finding | None:
    made = decision.record.calls[decision.action].call
    calls = candidates(_system(), view, made)
    if len(calls) == 1:
        return None
    hands = _layouts(decision, view, believed, layouts)
    points = values_of_calls(_system(), tricks_net(), view, calls, hands)
    chosen = luck(points[:, 1:], points[:, 0], calls.index(made), _in_imps)
    return Finding(str(made), str(calls[chosen.best]), chosen.amount, chosen.variance)


def _card(decision: Decision, view: View, believed: Beliefs, layouts: int) -> Finding | None:
    played = decision.record.cards[decision.action - len(view.calls)]
    cards = view.legal_cards()
    if are_equal(view.playing, cards):
        return None
    if stake(play_net(), view, believed, played) < LEAST_STAKE:
        return None
    tricks = values_of_cards(view, _layouts(decision, view, believed, layouts))
    chosen = luck(tricks[:, 1:], tricks[:, 0], list(cards).index(played))
    return Finding(str(played), str(list(cards)[chosen.best]), chosen.amount, chosen.variance)


def _layouts(decision: Decision, view: View, believed: Beliefs, count: int) -> list[Hands]:
    """Return the true layout, then `count` layouts that the player may believe in."""
    deal = decision.record.board.deal
    rng = Random(f"{deal} {decision.record.room} {decision.seat} {decision.action}")
    north, east, south, west = (deal[seat] - view.played[seat] for seat in SEATS)
    return [(north, east, south, west), *Sampler(view, believed).draw(count, rng)]


def _in_imps(points: Numbers) -> Numbers:
    return np.array([imps(round(difference)) for difference in points], np.float64)


@lru_cache(maxsize=1)
def _system() -> System:
    return system(BIDDER)
