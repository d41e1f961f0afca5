"""Tests of what a ladder deletes with time: lines of its log, and thoughts; and of nothing else."""

from __future__ import annotations

import json
import os
import resource
from contextlib import closing
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from bridge_arena.bridge.record import BoardRecord, RecordedThought
from bridge_arena.bridge.seats import Seat
from bridge_arena.tournaments.events.event import Event
from bridge_arena.tournaments.ladder import results
from bridge_arena.tournaments.ladder.store import ladder_store
from bridge_arena.tournaments.ladder.store.ladder_store import LadderStore
from bridge_arena.tournaments.ladder.watch.daily_log import DailyLog
from bridge_arena.tournaments.play.event_log import EventLog
from bridge_arena.tournaments.schedule.units import Unit
from bridge_arena.tournaments.store import Store
from tests.tournaments.ladder.ladders import check_sums, ladder_file, opened, play, venues
from tests.tournaments.scores import record

BOARDS = 2


def lines(path: Path) -> list[str]:
    return [json.loads(line)["event"] for line in path.read_text().splitlines()]


def test_the_log_has_a_file_for_each_day_and_keeps_the_last(tmp_path: Path) -> None:
    path, day = tmp_path / "log.jsonl", datetime.now(UTC).date()

    def today() -> date:
        return day

    with DailyLog(path, 3, today) as log:
        for number in range(6):
            log.write(f"a{number}")
            log.write(f"b{number}")
            day += timedelta(days=2)
        with pytest.raises(OSError, match="in use by another run"), DailyLog(path, 3, today):
            pass
    names = sorted(file.name for file in tmp_path.iterdir())
    days = [day - timedelta(days=2 * back) for back in (4, 3, 2)]
    assert names == [*(f"log-{one}.jsonl" for one in days), "log.jsonl"]
    assert lines(tmp_path / names[0]) == ["a2", "b2"]
    assert lines(path) == ["a5", "b5"]
    assert path.stat().st_mode & 0o077 == 0


def test_a_log_of_an_earlier_day_is_put_away_when_the_ladder_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text('{"event": "whole"}\n{"event": "ha')
    os.utime(path, (0, 0))
    with DailyLog(path, 3) as log:
        log.write("later")
    assert lines(tmp_path / "log-1970-01-01.jsonl") == ["whole"]
    assert lines(path) == ["later"]


def test_a_new_day_on_a_full_disk_is_no_silence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, day = tmp_path / "log.jsonl", datetime.now(UTC).date()
    strange = tmp_path / "log-of-mine.jsonl"
    strange.touch()

    def full(_log: EventLog) -> EventLog:
        raise OSError("cannot write log.jsonl: No space left on device")

    with DailyLog(path, 1, lambda: day) as log:
        log.write("a")
        for name in "bc":
            day += timedelta(days=1)
            with monkeypatch.context() as context:
                context.setattr(EventLog, "__enter__", full)
                log.write("lost")
                with pytest.raises(OSError, match="No space left"):
                    log.check()
                with pytest.raises(OSError, match="No space left"):
                    log.retry()
            log.retry()
            log.write(name)
            log.check()
    assert lines(path) == ["c"]
    assert len(list(tmp_path.iterdir())) == 3
    assert strange.exists()


def test_a_clock_that_jumps_costs_no_line(tmp_path: Path) -> None:
    path, day = tmp_path / "log.jsonl", datetime.now(UTC).date()
    first = day
    with DailyLog(path, 30, lambda: day) as log:
        for name, ahead in (("a", 0), ("b", 400), ("c", 0), ("d", 1), ("e", 400), ("f", 401)):
            day = first + timedelta(days=ahead)
            log.write(name)
    files = sorted(tmp_path.glob("log*"))
    assert sorted(line for file in files for line in lines(file)) == [*"abcdef"]


def thinking(event: Event, unit: Unit) -> BoardRecord:
    thought = RecordedThought(Seat.NORTH, 0, "a plan")
    return replace(record(event, unit, 0), thoughts=(thought,))


def thoughts(path: Path, match: int) -> int:
    with closing(Store.open(path, f"Club {match}")) as store:
        return sum(len(store.thoughts(unit)) for unit in store.units())


def test_thoughts_of_matches_that_ended_long_ago_are_deleted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "results.sqlite"
    opened(path, ladder_file("random", "baseline", boards=BOARDS)).close()
    day = 0
    for module in (ladder_store, results):
        monkeypatch.setattr(module, "now", lambda: f"2026-11-0{day}T00:00:00+00:00")
    for _ in range(4):
        day += 1
        play(path, venues(thinking), BOARDS)
    with closing(LadderStore.open(path)) as store:
        assert [thoughts(path, match) for match in range(1, 5)] == [4, 4, 4, 4]
        old = store.old_thoughts
        assert [old.delete_next("2026-11-03") for _ in range(4)] == [True, True, False, False]
    assert [thoughts(path, match) for match in range(1, 5)] == [0, 0, 4, 4]
    check_sums(path, BOARDS)


def test_a_log_goes_on_behind_its_last_whole_line(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    with DailyLog(path, 1) as log:
        log.write("a")
        size = path.stat().st_size
        for _ in range(2):
            resource.setrlimit(resource.RLIMIT_FSIZE, (size + 20, limits[1]))
            try:
                log.write("lost")
            finally:
                resource.setrlimit(resource.RLIMIT_FSIZE, limits)
            with pytest.raises(OSError, match="File too large"):
                log.check()
            log.retry()
        log.write("b")
        log.check()
    assert lines(path) == ["a", "b"]
