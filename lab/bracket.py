"""The scoring bracket: the same contracts scored in four ways, one beside the other.

Double dummy flatters some contracts: the best lead is always found, and nobody is doubled for it.
A gain that lives in one column alone may be an effect of the scoring.

In the columns with leads, they are chosen by what the leader knows: he sees his hand and what the
auction told, and has the seed that his seat has in a match.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bots.fastplay.bot import FastPlayBot
from bridge_arena.bots.library.bidding_systems import (
    BiddingBot,
    ReadingMany,
    System,
    SystemName,
    system,
)
from bridge_arena.bots.library.many_auctions.boards import imps
from bridge_arena.bots.sdk.client import Bot, start_board
from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.calls import CALLS, Call, Contract, Denomination
from bridge_arena.bridge.cards import Card, Deal
from bridge_arena.bridge.seeds import DealKey
from bridge_arena.lab.bidders import Bidder
from bridge_arena.lab.bidding import NO_CALL, Bid
from bridge_arena.lab.boards import LabBoards
from bridge_arena.lab.experiment import UNKNOWN, Experiment, Match, Part
from bridge_arena.lab.groupings import kind_of_bid
from bridge_arena.lab.play import answering, cards_of
from bridge_arena.lab.scoring import points_of
from bridge_arena.oracle.position import Position
from bridge_arena.oracle.solver import cards_taking
from bridge_arena.protocol.messages import AuctionEnd, BoardStart, CallMade
from bridge_arena.protocol.view import View
from bridge_arena.tournaments.statistics.means import Mean, clustered_mean_of

READER: SystemName = "natural"
"""The system that calls are read by if the bot that made them has none."""

LEVELS = ("part-score", "game", "slam")

KINDS = (*LEVELS, "notrump", "suit", "undoubled", "doubled")
"""Kinds of boards: by the highest contract, its strain, and whether any contract was doubled."""


@dataclass(frozen=True, slots=True)
class Column:
    """A way to score a contract."""

    is_led: bool  # whether the lead is one chosen by what the leader knows; else the best one
    is_doubled: bool  # whether an undoubled contract that goes down is scored doubled


PLAIN = "double_dummy"

COLUMNS: Mapping[str, Column] = {
    PLAIN: Column(is_led=False, is_doubled=False),
    "lead": Column(is_led=True, is_doubled=False),
    "doubler": Column(is_led=False, is_doubled=True),
    "lead_and_doubler": Column(is_led=True, is_doubled=True),
}
"""The columns by their names in the figures."""


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
                seq=1, table="", board=number, contract=str(contract), declarer=contract.declarer
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


@dataclass(frozen=True, slots=True)
class ColumnFigures:
    """What an arm gained in one column."""

    imps_per_board: Mean  # the mean over all boards
    more_than_plain: Mean  # how much more it is than plain double dummy, of the same boards
    # IMPs a board by kinds of boards, `KINDS`; those of each question add up to `imps_per_board`.
    kinds: Mapping[str, Mean]


@dataclass(frozen=True, slots=True)
class Bracket:
    """An arm compared with its opponent, or with another arm, in each column."""

    name: str  # the arm
    against: str  # the opponent or the other arm
    columns: Mapping[str, ColumnFigures]  # the columns by name


def column_points(
    column: Column, boards: LabBoards, bid: Bid, tricks: NDArray[np.uint8], led: NDArray[np.uint8]
) -> NDArray[np.int64]:
    """Return North-South's points in a column, n×2, for tricks double dummy or led."""
    taken = led if column.is_led else tricks
    if not column.is_doubled:
        return points_of(boards, bid, taken)
    down = (taken != UNKNOWN) & (taken < (bid.bid - 1) // 5 + 7)
    risk = np.where(down & (bid.risk == 0), 1, bid.risk)
    return points_of(boards, replace(bid, risk=risk), taken)


def brackets(experiment: Experiment, part: Part, deals: NDArray[np.int64]) -> tuple[Bracket, ...]:
    """Return the bracket of each comparison: the differences first; none without a leader."""
    if experiment.leader is None:
        return ()
    names = [arm.name for arm in experiment.arms]
    bids = [match.bid for match in part.matches]
    gained = [_imps(part.boards, match) for match in part.matches]
    differences: list[Bracket] = []
    for at in range(1, len(names)):
        more = {column: gained[at][column] - gained[0][column] for column in COLUMNS}
        kinds = _kinds(bids[at], bids[0])
        differences.append(_bracket((names[at], names[0]), more, kinds, deals))
    arms = [
        _bracket((names[at], experiment.opponent.name), gained[at], _kinds(bids[at]), deals)
        for at in range(len(names))
    ]
    return (*differences, *arms)


def _imps(boards: LabBoards, match: Match) -> dict[str, NDArray[np.int64]]:
    """Return the arm's IMPs in each column, n."""
    assert match.led is not None
    columns = {}
    for name, column in COLUMNS.items():
        points = column_points(column, boards, match.bid, match.tricks, match.led)
        columns[name] = imps(points[:, 0] - points[:, 1])
    return columns


def _kinds(*bids: Bid) -> dict[str, NDArray[np.bool_]]:
    """Return which boards are of each kind, by all tables at which they were bid."""
    reached = np.concatenate([bid.bid for bid in bids], axis=1).max(axis=1)
    risk = np.concatenate([bid.risk for bid in bids], axis=1).max(axis=1)
    # A board that is passed out everywhere gains nothing, in whatever row.
    highest = np.maximum(reached, 1) - 1
    level = np.minimum(kind_of_bid()[highest], len(LEVELS) - 1)
    is_notrump = highest % 5 == Denomination.NOTRUMP
    levels = [level == place for place in range(len(LEVELS))]
    return dict(zip(KINDS, (*levels, is_notrump, ~is_notrump, risk == 0, risk > 0), strict=True))


def _bracket(
    names: Sequence[str],
    gained: Mapping[str, NDArray[np.int64]],
    kinds: Mapping[str, NDArray[np.bool_]],
    deals: NDArray[np.int64],
) -> Bracket:
    columns = {
        name: ColumnFigures(
            clustered_mean_of(deals, column),
            clustered_mean_of(deals, column - gained[PLAIN]),
            {kind: clustered_mean_of(deals, column * rows) for kind, rows in kinds.items()},
        )
        for name, column in gained.items()
    }
    return Bracket(names[0], names[1], columns)
