"""Recorded seats at a table, with players of this process behind them."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

import pytest

from bridge.calls import Call
from bridge.record import MadeCall
from bridge.seats import SEATS, Seat
from protocol.decision import Ask
from protocol.messages import YourTurn
from protocol.view import View
from protocol.visibility import Viewer
from server.driver import play_board
from server.players import LocalPlayer, Outgoing, Player
from server.recorded import RecordedPlayer
from server.table import Table
from tests.server.tables import EAST, WEST, WEST_PLAYS_FOUR_HEARTS, Lowly, new_table

CALLS = tuple(MadeCall(Call(text)) for text in WEST_PLAYS_FOUR_HEARTS.split())


class Listening(LocalPlayer):
    """Notes the turns that it is shown; a client answers each of them."""

    def __init__(self, seat: Seat, plan: Mapping[int, str] | None = None) -> None:
        super().__init__(Viewer(seat), Thinking(self, plan))
        # Numbers of turns shown, and of those answered.
        self.shown: list[int] = []
        self.answered: list[int] = []

    def tell(self, outgoing: Outgoing) -> None:
        super().tell(outgoing)
        if isinstance(outgoing.message, YourTurn):
            self.shown.append(outgoing.message.seq)


class Thinking(Lowly):
    """Calls by its plan, and notes when it is asked."""

    def __init__(self, player: Listening, plan: Mapping[int, str] | None) -> None:
        super().__init__(plan)
        self._player = player

    def call(self, view: View) -> Call | MadeCall | Ask:
        assert view.turn is not None
        self._player.answered.append(view.turn.seq)
        return super().call(view)


def play(table: Table, listeners: dict[Seat, Listening], *bidders: Seat) -> None:
    """Play a board; all but the bidders are recorded seats."""
    players: dict[Seat, Player] = {
        seat: player if seat in bidders else RecordedPlayer(player, CALLS)
        for seat, player in listeners.items()
    }
    asyncio.run(play_board(table, players))


@pytest.fixture
def listeners() -> dict[Seat, Listening]:
    return {seat: Listening(seat) for seat in SEATS}


def test_the_record_bids_and_the_players_play(listeners: dict[Seat, Listening]) -> None:
    table = new_table()
    play(table, listeners)
    record = table.record(("n", "e", "s", "w"))
    assert record.calls == CALLS
    assert record.is_finished
    assert record.faults == ()
    assert all(player.answered == [] for player in listeners.values())
    # 26 cards of declarer and dummy, 13 of each defender; no turn of the auction.
    shown = [len(listeners[seat].shown) for seat in SEATS]
    assert shown == [13, 0, 13, 26]


def test_from_the_first_other_call_on_the_players_decide(listeners: dict[Seat, Listening]) -> None:
    """East passes where the record has 2D, so West never hears of the transfer."""
    table = new_table()
    play(table, listeners, EAST)
    calls = " ".join(str(made.call) for made in table.calls)
    assert calls == "Pass Pass Pass 1NT Pass Pass Pass"
    assert len(listeners[EAST].answered) == 2
    assert [len(listeners[seat].answered) for seat in SEATS] == [0, 2, 1, 0]
    assert table.record(("n", "e", "s", "w")).contract is not None
    assert table.faults == []


def test_a_player_that_agrees_with_the_record_keeps_it_going(
    listeners: dict[Seat, Listening],
) -> None:
    listeners[WEST] = Listening(WEST, {3: "1NT", 7: "2H"})
    table = new_table()
    play(table, listeners, WEST)
    assert table.record(("n", "e", "s", "w")).calls == CALLS
    assert [len(listeners[seat].answered) for seat in SEATS] == [0, 0, 0, 3]


def test_alerts_and_explanations_are_made_as_recorded() -> None:
    alerted = (*CALLS[:3], MadeCall(CALLS[3].call, alert=True), *CALLS[4:])
    players: dict[Seat, Player] = {seat: RecordedPlayer(Listening(seat), alerted) for seat in SEATS}
    table = new_table()
    asyncio.run(play_board(table, players))
    assert table.record(("n", "e", "s", "w")).calls == alerted
