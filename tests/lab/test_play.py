"""Card play on many boards in one process."""

from __future__ import annotations

import asyncio
import pickle
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from math import fsum

import pytest

from bridge_arena.bots.baseline.bot import BaselineBot
from bridge_arena.bots.fastplay.bot import FastPlayBot
from bridge_arena.bots.random.bot import RandomBot
from bridge_arena.bots.registry import UnknownBotError
from bridge_arena.bots.sdk.client import Bot
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.calls import PASS, Contract
from bridge_arena.bridge.cards import Card
from bridge_arena.bridge.record import BoardRecord, FaultKind, MadeCall, Mode, Room
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.lab.play import TABLES, GivenTable, in_both_rooms, play
from bridge_arena.oracle.ledger import Role, charge
from bridge_arena.oracle.solver import play_values
from bridge_arena.protocol.decision import LeavingError
from bridge_arena.protocol.view import View
from bridge_arena.protocol.visibility import Viewer
from bridge_arena.server.driver import play_board
from bridge_arena.tournaments.events.boards import GivenBoard
from bridge_arena.tournaments.play.in_process import (
    InProcessBot,
    NamedBot,
    named_pair,
    record_of,
    table_for,
)
from bridge_arena.tournaments.schedule.units import team_at
from tests.lab.given import KEY, given_boards
from tests.lab.played import figures, played

FASTPLAY = "fastplay:bidding=simple"


class Lowest(Bot):
    """Plays its lowest card, on many boards at once, and notes how many."""

    asked: list[int]

    def play(self, view: View) -> Card:
        return min(view.legal_cards())

    def play_many(self, views: Sequence[View]) -> list[Card]:
        if views:
            self.asked.append(len(views))
        return [min(view.legal_cards()) for view in views]


class Revoker(Lowest):
    """Plays any card that it holds."""

    def play(self, view: View) -> Card:
        return min(view.held(view.playing.turn) or ())


class ManyRevoker(Revoker):
    def play_many(self, views: Sequence[View]) -> list[Card]:
        return [self.play(view) for view in views]


def played_here(first: object, second: object, tables: Sequence[GivenTable]) -> list[BoardRecord]:
    return list(play(named_pair(first, second), tables, KEY))  # type: ignore[arg-type]


async def at_server_tables(
    teams: tuple[NamedBot, NamedBot], tables: Sequence[GivenTable]
) -> list[BoardRecord]:
    """The records of one table at a time, as a driver of the server plays them."""
    records: list[BoardRecord] = []
    players = {
        (team, seat): InProcessBot(Viewer(seat, teams[team].is_cheat), teams[team].make())
        for team in range(2)
        for seat in SEATS
    }
    for room, given in tables:
        table = table_for(room, given.board, KEY, given.auction)
        await play_board(table, {seat: players[team_at(seat.side, room), seat] for seat in SEATS})
        record = record_of(table, room, teams)
        records.append(replace(record, mode=Mode.PLAY, thoughts=()))
    return records


@pytest.mark.parametrize(
    ("first", "second", "boards"),
    [
        (FASTPLAY, FASTPLAY, 3),
        (FASTPLAY, "random", 3),
        ("baseline", "random", 3),
        ("oracle", FASTPLAY, 1),
        (Revoker, FASTPLAY, 2),
        (ManyRevoker, "random", 2),
    ],
)
def test_a_board_ends_as_at_the_server_s_table(first: object, second: object, boards: int) -> None:
    tables = list(in_both_rooms(given_boards(boards)))
    teams = named_pair(first, second)  # type: ignore[arg-type]
    found = list(play(teams, tables, KEY))
    assert found == asyncio.run(at_server_tables(teams, tables))
    assert [(record.room, record.board) for record in found] == [
        (room, given.board) for room, given in tables
    ]
    for record, (_, given) in zip(found, tables, strict=True):
        assert (record.calls, record.mode, len(record.cards)) == (given.auction, Mode.PLAY, 52)
    kinds = {fault.kind for record in found for fault in record.faults}
    assert kinds == ({FaultKind.ILLEGAL} if first in (Revoker, ManyRevoker) else set())


