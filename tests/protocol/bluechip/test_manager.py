"""The manager's end, with a client that does not do as it should."""

from __future__ import annotations

import pickle

import pytest

from bridge_arena.bridge.calls import Call
from bridge_arena.bridge.record import FaultKind, MadeCall, Question
from bridge_arena.bridge.seats import Seat
from bridge_arena.protocol.bluechip.manager import MOST_IDLE, ManagerSession
from bridge_arena.protocol.bluechip.spelling import STANDARD, Quirks
from bridge_arena.protocol.decision import answer_to
from bridge_arena.protocol.errors import ProtocolError
from bridge_arena.protocol.messages import Goodbye
from bridge_arena.protocol.visibility import Event
from tests.protocol.bluechip.wire import TEAMS, lines
from tests.server.tables import (
    EAST,
    NORTH,
    WEST,
    WEST_PLAYS_FOUR_HEARTS,
    new_table,
    play_lowest,
    say,
    say_all,
    seen_by,
    turn_of,
)


class Desk:
    """A session with a client that says what the test says, at a table."""

    def __init__(self, seat: Seat, quirks: Quirks = STANDARD) -> None:
        self.session = ManagerSession(seat, TEAMS, quirks)
        self.name = ("North", "East", "South", "West")[seat]
        self.table = new_table()
        self.hear("ready for teams", "ready to start")
        self.sent()

    def sent(self) -> list[str]:
        return lines(self.session.data_to_send())

    def hear(self, *said: str) -> list[str]:
        """The client says things, after its name; the lines that it is sent for them."""
        for text in said:
            self.session.receive(f"{self.name} {text}")
        return self.sent()

    def tell(self, events: list[Event]) -> list[str]:
        for message in seen_by(self.session.seat, events):
            self.session.tell(message, 0.0)
        return self.sent()

    def start(self) -> list[str]:
        """Begin a board, and have the client take up its cards."""
        told = self.tell(self.table.start(0.0))
        return told + self.hear("ready for deal", "ready for cards")

    def bid(self, calls: str) -> list[str]:
        """An auction in which the client does as it should; all that it is sent."""
        sent: list[str] = []
        for call in calls.split():
            seat = turn_of(self.table).player
            if seat == self.session.seat:
                sent += self.hear("passes" if call == "Pass" else f"bids {call}") + self.judge()
            else:
                sent += self.tell(say(self.table, call)) + self.hear(f"ready for {seat}'s bid")
        return sent

    def judge(self) -> list[str]:
        """The table judges the client's answer."""
        answer = self.session.take()
        assert answer is not None
        turn = turn_of(self.table)
        return self.tell(self.table.act(turn.player, answer_to(turn, answer), 0.0))


# Seating.


def test_a_client_is_seated_under_the_name_that_it_uses() -> None:
    session = ManagerSession(NORTH, TEAMS, called="TEAM a")
    assert session.data_to_send() == b'North ("TEAM a") seated\r\n'


def test_teams_may_be_asked_for_again() -> None:
    desk = Desk(NORTH)
    desk.session.started = False
    assert desk.hear("ready for teams") == ['Teams : N/S : "Team A" E/W : "Team B"']


@pytest.mark.parametrize("said", ["passes", "plays JD", "ready for deal"])
def test_nothing_is_done_before_the_client_is_ready_to_start(said: str) -> None:
    session = ManagerSession(NORTH, TEAMS)
    with pytest.raises(ProtocolError, match="expected 'N ready to start'"):
        session.receive(f"North {said}")
    assert not session.started


def test_who_is_ready_again_is_no_trouble() -> None:
    desk = Desk(NORTH)
    assert desk.start()[0] == "Start of Board"
    assert desk.hear("ready to start", "ready for teams") == []
    assert desk.hear("bids 1C") == []
    assert desk.session.take() == MadeCall(Call("1C"))


# Nothing comes before the client is ready for it.


def test_lines_wait_until_the_client_is_ready_for_them() -> None:
    desk = Desk(WEST)
    assert desk.tell(desk.table.start(0.0)) == ["Start of Board"]
    assert desk.tell(say_all(desk.table, "1C Pass Pass")) == []
    assert desk.hear("ready for deal") == ["Board number 1. Dealer North. Neither vulnerable."]
    assert desk.hear("ready for cards")[0].startswith("West's cards : S J T 8 4.")
    assert desk.hear("ready for North's bid") == ["North bids 1C"]
    assert desk.hear("ready for East's bid") == ["East passes"]
    with pytest.raises(ProtocolError, match="'West passes' came out of turn"):
        desk.hear("passes")
    assert desk.hear("ready for South's bid") == ["South passes"]
    assert desk.hear("passes") == []
    assert desk.session.take() == MadeCall(Call("Pass"))


