"""Tests of a ladder that cannot write: what is played is kept, and play goes on by itself."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest
from sqlalchemy import text
from sqlalchemy.engine import Engine

from bridge_arena.bridge.record import BoardRecord
from bridge_arena.tournaments.events.event import Event
from bridge_arena.tournaments.ladder import attendance, runner
from bridge_arena.tournaments.ladder.store.ladder_store import LadderStore
from bridge_arena.tournaments.ladder.watch import storage
from bridge_arena.tournaments.ladder.watch.alerts import Alerts
from bridge_arena.tournaments.ladder.watch.clock_watch import CALM, ClockWatch
from bridge_arena.tournaments.play.event_log import EventLog
from bridge_arena.tournaments.play.seating.seats import SeatingError
from bridge_arena.tournaments.schedule.units import Unit
from bridge_arena.tournaments.store import StoreError, database
from tests.postgresql import new_database, running_server
from tests.tournaments.ladder.ladders import check_sums, ladder_file, opened, play, venues
from tests.tournaments.scores import record

BOARDS = 4
MATCHES = 12


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The store of a ladder that looks round without waiting."""
    monkeypatch.setattr(runner, "LOOK_SECONDS", 0.001)
    path = tmp_path / "results.sqlite"
    opened(path, ladder_file("random", "baseline", "natural", "neural", boards=BOARDS)).close()
    return path


def level(event: Event, unit: Unit) -> BoardRecord:
    return record(event, unit, Random(f"{event.name} {unit.id}").randrange(-2000, 2000, 10))


def alerts_told(path: Path) -> list[str]:
    return [line for line in path.with_suffix(".jsonl").read_text().splitlines() if "alert" in line]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_nothing_is_lost_or_twice_whatever_cannot_be_written(
    path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    rng, real = Random(seed), database._translated_errors
    played: Counter[str] = Counter()
    failures = 0

    @contextmanager
    def faulty(engine: Engine, doing: str) -> Iterator[None]:
        nonlocal failures
        fails = bool(played) and failures < 40 and rng.random() < 0.15
        failures += fails
        if fails and rng.random() < 0.5:
            raise StoreError("the server is gone")
        with real(engine, doing):
            yield
        if fails:
            raise StoreError("the answer is lost")

    def result(event: Event, unit: Unit) -> BoardRecord:
        played[f"{event.name}/{unit.id}"] += 1
        return level(event, unit)

    monkeypatch.setattr(database, "_translated_errors", faulty)
    said = play(path, venues(result), MATCHES * BOARDS)
    assert failures == 40
    assert any("play waits, and goes on by itself: the server is gone" in line for line in said)
    assert {*played.values()} == {1}
    assert len(played) == MATCHES * BOARDS * 2
    check_sums(path, BOARDS)
    with closing(LadderStore.open(path)) as store:
        assert (store.open_matches(), store.alerts.in_force()) == ([], [])


@pytest.mark.slow
def test_a_ladder_goes_on_after_its_database_was_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "LOOK_SECONDS", 0.001)
    with running_server() as server:
        url = new_database(server.url, "club")
        file = ladder_file("random", "baseline", "natural", boards=BOARDS)
        with closing(LadderStore.open(url, file.definition)) as store:
            for registration in file.registrations:
                store.enter(registration)
        units, now, back = 0, 0, 0

        def clock() -> float:
            nonlocal now, back
            now += 1
            if now == back:
                server.begin()
            return now

        def result(event: Event, unit: Unit) -> BoardRecord:
            nonlocal units, back
            units += 1
            if units in (20, 50):
                server.end()
                # Meanwhile several tries fail.
                back = now + 100
            return level(event, unit)

        said = play(tmp_path / "results", venues(result), MATCHES * BOARDS, clock=clock, url=url)
        assert sum(line.startswith("over: play waits") for line in said) == 2
        assert units == MATCHES * BOARDS * 2
        assert check_sums(url, BOARDS, tmp_path) == MATCHES


