"""Time at the table."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge_arena.bridge.seats import SEATS
from bridge_arena.server.clock import Clock, MatchClock, TimeControl
from tests.server.tables import EAST, NORTH, SOUTH, WEST

# What is written.


@pytest.mark.parametrize(
    ("text", "control"),
    [
        ("60", TimeControl(60.0)),
        ("2.5", TimeControl(2.5)),
        ("1e-3", TimeControl(0.001)),
        ("action=10", TimeControl(10.0)),
        ("board=300", TimeControl(None, board=300.0)),
        ("match=1800", TimeControl(None, match=1800.0)),
        ("match=1800+5", TimeControl(None, match=1800.0, increment=5.0)),
        ("60 lag=0.5", TimeControl(60.0, lag=0.5)),
        ("board=300  60", TimeControl(60.0, board=300.0)),
        ("lag=1 match=60+.5 board=30 action=2", TimeControl(2.0, 30.0, 60.0, 0.5, 1.0)),
    ],
)
def test_a_time_limit_is_seconds(text: str, control: TimeControl) -> None:
    assert TimeControl.parse(text) == control


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "nothing is limited"),
        ("lag=1", "nothing is limited"),
        *[(text, f"'{text}' is not a number") for text in ("1m", "5,5")],
        *[
            (text, f"{text} is not above 0 and at most 31536000")
            for text in ("0", "-1", "nan", "inf", "1e308", "31536001")
        ],
        ("60 match=9+1e308", "1e308 is not above 0"),
        ("60 lag=1e308", "1e308 is not above 0"),
        ("a minute", "'a' is not a number"),
        ("board=", "'' is not a number"),
        ("match=60+", "'' is not a number"),
        ("match=60+1+1", "'1\\+1' is not a number"),
        ("board=60+1", "'60\\+1' is not a number"),
        ("hour=1", "'hour' is not a limit"),
        ("increment=1", "'increment' is not a limit"),
        ("60 action=60", "action is given twice"),
    ],
)
def test_text_that_is_no_time_limit_is_refused(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=f"is not a time limit: {why}") as caught:
        TimeControl.parse(text)
    assert "\n" not in str(caught.value)


LIMITS = st.none() | st.floats(0.001, 1e6).map(lambda seconds: float(f"{seconds:.15g}"))


@given(LIMITS, LIMITS, LIMITS, LIMITS, LIMITS)
def test_a_time_control_is_read_as_it_was_written(
    action: float | None,
    board: float | None,
    match: float | None,
    increment: float | None,
    lag: float | None,
) -> None:
    if (action, board, match) != (None, None, None):
        more = (increment or 0.0) if match else 0.0
        control = TimeControl(action, board, match, more, lag or 0.0)
        assert TimeControl.parse(str(control)) == control
    assert str(TimeControl(60.0)) == "60"


def test_a_time_control_that_limits_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="limits the action, the board or the match"):
        TimeControl(None, lag=0.5)


def test_a_client_is_told_in_words_and_numbers() -> None:
    assert TimeControl.parse("10 board=300 match=1800+5 lag=0.5").in_welcome() == {
        "time_control": "10 s for each action, 300 s for each board, "
        "1800 s for the match and 5 s more after each action",
        "action_seconds": 10.0,
        "board_seconds": 300.0,
        "match_seconds": 1800.0,
        "increment_seconds": 5.0,
        "lag_seconds": 0.5,
    }
    assert TimeControl().in_welcome()["time_control"] == "60 s for each action"
    assert TimeControl.parse("match=60").in_welcome()["time_control"] == "60 s for the match"


# The clock of an action.


def test_the_clock_runs_from_when_the_seat_is_asked() -> None:
    clock = Clock(TimeControl(10.0))
    clock.start(WEST, 100.0)
    assert clock.deadline(WEST) == 110.0
    assert clock.elapsed(WEST, 104.0) == 4.0
    assert clock.left(WEST, 104.0) == 6.0
    assert clock.left_on_board(WEST, 104.0) is None
    assert clock.left_in_match(WEST, 104.0) is None


def test_no_time_is_left_after_the_deadline() -> None:
    clock = Clock(TimeControl(10.0))
    clock.start(WEST, 100.0)
    assert clock.left(WEST, 110.0) == 0.0
    assert clock.left(WEST, 200.0) == 0.0
    assert clock.elapsed(WEST, 200.0) == 100.0
    assert not clock.is_used_up(WEST, 200.0)


def test_the_time_for_each_action_starts_afresh() -> None:
    clock = Clock(TimeControl(10.0))
    clock.start(WEST, 100.0)
    clock.stop(WEST, 101.0)
    clock.start(WEST, 101.0)
    assert clock.deadline(WEST) == 111.0


def test_each_seat_has_a_clock_of_its_own() -> None:
    clock = Clock(TimeControl(10.0))
    clock.start(NORTH, 0.0)
    clock.start(SOUTH, 4.0)
    assert (clock.deadline(NORTH), clock.deadline(SOUTH)) == (10.0, 14.0)


def test_a_clock_that_is_held_goes_on_where_it_was() -> None:
    clock = Clock(TimeControl(10.0, board=30.0))
    clock.start(WEST, 0.0)
    clock.hold(WEST, 3.0)
    clock.go_on(WEST, 50.0)
    assert clock.deadline(WEST) == 57.0
    assert clock.elapsed(WEST, 52.0) == 5.0
    clock.stop(WEST, 52.0)
    assert clock.left_on_board(WEST, 52.0) == 25.0 - 5.0  # WEST's clock is not running


# The board's time.


def test_the_boards_time_is_the_sides() -> None:
    clock = Clock(TimeControl(None, board=30.0))
    clock.start(NORTH, 0.0)
    clock.stop(NORTH, 12.0)
    clock.start(EAST, 12.0)
    assert clock.left(EAST, 12.0) == 30.0
    clock.stop(EAST, 13.0)
    clock.start(SOUTH, 13.0)
    assert clock.deadline(SOUTH) == 31.0
    assert clock.left_on_board(SOUTH, 20.0) == 11.0
    assert not clock.is_used_up(SOUTH, 30.9)
    assert clock.is_used_up(SOUTH, 31.0)
    clock.stop(SOUTH, 40.0)
    clock.start(NORTH, 40.0)
    assert clock.left(NORTH, 40.0) == 0.0
    assert clock.deadline(NORTH) == 40.0


def test_the_least_of_the_limits_counts() -> None:
    clock = Clock(TimeControl(10.0, board=15.0, match=12.0))
    clock.start(WEST, 0.0)
    assert clock.left(WEST, 0.0) == 10.0
    clock.stop(WEST, 4.0)
    clock.start(WEST, 4.0)
    assert clock.left(WEST, 4.0) == 8.0
    assert clock.left_on_board(WEST, 4.0) == 11.0
    assert clock.left_in_match(WEST, 4.0) == 8.0


# The match's time.


def test_the_matchs_time_goes_on_over_its_boards_and_grows_with_each_action() -> None:
    control = TimeControl.parse("match=100+5")
    ours, theirs = MatchClock(control), MatchClock(control)
    clocks = {seat: ours if seat in (NORTH, SOUTH) else theirs for seat in SEATS}
    for _ in range(2):
        clock = Clock(control, clocks)
        for seat in (NORTH, EAST, SOUTH):
            clock.start(seat, 0.0)
            clock.stop(seat, 8.0)
    assert ours.left == 100.0 - 4 * (8 - 5)
    assert theirs.left == 100.0 - 2 * (8 - 5)


def test_players_with_clocks_of_their_own_do_not_share() -> None:
    control = TimeControl.parse("match=100")
    clocks = {seat: MatchClock(control) for seat in SEATS}
    clock = Clock(control, clocks)
    clock.start(NORTH, 0.0)
    clock.stop(NORTH, 30.0)
    assert [clocks[seat].left for seat in SEATS] == [70.0, 100.0, 100.0, 100.0]


def test_a_player_who_has_used_up_the_match_has_the_increment_left() -> None:
    control = TimeControl.parse("match=10+2")
    clock = Clock(control)
    clock.start(WEST, 0.0)
    assert clock.is_used_up(WEST, 10.0)
    clock.stop(WEST, 25.0)
    clock.start(WEST, 30.0)
    assert clock.deadline(WEST) == 32.0


# Controls of their own.


def test_seats_have_controls_of_their_own() -> None:
    quick, slow = TimeControl.parse("2 match=60+1"), TimeControl.parse("20 board=90 lag=0.5")
    clock = Clock({NORTH: quick, SOUTH: quick, EAST: slow, WEST: slow})
    for seat in SEATS:
        clock.set_lag(seat, 1.0)
        clock.start(seat, 0.0)
    assert [clock.deadline(seat) for seat in SEATS] == [2.0, 20.5, 2.0, 20.5]
    assert [clock.left_on_board(seat, 0.0) for seat in (NORTH, WEST)] == [None, 90.0]
    assert [clock.left_in_match(seat, 0.0) for seat in (NORTH, WEST)] == [60.0, None]
    clock.stop(NORTH, 1.5)
    clock.stop(WEST, 1.5)
    assert clock.match_seconds == (0.5, 0.0, 0.0, 0.0)


# Lag.


def test_the_networks_time_is_not_charged_up_to_the_cap() -> None:
    clock = Clock(TimeControl.parse("10 board=30 lag=0.5"))
    for seconds, forgiven in ((0.2, 0.2), (4.0, 0.5)):
        clock.set_lag(WEST, seconds)
        clock.start(WEST, 0.0)
        before = clock.left_on_board(WEST, 0.0)
        assert before is not None
        assert clock.deadline(WEST) == pytest.approx(10.0 + forgiven)
        assert clock.left(WEST, 0.0) == pytest.approx(10.0)
        clock.stop(WEST, 3.0)
        clock.start(WEST, 3.0)
        after = clock.left_on_board(WEST, 3.0)
        assert after == pytest.approx(before - 3.0 + forgiven)


def test_an_answer_faster_than_the_network_gains_nothing() -> None:
    clock = Clock(TimeControl.parse("board=30 lag=5"))
    clock.set_lag(WEST, 4.0)
    clock.start(WEST, 0.0)
    clock.stop(WEST, 1.0)
    clock.start(WEST, 1.0)
    assert clock.left_on_board(WEST, 1.0) == 30.0


def test_without_a_cap_all_time_is_charged() -> None:
    clock = Clock(TimeControl(10.0))
    clock.set_lag(WEST, 4.0)
    clock.start(WEST, 0.0)
    assert clock.deadline(WEST) == 10.0


# All together.

MOMENTS = st.lists(
    st.tuples(st.sampled_from(SEATS), st.floats(0.0, 20.0, allow_subnormal=False)), max_size=30
)


@given(MOMENTS)
def test_the_account_is_right_after_any_actions(actions: list[tuple[int, float]]) -> None:
    control = TimeControl.parse("board=100 match=50+3 lag=0.25")
    clock = Clock(control)
    now = 0.0
    board, match = [100.0, 100.0], [50.0, 50.0]
    for index, seconds in actions:
        seat = SEATS[index]
        clock.set_lag(seat, 1.0)
        clock.start(seat, now)
        now += seconds
        clock.stop(seat, now)
        charged = max(0.0, seconds - 0.25)
        board[seat.side] = max(0.0, board[seat.side] - charged)
        match[seat.side] = max(0.0, match[seat.side] - charged) + 3.0
    for seat in SEATS:
        clock.start(seat, now)
        assert clock.left_on_board(seat, now) == pytest.approx(board[seat.side], abs=1e-6)
        assert clock.left_in_match(seat, now) == pytest.approx(match[seat.side], abs=1e-6)
        assert clock.left(seat, now) == pytest.approx(
            min(board[seat.side], match[seat.side]), abs=1e-6
        )
