"""A call and everything that its cost depends on: one line of text, which is also its name.

Among this are the bidding systems at the table, which are one system here: each hand is bid, and
each call is read, by its own.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import bridge_arena
from bridge_arena.bots.library.bidding_systems import BiddingBot, System, SystemName, system
from bridge_arena.bots.registry import UnknownBotError, parse
from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.calls import Call
from bridge_arena.bridge.cards import Deal, Hand
from bridge_arena.bridge.explanation import Explanation
from bridge_arena.bridge.record import BoardRecord, MadeCall, Mode
from bridge_arena.bridge.seats import SEATS, Seat, Vulnerability
from bridge_arena.recorded.audit import Kind
from bridge_arena.recorded.audit.decisions import Decision

if TYPE_CHECKING:  # it loads numpy
    from bridge_arena.bots.library.many_auctions.auctions import Calls, Turns

LAYOUTS = 64
"""Layouts of the hidden hands for each call: an even number."""

FEW_LAYOUTS = 8
"""The first of them, for an estimate of the cost: an even number."""

Systems = tuple[SystemName, SystemName, SystemName, SystemName]
"""The systems of the players at N, E, S and W."""

STAND_IN: SystemName = "natural"
"""The system of a player who has none of his own, or whose system is not known."""

_TWIN = re.compile(r"-\d+$")
"""What an event appends to the name of an entry that takes part twice."""

_TITLE = re.compile(r"^[^:=]*=")
"""The name of an entry in front of its bot."""


def systems_at(record: BoardRecord, specs: Mapping[str, str] | None = None) -> Systems:
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
        return self._at(auction.turn).call(hand, auction, vulnerability)

    def call_many(self, turns: Turns) -> Calls:
        """Return the calls at many turns of one seat, as `call` does for each."""
        seat = SEATS[(int(turns.dealers[0]) + turns.auctions.turn) % 4]
        many = getattr(self._at(seat), "call_many", None)
        calls: Calls = many(turns) if many else turns.one_by_one(self._at(seat).call)
        return calls

    def choose(self, hand: Hand, auction: Auction, vulnerability: Vulnerability) -> MadeCall:
        return self._at(auction.turn).choose(hand, auction, vulnerability)

    def options(self, hand: Hand, auction: Auction, vulnerability: Vulnerability) -> list[MadeCall]:
        return self._at(auction.turn).options(hand, auction, vulnerability)

    def explain(self, auction: Auction, vulnerability: Vulnerability) -> list[Explanation]:
        """Return what each call told, by the system of its caller."""
        read = {
            name: bidding.explain(auction, vulnerability) for name, bidding in self._systems.items()
        }
        names = (self._names[(auction.dealer + place) % 4] for place in range(len(auction.calls)))
        return [read[name][place] for place, name in enumerate(names)]

    def _at(self, seat: Seat) -> System:
        return self._systems[self._names[seat]]


@dataclass(frozen=True, slots=True)
class Question:
    board: Board
    systems: Systems  # the systems that complete the auction, at N, E, S and W
    calls: tuple[MadeCall, ...]  # the calls up to the one that is asked about
    layouts: int = LAYOUTS  # how many layouts are drawn

    @property
    def decision(self) -> Decision:
        """The call as its maker saw it."""
        place = len(self.calls) - 1
        record = BoardRecord(self.board, ("", "", "", ""), self.calls)
        return Decision(record, place, record.caller(place), Kind.CALL)

    @property
    def situation(self) -> str:
        """Everything that the caller knew; the layouts are drawn from nothing else."""
        decision, board = self.decision, self.board
        hand = board.deal[decision.seat]
        return f"{decision.seat} {hand} {board.vulnerability} {self._calls()[:-1]}"

    def __str__(self) -> str:
        """Return the text of the question.

        It holds what the answer depends on and nothing else: not the board's number, the players,
        or the later calls. It names the release, as another one may bid differently.
        """
        return json.dumps(
            {
                "version": bridge_arena.__version__,
                "deal": str(self.board.deal),
                "dealer": str(self.board.dealer),
                "vulnerable": str(self.board.vulnerability),
                "systems": self.systems,
                "layouts": self.layouts,
                "calls": self._calls(),
            }
        )

    @classmethod
    def parse(cls, text: str) -> Question:
        """Return the question that `str` has written."""
        facts: dict[str, Any] = json.loads(text)
        vulnerability = Vulnerability.parse(facts["vulnerable"])
        board = Board(1, Seat.parse(facts["dealer"]), vulnerability, Deal.parse(facts["deal"]))
        calls = tuple(
            MadeCall(
                Call(call), explanation=None if promises is None else Explanation.parse(promises)
            )
            for call, promises in facts["calls"]
        )
        return cls(board, tuple(facts["systems"]), calls, facts["layouts"])

    def _calls(self) -> list[tuple[str, str | None]]:
        return [(str(made.call), _promises(made.explanation)) for made in self.calls]


def call_units(record: BoardRecord, specs: Mapping[str, str] | None = None) -> list[str]:
    """Return a question for each call of a table; none if the players were given their calls."""
    if record.mode is Mode.PLAY:
        return []
    systems = systems_at(record, specs)
    return [
        str(Question(record.board, systems, record.calls[: place + 1]))
        for place in range(len(record.calls))
    ]


def rough(unit: str) -> str:
    """Return the question of a unit on a few of its layouts, whose answer is only an estimate."""
    return str(replace(Question.parse(unit), layouts=FEW_LAYOUTS))


def _promises(explanation: Explanation | None) -> str | None:
    """Return an explanation without its text, from which nothing is drawn."""
    return None if explanation is None else str(replace(explanation, text=""))
