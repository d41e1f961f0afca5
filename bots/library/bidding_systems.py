"""Bidding systems: they choose calls and explain the calls of an auction.

A bot that bids takes a `System` by name, so any card play can be combined with any bidding:
`baseline:bidding=natural`.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Literal, Protocol, runtime_checkable

from bridge_arena.bots.sdk.client import Bot
from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.calls import Call
from bridge_arena.bridge.cards import Hand
from bridge_arena.bridge.explanation import Explanation
from bridge_arena.bridge.record import MadeCall
from bridge_arena.bridge.seats import Vulnerability
from bridge_arena.protocol.view import View

if TYPE_CHECKING:  # numpy is slow to load, and a bot at a table may not need it
    from bridge_arena.bots.library.many_auctions.auctions import Calls, Turns

SystemName = Literal["natural", "simple", "deepq", "qtable", "neural", "disciplined"]
"""The names of the bidding systems."""

_SYSTEMS: dict[SystemName, str] = {
    "natural": "bridge_arena.bots.natural.system:Natural",
    "simple": "bridge_arena.bots.baseline.bidding:Simple",
    "deepq": "bridge_arena.bots.deepq.system:Learned",
    "qtable": "bridge_arena.bots.qtable.system:QTable",
    "neural": "bridge_arena.bots.neural.system:Neural",
    "disciplined": "bridge_arena.bots.disciplined.system:Disciplined",
}


class System(Protocol):
    """The agreements of a partnership; both sides' calls are read as if they used them.

    `hand` is always the 13 cards of `auction.turn`, as dealt, and `auction` the calls so far.
    """

    def call(self, hand: Hand, auction: Auction, vulnerability: Vulnerability) -> Call:
        """Return the call that `choose` makes, where nobody asks what it means."""
        return self.choose(hand, auction, vulnerability).call

    def choose(self, hand: Hand, auction: Auction, vulnerability: Vulnerability) -> MadeCall:
        """Return a call with its explanation."""
        ...

    def options(self, hand: Hand, auction: Auction, vulnerability: Vulnerability) -> list[MadeCall]:
        """Return the choice, then the other calls that a small change of judgement would make.

        If there are several, the decision is close.
        """
        ...

    def explain(self, auction: Auction, vulnerability: Vulnerability) -> list[Explanation]:
        """Return what each call, with those before it, told about the hand that made it.

        Calls that the system would not make are explained too.
        """
        ...


@runtime_checkable
class Weighing(Protocol):
    """A system that gives calls a value."""

    def weigh(
        self, hand: Hand, auction: Auction, vulnerability: Vulnerability
    ) -> dict[Call, float]:
        """Return the best calls of `auction.turn` with their values, best first; {} without any."""
        ...


@runtime_checkable
class ReadingMany(Protocol):
    """A system that reads many auctions sooner together than one at a time."""

    def read_many(self, auctions: Sequence[tuple[Auction, Vulnerability]]) -> None:
        """Read auctions, so that `explain` knows them until others are read."""
        ...


def call_many(system: System, turns: Turns) -> Calls:
    """Return a system's calls at many turns at once."""
    if (many := getattr(system, "call_many", None)) is not None:
        calls: Calls = many(turns)
        return calls
    return turns.one_by_one(system.call)


class BiddingBot(Bot):
    """A bot that makes the calls of a bidding system.

    Args:
        bidding: The name of the bidding system.
    """

    def __init__(self, bidding: SystemName = "simple") -> None:
        super().__init__()
        self.bidding = bidding
        self.system = system(bidding)

    def call(self, view: View) -> MadeCall:
        """Return the call that the bidding system chooses."""
        known = view.hand, view.auction, view.vulnerability
        if isinstance(self.system, Weighing):
            made, weights = self.system.choose(*known), self.system.weigh(*known)
            self.think(_meaning(made), candidates=weights)
            return made
        made, *close = self.system.options(*known)
        others = f"; close: {', '.join(str(other.call) for other in close)}" if close else ""
        self.think(f"{_meaning(made)}{others}")
        return made

    def call_many(self, turns: Turns) -> Calls:
        """Return the system's calls at many turns at once."""
        return call_many(self.system, turns)


def _meaning(made: MadeCall) -> str:
    """Return a call with its meaning in words."""
    if made.explanation is None or not made.explanation.text:
        return str(made.call)
    return f"{made.call}: {made.explanation.text}"


def system(name: SystemName) -> System:
    """Return a new bidding system of a name; ValueError names those there are if it is none."""
    path = _SYSTEMS.get(name)
    if path is None:
        raise ValueError(f"no bidding system {name!r} (there are {', '.join(_SYSTEMS)})")
    module, _, kind = path.partition(":")
    made: System = getattr(import_module(module), kind)()
    return made
