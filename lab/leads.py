"""Opening leads chosen by what the leader knows, and the double-dummy tricks after them.

The leader sees his hand and what the auction told, and has the seed that his seat has in a match.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from bridge_arena.bots.fastplay.bot import FastPlayBot
from bridge_arena.bots.library.bidding_systems import (
    BiddingBot,
    ReadingMany,
    System,
    SystemName,
    system,
)
from bridge_arena.bots.sdk.client import Bot, start_board
from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.calls import CALLS, Call, Contract
from bridge_arena.bridge.cards import Card, Deal
from bridge_arena.bridge.seeds import DealKey
from bridge_arena.lab.bidders import Bidder
from bridge_arena.lab.bidding import NO_CALL
from bridge_arena.lab.boards import LabBoards
from bridge_arena.lab.experiment import UNKNOWN, Experiment, Match
from bridge_arena.lab.play import answering, cards_of
from bridge_arena.oracle.position import Position
from bridge_arena.oracle.solver import cards_taking
from bridge_arena.protocol.messages import AuctionEnd, BoardStart, CallMade
from bridge_arena.protocol.view import View

READER: SystemName = "natural"
"""The system that calls are read by if the bot that made them has none."""


@dataclass(frozen=True, slots=True)
class ToLead:
    """A table whose auction is over."""

    board: Board
    calls: Sequence[Call]  # the auction, which ends in a contract
    leading: System  # the system of the leader's side
    declaring: System  # the system of declarer's side, which explains its calls to the leader
    key: DealKey  # the key that the seed of the leader's own choices comes from

    @property
    def auction(self) -> Auction:
        return Auction(self.board.dealer, self.calls)

    @property
    def contract(self) -> Contract:
        contract = self.auction.contract
        assert contract is not None
        return contract

    def view(self) -> View:
        """Return what the leader sees."""
        board, contract = self.board, self.contract
        said = self.declaring.explain(self.auction, board.vulnerability)
        leader = contract.declarer.next
        number = board.number
        view = View(
            leader,
            BoardStart(
                seq=1,
                table="",
                board=number,
                dealer=board.dealer,
                vulnerability=board.vulnerability,
                hand=board.deal[leader],
                seed=self.key.seat_seed(number, leader),
            ),
        )
        seat = board.dealer
        for call, meaning in zip(self.calls, said, strict=True):
            heard = meaning if seat.side is contract.declarer.side else None
            view.apply(
                CallMade(seq=1, table="", board=number, seat=seat, call=call, explanation=heard)
            )
            seat = seat.next
        view.apply(
            AuctionEnd(
                seq=1,
                table="",
                board=number,
                contract=str(contract),
                declarer=contract.declarer,
            )
        )
        return view


def leads(tables: Sequence[ToLead], make: Callable[[], Bot] = FastPlayBot) -> list[Card]:
    """Return the opening lead of a bot at each of some tables. Raises TypeError."""
    systems = {id(reading): reading for at in tables for reading in (at.leading, at.declaring)}
    for reading in systems.values():
        if isinstance(reading, ReadingMany):
            heard = [table for table in tables if reading in (table.leading, table.declaring)]
            reading.read_many([(table.auction, table.board.vulnerability) for table in heard])
    cards: dict[int, Card] = {}
    for which, leading in systems.items():
        rows = [row for row, table in enumerate(tables) if id(table.leading) == which]
        bot = make()
        if isinstance(bot, BiddingBot):
            bot.system = leading
        views = [tables[row].view() for row in rows]
        if (many := answering(bot)) is not None:
            cards |= zip(rows, cards_of(many, views), strict=True)
        else:
            cards |= {row: _lead(bot, view) for row, view in zip(rows, views, strict=True)}
    return [cards[row] for row in range(len(tables))]


def _lead(bot: Bot, view: View) -> Card:
    start_board(bot, view)
    card = bot.play(view)
    if not isinstance(card, Card):
        raise TypeError(f"{type(bot).__name__}.play returned {card!r}, expected a card")
    return card


def tricks_after(deal: Deal, contract: Contract, lead: Card, before: int) -> int:
    """Return declarer's double-dummy tricks after a lead.

    The solver is asked whether the lead gave a trick away, which most do not. That is quicker than
    to ask for the number.
    """
    leader = contract.declarer.next
    hands = list(deal.hands)
    hands[leader] = hands[leader].without(lead)
    north, east, south, west = hands
    trump = contract.denomination.trump
    position = Position((north, east, south, west), trump, leader, (lead,))
    tricks = before
    while cards_taking(position, tricks + 1):
        tricks += 1
    return tricks


def system_of(bot: Bot) -> System:
    """Return the system that a bot's calls are read by: its own if it has one."""
    return bot.system if isinstance(bot, BiddingBot) else system(READER)


def _read_by(bidder: Bidder) -> System:
    """Return the system that a bidder's calls are read by."""
    return system(READER) if bidder.is_apart else system_of(bidder.maker()())


def led(experiment: Experiment, boards: LabBoards, matches: Sequence[Match]) -> tuple[Match, ...]:
    """Return matches with the tricks after the opening lead, wherever tricks were counted."""
    assert experiment.leader is not None
    opponent = _read_by(experiment.opponent)
    places: list[tuple[int, int, int]] = []
    tables: list[ToLead] = []
    for arm, match in enumerate(matches):
        teams = _read_by(experiment.arms[arm]), opponent
        for row, room in np.argwhere(match.tricks != UNKNOWN).tolist():
            made = match.bid.calls[row, room]
            declaring = (int(match.bid.declarer[row, room]) + room) % 2
            calls = [CALLS[call] for call in made[made != NO_CALL]]
            places.append((arm, row, room))
            sides = teams[1 - declaring], teams[declaring]
            tables.append(ToLead(boards.board(row), calls, *sides, experiment.key))
    tricks_led = [np.full_like(match.tricks, UNKNOWN) for match in matches]
    cards = leads(tables, experiment.leader.maker())
    known: dict[tuple[int, int, int, Card], int] = {}
    for (arm, row, room), table, card in zip(places, tables, cards, strict=True):
        contract = table.contract
        led_in = row, contract.declarer, contract.denomination, card
        if led_in not in known:
            before = int(matches[arm].tricks[row, room])
            known[led_in] = tricks_after(table.board.deal, contract, card, before)
        tricks_led[arm][row, room] = known[led_in]
    return tuple(
        replace(match, led=tricks) for match, tricks in zip(matches, tricks_led, strict=True)
    )
