"""Tests of the consequences of faults under each policy of a table."""

from __future__ import annotations

from typing import Any

import pytest

from bridge_arena.bridge.record import FORFEITING, Fault, FaultKind
from bridge_arena.bridge.seats import SEATS
from bridge_arena.protocol.errors import ErrorCode
from bridge_arena.protocol.messages import BoardEnd, Error, NoAction, YourTurn
from bridge_arena.protocol.visibility import Event
from bridge_arena.server.claims import Claims
from bridge_arena.server.clock import MatchClock, TimeControl
from bridge_arena.server.faults import LENIENT, MatchFaults, Policies, Remedy
from bridge_arena.server.table import Table
from tests.server.tables import (
    EAST,
    NORTH,
    SOUTH,
    WEST,
    faults,
    happenings,
    kinds,
    new_table,
    say,
    say_all,
    silence,
    table_at_play,
    turn_of,
)


def started(control: str, policies: Policies = LENIENT) -> Table:
    table = new_table(control=control, policies=policies)
    table.start(0.0)
    return table


# Illegal answers.


@pytest.mark.parametrize("retries", [0, 1, 3])
def test_the_policys_retries_come_before_the_substitute(retries: int) -> None:
    table = started("60", Policies(retries=retries))
    for _ in range(retries):
        assert kinds(say(table, "XX")) == "Error YourTurn"
    assert kinds(say(table, "XX")) == "Error Error CallMade YourTurn"
    assert faults(table) == ["N illegal 0"] * (retries + 1)
    assert turn_of(table).player == EAST


@pytest.mark.parametrize("most", [1, 2, 3])
def test_a_player_is_lost_after_the_policys_number_of_illegal_answers(most: int) -> None:
    """The answers count over all turns, and malformed ones count with illegal ones."""
    table = started("60", Policies(retries=0, illegal=most))
    for _ in range(most - 1):
        assert kinds(table.malformed(NORTH, "no message", 0.0)) == "Error Error CallMade YourTurn"
        say(table, turn_of(table).legal[1])
        say(table, "Pass")
        say(table, turn_of(table).legal[1])
    events = say(table, "XX")
    assert kinds(events) == "Error BoardEnd"
    error, end = happenings(events)
    assert isinstance(error, Error)
    assert (error.code, error.seat) == (ErrorCode.ILLEGAL, NORTH)
    assert isinstance(end, BoardEnd)
    assert end.score is None
    assert table.turns == ()
    kinds_of = [fault.kind for fault in table.faults]
    assert kinds_of == [FaultKind.MALFORMED] * (most - 1) + [FaultKind.ILLEGAL, FaultKind.REFUSED]
    assert table.faults[-1].detail == f"{most} illegal answers in one match"
    assert not table.record(("n", "e", "s", "w")).is_finished


def test_illegal_answers_at_one_turn_count_each() -> None:
    table = started("60", Policies(retries=5, illegal=3))
    assert kinds(say(table, "XX")) == "Error YourTurn"
    assert kinds(say(table, "XX")) == "Error YourTurn"
    assert kinds(say(table, "XX")) == "Error BoardEnd"


def test_illegal_answers_of_others_and_time_outs_do_not_count() -> None:
    table = started("60", Policies(retries=1, illegal=2, timeouts=2))
    for number in range(4):
        say(table, "XX", 60.0 * number)
        events = silence(table, 60.0 * (number + 1))
    assert kinds(events) == "Error CallMade AuctionEnd BoardEnd"
    assert table.score == 0


def test_the_time_of_an_illegal_answer_that_loses_is_charged() -> None:
    control = TimeControl.parse("match=100")
    clocks = {seat: MatchClock(control) for seat in SEATS}
    policies = Policies(illegal=1)
    table = Table(
        "A1", new_table().board, (1, 2, 3, 4), control, policies=policies, match_clocks=clocks
    )
    table.start(0.0)
    assert kinds(say(table, "XX", 30.0)) == "Error BoardEnd"
    assert [clocks[seat].left for seat in SEATS] == [70.0, 100.0, 100.0, 100.0]
    assert table.match_seconds == (30.0, 0.0, 0.0, 0.0)