def test_who_asks_for_the_wrong_thing_is_told_so() -> None:
    desk = Desk(WEST)
    desk.tell(desk.table.start(0.0))
    with pytest.raises(ProtocolError, match="'West ready for cards' came where 'Board number"):
        desk.hear("ready for cards")


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("East passes", "'East passes' is said by W"),
        ("East ready for North's bid", "is said by W"),
        ("North plays JD", "'North plays JD' is said by W"),
        ("West thinks", "'West thinks' is not understood"),
        ("Start of Board", "not understood"),
    ],
)
def test_lines_that_a_client_may_not_say_are_refused(line: str, complaint: str) -> None:
    desk = Desk(WEST)
    desk.start()
    with pytest.raises(ProtocolError, match=complaint):
        desk.session.receive(line)


def test_a_client_that_only_talks_is_stopped() -> None:
    desk = Desk(WEST)
    desk.start()
    for _ in range(MOST_IDLE):
        desk.session.receive("West ready for North's bid")
    with pytest.raises(ProtocolError, match="33 lines came while nothing was sent"):
        desk.session.receive("West ready for North's bid")


# Questions.


def test_questions_about_opponents_calls_are_noted_at_any_time() -> None:
    desk = Desk(WEST)
    desk.start()
    desk.bid("Pass 1C Pass")
    for said in ("North's pass", "South's pass", "East's 1C", "North's 1C"):
        desk.session.receive(f"Explain {said}")
    desk.bid("Pass Pass")
    desk.session.receive("Explain North's pass")
    desk.tell(say_all(desk.table, "SQ"))
    desk.session.receive("Explain North's pass")
    noted = [(0, 3), (2, 3), (4, 5), (4, 6)]
    assert desk.session.questions == tuple(Question(WEST, *each) for each in noted)


def test_questions_of_another_board_are_not_this_boards() -> None:
    desk = Desk(WEST)
    desk.start()
    desk.bid("Pass")
    desk.session.receive("Explain North's pass")
    desk.tell(new_table(number=2).start(0.0))
    assert desk.session.questions == ()


def test_a_question_that_is_repeated_is_noted_once() -> None:
    desk = Desk(WEST)
    desk.start()
    desk.bid("Pass")
    for _ in range(MOST_IDLE - 1):
        desk.session.receive("Explain North's pass")
    assert desk.sent() == ["No explanation"] * (MOST_IDLE - 1)
    assert desk.session.questions == (Question(WEST, 0, 1),)


# Errors.


def test_an_illegal_call_is_told_and_another_taken() -> None:
    desk = Desk(NORTH)
    desk.start()
    desk.hear("doubles")
    # The client goes on as if all were well, until it hears otherwise.
    desk.hear("ready for East's bid")
    assert desk.judge() == ["Illegal bid"]
    desk.hear("bids 1C")
    assert desk.judge() == []
    assert desk.tell(say(desk.table, "Pass")) == []
    assert desk.hear("ready for East's bid") == ["East passes"]


def test_an_illegal_card_is_told_and_another_taken() -> None:
    desk = Desk(NORTH)
    desk.start()
    assert desk.bid(WEST_PLAYS_FOUR_HEARTS)[-1] == "North to lead"
    desk.hear("plays AS")
    assert desk.judge() == ["Illegal card"]
    desk.hear("plays 2S")
    assert desk.judge() == []
    assert desk.hear("ready for dummy") == ["Dummy's cards : S A K 3. H T 9 8 5 4. D T. C K 8 3 2."]


def test_a_quirk_keeps_errors_from_the_client() -> None:
    desk = Desk(NORTH, Quirks(illegal=False))
    desk.start()
    desk.hear("doubles")
    assert desk.judge() == []


def test_a_malformed_line_is_told() -> None:
    desk = Desk(NORTH)
    desk.start()
    told = desk.tell(
        desk.table.malformed(turn_of(desk.table).player, "'North thinks' is not understood", 0.0)
    )
    assert told == ["Error: 'North thinks' is not understood"]
    desk.hear("bids 1C")
    assert desk.judge() == []
    assert [str(made.call) for made in desk.table.calls] == ["1C"]


