"""The system: `natural`'s card, and a network that judges which of its calls to make."""

from __future__ import annotations

import numpy as np

from bridge_arena.bots.disciplined.choices import Turn, choices_of, of_turns
from bridge_arena.bots.disciplined.net import WorthNet, shipped
from bridge_arena.bots.library.many_auctions.auctions import (
    Calls,
    Turns,
    state_of,
    vulnerable_of,
)
from bridge_arena.bots.natural.facts import facts
from bridge_arena.bots.natural.system import Natural, menu_at
from bridge_arena.bots.neural.net import public
from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.calls import CALLS, Call
from bridge_arena.bridge.cards import Hand
from bridge_arena.bridge.record import MadeCall
from bridge_arena.bridge.seats import Vulnerability

_CLOSE = 0.5
"""A decision is close if another call is worth less than the best by at most these IMPs."""

_WEIGHED = 5
"""The most calls that are told with their worth."""


class Disciplined(Natural):
    """`natural`, but where its card leaves a choice, a network says which call is worth most."""

    def __init__(self, net: WorthNet | None = None) -> None:
        super().__init__()
        self._net = net or shipped()

    def call(self, hand: Hand, auction: Auction, vulnerability: Vulnerability) -> Call:
        """Return the call that is worth most."""
        return next(iter(self.weigh(hand, auction, vulnerability)))

    def choose(self, hand: Hand, auction: Auction, vulnerability: Vulnerability) -> MadeCall:
        """Return the call that is worth most, with what the card says of it."""
        return menu_at(auction, vulnerability).made(self.call(hand, auction, vulnerability))

    def options(self, hand: Hand, auction: Auction, vulnerability: Vulnerability) -> list[MadeCall]:
        """Return the choice, then the calls that are worth nearly as much."""
        worth = self.weigh(hand, auction, vulnerability)
        least = max(worth.values()) - _CLOSE
        menu = menu_at(auction, vulnerability)
        return [menu.made(call) for call, imps in worth.items() if imps >= least]

    def weigh(
        self, hand: Hand, auction: Auction, vulnerability: Vulnerability
    ) -> dict[Call, float]:
        """Return the IMPs that calls of the card are worth more than natural's, best first."""
        turn = Turn.of(menu_at(auction, vulnerability), facts(hand))
        if len(turn.calls) == 1:
            return {turn.calls[0]: 0.0}
        state = state_of(auction)
        known = public(state, vulnerable_of(auction, vulnerability), state.turn)
        worth = self._net.worth(of_turns([turn], known))[0]
        order = np.argsort(-worth, kind="stable")[:_WEIGHED]
        return {CALLS[call]: float(worth[call]) for call in order if np.isfinite(worth[call])}

    def call_many(self, turns: Turns) -> Calls:
        """Return the calls that are worth most, as `choose` does for each."""
        calls, rows, choices = choices_of(turns)
        if len(rows):
            calls[rows] = self._net.best(choices)
        return calls