def test_a_log_that_cannot_be_written_adjourns_play(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    failing = 5

    def check(_log: EventLog) -> None:
        nonlocal failing
        failing -= 1
        if failing in range(3):
            raise OSError("cannot write log.jsonl: No space left on device")

    monkeypatch.setattr(EventLog, "check", check)
    said = play(path, venues(level), MATCHES * BOARDS)
    assert sum("play waits" in line for line in said) >= 1
    assert said[-1].startswith("match ")
    check_sums(path, BOARDS)


def test_no_match_begins_while_there_is_no_room(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    margin = storage.MARGIN
    nearly, short = ([limit - 1, limit + margin - 1] for limit in (storage.LOW, storage.NEEDED))
    free = [storage.LOW, *5 * nearly, *5 * short, storage.LOW + margin]
    began: list[int] = []

    def disk_usage(_folder: Path) -> SimpleNamespace:
        return SimpleNamespace(free=free.pop(0) if len(free) > 1 else free[0])

    def result(event: Event, unit: Unit) -> BoardRecord:
        if not unit.position > 1:
            began.append(len(free))
        return level(event, unit)

    monkeypatch.setattr(shutil, "disk_usage", disk_usage)
    said = play(path, venues(result), MATCHES * BOARDS, concurrency=1)
    assert [line for line in said if "free in" in line] == [
        f"the disk is nearly full: less than 320 MiB are free in {path.parent}",
        f"no match begins: less than 32 MiB are free in {path.parent}",
        f"over: no match begins: less than 32 MiB are free in {path.parent}",
    ]
    check_sums(path, BOARDS)


def test_a_match_counts_the_seconds_of_all_its_stretches(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(attendance, "FIRST_REST", 0)
    seconds = 0

    def result(event: Event, unit: Unit) -> BoardRecord:
        nonlocal seconds
        seconds += 10
        if seconds == 50:
            raise SeatingError("a bot ended")
        return level(event, unit)

    play(path, venues(result), BOARDS, clock=lambda: seconds)
    with closing(LadderStore.open(path)) as store:
        (sums,) = store.sums().values()
    assert sums.seconds == 90, "eight units, and one that was cut off"


def test_waits_grow_while_tries_fail(path: Path) -> None:
    now = 0.0
    with closing(LadderStore.open(path)) as store:
        alerts = Alerts(store, EventLog(), lambda _line: None)
        kept = storage.Storage(store, path.parent, EventLog(), alerts, lambda: now)
        waits = []
        for _ in range(9):
            kept.failed(StoreError("gone"))
            failed = now
            while not kept.may_try():
                now += 1
            waits.append(now - failed)
            kept.mend()
        assert waits == [1, 2, 4, 8, 16, 32, 60, 60, 60]
        now += 601
        kept.failed(StoreError("gone"))
        now += 1
        assert kept.may_try()


def test_a_jump_of_the_clock_is_told(path: Path) -> None:
    steady, wall = 0.0, 1e9
    told: list[str] = []
    with closing(LadderStore.open(path)) as store:
        watch = ClockWatch(Alerts(store, EventLog(), told.append), lambda: steady, lambda: wall)
        for seconds, jump, is_calm in (
            (1, 0, False),
            (CALM, 30, True),
            (1, -7200, False),
            (1, 0, False),
            (CALM, 0, True),
            (1, 100, False),
        ):
            steady += seconds
            wall += seconds + jump
            watch.look()
            assert watch.is_calm() is is_calm
    assert told == [
        "the clock of this machine was set back by 2.0 hours",
        "over: the clock of this machine was set back by 2.0 hours",
        "the clock of this machine was set ahead by 2 min",
    ]


def test_a_lock_that_a_server_lost_is_taken_again(postgresql: object) -> None:
    definition = ladder_file("random", "baseline").definition
    place = postgresql()  # type: ignore[operator]
    with closing(LadderStore.open(place, definition)) as store, store.locked():
        engine = database.connect(place)
        others = (
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
        )
        with engine.begin() as connection:
            connection.execute(text(f"{others} AND datname = current_database()"))
        engine.dispose()
        store.check()
        assert store.is_being_played()
        store.check()