def test_an_answer_that_comes_with_a_malformed_line_is_still_the_answer() -> None:
    desk = Desk(NORTH)
    desk.start()
    desk.hear("bids 1C")
    desk.tell(desk.table.malformed(turn_of(desk.table).player, "rubbish", 0.0))
    desk.judge()
    assert not desk.session.out_of_step
    desk.tell(say(desk.table, "Pass"))
    assert desk.hear("ready for East's bid") == ["East passes"]


# Substitutes, of which the protocol cannot tell.


def late(quirks: Quirks = STANDARD) -> Desk:
    """North has not called in time: Pass was taken for its call, and East bid 1C."""
    desk = Desk(NORTH, quirks)
    desk.start()
    assert desk.tell(desk.table.time_out(turn_of(desk.table).player, 60.0)) == []
    assert desk.tell(say(desk.table, "1C")) == []
    return desk


def test_a_client_that_says_the_same_late_is_in_step() -> None:
    desk = late()
    assert desk.hear("passes") == []
    assert desk.hear("ready for East's bid") == ["East bids 1C"]
    assert not desk.session.out_of_step
    assert desk.session.take() is None


def test_a_client_that_says_something_else_late_is_out_of_step() -> None:
    desk = late()
    desk.hear("bids 1NT", "ready for East's bid")
    assert desk.session.out_of_step == (
        "the client is out of step: it said 1NT where Pass was taken for its answer"
    )
    assert desk.session.take() is None
    # It is told nothing more of this board, whatever it says,
    assert desk.tell(say_all(desk.table, "Pass Pass")) == []
    assert desk.hear("passes", "ready for East's bid") == []
    assert desk.session.take() is None


def test_a_client_is_in_step_again_from_the_next_board() -> None:
    desk = late()
    desk.hear("bids 1NT")
    desk.tell(desk.table.forfeit(WEST, FaultKind.CRASH, "gone"))
    desk.table = new_table(number=5)
    assert desk.tell(desk.table.start(0.0)) == ["Start of Board"]
    # What it says before it has heard that means nothing.
    assert desk.hear("ready for East's bid", "bids 7NT", "ready for cards") == []
    assert desk.hear("ready for deal") == ["Board number 5. Dealer North. N/S vulnerable."]
    desk.hear("ready for cards")
    desk.hear("bids 1C")
    assert desk.session.take() == MadeCall(Call("1C"))
    assert not desk.session.out_of_step


def test_silence_for_two_turns_is_the_end_of_a_board() -> None:
    desk = late()
    desk.tell(say_all(desk.table, "Pass Pass"))
    assert not desk.session.out_of_step
    desk.tell(desk.table.time_out(turn_of(desk.table).player, 120.0))
    assert "Pass was taken for its answer" in desk.session.out_of_step


def test_who_thinks_that_it_has_answered_is_out_of_step_at_once() -> None:
    desk = Desk(NORTH)
    desk.start()
    for _ in range(2):
        desk.hear("doubles", "ready for East's bid")
        desk.judge()
    assert "Pass was taken for its answer" in desk.session.out_of_step


def test_the_same_card_late_is_in_step() -> None:
    desk = Desk(NORTH)
    desk.start()
    desk.bid(WEST_PLAYS_FOUR_HEARTS)
    assert desk.tell(desk.table.time_out(turn_of(desk.table).player, 60.0)) == []
    assert desk.hear("plays 2S") == []
    assert desk.hear("ready for dummy") == ["Dummy's cards : S A K 3. H T 9 8 5 4. D T. C K 8 3 2."]


def test_a_card_is_no_call_of_the_same_number() -> None:
    """Pass and the two of clubs are both 0."""
    desk = late()
    desk.hear("plays 2C")
    assert "it said C2 where Pass was taken" in desk.session.out_of_step


# The end.


def test_the_client_is_told_the_end_of_the_session() -> None:
    desk = Desk(NORTH)
    desk.start()
    desk.session.tell(Goodbye(reason="over"), 0.0)
    assert desk.sent() == ["End of session"]


def test_a_client_that_asks_for_nothing_costs_no_memory() -> None:
    """East is dealt boards, which others play and give up, and never says a word."""
    desk = Desk(EAST)
    most = 0
    for number in range(1, 200):
        desk.table = new_table(number=4 * number + 1)
        desk.tell(desk.table.start(0.0))
        desk.tell(say(desk.table, "1C"))
        desk.tell(desk.table.time_out(turn_of(desk.table).player, 60.0))
        desk.tell(say_all(desk.table, "Pass Pass"))
        desk.tell(play_lowest(desk.table))
        most = max(most, len(pickle.dumps(desk.session)))
    assert desk.table.score is not None
    assert most < 10_000
