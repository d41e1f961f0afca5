"""Tests of questions about the meaning of an opponent's call."""

from __future__ import annotations

import pytest

from bridge_arena.bridge.calls import Call
from bridge_arena.bridge.explanation import Explanation
from bridge_arena.bridge.record import MadeCall, Question
from bridge_arena.bridge.seats import SEATS
from bridge_arena.protocol.decision import Ask
from bridge_arena.protocol.messages import MOST_QUESTIONS, Error, ExplanationGiven, YourTurn
from bridge_arena.protocol.view import View
from bridge_arena.protocol.visibility import Event, Viewer
from bridge_arena.server.claims import Claims
from bridge_arena.server.driver import play_board
from bridge_arena.server.players import LocalPlayer
from bridge_arena.server.table import Table
from tests.server.tables import (
    EAST,
    NORTH,
    SOUTH,
    WEST,
    Lowly,
    faults,
    in_no_time,
    kinds,
    new_table,
    reply,
    say,
    say_all,
    table_at_play,
    turn_of,
)

STRONG = Explanation("strong", hcp=(16, 37))


def table_after(*calls: str | MadeCall) -> Table:
    table = new_table()
    table.start(0.0)
    for call in calls:
        say(table, call)
    return table


def answer_in(events: list[Event]) -> ExplanationGiven:
    assert kinds(events) == "ExplanationGiven YourTurn"
    given = events[0].happening
    assert isinstance(given, ExplanationGiven)
    return given


def test_a_question_is_answered_with_what_was_said_and_the_turn_goes_on() -> None:
    table = table_after(MadeCall(Call("1C"), alert=True, explanation=STRONG))
    seq = turn_of(table).seq
    events = say(table, "explain=0", 15.0)
    given = answer_in(events)
    assert (given.seat, given.call, given.explanation) == (EAST, 0, STRONG)
    turn = events[-1].happening
    assert isinstance(turn, YourTurn)
    assert (turn.player, turn.seq, turn.seconds) == (EAST, seq + 2, 45.0)
    assert table.deadline == 60.0
    assert kinds(say(table, "Pass", 20.0)) == "CallMade YourTurn"
    assert table.timings[-1].milliseconds == 20_000.0
    assert table.faults == []


def test_a_call_that_was_not_explained_has_no_answer() -> None:
    table = table_after("Pass", MadeCall(Call("1C"), alert=True))
    assert answer_in(say(table, "explain=1")).explanation is None


def test_questions_may_be_asked_in_the_play_and_before_a_claim_is_answered() -> None:
    table = table_at_play(claims=Claims.PLAYERS)
    assert answer_in(say(table, "explain=3")).seat == NORTH
    say_all(table, "DK DT D2")
    assert answer_in(say(table, "explain=0")).seat == WEST
    say(table, "claim=9")
    given = reply(table, SOUTH, "explain=5")
    assert answer_in(given).seat == SOUTH
    turn = given[-1].happening
    assert isinstance(turn, YourTurn)
    assert turn.claim
    reply(table, SOUTH, "accept")
    assert kinds(reply(table, NORTH, "accept")) == "ClaimSettled BoardEnd"


@pytest.mark.parametrize(
    ("number", "reason"),
    [
        (0, "call 0 was not made by an opponent (Law 20F)"),
        (2, "call 2 cannot be explained: 2 calls were made"),
        (2**53 - 1, "call 9007199254740991 cannot be explained: 2 calls were made"),
    ],
)
def test_calls_of_the_own_side_cannot_be_asked_about(number: int, reason: str) -> None:
    table = table_after("Pass", "Pass")
    events = say(table, f"explain={number}", 5.0)
    assert kinds(events) == "Error YourTurn"
    error = events[0].happening
    assert isinstance(error, Error)
    assert error.text == reason
    assert faults(table) == ["S illegal 2"]


def test_a_bot_cannot_ask_for_ever() -> None:
    table = table_after("1C")
    for _ in range(MOST_QUESTIONS):
        answer_in(say(table, "explain=0"))
    assert kinds(say(table, "explain=0")) == "Error YourTurn"
    assert kinds(say(table, "explain=0")) == "Error Error CallMade YourTurn"
    assert faults(table) == ["E illegal 1", "E illegal 1"]
    say(table, "Pass")
    answer_in(say(table, "explain=0"))  # West has its own


def test_an_answer_given_elsewhere_is_noted_at_its_call() -> None:
    table = table_after("1C")
    say(table, "explain=0")
    say_all(table, "Pass Pass")
    say(table, "explain=0")
    table.note_questions([Question(WEST, 0, 1), Question(WEST, 2, 3)])
    asked = [(each.seat, each.call, each.action) for each in table.questions]
    assert asked == [(EAST, 0, 1), (WEST, 0, 1), (WEST, 0, 3), (WEST, 2, 3)]


class Curious(Lowly):
    """Asks, at each turn, about each opponent's call that it knows nothing of."""

    def __init__(self) -> None:
        super().__init__({0: "1C"})
        self.told: dict[int, Explanation | None] = {}
        self.turns: list[int] = []

    def call(self, view: View) -> Call | MadeCall | Ask:
        assert view.turn is not None
        self.turns.append(view.turn.seq)
        for number in range(len(view.calls)):
            caller = SEATS[(view.dealer + number) % 4]
            if caller.side != view.seat.side and number not in view.explained:
                return Ask(number)
        self.told = dict(view.explained)
        call = super().call(view)
        return MadeCall(Call("1C"), explanation=STRONG) if call == Call("1C") else call


def test_a_bot_that_asks_is_asked_again_with_the_answer_in_its_view() -> None:
    bots = {seat: Curious() for seat in SEATS}
    table = new_table()
    players = {seat: LocalPlayer(Viewer(seat), bots[seat]) for seat in SEATS}
    in_no_time(play_board(table, players))
    assert table.score is not None
    assert table.faults == []
    assert bots[NORTH].told == {}
    assert bots[EAST].told == {0: STRONG}
    assert bots[SOUTH].told == {1: None}
    assert bots[WEST].told == {0: STRONG, 2: None}
    assert len(bots[WEST].turns) == 3
    assert len(set(bots[WEST].turns)) == 3