# Over a match.


def fault(kind: FaultKind) -> Fault:
    """Return a fault of North's, at no action in particular."""
    return Fault(NORTH, kind, 0)


def test_faults_are_counted_over_a_match_and_anew_after_each_loss() -> None:
    """North makes an illegal call on every board, and may make two: lost on each third."""
    faults_of = {seat: MatchFaults() for seat in SEATS}
    lost: list[str] = []
    for number in range(1, 8):
        table = Table(
            "A1",
            new_table(number=1).board,
            (1, 2, 3, 4),
            TimeControl.parse("60"),
            policies=Policies(illegal=3),
            match_faults=faults_of,
        )
        table.start(0.0)
        say(table, "XX")
        if not table.turns:
            lost.append(f"{number}: {table.faults[-1].detail}")
    assert lost == ["3: 3 illegal answers in one match", "6: 3 illegal answers in one match"]


@pytest.mark.parametrize("kind", sorted(FORFEITING))
def test_a_replaced_player_begins_a_new_count_however_it_was_lost(
    kind: FaultKind,
) -> None:
    policies = Policies(illegal=2, timeouts=3)
    counts = MatchFaults()
    for each in (FaultKind.TIMEOUT, FaultKind.TIMEOUT, FaultKind.ILLEGAL, kind):
        counts.add(fault(each))
    for each in (FaultKind.TIMEOUT, FaultKind.TIMEOUT, FaultKind.ILLEGAL):
        counts.add(fault(each))
        assert counts.over_limit(each, policies) is None
    counts.add(fault(FaultKind.TIMEOUT))
    assert counts.over_limit(FaultKind.TIMEOUT, policies) == "3 time-outs in one match"


def test_a_replacement_in_a_match_that_goes_on_begins_a_new_count() -> None:
    kinds_of = (FaultKind.TIMEOUT, FaultKind.TIMEOUT, FaultKind.CRASH, FaultKind.TIMEOUT)
    counts = MatchFaults(map(fault, kinds_of))
    policies = Policies(timeouts=3)
    counts.add(fault(FaultKind.TIMEOUT))
    assert counts.over_limit(FaultKind.TIMEOUT, policies) is None
    counts.add(fault(FaultKind.TIMEOUT))
    assert counts.over_limit(FaultKind.TIMEOUT, policies) == "3 time-outs in one match"


def test_counts_of_faults_go_on_from_the_recorded_faults() -> None:
    recorded = [
        Fault(NORTH, FaultKind.MALFORMED, 0),
        Fault(NORTH, FaultKind.TIMEOUT, 3),
        Fault(NORTH, FaultKind.ILLEGAL, 4),
    ]
    counts = MatchFaults(recorded)
    policies = Policies(illegal=3, timeouts=2)
    counts.add(fault(FaultKind.TIMEOUT))
    assert counts.over_limit(FaultKind.TIMEOUT, policies) == "2 time-outs in one match"
    counts.add(fault(FaultKind.ILLEGAL))
    assert counts.over_limit(FaultKind.ILLEGAL, policies) == "3 illegal answers in one match"
    counts.add(fault(FaultKind.REFUSED))
    counts.add(fault(FaultKind.ILLEGAL))
    assert counts.over_limit(FaultKind.ILLEGAL, policies) is None
    assert counts.over_limit(FaultKind.TIMEOUT, LENIENT) is None


