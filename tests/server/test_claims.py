"""Claims at a table: made, answered, checked, settled."""

from __future__ import annotations

from collections.abc import Mapping
from io import BytesIO

import pytest

from bridge_arena.bridge.cards import Card, Deal
from bridge_arena.bridge.record import BoardRecord, Fault, FaultKind
from bridge_arena.bridge.scoring import score_ns
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.oracle import ledger, solver
from bridge_arena.oracle.errors import DeadlineError, ImpossibleError
from bridge_arena.oracle.position import Position
from bridge_arena.pbn.read.records import read_records
from bridge_arena.pbn.write.compose import game_of
from bridge_arena.pbn.write.writer import HEADER, format_game
from bridge_arena.protocol.errors import ErrorCode
from bridge_arena.protocol.messages import BoardEnd, ClaimMade, ClaimSettled, Error, YourTurn
from bridge_arena.protocol.view import View
from bridge_arena.protocol.visibility import Event, Viewer
from bridge_arena.server.claims import Claims, holds
from bridge_arena.server.driver import play_board
from bridge_arena.server.players import LocalPlayer
from bridge_arena.server.table import Table
from tests.server.tables import (
    DEAL,
    EAST,
    NORTH,
    SOUTH,
    WEST,
    Lowly,
    answer,
    faults,
    garbage,
    happenings,
    in_no_time,
    kinds,
    new_table,
    play_lowest,
    reply,
    say,
    say_all,
    silence,
    table_at_play,
    turn_of,
)

NAMES = ("Norma", "Ed", "Sue", "Will")


def at_first_trick(claims: Claims = Claims.PLAYERS, control: str | None = None) -> Table:
    """West declares 4H, three cards are played, and West is to play the fourth. Double dummy
    that is worth 11 tricks."""
    table = table_at_play(claims=claims, control=control)
    say_all(table, "DK DT D2")
    return table


def claimed(tricks: int = 10, claims: Claims = Claims.PLAYERS) -> Table:
    table = at_first_trick(claims)
    say(table, f"claim={tricks}")
    return table


def text_of(events: list[Event]) -> str:
    first = events[0].happening
    assert isinstance(first, Error)
    return first.text


# Making a claim.


def test_a_claim_faces_declarers_hand_and_asks_both_defenders() -> None:
    table = at_first_trick()
    events = say(table, "claim=10", 5.0)
    assert kinds(events) == "ClaimMade YourTurn YourTurn"
    assert events[0].happening == ClaimMade(
        table="A1", board=1, seq=20, seat=WEST, tricks=10, hand=DEAL[WEST]
    )
    asked = [each for each in happenings(events) if isinstance(each, YourTurn)]
    assert [(turn.player, turn.seat, turn.legal, turn.claim) for turn in asked] == [
        (NORTH, NORTH, [], True),
        (SOUTH, SOUTH, [], True),
    ]
    assert [turn.seconds for turn in asked] == [60.0, 60.0]
    assert table.turns == tuple(asked)
    assert table.turn_of(WEST) is None


def test_declarer_may_claim_at_dummys_turn() -> None:
    table = table_at_play(claims=Claims.PLAYERS)
    say(table, "DK")
    turn = turn_of(table)
    assert (turn.player, turn.seat, turn.may_claim) == (WEST, EAST, True)
    assert kinds(say(table, "claim=13")).startswith("ClaimMade")


def test_a_turn_tells_who_may_claim() -> None:
    table = new_table(claims=Claims.PLAYERS)
    turns: list[YourTurn] = []
    table.start(0.0)
    while table.turn is not None:
        turns.append(table.turn)
        say(table, table.turn.legal[0])
    play = table.play
    assert play is None  # passed out
    assert not any(turn.may_claim or turn.claim for turn in turns)
    table = table_at_play(claims=Claims.PLAYERS)
    while table.turn is not None:
        assert table.turn.may_claim == (table.turn.player == WEST)
        say(table, table.turn.legal[-1])


