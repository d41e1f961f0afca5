"""Each kind of turn asks a bot by one method, and is answered by one message."""

from __future__ import annotations

from typing import Any

import pytest

from bridge_arena.bridge.calls import PASS, Call
from bridge_arena.bridge.cards import Card
from bridge_arena.bridge.explanation import Explanation
from bridge_arena.bridge.record import MadeCall
from bridge_arena.bridge.seats import Seat
from bridge_arena.protocol.decision import Ask, LeavingError, NoActionError, decide, thoughts_at
from bridge_arena.protocol.messages import (
    Answer,
    AnswerClaim,
    BoardEvent,
    BoardStart,
    Claim,
    Explain,
    MakeCall,
    NoAction,
    PlayCard,
    Thinking,
)
from bridge_arena.protocol.view import View
from bridge_arena.server.claims import Claims
from tests.server.tables import (
    SOUTH,
    WEST,
    RecordingTable,
    new_table,
    say,
    say_all,
    seen_by,
    table_at_play,
)


class Told:
    """Gives back what it is told to; notes what it is asked."""

    thoughts: tuple[Thinking, ...] = ()

    def __init__(self, **answers: Any) -> None:
        self.answers = answers
        self.asked: list[str] = []

    def _answer(self, method: str) -> Any:
        self.asked.append(method)
        return self.answers.get(method)

    def call(self, view: View) -> Any:
        return self._answer("call") if view else None

    def play(self, view: View) -> Any:
        return self._answer("play") if view else None

    def claim(self, view: View) -> Any:
        return self._answer("claim") if view else None

    def answer_claim(self, view: View) -> Any:
        return self._answer("answer_claim") if view else None


def decided(table: RecordingTable, seat: Seat, thinker: Told) -> Answer:
    """Return what a thinker does about a seat's open turn."""
    start, *rest = seen_by(seat, table.events)
    assert isinstance(start, BoardStart)
    view = View(seat, start)
    for message in rest:
        if isinstance(message, BoardEvent):
            view.apply(message)
    turn = table.turn_of(seat)
    assert turn is not None
    assert view.turn == turn
    return decide(thinker, view, turn)


def in_auction() -> RecordingTable:
    table = new_table()
    table.start(0.0)
    say_all(table, "Pass Pass Pass")
    return table


def in_play(claims: Claims = Claims.PLAYERS) -> RecordingTable:
    table = table_at_play(claims=claims)
    say_all(table, "DK DT D2")
    return table


def claimed() -> RecordingTable:
    table = in_play()
    say(table, "claim=9")
    return table


def test_a_call_becomes_an_answer_to_its_turn() -> None:
    meant = MadeCall(Call("1NT"), alert=True, explanation=Explanation("strong"))
    thinker = Told(call=meant)
    stamp: dict[str, Any] = {"table": "A1", "board": 1, "seq": 5}
    assert decided(in_auction(), WEST, thinker) == MakeCall(
        **stamp, call=Call("1NT"), alert=True, explanation=meant.explanation
    )
    assert decided(in_auction(), WEST, Told(call=Call("X"))) == MakeCall(**stamp, call=Call("X"))
    assert decided(in_auction(), WEST, Told(call=Ask(2))) == Explain(**stamp, call=2)
    assert thinker.asked == ["call"]


def test_a_card_is_played_by_who_does_not_claim() -> None:
    thinker = Told(play=Card("DA"))
    answer = decided(in_play(), WEST, thinker)
    assert isinstance(answer, PlayCard)
    assert answer.card == Card("DA")
    assert thinker.asked == ["claim", "play"]
    assert isinstance(decided(in_play(), WEST, Told(play=Ask(0))), Explain)


@pytest.mark.parametrize("tricks", [0, 9, 13])
def test_a_claim_becomes_an_answer_to_its_turn(tricks: int) -> None:
    thinker = Told(claim=tricks)
    answer = decided(in_play(), WEST, thinker)
    assert isinstance(answer, Claim)
    assert answer.tricks == tricks
    assert thinker.asked == ["claim"]