def test_a_bot_that_answers_on_many_boards_is_asked_for_all_tables_together() -> None:
    boards = given_boards(4)
    tables = list(in_both_rooms(boards * (TABLES // 8))) + list(in_both_rooms(boards))
    Lowest.asked = []
    found = played_here(Lowest, "random", tables)
    assert [record.board for record in found] == [given.board for _, given in tables]
    # Each side plays 26 cards of a board: all tables of a wave wait for it at once.
    assert Lowest.asked[:26] == [TABLES] * 26
    assert set(Lowest.asked[26:]) == {8}
    Lowest.asked = []
    assert played_here(Lowest, Lowest, tables[:8])[0].players == ("Lowest", "Lowest-2") * 2
    assert sum(Lowest.asked) == 8 * 52


class Remembering(BaselineBot):
    """Counts its cards of the board that it was told of last; notes them when the board ends."""

    notes: list[tuple[int, Seat, int]]

    def board_started(self, view: View) -> None:
        self.of, self.cards = view, 0

    def play(self, view: View) -> Card:
        assert view is self.of
        self.cards += 1
        return super().play(view)

    def board_ended(self, view: View) -> None:
        assert view is self.of
        self.notes.append((view.number, view.seat, self.cards))


@pytest.mark.parametrize("opponent", [FASTPLAY, "random"])
def test_what_a_bot_remembers_is_of_its_own_board(opponent: str) -> None:
    boards = given_boards(3)
    Remembering.notes = []
    records = played_here(Remembering, opponent, list(in_both_rooms(boards)))
    expected: list[tuple[int, Seat, int]] = []
    for record in records:
        by_seat = dict.fromkeys(SEATS, 0)
        play = replace(record, cards=()).play()
        for card in record.cards:
            by_seat[play.player] += 1
            play.push(card)
        own = SEATS[record.room is Room.CLOSED :: 2]
        expected += [(record.board.number, seat, by_seat[seat]) for seat in own]
    assert sorted(Remembering.notes) == sorted(expected)


class Careful(FastPlayBot):
    """Overrides the play of one card alone."""

    asked = 0

    def play(self, view: View) -> Card:
        Careful.asked += 1
        return super().play(view)


def test_the_parent_of_a_bot_that_plays_otherwise_does_not_answer_for_it() -> None:
    played_here(Careful, Careful, list(in_both_rooms(given_boards(1))))
    assert Careful.asked == 104


class TooFew(Lowest):
    def play_many(self, views: Sequence[View]) -> list[Card]:
        return [min(view.legal_cards()) for view in views[1:]]


class NotCards(Lowest):
    def play_many(self, views: Sequence[View]) -> list[Card]:
        return ["SA"] * len(views)  # type: ignore[list-item]


@pytest.mark.parametrize("bot", [TooFew, NotCards])
def test_an_action_that_is_no_answer_is_named(bot: type[Bot]) -> None:
    tables = list(in_both_rooms(given_boards(1)))
    with pytest.raises(
        TypeError, match=rf"{bot.__name__}\.play_many returned \[.* expected \d card"
    ):
        played_here(bot, "random", tables)


class Leaving(BaselineBot):
    def play(self, view: View) -> Card:
        raise LeavingError(f"enough of board {view.number}")


def test_a_bot_that_leaves_gives_up_the_board() -> None:
    for record in played_here(Leaving, "random", list(in_both_rooms(given_boards(1)))):
        assert (record.score, record.faults[-1].kind) == (None, FaultKind.REFUSED)


class Onlooker(Lowest):
    """Checks that it sees what its seat may see."""

    def play_many(self, views: Sequence[View]) -> list[Card]:
        for view in views:
            play = view.playing
            seen = {seat for seat in SEATS if view.held(seat) is not None}
            assert view.deal is None
            assert seen == ({view.seat, play.dummy} if play.cards else {view.seat})
            assert view.turn is not None
            assert (view.turn.player, view.turn.seat) == (view.seat, play.turn)
        return super().play_many(views)


def test_a_bot_sees_on_many_boards_what_its_seats_may_see() -> None:
    Lowest.asked = []
    played_here(Onlooker, Onlooker, list(in_both_rooms(given_boards(2))))
    assert sum(Lowest.asked) == 4 * 52


def test_rooms_may_have_auctions_of_their_own() -> None:
    board = given_boards(1)[0].board
    contracts = [Contract.parse("3NT", Seat.SOUTH), Contract.parse("4SX", Seat.EAST)]
    tables = [
        (room, GivenBoard.in_contract(board, contract))
        for room, contract in zip(Room, contracts, strict=True)
    ]
    assert [record.contract for record in played_here("baseline", "random", tables)] == contracts


def test_a_board_that_was_passed_out_needs_no_play() -> None:
    board = Board.dealt(1, 1)
    passed = GivenBoard(board, tuple(MadeCall(call) for call in [PASS] * 4))
    tables = list(chain(in_both_rooms([passed]), in_both_rooms(given_boards(1))))
    found = played_here(FASTPLAY, RandomBot, tables)
    assert [record.score for record in found[:2]] == [0, 0]
    assert [len(record.cards) for record in found] == [0, 0, 52, 52]


def test_card_play_can_be_sent_to_another_process_and_back() -> None:
    tables = list(in_both_rooms(given_boards(2)))
    work = pickle.loads(pickle.dumps(partial(played, "baseline", "random", tables, KEY)))
    found = work()
    assert found == played("baseline", "random", tables, KEY)
    assert [each.values for each in pickle.loads(pickle.dumps(found))] == [None] * 4
    with pytest.raises(UnknownBotError, match="did you mean baseline"):
        played("baselin", "random", tables, KEY)


def test_each_bot_has_a_ledger_by_role() -> None:
    number = 3
    tables = played(
        "baseline", "random", list(in_both_rooms(given_boards(number))), KEY, valued=True
    )
    lost = dict.fromkeys([(name, role) for name in ("baseline", "random") for role in Role], 0)
    for table in tables:
        record = table.record
        assert record.contract is not None
        values = play_values(record.board.deal, record.contract, record.cards)
        assert table.values == values
        for loss in charge(record, values).losses:
            assert loss.seat is not None
            # The first bot sits North-South in the open room, East-West in the closed one.
            is_first = (loss.seat.side == 0) == (record.room is Room.OPEN)
            lost["baseline" if is_first else "random", loss.role] += loss.tricks
    baseline, random = figures(tables)
    assert (baseline.name, random.name) == ("baseline", "random")
    for each in (baseline, random):
        assert each.ledger.boards == number
        for role in Role:
            mean = each.ledger.tricks_lost_per_board[role].mean
            assert mean == pytest.approx(lost[each.name, role] / number)
        imps = each.ledger.imps_per_board
        assert imps.auction.mean == 0
        parts = [*imps.own.values(), *imps.opponents.values()]
        assert imps.all.mean == pytest.approx(fsum(part.mean or 0 for part in parts))
        assert imps.all == each.imps_per_board
    assert (random.imps_per_board.mean or 0) < 0 < (baseline.imps_per_board.mean or 0)


def test_without_values_there_is_no_ledger() -> None:
    first, _ = figures(played("baseline", "random", list(in_both_rooms(given_boards(2))), KEY))
    assert (first.imps_per_board.n, first.ledger.boards) == (2, 0)
