"""The bidding systems at a table, and the four of them as one system."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from bridge_arena.bots.library.bidding_systems import BiddingBot, System, SystemName, system
from bridge_arena.bots.registry import UnknownBotError, parse
from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.calls import Call
from bridge_arena.bridge.cards import Hand
from bridge_arena.bridge.explanation import Explanation
from bridge_arena.bridge.record import BoardRecord, MadeCall
from bridge_arena.bridge.seats import SEATS, Seat, Vulnerability

Systems = tuple[SystemName, SystemName, SystemName, SystemName]
"""The systems of the players at N, E, S and W."""

STAND_IN: SystemName = "natural"
"""The system of a player who has none of his own, or whose system is not known."""

_TWIN = re.compile(r"-\d+$")
"""What an event appends to the name of an entry that takes part twice."""

_TITLE = re.compile(r"^[^:=]*=")
"""The name of an entry in front of its bot."""


def systems_at(record: BoardRecord, specs: Mapping[str, str] | None = None) -> Systems:
    """Return the systems at a recorded table."""
    north, east, south, west = (
        system_of((specs or {}).get(player, player)) for player in record.players
    )
    return north, east, south, west


@lru_cache(maxsize=1000)
def system_of(player: str) -> SystemName:
    """Return the system that a bot bids by.

    Only the bot's name and its `bidding` count. A file of boards may give its players any names,
    and an option in one of them must not make the program read a file.
    """
    name, _, items = _TITLE.sub("", _TWIN.sub("", player)).partition(":")
    bidding = [item for item in items.split(",") if item.startswith("bidding=")]
    try:
        _, make = parse(f"{name}:{','.join(bidding)}" if bidding else name)
        bot = make()
    except (UnknownBotError, ModuleNotFoundError):
        return STAND_IN
    return bot.bidding if isinstance(bot, BiddingBot) else STAND_IN


class TableSystem:
    """The systems of four players as one: each hand is bid, and each call is read, by its own."""

    def __init__(self, names: Systems) -> None:
        self._names = names
        self._systems: dict[SystemName, System] = {name: system(name) for name in set(names)}

    def call(self, hand: Hand, auction: Auction, vulnerability: Vulnerability) -> Call:
        """Return the call of the system of `auction.turn`, without its explanation."""
        return self._at(auction.turn).call(hand, auction, vulnerability)

    def choose(self, hand: Hand, auction: Auction, vulnerability: Vulnerability) -> MadeCall:
        """Return the call of the system of `auction.turn`."""
        return self._at(auction.turn).choose(hand, auction, vulnerability)

    def options(self, hand: Hand, auction: Auction, vulnerability: Vulnerability) -> list[MadeCall]:
        """Return the calls that the system of `auction.turn` would consider."""
        return self._at(auction.turn).options(hand, auction, vulnerability)

    def explain(self, auction: Auction, vulnerability: Vulnerability) -> list[Explanation]:
        """Return what each call told, by the system of its caller."""
        read = {name: each.explain(auction, vulnerability) for name, each in self._systems.items()}
        callers = (SEATS[(auction.dealer + place) % 4] for place in range(len(auction.calls)))
        return [read[self._names[caller]][place] for place, caller in enumerate(callers)]

    def _at(self, seat: Seat) -> System:
        return self._systems[self._names[seat]]