@pytest.mark.parametrize(
    ("before", "said", "reason"),
    [
        ("", "claim=1", "a claim is illegal: N is not declarer"),
        ("DK DT D2", "accept", "AnswerClaim is illegal: no claim was made"),
        ("DK DT D2 DA", "claim=13", "a claim of 13 tricks is illegal: 12 are left"),
    ],
)
def test_a_claim_or_answer_that_may_not_be_made_is_illegal(
    before: str, said: str, reason: str
) -> None:
    table = table_at_play(claims=Claims.PLAYERS)
    say_all(table, before)
    events = say(table, said, 10.0)
    assert kinds(events) == "Error YourTurn"
    assert text_of(events) == reason
    assert [fault.kind for fault in table.faults] == [FaultKind.ILLEGAL]
    assert turn_of(table).seconds == 50.0


def test_there_is_no_claim_in_the_auction() -> None:
    table = new_table(claims=Claims.PLAYERS)
    table.start(0.0)
    assert text_of(say(table, "claim=1")) == "a claim is illegal: the auction is not over"


def test_where_there_are_no_claims_nobody_claims() -> None:
    table = table_at_play()
    say_all(table, "DK DT D2")
    assert not turn_of(table).may_claim
    assert text_of(say(table, "claim=1")) == "a claim is illegal: there are no claims at this table"
    assert kinds(say(table, "claim=1")) == "Error Error CardPlayed TrickEnd YourTurn"


# Answering it.


def test_a_claim_that_both_accept_ends_the_board() -> None:
    table = claimed(10)
    assert reply(table, SOUTH, "accept") == []
    assert [turn.player for turn in table.turns] == [NORTH]
    events = reply(table, NORTH, "accept")
    assert kinds(events) == "ClaimSettled BoardEnd"
    settled = events[0].happening
    assert isinstance(settled, ClaimSettled)
    assert settled.accepted
    assert (table.tricks, table.score) == (10, -420)
    assert table.turn is None
    record = table.record(NAMES)
    assert record.is_finished
    assert " ".join(map(str, record.cards)) == "DK DT D2"
    assert record.faults == ()


def test_the_claimed_tricks_are_added_to_those_taken() -> None:
    table = at_first_trick()
    say_all(table, "DA")  # a trick for declarer
    say(table, "claim=4")
    reply(table, NORTH, "accept")
    reply(table, SOUTH, "accept")
    assert (table.tricks, table.score) == (5, 250)


@pytest.mark.parametrize("refusing", [(NORTH,), (SOUTH,), (NORTH, SOUTH)])
@pytest.mark.parametrize("order", [(NORTH, SOUTH), (SOUTH, NORTH)])
def test_a_claim_that_one_refuses_changes_nothing(
    refusing: tuple[Seat, ...], order: tuple[Seat, Seat]
) -> None:
    table = at_first_trick()
    before = turn_of(table)
    say(table, "claim=10")
    first, second = order
    assert reply(table, first, "refuse" if first in refusing else "accept") == []
    events = reply(table, second, "refuse" if second in refusing else "accept")
    assert kinds(events) == "ClaimSettled YourTurn"
    again = turn_of(table)
    assert (again.player, again.seat, again.legal) == (WEST, before.seat, before.legal)
    assert not again.may_claim
    assert kinds(say(table, "DA")) == "CardPlayed TrickEnd YourTurn"
    assert turn_of(table).may_claim
    play_lowest(table)
    assert len(table.record(NAMES).cards) == 52
    assert table.faults == []


def test_one_claim_may_be_made_in_a_trick() -> None:
    table = claimed()
    reply(table, NORTH, "refuse")
    reply(table, SOUTH, "refuse")
    assert text_of(say(table, "claim=10")) == "a claim is illegal: one was made in this trick"
    say(table, "DA")
    assert kinds(say(table, "claim=9")) == "ClaimMade YourTurn YourTurn"


