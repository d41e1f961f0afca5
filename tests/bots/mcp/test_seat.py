"""Tests of the turns that wait for an agent's answers."""

from __future__ import annotations

import time
from concurrent.futures import Future, ThreadPoolExecutor

import pytest

from bridge_arena.bots.mcp import seat as seats
from bridge_arena.bots.mcp.seat import (
    AgentBot,
    AgentLeftError,
    AgentSeat,
    ClaimTricks,
    Decision,
    NotYourTurnError,
)
from bridge_arena.bridge.calls import PASS, Call
from bridge_arena.bridge.cards import Card
from bridge_arena.bridge.record import MadeCall
from bridge_arena.protocol.decision import Ask, decide
from bridge_arena.protocol.messages import Claim, Explain, PlayCard
from bridge_arena.protocol.view import View
from tests.bots.mcp.views import Asking, asked, claimed, ended, shown, to_call, to_play
from tests.patience import PATIENCE


def test_a_turn_waits_for_its_answer() -> None:
    seat = AgentSeat()
    assert seat.situation().state == "waiting"
    asking = Asking(seat, asked(to_call()))
    told = shown(seat)
    assert told.state == "your turn"
    assert told.turn is not None
    assert told.turn == seat.turn()
    seat.answer(lambda _: MadeCall(Call("2C")))
    assert asking.decision == MadeCall(Call("2C"))
    assert seat.situation().state == "waiting"
    assert seat.turn() is None


def test_who_waits_already_is_told_at_once() -> None:
    seat = AgentSeat()
    started = time.monotonic()
    with ThreadPoolExecutor() as threads:
        waits = threads.submit(shown, seat)
        asking = Asking(seat, asked(to_call()))
        assert waits.result().state == "your turn"
        seat.answer(lambda _: MadeCall(PASS))
        assert asking.decision == MadeCall(PASS)
        waits = threads.submit(shown, seat)
        seat.close("the match is over")
        assert waits.result().state == "over"
    assert time.monotonic() < started + PATIENCE / 2


def test_nothing_is_answered_out_of_turn() -> None:
    seat = AgentSeat()
    with pytest.raises(NotYourTurnError, match="it is not your turn"):
        seat.answer(lambda _: True)
    seat.close("the match is over")
    with pytest.raises(NotYourTurnError, match="the match is over"):
        seat.answer(lambda _: True)
    assert shown(seat).state == "over"


def test_a_refused_answer_leaves_the_turn_open() -> None:
    seat = AgentSeat()
    asking = Asking(seat, asked(to_call()))
    shown(seat)

    def refuse(_: object) -> MadeCall:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        seat.answer(refuse)
    assert seat.turn() is not None
    seat.answer(lambda _: MadeCall(PASS))
    assert asking.decision == MadeCall(PASS)


@pytest.mark.parametrize(
    ("view", "done"),
    [
        (asked(to_call(), 0.0), MadeCall(PASS)),
        (asked(to_play("S6"), 0.0), Card("S4")),
        (asked(claimed(to_play("S6 SJ", "2H"), 9), 0.0, claim=True), False),
    ],
)
def test_when_time_runs_out_the_agent_is_told_and_the_table_decides(
    view: View, done: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seats, "MARGIN", 0.01)
    seat = AgentSeat()
    assert Asking(seat, view).decision == done
    told = seat.situation()
    assert told.state == "waiting"
    assert told.news == "your time on board 1 ran out, and the table acted for you"
    assert seat.situation().news == ""


def test_an_answer_that_comes_late_is_not_taken_for_the_next_turn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(seats, "MARGIN", 0.0)
    seat = AgentSeat()
    late = Asking(seat, asked(to_call("1NT"), 0.05))
    shown(seat)
    assert late.decision == MadeCall(PASS)
    following = Asking(seat, asked(to_call("1NT")))
    said = ""
    end = time.monotonic() + PATIENCE
    while "look at it first" not in said and time.monotonic() < end:
        with pytest.raises(NotYourTurnError) as refused:
            seat.answer(lambda _: MadeCall(Call("7NT")))
        said = str(refused.value)
    assert said == "the turn is another one by now: look at it first"
    assert seat.situation().news.startswith("your time on board 1 ran out")
    seat.answer(lambda _: MadeCall(Call("X")))
    assert following.decision == MadeCall(Call("X"))


def test_turns_at_several_tables_come_one_after_another() -> None:
    seat = AgentSeat()
    first = Asking(seat, asked(to_call("1NT")))
    assert shown(seat).state == "your turn"
    second = Asking(seat, asked(to_play("S6")))
    seat.answer(lambda _: MadeCall(PASS))
    assert first.decision == MadeCall(PASS)
    told = shown(seat)
    assert told.turn is not None
    assert told.turn.action == "play"
    seat.answer(lambda _: Card("SJ"))
    assert second.decision == Card("SJ")


def test_an_agent_that_leaves_ends_the_bots_that_wait_for_it() -> None:
    seat = AgentSeat()
    asking = [Asking(seat, asked(to_call("1NT"))), Asking(seat, asked(to_play("S6")))]
    seat.leave()
    asking.append(Asking(seat, asked(to_call())))
    for each in asking:
        with pytest.raises(AgentLeftError):
            _ = each.decision


def test_results_are_kept_and_the_last_is_told() -> None:
    seat = AgentSeat()
    bot = AgentBot(seat)
    bot.board_ended(ended(to_play("S6"), 9, -140))
    told = seat.situation()
    assert told.last_result is not None
    assert told.last_result.score == 140
    results, ending = seat.results()
    assert [each.score for each in results] == [140]
    assert ending == ""


@pytest.mark.parametrize(
    ("decision", "kind"), [(ClaimTricks(9), Claim), (Card("SJ"), PlayCard), (Ask(1), Explain)]
)
@pytest.mark.parametrize("may_claim", [False, True])
def test_the_bot_asks_once_whether_or_not_it_may_claim(
    decision: Decision,
    kind: type,
    may_claim: bool,  # noqa: FBT001
) -> None:
    if kind is Claim and not may_claim:
        return

    class Decided(AgentSeat):
        asked = 0

        def ask(self, view: View) -> Decision:
            del view
            self.asked += 1
            return decision

    seat = Decided()
    view = asked(to_play("S6"), may_claim=may_claim)
    assert view.turn is not None
    assert type(decide(AgentBot(seat), view, view.turn)) is kind
    assert seat.asked == 1


def test_a_claim_that_was_not_accepted_is_told() -> None:
    seat = AgentSeat()
    bot = AgentBot(seat)
    view = asked(to_play("S6"), may_claim=True)

    def claim(tricks: int) -> Future[int | None]:
        with ThreadPoolExecutor(1) as pool:
            claiming = pool.submit(bot.claim, view)
            news.append(shown(seat).news)
            seat.answer(lambda _: ClaimTricks(tricks))
            return claiming

    news: list[str] = []
    assert claim(9).result() == 9
    assert claim(8).result() == 8
    assert news == ["", "your claim was not accepted: play goes on"]


def test_a_claim_on_another_board_of_the_same_number_is_not_told() -> None:
    """As where an event plays the same boards in each match."""
    seat = AgentSeat()
    bot = AgentBot(seat)
    view = asked(to_play("S6"), may_claim=True)
    news: list[str] = []
    for _ in "12":
        bot.board_started(view)
        with ThreadPoolExecutor(1) as pool:
            claiming = pool.submit(bot.claim, view)
            news.append(shown(seat).news)
            seat.answer(lambda _: ClaimTricks(9))
        assert claiming.result() == 9
    assert news == ["", ""]
