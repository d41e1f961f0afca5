"""Opening leads chosen by what the leader knows, and the double-dummy tricks after them.

The net of `fastplay` chooses the lead. It sees the leader's hand and what the auction told.
"""

from __future__ import annotations

from collections.abc import Sequence
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
from bridge_arena.bots.sdk.client import Bot
from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.calls import CALLS, Call, Contract
from bridge_arena.bridge.cards import Card, Deal
from bridge_arena.lab.bidding import NO_CALL
from bridge_arena.lab.boards import LabBoards
from bridge_arena.lab.experiment import UNKNOWN, Experiment, Match
from bridge_arena.oracle.position import Position
from bridge_arena.oracle.solver import cards_taking
from bridge_arena.protocol.messages import AuctionEnd, BoardStart, CallMade
from bridge_arena.protocol.view import View

READER: SystemName = "natural"
"""The system that calls are read by if the bot that made them has none."""


@dataclass(frozen=True, slots=True)
class ToLead:
    """A table whose auction is over.

    Attributes:
        board: The board.
        calls: The auction, which ends in a contract.
        leading: The system of the leader's side.
        declaring: The system of declarer's side, which explains its calls to the leader.
    """

    board: Board
    calls: Sequence[Call]
    leading: System
    declaring: System

    @property
    def auction(self) -> Auction:
        """The auction."""
        return Auction(self.board.dealer, self.calls)

    @property
    def contract(self) -> Contract:
        """The contract."""
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
                seed=0,
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


def leads(tables: Sequence[ToLead]) -> list[Card]:
    """Return the opening lead at each of some tables, in their order."""
    systems = {id(each): each for at in tables for each in (at.leading, at.declaring)}
    for reading in systems.values():
        if isinstance(reading, ReadingMany):
            heard = [each for each in tables if reading in (each.leading, each.declaring)]
            reading.read_many([(each.auction, each.board.vulnerability) for each in heard])
    bots: dict[int, FastPlayBot] = {}
    rows: dict[int, list[int]] = {}
    for row, table in enumerate(tables):
        which = id(table.leading)
        if which not in bots:
            bots[which] = FastPlayBot()
            bots[which].system = table.leading
        rows.setdefault(which, []).append(row)
    found: dict[int, Card] = {}
    for which, some in rows.items():
        cards = bots[which].play_many([tables[row].view() for row in some])
        assert cards is not None
        found |= zip(some, cards, strict=True)
    return [found[row] for row in range(len(tables))]


def tricks_after(deal: Deal, contract: Contract, lead: Card, before: int) -> int:
    """Return declarer's double-dummy tricks after a lead.

    The solver is asked whether the lead gave a trick away, which most do not. That is quicker than
    to ask for the number.

    Args:
        deal: The deal.
        contract: The contract.
        lead: The lead.
        before: Declarer's double-dummy tricks before the lead.

    Returns:
        The tricks, as many as before the lead or more.
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


def led(experiment: Experiment, boards: LabBoards, matches: Sequence[Match]) -> tuple[Match, ...]:
    """Return matches with declarer's tricks after the opening lead, wherever tricks were counted.

    Args:
        experiment: The experiment.
        boards: Its boards, or some of them.
        matches: The match of each arm on these boards.

    Returns:
        The matches.
    """
    opponent = system_of(experiment.opponent.maker()())
    places: list[tuple[int, int, int]] = []
    tables: list[ToLead] = []
    for arm, match in enumerate(matches):
        teams = system_of(experiment.arms[arm].maker()()), opponent
        for row, room in np.argwhere(match.tricks != UNKNOWN).tolist():
            made = match.bid.calls[row, room]
            declaring = (int(match.bid.declarer[row, room]) + room) % 2
            calls = [CALLS[call] for call in made[made != NO_CALL]]
            places.append((arm, row, room))
            tables.append(ToLead(boards.board(row), calls, teams[1 - declaring], teams[declaring]))
    found = [np.full_like(match.tricks, UNKNOWN) for match in matches]
    known: dict[tuple[int, int, int, Card], int] = {}
    for (arm, row, room), table, card in zip(places, tables, leads(tables), strict=True):
        contract = table.contract
        asked = row, contract.declarer, contract.denomination, card
        if asked not in known:
            before = int(matches[arm].tricks[row, room])
            known[asked] = tricks_after(table.board.deal, contract, card, before)
        found[arm][row, room] = known[asked]
    return tuple(replace(match, led=tricks) for match, tricks in zip(matches, found, strict=True))
