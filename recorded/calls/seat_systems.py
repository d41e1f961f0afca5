"""Which bidding system sits where, and the four of a table as one system."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from bridge_arena.bots.library.bidding_systems import BiddingBot, System, SystemName, system
from bridge_arena.bots.registry import UnknownBotError, parse
from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.cards import Hand
from bridge_arena.bridge.explanation import Explanation
from bridge_arena.bridge.record import BoardRecord, MadeCall
from bridge_arena.bridge.seats import SEATS, Seat, Vulnerability

Systems = tuple[SystemName, SystemName, SystemName, SystemName]
"""Of the players at N, E, S, W."""

STAND_IN: SystemName = "natural"
"""The system of a player that has none of its own, or is not known."""

_TWIN = re.compile(r"-\d+$")
"""What an event adds to the name of an entry that it has twice."""

_TITLE = re.compile(r"^[^:=]*=")
"""What an entry is called, before what it is."""


def systems_at(record: BoardRecord, specs: Mapping[str, str] | None = None) -> Systems:
    """The systems at a recorded table. `specs`: what stands behind a player's name, as it is
    written on a command line, where it is not the name itself."""
    north, east, south, west = (
        system_of((specs or {}).get(player, player)) for player in record.players
    )
    return north, east, south, west


@lru_cache(maxsize=1000)
def system_of(player: str) -> SystemName:
    """The system that a bot bids by, written as on a command line.

    Only the bot's name and its `bidding` count: a file of boards may call its players anything,
    and no option of theirs shall have a file read.
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
    """The systems of four players as one: each hand is bid, and each call read, by its own."""

    def __init__(self, names: Systems) -> None:
        self._names = names
        self._systems: dict[SystemName, System] = {name: system(name) for name in set(names)}

    def choose(self, hand: Hand, auction: Auction, vulnerability: Vulnerability) -> MadeCall:
        return self._at(auction.turn).choose(hand, auction, vulnerability)

    def options(self, hand: Hand, auction: Auction, vulnerability: Vulnerability) -> list[MadeCall]:
        return self._at(auction.turn).options(hand, auction, vulnerability)

    def explain(self, auction: Auction, vulnerability: Vulnerability) -> list[Explanation]:
        read = {name: each.explain(auction, vulnerability) for name, each in self._systems.items()}
        callers = (SEATS[(auction.dealer + place) % 4] for place in range(len(auction.calls)))
        return [read[self._names[caller]][place] for place, caller in enumerate(callers)]

    def _at(self, seat: Seat) -> System:
        return self._systems[self._names[seat]]