def test_silence_refuses_a_claim() -> None:
    table = claimed()
    reply(table, NORTH, "accept", 1.0)
    events = table.time_out(SOUTH, 60.0)
    assert kinds(events) == "Error ClaimSettled YourTurn"
    assert faults(table) == ["S timeout 16"]
    assert turn_of(table).player == WEST


@pytest.mark.parametrize("said", ["SA", "Pass", "claim=1"])
def test_whoever_answers_something_else_is_asked_again_and_then_refuses(said: str) -> None:
    table = claimed()
    events = reply(table, SOUTH, said)
    assert kinds(events) == "Error YourTurn"
    assert text_of(events).endswith("is illegal: the claim is to be answered")
    assert turn_of(table).player == NORTH
    assert kinds(reply(table, SOUTH, said)) == "Error Error"
    assert kinds(reply(table, NORTH, "accept")) == "ClaimSettled YourTurn"
    assert faults(table) == ["S illegal 16", "S illegal 16"]


def test_garbage_counts_against_who_sent_it() -> None:
    table = claimed()
    assert kinds(table.malformed(SOUTH, "no msgpack", 0.0)) == "Error YourTurn"
    assert kinds(reply(table, NORTH, "SA")) == "Error YourTurn"
    assert faults(table) == ["S malformed 16", "N illegal 16"]


def test_declarer_waits_while_the_claim_is_open() -> None:
    table = at_first_trick()
    before = turn_of(table)
    say(table, "claim=10")
    (error,) = happenings(table.act(WEST, answer(before, "DA"), 0.0))
    assert isinstance(error, Error)
    assert error.code == ErrorCode.STALE
    assert table.faults == []


def test_an_answer_that_comes_twice_is_stale() -> None:
    table = claimed()
    turn = table.turn_of(SOUTH)
    assert turn is not None
    reply(table, SOUTH, "accept")
    (error,) = happenings(table.act(SOUTH, answer(turn, "refuse"), 0.0))
    assert isinstance(error, Error)
    assert error.code == ErrorCode.STALE
    assert kinds(reply(table, NORTH, "accept")) == "ClaimSettled BoardEnd"


@pytest.mark.parametrize("gone", [NORTH, WEST, EAST])
def test_a_player_who_is_gone_ends_the_board_with_the_claim(gone: Seat) -> None:
    table = claimed()
    assert kinds(table.forfeit(gone, FaultKind.CRASH, "")) == "BoardEnd"
    assert table.turns == ()
    assert table.unchecked is None
    assert table.score is None


# Clocks.


def test_declarers_clock_stands_while_others_answer() -> None:
    table = at_first_trick(control="60 board=100")
    say(table, "claim=10", 20.0)
    reply(table, NORTH, "accept", 50.0)
    events = reply(table, SOUTH, "refuse", 70.0)
    turn = events[-1].happening
    assert isinstance(turn, YourTurn)
    assert (turn.seconds, turn.board_seconds) == (40.0, 80.0)
    assert table.deadline_of(WEST) == 110.0
    say(table, "DA", 80.0)
    assert table.timings[-1].milliseconds == 30_000.0
    # 20 s for the claim and 10 for the card.
    assert turn_of(table).board_seconds == 70.0


def test_an_accepted_claim_is_charged_to_the_clocks_of_the_match() -> None:
    table = at_first_trick(control="60 match=100")
    say(table, "claim=10", 20.0)
    reply(table, NORTH, "accept", 50.0)
    reply(table, SOUTH, "accept", 70.0)
    assert table.match_seconds == (30.0, 0.0, 50.0, 20.0)


