"""The log of a match."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bridge_arena.bridge.seats import Seat
from bridge_arena.tournaments.play.event_log import EventLog


def test_each_event_has_its_line_at_once(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    with EventLog(path) as log:
        log.write("bot_started", bot="x\ny", pid=7, seat=Path("N"))
        first = json.loads(path.read_text())
        log.write("seated", seat=Seat.NORTH)
    assert first.pop("time").endswith("+00:00")
    assert first == {"event": "bot_started", "bot": "x\ny", "pid": 7, "seat": "N"}
    assert len(path.read_text().splitlines()) == 2


def test_a_log_is_gone_on_with(tmp_path: Path) -> None:
    for _ in range(2):
        with EventLog(tmp_path / "log.jsonl") as log:
            log.write("match_ended")
    assert len((tmp_path / "log.jsonl").read_text().splitlines()) == 2


def test_one_run_writes_a_log_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    with (
        EventLog(path),
        pytest.raises(BlockingIOError, match="is in use by another run"),
        EventLog(path),
    ):
        pytest.fail("two at once")
    assert [each.name for each in tmp_path.iterdir()] == ["log.jsonl"]
    with EventLog(path) as log:
        log.write("again")
    assert "again" in path.read_text()


def test_nothing_is_written_to_a_closed_log(tmp_path: Path) -> None:
    with EventLog(tmp_path / "log.jsonl") as log:
        pass
    log.write("late")
    assert (tmp_path / "log.jsonl").read_text() == ""
