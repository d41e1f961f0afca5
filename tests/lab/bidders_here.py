"""Bidders for tests: some answer in batches, some do not."""

from __future__ import annotations

import sys

import numpy as np

from bridge_arena.bots.library.many_auctions.auctions import Calls, Turns
from bridge_arena.bots.natural.bot import NaturalBot
from bridge_arena.bots.natural.system import Natural
from bridge_arena.bots.sdk.client import Bot
from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.calls import DOUBLE, PASS, Call
from bridge_arena.bridge.explanation import Explanation
from bridge_arena.bridge.seats import Vulnerability
from bridge_arena.protocol.view import View


class Passes(Bot):
    """Always passes, and answers in batches."""

    def call(self, view: View) -> Call:
        del view
        return PASS

    def call_many(self, turns: Turns) -> Calls:
        return np.zeros(len(turns), np.int64)


class Wrong(Passes):
    """Answers a batch with a bid that is sufficient only once."""

    def call_many(self, turns: Turns) -> Calls:
        return np.full(len(turns), 3)


class Short(Passes):
    """Answers with too few calls."""

    def call_many(self, turns: Turns) -> Calls:
        return np.zeros(len(turns) - 1, np.int64)


class Silent(NaturalBot):
    """Overrides `call` alone, so that the batches of its parent are not its own."""

    def call(self, view: View) -> Call:  # type: ignore[override]
        del view
        return PASS


class Mute(Natural):
    """A system that cannot explain."""

    def explain(self, auction: Auction, vulnerability: Vulnerability) -> list[Explanation]:
        del auction, vulnerability
        raise RuntimeError("no words")


class Mumbles(NaturalBot):
    """Makes natural's calls, and cannot explain them."""

    def __init__(self) -> None:
        super().__init__()
        self.system = Mute()


class Fails(Bot):
    """Fails at its third call."""

    def call(self, view: View) -> Call:
        if len(view.auction.calls) >= 2:
            raise RuntimeError("out of ideas")
        return PASS


class Halves(Passes):
    """Answers with numbers that are not whole."""

    def call_many(self, turns: Turns) -> Calls:
        return np.full(len(turns), 0.5)


class Doubles(Bot):
    """Always doubles, what is not always legal."""

    def call(self, view: View) -> Call:
        del view
        return DOUBLE


class Batches(Bot):
    """Answers batches only."""

    def call_many(self, turns: Turns) -> Calls:
        return np.zeros(len(turns), np.int64)


class Needy(Passes):
    """Cannot be made."""

    def __init__(self) -> None:
        raise ValueError("no net")


class Leaves(Bot):
    """Ends its process."""

    def call(self, view: View) -> Call:
        del view
        sys.exit(5)