def test_each_defender_answers_on_its_own_clock() -> None:
    table = at_first_trick(control="30 board=100")
    asked = happenings(say(table, "claim=10", 5.0)[1:])
    assert [turn.board_seconds for turn in asked if isinstance(turn, YourTurn)] == [100.0] * 2
    assert (table.deadline_of(NORTH), table.deadline_of(SOUTH), table.deadline) == (35.0,) * 3
    reply(table, NORTH, "accept", 15.0)
    reply(table, SOUTH, "refuse", 25.0)
    say(table, "DA", 25.0)
    say(table, "SJ", 25.0)
    turn = turn_of(table)
    assert turn.player == NORTH
    assert turn.board_seconds == 100.0 - 10.0 - 20.0


def test_answers_are_no_actions_of_the_record() -> None:
    table = at_first_trick()
    timed = len(table.timings)
    say(table, "claim=10")
    reply(table, NORTH, "refuse")
    reply(table, SOUTH, "refuse")
    assert len(table.timings) == timed
    play_lowest(table)
    record = table.record(NAMES)
    assert len(table.timings) == len(record.calls) + len(record.cards)


# Checked claims.


class Counted:
    """The solver, and what it was asked; `error`: what it says instead of an answer."""

    def __init__(self, error: Exception | None = None) -> None:
        self.positions: list[Position] = []
        self.error = error

    async def card_values(self, position: Position) -> Mapping[Card, int]:
        self.positions.append(position)
        if self.error is not None:
            raise self.error
        return solver.card_values(position)


def test_a_claim_to_be_checked_asks_nobody() -> None:
    table = claimed(10, Claims.CHECKED)
    assert table.turns == ()
    assert table.turn is None
    assert table.unchecked is not None
    position, tricks = table.unchecked
    assert tricks == 10
    assert position.turn == WEST
    assert position.trick == (Card("DK"), Card("DT"), Card("D2"))


@pytest.mark.parametrize("accepted", [True, False])
def test_a_checked_claim_is_settled_as_said(accepted: bool) -> None:  # noqa: FBT001
    table = claimed(10, Claims.CHECKED)
    events = table.settle(7.0, accepted=accepted)
    assert kinds(events) == ("ClaimSettled BoardEnd" if accepted else "ClaimSettled YourTurn")
    assert table.tricks == (10 if accepted else None)
    assert table.unchecked is None
    with pytest.raises(ValueError, match="no claim waits to be checked"):
        table.settle(7.0, accepted=accepted)


def test_where_the_players_answer_nothing_is_checked() -> None:
    table = claimed(10)
    assert table.unchecked is None
    with pytest.raises(ValueError, match="no claim waits to be checked"):
        table.settle(0.0, accepted=True)


@pytest.mark.parametrize(("tricks", "held"), [(9, True), (10, True), (11, True), (12, False)])
def test_a_claim_holds_exactly_where_it_can_be_made(tricks: int, held: bool) -> None:  # noqa: FBT001
    unchecked = claimed(tricks, Claims.CHECKED).unchecked
    assert unchecked is not None
    assert in_no_time(holds(Counted(), *unchecked)) is held


def test_a_claim_that_cannot_be_solved_does_not_hold() -> None:
    unchecked = claimed(1, Claims.CHECKED).unchecked
    assert unchecked is not None
    assert not in_no_time(holds(Counted(DeadlineError("too long")), *unchecked))
    with pytest.raises(ImpossibleError):
        in_no_time(holds(Counted(ImpossibleError("a bug")), *unchecked))


# Whole boards.


class Claimer(Lowly):
    """Declares 4H with the others' help, and claims so many tricks at each chance;
    `accepting`: how it answers claims."""

    def __init__(self, tricks: int, *, accepting: bool = True) -> None:
        calls = "Pass Pass Pass 1NT Pass 2D Pass 2H Pass 4H".split()
        super().__init__(dict(enumerate(calls)))
        self.tricks = tricks
        self.accepting = accepting
        # What each answer was given on: the claim, and whether all hands were known.
        self.asked: list[tuple[int, Deal | None]] = []

    def claim(self, view: View) -> int | None:
        left = 13 - len(view.playing.tricks)
        return self.tricks if self.tricks <= left else None

    def answer_claim(self, view: View) -> bool:
        assert view.claim is not None
        self.asked.append((view.claim.tricks, view.deal))
        return self.accepting


