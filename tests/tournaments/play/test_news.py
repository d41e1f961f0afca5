"""Tests of what the organiser is told while an event is played."""

from __future__ import annotations

import pytest

from bridge_arena.tournaments.events.event import Event
from bridge_arena.tournaments.formats.rules import Format
from bridge_arena.tournaments.play.announcements import MINUTE, MOST_LINES, News
from tests.tournaments.scores import event


class Told:
    """News, what it told, and its clock."""

    def __init__(self, event: Event, played: int = 0) -> None:
        self.lines: list[str] = []
        self.now = 0.0
        self.hear = News(event, played, self.lines.append, lambda: self.now).hear


def connection(told: Told, news: str, table: int = 1, bot: str = "A (N)") -> None:
    told.hear("connection", bot=bot, table=f"table {table}", news=news)


@pytest.fixture
def told() -> Told:
    """Of an event that has begun, of one round."""
    told = Told(event(Format.MATCH, 2, boards=100))
    told.hear("round_began", round=1)
    return told


def test_each_round_is_told_with_the_time_that_is_left() -> None:
    told = Told(event(Format.ROUND_ROBIN, 16, boards=2))
    told.hear("round_began", round=1)
    for _ in range(32):
        told.now += 3.75
        told.hear("board_ended", unit="1/1/1/open")
    told.hear("round_began", round=2)
    assert told.lines == [
        "round 1 of 15: 0 of 480 tables played",
        "round 2 of 15: 32 of 480 tables played, about 28 min left",
    ]


def test_the_progress_of_a_long_round_is_told_after_each_tenth() -> None:
    told = Told(event(Format.MATCH, 2, boards=10), played=3)
    told.hear("round_began", round=1)
    for _ in range(17):
        told.now += 2.0
        told.hear("board_ended", unit="1/1/1/open")
    tenths = [f"{n} of 20 tables played, about {2 * (20 - n)} s left" for n in range(4, 20, 2)]
    assert told.lines == [*tenths, "20 of 20 tables played"]


def test_a_connection_that_is_lost_and_back_is_told_in_two_lines_at_any_number_of_tables(
    told: Told,
) -> None:
    for table in range(1, 9):
        connection(told, "connection lost (ValueError: boom)", table)
    told.hear("bot_ended", bot="A (N)", why="exit status 1: ValueError: boom", output="")
    for table in range(1, 9):
        connection(told, "back", table)
    assert told.lines == [
        "A (N): connection lost (ValueError: boom)",
        "A (N) has ended: exit status 1: ValueError: boom",
        "A (N) is back",
    ]


def test_a_bot_that_is_lost_is_told_of_and_so_is_the_one_that_comes_for_it(told: Told) -> None:
    connection(told, "connection lost (no close frame received or sent)")
    told.hear("bot_lost", bot="A (N)", why="disconnect: not back", output="")
    # Its connections at other tables are cut only then.
    connection(told, "connection lost (the seat was given up)", table=2)
    told.hear("withdrawn", entry="B", boards_lost=3)
    told.hear("seated", bot="B (N)", says="B 1")
    told.hear("seated", bot="A (N)", says="A 1")
    told.hear("seated", bot="A (N)", says="A 1")
    connection(told, "connection lost (reset)")
    assert told.lines == [
        "A (N): connection lost (no close frame received or sent)",
        "A (N) is lost: disconnect: not back",
        "B is withdrawn: it lost 3 boards",
        "A (N) is here",
        "A (N): connection lost (reset)",
    ]


def test_a_bot_that_comes_late_is_told_of() -> None:
    """Before the first round, the hall itself tells who is waited for."""
    told = Told(event(Format.MATCH, 2, boards=2))
    told.hear("no_show", bot="A (N)", why="did not connect within 60 s", output="")
    told.hear("seated", bot="B (N)", says="B")
    assert told.lines == []
    told.hear("round_began", round=1)
    told.hear("no_show", bot="A (N)", why="did not connect within 60 s", output="")
    told.hear("seated", bot="A (N)", says="A")
    assert told.lines == ["A (N) did not connect within 60 s", "A (N) is here"]


def test_a_bot_that_comes_and_goes_without_end_is_told_of_in_a_few_lines_a_minute(
    told: Told,
) -> None:
    for _ in range(1000):
        connection(told, "connection lost (reset)")
        connection(told, "back")
    connection(told, "connection lost (reset)", bot="B (N)")
    assert told.lines.count("B (N): connection lost (reset)") == 1
    assert len(told.lines) == MOST_LINES + 1
    told.now = MINUTE
    connection(told, "connection lost (reset)")
    assert len(told.lines) == MOST_LINES + 2


def test_what_a_bot_says_of_its_end_does_not_reach_the_terminal_as_it_is(told: Told) -> None:
    told.hear("bot_lost", bot="A (N)", why="refused: bye\x1b[2J\nround 9 of 9", output="")
    assert told.lines == ["A (N) is lost: refused: bye [2J round 9 of 9"]
