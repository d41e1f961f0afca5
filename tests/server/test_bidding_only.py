"""A table at which no card is played: its contract is awarded its tricks."""

from __future__ import annotations

import asyncio

import pytest

from bridge_arena.bridge.calls import Contract
from bridge_arena.bridge.record import FaultKind
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.protocol.messages import AuctionEnd, BoardEnd
from bridge_arena.protocol.outgoing import Outgoing
from bridge_arena.protocol.visibility import Viewer
from bridge_arena.server.clock import TimeControl
from bridge_arena.server.driver import award, play_board
from bridge_arena.server.players import LocalPlayer
from bridge_arena.server.table import Table
from tests.server.tables import (
    SEEDS,
    WEST,
    WEST_PLAYS_FOUR_HEARTS,
    Lowly,
    happenings,
    kinds,
    new_table,
    say_all,
)

NAMES = ("n", "e", "s", "w")


@pytest.fixture
def table() -> Table:
    table = Table("A1", new_table().board, SEEDS, TimeControl(60), bidding_only=True)
    table.start(0.0)
    return table


def test_the_board_waits_for_its_tricks_after_the_auction(table: Table) -> None:
    events = say_all(table, WEST_PLAYS_FOUR_HEARTS)
    assert isinstance(events[-1].happening, AuctionEnd)
    assert table.turn is None
    assert table.unplayed == Contract.parse("4H", WEST)
    assert not table.record(NAMES).is_finished


def test_the_score_of_a_bidding_board_is_that_of_the_tricks(table: Table) -> None:
    say_all(table, WEST_PLAYS_FOUR_HEARTS)
    (end,) = happenings(table.award(11))
    assert isinstance(end, BoardEnd)
    assert (end.tricks, end.score) == (11, -450)
    record = table.record(NAMES)
    assert (record.tricks, record.score, record.cards) == (11, -450, ())
    assert table.unplayed is None
    with pytest.raises(ValueError, match="no contract waits for its tricks"):
        table.award(11)


def test_a_board_passed_out_needs_no_tricks(table: Table) -> None:
    events = say_all(table, "Pass Pass Pass Pass")
    assert kinds(events[-2:]) == "AuctionEnd BoardEnd"
    assert (table.unplayed, table.score, table.tricks) == (None, 0, None)


def test_a_board_given_up_needs_no_tricks(table: Table) -> None:
    say_all(table, "Pass Pass Pass 1NT")
    table.forfeit(Seat.NORTH, FaultKind.CRASH, "")
    assert table.unplayed is None
    assert table.record(NAMES).contract is None


def test_a_table_that_plays_awards_nothing() -> None:
    table = new_table()
    table.start(0.0)
    say_all(table, WEST_PLAYS_FOUR_HEARTS)
    assert table.unplayed is None
    with pytest.raises(ValueError, match="no contract waits for its tricks"):
        table.award(11)


def test_all_players_are_told_the_result(table: Table) -> None:
    table = Table("A1", table.board, SEEDS, TimeControl(60), bidding_only=True)
    plan = dict(enumerate(WEST_PLAYS_FOUR_HEARTS.split()))
    told: list[tuple[int | None, int | None]] = []

    class Told(LocalPlayer):
        def tell(self, outgoing: Outgoing) -> None:
            super().tell(outgoing)
            if isinstance(outgoing.message, BoardEnd):
                told.append((outgoing.message.tricks, outgoing.message.score))

    async def play() -> None:
        players = {seat: Told(Viewer(seat), Lowly(plan)) for seat in SEATS}
        await play_board(table, players)
        assert told == []
        award(table, list(players.values()), 9)

    asyncio.run(play())
    assert told == [(9, 50)] * 4
