"""Tests of the order in which a report comes: the text first, and the files whatever befalls it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from bridge_arena.commands.common import reporting
from bridge_arena.tournaments.formats.rules import Format, Scoring
from bridge_arena.tournaments.schedule.event_results import EventResults
from tests.reports.leaderboard.events import event, play_event, worked_event

PAIRS = event(Format.PAIRS, *"abcd", boards=1, scoring=Scoring.MATCHPOINTS, title="Pairs")

EVENTS = pytest.mark.parametrize(
    ("play", "printing", "page"),
    [
        (worked_event, "print_report", "report.html"),
        (lambda: play_event(PAIRS), "print_leaderboard", "leaderboard.html"),
    ],
    ids=["match", "pairs"],
)


@EVENTS
def test_the_text_comes_before_the_boards_are_written(
    play: Callable[[], EventResults],
    printing: str,
    page: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def look(*_: object) -> None:
        assert not list(tmp_path.iterdir())

    monkeypatch.setattr(reporting, printing, look)
    reporting.report_results(play(), tmp_path)
    assert (tmp_path / page).exists()


@EVENTS
def test_the_files_are_written_where_nobody_reads_the_text(
    play: Callable[[], EventResults],
    printing: str,
    page: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def close(*_: object) -> None:
        raise BrokenPipeError

    monkeypatch.setattr(reporting, printing, close)
    with pytest.raises(BrokenPipeError):
        reporting.report_results(play(), tmp_path)
    assert (tmp_path / page).exists()
    assert (tmp_path / "boards" / "board.html").exists()