def played(bots: Mapping[Seat, Claimer], claims: Claims, solving: Counted | None = None) -> Table:
    """A board."""
    table = new_table(claims=claims)
    players = {seat: LocalPlayer(Viewer(seat), bots[seat]) for seat in SEATS}
    in_no_time(play_board(table, players, solver=solving))
    return table


def test_a_board_ends_with_a_claim_that_the_defenders_accept() -> None:
    bots = {seat: Claimer(9) for seat in SEATS}
    table = played(bots, Claims.PLAYERS)
    record = table.record(NAMES)
    assert (str(record.contract), record.tricks, record.score) == ("4H", 9, 50)
    assert len(record.cards) == 1
    assert [bots[seat].asked for seat in SEATS] == [[(9, DEAL)], [], [(9, DEAL)], []]


def test_a_board_goes_on_where_one_defender_does_not_accept() -> None:
    bots = {seat: Claimer(9, accepting=seat != SOUTH) for seat in SEATS}
    table = played(bots, Claims.PLAYERS)
    record = table.record(NAMES)
    assert len(record.cards) == 52
    assert record.is_finished
    # One claim in each trick while nine are left: in tricks one to five.
    assert [len(bots[seat].asked) for seat in SEATS] == [5, 0, 5, 0]
    assert record.faults == ()


@pytest.mark.parametrize(("tricks", "cards"), [(11, 1), (12, 52)])
def test_claims_of_a_board_are_checked_by_the_solver(tricks: int, cards: int) -> None:
    solving = Counted()
    table = played({seat: Claimer(tricks) for seat in SEATS}, Claims.CHECKED, solving)
    record = table.record(NAMES)
    assert len(record.cards) == cards
    assert record.is_finished
    assert len(solving.positions) == (1 if cards == 1 else 2)
    if cards == 1:
        assert record.score == score_ns(record.contract, 11, table.board.vulnerability)


def test_a_table_that_checks_claims_needs_a_solver() -> None:
    with pytest.raises(ValueError, match="nobody was given to do it"):
        played({seat: Claimer(9) for seat in SEATS}, Claims.CHECKED)


# What becomes of the record.


@pytest.mark.parametrize("tricks", [9, 11, 12])
def test_a_claimed_board_goes_into_pbn_and_the_ledger(tricks: int) -> None:
    table = claimed(tricks)
    reply(table, NORTH, "accept")
    reply(table, SOUTH, "accept")
    record = table.record(NAMES)
    (read,) = read_records(BytesIO((HEADER + format_game(game_of(record))).encode("latin-1")))
    assert isinstance(read, BoardRecord)
    assert (read.cards, read.tricks, read.score) == (record.cards, tricks, record.score)
    assert record.contract is not None
    values = solver.play_values(record.board.deal, record.contract, record.cards)
    losses = ledger.charge(read, values).losses
    at_the_claim = [loss for loss in losses if loss.card == 3]
    assert sum(loss.tricks for loss in at_the_claim) == abs(tricks - 11)
    # Who claims too few loses them; who accepts too many loses them together.
    expected = {9: [WEST], 11: [], 12: [None]}[tricks]
    assert [loss.seat for loss in at_the_claim] == expected


def test_silent_declarers_do_not_claim() -> None:
    table = at_first_trick()
    events = silence(table, 60.0)
    assert kinds(events) == "Error CardPlayed TrickEnd YourTurn"
    assert table.faults == [Fault(WEST, FaultKind.TIMEOUT, 16, "no action within 60.0 s")]
    garbage(table, "x", 60.0)
    assert isinstance(play_lowest(table)[-1].happening, BoardEnd)
