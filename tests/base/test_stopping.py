"""The order to stop, and what is in play when it comes."""

from __future__ import annotations

import pytest

from bridge_arena.base.stopping import Stop


class Clock:
    """A clock that goes on where a test says so."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_nothing_begins_after_the_order() -> None:
    stop = Stop()
    orders: list[bool] = []
    stop.listeners.append(lambda: orders.append(stop.is_ordered))
    assert stop.begin("board 1 open", 1)
    stop.order()
    assert orders == [True]
    assert not stop.begin("board 1 closed", 1)
    assert stop.has_refused
    assert list(stop.in_play) == ["board 1 open"]
    stop.end("board 1 open")
    assert not stop.in_play


def test_both_rooms_of_the_last_board_that_may_begin_are_played() -> None:
    stop = Stop(boards=2)
    rooms = [(board, room) for board in (1, 2, 3) for room in ("open", "closed")]
    begun = [(board, room) for board, room in rooms if stop.begin(f"{board} {room}", board)]
    assert begun == rooms[:4]
    assert stop.has_refused


def test_parts_of_many_boards_are_not_divided() -> None:
    stop = Stop(boards=300)
    assert [stop.begin(f"part {part}", part, 250) for part in (1, 2, 1, 3)] == [
        *(True, True),  # boards 251 to 500 are begun as one
        *(True, False),  # the rest of a part that has begun; a part that has not
    ]


def test_the_longest_unit_so_far_says_how_long_what_is_in_play_may_take() -> None:
    clock = Clock()
    stop = Stop(clock=clock)
    stop.begin("a", 1)
    assert stop.seconds_left() is None, "nothing has ended yet"
    clock.now = 10.0
    stop.end("a")
    assert stop.seconds_left() is None, "nothing is in play"
    stop.begin("b", 2)
    clock.now = 13.0
    stop.begin("c", 3)
    clock.now = 15.0
    assert stop.seconds_left() == pytest.approx(8.0)
    clock.now = 99.0
    assert stop.seconds_left() is None, "both take longer than any before"
    stop.end("a")
    assert len(stop.in_play) == 2, "it had ended before"
