"""Bidding systems: what chooses a call, and what the calls of an auction mean.

A bot that bids takes a `System` by name, so that card play and bidding are combined
freely: `baseline:bidding=natural`.
"""

from __future__ import annotations

from importlib import import_module
from typing import Literal, Protocol, runtime_checkable

from bridge_arena.bots.sdk.client import Bot
from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.calls import Call
from bridge_arena.bridge.cards import Hand
from bridge_arena.bridge.explanation import Explanation
from bridge_arena.bridge.record import MadeCall
from bridge_arena.bridge.seats import Vulnerability
from bridge_arena.protocol.view import View

SystemName = Literal["natural", "simple", "deepq", "qtable", "neural"]
"""The bidding systems there are."""

_SYSTEMS: dict[SystemName, str] = {
    "natural": "bridge_arena.bots.natural.system:Natural",
    "simple": "bridge_arena.bots.baseline.bidding:Simple",
    "deepq": "bridge_arena.bots.deepq.system:Learned",
    "qtable": "bridge_arena.bots.qtable.system:QTable",
    "neural": "bridge_arena.bots.neural.system:Neural",
}


class System(Protocol):
    """One partnership's agreements. Both sides are read as if they played it."""

    def choose(self, hand: Hand, auction: Auction, vulnerability: Vulnerability) -> MadeCall:
        """The call of `auction.turn`, who holds `hand` (13 cards), with its explanation."""
        ...

    def options(self, hand: Hand, auction: Auction, vulnerability: Vulnerability) -> list[MadeCall]:
        """The choice, then the other calls that a small change of judgement would make:
        where there are several, the decision is close."""
        ...

    def explain(self, auction: Auction, vulnerability: Vulnerability) -> list[Explanation]:
        """What each call of the auction told, with those before it, about the hand that
        made it: one explanation a call, also for calls that the system would not make."""
        ...


@runtime_checkable
class Weighing(Protocol):
    """A system that gives calls a value."""

    def weigh(
        self, hand: Hand, auction: Auction, vulnerability: Vulnerability
    ) -> dict[Call, float]:
        """The best calls of `auction.turn`, the best first, and what each is worth to the system;
        none where it has no values for them."""
        ...


class BiddingBot(Bot):
    """A bot that calls what a bidding system, `bidding`, chooses."""

    def __init__(self, bidding: SystemName) -> None:
        super().__init__()
        self.bidding = bidding
        self.system = system(bidding)

    def call(self, view: View) -> MadeCall:
        known = view.hand, view.auction, view.vulnerability
        made = self.system.choose(*known)
        text = f"{made.call}: {made.explanation}" if made.explanation else str(made.call)
        weights = self.system.weigh(*known) if isinstance(self.system, Weighing) else {}
        if not weights:
            close = [other.call for other in self.system.options(*known) if other.call != made.call]
            text += f"; close: {', '.join(map(str, close))}" if close else ""
        self.think(text, candidates=weights)
        return made


def system(name: SystemName) -> System:
    """The bidding system of that name. Raises ValueError, which names those there are."""
    path = _SYSTEMS.get(name)
    if path is None:
        raise ValueError(f"no bidding system {name!r} (there are {', '.join(_SYSTEMS)})")
    module, _, kind = path.partition(":")
    made: System = getattr(import_module(module), kind)()
    return made