def test_where_there_are_no_claims_nobody_is_asked_for_one() -> None:
    thinker = Told(claim=9, play=Card("DA"))
    assert isinstance(decided(in_play(Claims.OFF), WEST, thinker), PlayCard)
    assert thinker.asked == ["play"]


@pytest.mark.parametrize("accept", [True, False])
def test_a_defender_answers_a_claim(accept: bool) -> None:  # noqa: FBT001
    thinker = Told(answer_claim=accept)
    answer = decided(claimed(), SOUTH, thinker)
    assert isinstance(answer, AnswerClaim)
    assert answer.accept is accept
    assert thinker.asked == ["answer_claim"]


@pytest.mark.parametrize(
    ("table", "seat", "answers", "complaint"),
    [
        (in_auction, WEST, {"call": "1NT"}, "Told.call returned '1NT', expected a Call or"),
        (in_auction, WEST, {}, "Told.call returned None"),
        (in_play, WEST, {"play": 5}, "Told.play returned 5, expected a Card or Ask"),
        (in_play, WEST, {"claim": 14}, "Told.claim returned 14, expected 0 to 13 tricks or None"),
        (in_play, WEST, {"claim": -1}, "Told.claim returned -1"),
        (in_play, WEST, {"claim": True}, "Told.claim returned True"),
        (
            claimed,
            SOUTH,
            {"answer_claim": None},
            "Told.answer_claim returned None, exp",
        ),
    ],
)
def test_what_cannot_be_sent_is_named(
    table: Any, seat: Seat, answers: dict[str, Any], complaint: str
) -> None:
    with pytest.raises(TypeError, match=complaint):
        decided(table(), seat, Told(**answers))


def test_thoughts_name_the_turn_they_are_about() -> None:
    class Thinks(Told):
        def call(self, view: View) -> Any:
            self.thoughts = tuple(Thinking(text=str(number)) for number in range(6))
            return super().call(view)

    table, thinker = in_auction(), Thinks(call=PASS)
    thinker.thoughts = (Thinking(text="of a turn before"),)
    decided(table, WEST, thinker)
    turn = table.turn_of(WEST)
    assert turn is not None
    thoughts = thoughts_at(thinker, turn)
    assert [thought.text for thought in thoughts] == ["2", "3", "4", "5"], "the last"
    assert {(thought.table, thought.board, thought.seq) for thought in thoughts} == {
        (turn.table, turn.board, turn.seq)
    }


def test_thoughts_of_an_earlier_turn_are_forgotten() -> None:
    thinker = Told(call=PASS)
    thinker.thoughts = (Thinking(text="of a turn before"),)
    decided(in_auction(), WEST, thinker)
    assert not thinker.thoughts


class Raising(Told):
    """Raises in place of an action."""

    def __init__(self, error: Exception) -> None:
        super().__init__()
        self._error = error

    def call(self, view: View) -> Any:
        del view
        raise self._error


def test_who_has_no_action_says_so_in_one_line() -> None:
    answer = decided(in_auction(), WEST, Raising(NoActionError("line\n\x1b[31m" + "x" * 999)))
    assert isinstance(answer, NoAction)
    assert answer.reason.startswith("line  [31mxxx")
    assert len(answer.reason) == 500
    assert not answer.timeout


def test_who_has_no_action_in_time_says_so() -> None:
    late = NoActionError("nobody answers", timeout=True)
    answer = decided(in_auction(), WEST, Raising(late))
    assert isinstance(answer, NoAction)
    assert (answer.reason, answer.timeout) == ("nobody answers", True)


def test_who_leaves_decides_nothing() -> None:
    with pytest.raises(LeavingError, match="tea"):
        decided(in_auction(), WEST, Raising(LeavingError("tea")))