def test_the_faults_of_a_board_that_is_played_again_do_not_count() -> None:
    """Those of other boards do, though they are alike."""
    counts = MatchFaults()
    kept, dropped = fault(FaultKind.TIMEOUT), fault(FaultKind.TIMEOUT)
    for each in (dropped, fault(FaultKind.CRASH), kept, fault(FaultKind.TIMEOUT)):
        counts.add(each)
    policies = Policies(timeouts=2)
    assert counts.over_limit(FaultKind.TIMEOUT, policies) == "2 time-outs in one match"
    counts.take_back([dropped])
    assert counts.over_limit(FaultKind.TIMEOUT, policies) == "2 time-outs in one match"
    counts.take_back([kept])
    assert counts.over_limit(FaultKind.TIMEOUT, policies) is None


def test_a_loss_that_is_taken_back_began_no_new_count() -> None:
    counts = MatchFaults()
    loss = fault(FaultKind.CRASH)
    for each in (fault(FaultKind.TIMEOUT), loss, fault(FaultKind.TIMEOUT)):
        counts.add(each)
    policies = Policies(timeouts=2)
    assert counts.over_limit(FaultKind.TIMEOUT, policies) is None
    counts.take_back([loss])
    assert counts.over_limit(FaultKind.TIMEOUT, policies) == "2 time-outs in one match"


# Time-outs.


@pytest.mark.parametrize("most", [1, 2, 3])
def test_a_player_is_lost_after_the_policys_number_of_time_outs(most: int) -> None:
    table = started("60", Policies(timeouts=most))
    now = 0.0
    for _ in range(most - 1):
        now += 60.0
        assert kinds(silence(table, now)) == "Error CallMade YourTurn"
        say(table, "1C" if most == 1 else turn_of(table).legal[1], now)
        say(table, "Pass", now)
        say(table, turn_of(table).legal[1], now)
    events = silence(table, now + 60.0)
    assert kinds(events) == "Error BoardEnd"
    error, end = happenings(events)
    assert isinstance(error, Error)
    assert (error.code, error.seat) == (ErrorCode.TIMEOUT, NORTH)
    assert isinstance(end, BoardEnd)
    assert end.score is None
    assert table.turns == ()
    timeouts = [fault for fault in table.faults if fault.kind is FaultKind.TIMEOUT]
    assert len(timeouts) == most
    actions = 4 * (most - 1)
    detail = f"{most} time-outs in one match"
    assert table.faults[-1] == Fault(NORTH, FaultKind.REFUSED, actions, detail)
    assert not table.record(("n", "e", "s", "w")).is_finished


def test_time_outs_of_others_do_not_count() -> None:
    table = started("60", Policies(timeouts=2))
    for number in range(4):
        events = silence(table, 60.0 * (number + 1))
    assert kinds(events) == "Error CallMade AuctionEnd BoardEnd"
    assert table.score == 0


def test_a_defender_may_be_lost_over_a_claim() -> None:
    table = table_at_play(policies=Policies(timeouts=1), claims=Claims.PLAYERS)
    say_all(table, "DK DT D2")
    say(table, "claim=9")
    assert kinds(table.time_out(SOUTH, 60.0)) == "Error BoardEnd"
    assert table.turns == ()
    assert table.faults[-1].seat == SOUTH


# No time left.


def test_a_player_without_time_left_is_played_for() -> None:
    table = started("board=100")
    events = silence(table, 100.0)
    assert kinds(events) == "Error CallMade YourTurn"
    say(table, "Pass", 100.0)
    turn = turn_of(table)  # South's, of the same side
    assert (turn.player, turn.seconds, turn.board_seconds) == (SOUTH, 0.0, 0.0)
    assert table.deadline == 100.0
    assert kinds(silence(table, 100.0)) == "Error CallMade YourTurn"
    assert turn_of(table).player == WEST
    assert turn_of(table).board_seconds == 100.0


