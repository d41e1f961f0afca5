"""A table that is given an auction, with players of this process."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

import pytest

from bridge_arena.bridge.calls import Call
from bridge_arena.bridge.record import MadeCall
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.protocol.decision import Ask
from bridge_arena.protocol.messages import YourTurn
from bridge_arena.protocol.outgoing import Outgoing
from bridge_arena.protocol.view import View
from bridge_arena.protocol.visibility import Viewer
from bridge_arena.server.driver import play_board
from bridge_arena.server.players import LocalPlayer
from bridge_arena.server.table import Table
from tests.server.tables import (
    EAST,
    WEST,
    WEST_PLAYS_FOUR_HEARTS,
    Lowly,
    kinds,
    new_table,
    seen_by,
)

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


def play(listeners: dict[Seat, Listening], *bidders: Seat) -> Table:
    """Play a board; all but the bidders are given the calls."""
    table = new_table(given=CALLS, bidders=bidders)
    asyncio.run(play_board(table, listeners))
    return table


@pytest.fixture
def listeners() -> dict[Seat, Listening]:
    return {seat: Listening(seat) for seat in SEATS}


def test_the_record_bids_and_the_players_play(listeners: dict[Seat, Listening]) -> None:
    table = play(listeners)
    record = table.record(("n", "e", "s", "w"))
    assert record.calls == CALLS
    assert record.is_finished
    assert record.faults == ()
    assert all(player.answered == [] for player in listeners.values())
    assert len(table.timings) == 52
    # 26 cards of declarer and dummy, 13 of each defender; no turn of the auction.
    shown = [len(listeners[seat].shown) for seat in SEATS]
    assert shown == [13, 0, 13, 26]


def test_from_the_first_call_that_differs_on_the_players_decide(
    listeners: dict[Seat, Listening],
) -> None:
    """East passes where the record has 2D, so West never hears of the transfer."""
    table = play(listeners, EAST)
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
    table = play(listeners, WEST)
    assert table.record(("n", "e", "s", "w")).calls == CALLS
    assert [len(listeners[seat].answered) for seat in SEATS] == [0, 0, 0, 3]


def test_alerts_and_explanations_are_made_as_recorded() -> None:
    alerted = (*CALLS[:3], MadeCall(CALLS[3].call, alert=True), *CALLS[4:])
    table = new_table(given=alerted)
    events = table.start(0.0)
    assert tuple(table.calls) == alerted
    told = "BoardStart " + "CallMade " * len(CALLS) + "AuctionEnd"
    assert [kinds(seen_by(seat, events)) for seat in SEATS] == [f"{told} YourTurn", *[told] * 3]


def test_an_auction_may_be_given_in_part() -> None:
    table = new_table(given=CALLS[:5])
    table.start(0.0)
    assert tuple(table.calls) == CALLS[:5]
    assert table.turn is not None
    assert table.turn.player == EAST


def test_a_board_may_be_passed_out_by_given_calls() -> None:
    table = new_table(given=[MadeCall(Call("Pass"))] * 4)
    assert kinds(table.start(0.0)).endswith("CallMade AuctionEnd BoardEnd")
    assert (table.turns, table.score, table.timings) == ((), 0, [])
