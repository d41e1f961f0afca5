"""Tests of what long work shows: lines in a file or pipe, bars on a terminal."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from io import StringIO

import pytest
from rich.console import Console

from bridge_arena.commands.common.progress import EVERY, FIRST, LongWork


class Shown:
    """Long work whose clock is set by hand, and the file that its lines go to.

    Nobody enters its context, so no thread says lines.
    """

    def __init__(self, *, has_lines: bool = True) -> None:
        self.now = 0.0
        self._file = StringIO()
        console = Console(file=self._file, width=40)
        self.work = LongWork(console, lambda: self.now, has_lines=has_lines)

    def lines_at(self, now: float) -> list[str]:
        """Return the lines so far, once the work has looked at the clock."""
        self.now = now
        self.work.say_if_due()
        return self._file.getvalue().splitlines()


def test_a_file_gets_a_line_now_and_then() -> None:
    shown = Shown()
    work = shown.work
    step = work.begin("costs of calls", 240, "boards")
    step.advance(12)
    assert shown.lines_at(FIRST - 0.1) == []
    assert shown.lines_at(FIRST) == ["arena: costs of calls: 12 of 240 boards, about 2 min left"]
    step.advance(25)
    assert len(shown.lines_at(FIRST + EVERY - 0.1)) == 1
    (_, second) = shown.lines_at(FIRST + EVERY)
    assert second == "arena: costs of calls: 37 of 240 boards, about 3 min left"


def test_nothing_is_known_of_the_time_left_before_a_unit_is_done() -> None:
    shown = Shown()
    work = shown.work
    work.begin("solving", 240, "boards", done=120)
    assert shown.lines_at(FIRST) == ["arena: solving: 120 of 240 boards"]


def test_work_may_become_longer() -> None:
    shown = Shown()
    step = shown.work.begin("playing", 48, "tables")
    step.advance(48)
    step.resize(50)
    assert shown.lines_at(FIRST) == ["arena: playing: 48 of 50 tables, about 1 s left"]


def test_units_of_an_earlier_run_say_nothing_of_the_speed() -> None:
    shown = Shown()
    work = shown.work
    work.begin("solving", 240, "boards", done=230).advance(5)
    assert shown.lines_at(10) == ["arena: solving: 235 of 240 boards, about 10 s left"]


def test_work_of_unknown_length_says_how_far_it_is() -> None:
    shown = Shown()
    work = shown.work
    reading = work.begin("reading", unit="games")
    assert shown.lines_at(FIRST) == ["arena: reading"]
    reading.advance(12_345)
    assert shown.lines_at(FIRST + EVERY)[1:] == ["arena: reading: 12,345 games"]


def test_a_line_is_about_the_step_that_went_on_last() -> None:
    shown = Shown()
    work = shown.work
    lessons, boards = work.begin("lessons", 10), work.begin("bidding", 100, "boards")
    lessons.show(1, "lessons: loss 0.5")
    assert shown.lines_at(9) == ["arena: lessons: loss 0.5: 1 of 10, about 81 s left"]
    boards.advance(100)
    assert shown.lines_at(60)[1:] == ["arena: bidding: 100 of 100 boards"]
    boards.end()
    assert len(shown.lines_at(120)) == 2, "no step goes on"


def test_names_of_strangers_are_no_markup() -> None:
    shown = Shown()
    work = shown.work
    work.begin("[bold]x[/bold]")
    assert shown.lines_at(FIRST) == ["arena: [bold]x[/bold]"]


def test_items_are_counted_when_the_next_one_is_due() -> None:
    shown = Shown()
    work = shown.work
    items = work.count("abc", "writing", 3, "events")
    assert [next(items), next(items)] == ["a", "b"]
    assert shown.lines_at(FIRST) == ["arena: writing: 1 of 3 events, about 10 s left"]
    assert list(items) == ["c"]


def test_a_pipe_that_nobody_reads_ends_neither_the_work_nor_its_output(
    capfd: pytest.CaptureFixture[str],
) -> None:
    reads, writes = os.pipe()
    os.close(reads)
    now = 0.0
    with os.fdopen(writes, "w", encoding="utf-8", buffering=1) as pipe:
        work = LongWork(Console(file=pipe), lambda: now)
        work.begin("solving", 240, "boards").advance()
        now = FIRST
        work.say_if_due()
        os.write(sys.stdout.fileno(), b"the report\n")
        with suppress(BrokenPipeError):
            pipe.close()
    assert capfd.readouterr().out == "the report\n"


def test_an_event_that_announces_its_rounds_has_no_lines_besides() -> None:
    shown = Shown(has_lines=False)
    work = shown.work
    work.begin("", 10, "tables")
    assert shown.lines_at(FIRST) == []


def test_a_terminal_has_bars_and_no_lines() -> None:
    file = StringIO()
    now = 0.0
    with LongWork(Console(file=file, force_terminal=True, width=100), lambda: now) as work:
        step = work.begin("costs of calls", 240, "boards")
        now = 60.0
        step.advance(60)
        work.say_if_due()
    assert "60 of 240 boards" in file.getvalue()
    assert "about 3 min left" in file.getvalue()
    assert "arena:" not in file.getvalue()


def test_a_file_gets_what_is_printed_while_the_terminal_shows_a_bar(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with LongWork(Console(stderr=True, force_terminal=True)):
        print("a line")
    assert capsys.readouterr().out == "a line\n"