@pytest.mark.parametrize("control", ["board=100", "match=100", "match=100+5", "board=100 lag=0.5"])
def test_a_player_without_time_left_is_lost_where_the_policy_says_forfeit(control: str) -> None:
    table = started(control, Policies(at_zero=Remedy.FORFEIT))
    say(table, "1C", 40.0)
    say(table, "Pass", 90.0)
    left = 60.0 + (5.0 if "+5" in control else 0.0)
    assert turn_of(table).player == SOUTH
    assert table.deadline == 90.0 + left
    events = silence(table, 90.0 + left)
    assert kinds(events) == "Error BoardEnd"
    assert table.faults[-1].seat == SOUTH
    assert (table.faults[-1].kind, table.faults[-1].detail) == (
        FaultKind.REFUSED,
        "its time is used up",
    )


def test_time_that_lost_a_player_is_used_up_for_the_match() -> None:
    control = TimeControl.parse("match=100")
    clocks = {seat: MatchClock(control) for seat in SEATS}
    board = new_table().board
    policies = Policies(at_zero=Remedy.FORFEIT)
    table = Table("A1", board, (1, 2, 3, 4), control, policies=policies, match_clocks=clocks)
    table.start(0.0)
    assert kinds(silence(table, 100.0)) == "Error BoardEnd"
    assert [clocks[seat].left for seat in SEATS] == [0.0, 100.0, 100.0, 100.0]


def test_time_is_left_where_only_the_actions_is_gone() -> None:
    table = started("10 board=100", Policies(at_zero=Remedy.FORFEIT))
    assert kinds(silence(table, 10.0)) == "Error CallMade YourTurn"


@pytest.mark.parametrize("bad", [{"retries": -1}, {"illegal": 0}, {"timeouts": 0}])
def test_policies_that_mean_nothing_are_refused(bad: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=f"{next(iter(bad))} is"):
        Policies(**bad)  # type: ignore[arg-type]


# The clocks of a match.


def test_a_match_clock_goes_on_from_board_to_board() -> None:
    control = TimeControl.parse("match=100+1")
    ours, theirs = MatchClock(control), MatchClock(control)
    clocks = {NORTH: ours, SOUTH: ours, EAST: theirs, WEST: theirs}
    seen: list[float | None] = []
    for number in (1, 5):
        board = new_table(number=number).board
        table = Table("A1", board, (1, 2, 3, 4), control, match_clocks=clocks)
        table.start(0.0)
        for text in "Pass Pass Pass Pass".split():
            turn = turn_of(table)
            seen.append(turn.match_seconds)
            assert turn.seconds == turn.match_seconds
            say(table, text, table.deadline - (turn.match_seconds or 0) + 10.0)
        assert table.score == 0
    assert seen == [100.0, 100.0, 91.0, 91.0, 82.0, 82.0, 73.0, 73.0]
    assert (ours.left, theirs.left) == (64.0, 64.0)
    assert table.match_seconds == (9.0, 9.0, 9.0, 9.0)


def test_a_board_that_is_played_again_costs_the_match_nothing() -> None:
    control = TimeControl.parse("60 match=100+1")
    clocks = {seat: MatchClock(control) for seat in SEATS}
    faults_of = {seat: MatchFaults() for seat in SEATS}
    policies = Policies(timeouts=2)
    for _ in range(2):
        table = Table(
            "A1",
            new_table().board,
            (1, 2, 3, 4),
            control,
            policies=policies,
            match_clocks=clocks,
            match_faults=faults_of,
        )
        table.start(0.0)
        assert kinds(silence(table, 60.0)) == "Error CallMade YourTurn"
        say(table, "Pass", 60.0)
        say(table, "Pass", 90.0)
        assert [clocks[seat].left for seat in SEATS] == [41.0, 101.0, 71.0, 100.0]
        table.forfeit(WEST, FaultKind.CRASH, "")
        table.annul()
        assert [clocks[seat].left for seat in SEATS] == [100.0] * 4


def test_without_match_clocks_each_board_has_its_own() -> None:
    for _ in range(2):
        table = started("match=100")
        assert turn_of(table).match_seconds == 100.0
        say(table, "Pass", 30.0)


def test_time_that_is_not_limited_is_not_told() -> None:
    def lefts(events: list[Event]) -> list[tuple[float | None, float | None]]:
        turns = [event for event in happenings(events) if isinstance(event, YourTurn)]
        return [(turn.board_seconds, turn.match_seconds) for turn in turns]

    assert lefts(new_table(control="60").start(0.0)) == [(None, None)]
    assert lefts(new_table(control="60 board=90").start(0.0)) == [(90.0, None)]
    assert lefts(new_table(control="match=90").start(0.0)) == [(None, 90.0)]


def test_lag_puts_off_the_deadline_and_not_the_time_that_is_told() -> None:
    table = new_table(control="60 board=90 lag=0.5")
    table.set_lag(NORTH, 0.25)
    table.set_lag(EAST, 7.0)
    table.start(0.0)
    assert table.deadline == 60.25
    assert turn_of(table).seconds == 60.0
    say(table, "Pass", 10.0)
    assert table.deadline == 70.5
    say(table, "Pass", 10.0)
    assert turn_of(table).board_seconds == 80.25


# No action at all.


def no_action(
    table: Table, reason: str = "the oracle is silent", *, timeout: bool = False, now: float = 0.0
) -> list[Event]:
    turn = turn_of(table)
    about: dict[str, Any] = {"table": turn.table, "board": turn.board, "seq": turn.seq}
    return table.act(turn.player, NoAction(reason=reason, timeout=timeout, **about), now)


def test_a_player_without_an_action_is_not_asked_again() -> None:
    table = started("60", Policies(retries=3))
    events = no_action(table)
    assert kinds(events) == "Error CallMade YourTurn"
    assert [str(made.call) for made in table.calls] == ["Pass"]
    (fault,) = table.faults
    assert (fault.kind, fault.detail) == (FaultKind.ILLEGAL, "no action: the oracle is silent")
    error = happenings(events)[0]
    assert isinstance(error, Error)
    assert (error.code, error.seat) == (ErrorCode.SUBSTITUTED, NORTH)


def test_the_lowest_card_is_played_for_a_player_without_an_action() -> None:
    table = table_at_play()
    assert kinds(no_action(table, "")).startswith("Error CardPlayed")
    assert table.faults[-1].detail == "no action"


def test_a_player_without_an_action_may_be_lost() -> None:
    table = started("60", Policies(illegal=1))
    assert kinds(no_action(table)) == "Error BoardEnd"
    assert faults(table) == ["N illegal 0", "N refused 0"]


def test_a_player_whose_time_was_up_before_it_had_an_action_is_timed_out() -> None:
    table = started("60", Policies(illegal=1, timeouts=2))
    events = no_action(table, "no answer: status 400", timeout=True)
    assert kinds(events) == "Error CallMade YourTurn"
    (fault,) = table.faults
    assert (fault.kind, fault.detail) == (FaultKind.TIMEOUT, "no action: no answer: status 400")
    error = happenings(events)[0]
    assert isinstance(error, Error)
    assert (error.code, error.seat) == (ErrorCode.TIMEOUT, NORTH)
    say_all(table, "1C Pass Pass")
    assert kinds(no_action(table, timeout=True)) == "Error BoardEnd"
    assert faults(table) == ["N timeout 0", "N timeout 4", "N refused 4"]


def test_a_player_without_an_action_forfeits_if_all_its_time_is_used_up() -> None:
    for timeout, told in ((True, "Error BoardEnd"), (False, "Error CallMade YourTurn")):
        table = started("board=30", Policies(at_zero=Remedy.FORFEIT))
        assert kinds(no_action(table, timeout=timeout, now=30.0)) == told


def test_a_defender_who_does_not_answer_a_claim_refuses_it() -> None:
    table = table_at_play(claims=Claims.PLAYERS)
    say_all(table, "DK DT D2")
    say(table, "claim=9")
    no_action(table)
    say(table, "accept")
    assert table.turns, "play goes on"
    assert not any(turn.claim for turn in table.turns)
