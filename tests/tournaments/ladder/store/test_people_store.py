"""What people played at a ladder is kept, and bounded."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bridge_arena.bridge.seats import Seat
from bridge_arena.tournaments.ladder.store import people_store
from bridge_arena.tournaments.ladder.store.backups import Backup, back_up
from bridge_arena.tournaments.ladder.store.ladder_store import LadderStore
from bridge_arena.tournaments.ladder.store.people_store import KeptDay
from bridge_arena.tournaments.play.in_process import play_match
from tests.tournaments.ladder.ladders import ladder_file, opened


@pytest.fixture
def store(tmp_path: Path) -> Iterator[LadderStore]:
    with closing(opened(tmp_path / "results.sqlite", ladder_file("baseline", "random"))) as store:
        yield store


def test_a_board_of_a_person_is_kept_whole(store: LadderStore) -> None:
    record, _ = play_match("baseline", "random", 1, seed=7).records
    assert store.people.begin("1/1", "a", "Zoë 😀", Seat.SOUTH)
    assert not store.people.begin("1/1", "a", "another name", Seat.NORTH), "it was begun before"
    (begun,) = store.people.of_deal("1/1")
    assert (begun.score, begun.record) == (None, None)
    store.people.end("1/1", "a", record)
    (kept,) = store.people.of_deal("1/1", "a")
    assert (kept.name, kept.seat, kept.score) == ("Zoë 😀", Seat.SOUTH, record.score)
    assert kept.record is not None
    assert (kept.record.board, kept.record.cards) == (record.board, record.cards)
    assert [made.call for made in kept.record.calls] == [made.call for made in record.calls]
    assert store.people.of_deal("1/1", "b") == store.people.of_deal("1/2") == []
    assert store.people.deals_of("a") == {"1/1"}
    assert store.people.names("1/1") == {"Zoë 😀"}


def test_people_are_bounded_for_each_deal_and_in_all(
    store: LadderStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert [
        store.people.begin("day", f"{number}", "Ann", Seat.SOUTH, 2) for number in range(3)
    ] == [True, True, False]
    monkeypatch.setattr(people_store, "MOST_BOARDS", 5)
    monkeypatch.setattr(people_store, "now", iter("abcdefghijkl").__next__)
    for number in range(10):
        store.people.begin(f"{number}/1", "a", "Ann", Seat.SOUTH)
    assert store.people.deals_of("a") == {f"{number}/1" for number in range(5, 10)}
    assert len(store.people.of_deal("day")) == 2, "boards of matches displace none of days"


def test_boards_that_were_left_are_deleted_before_those_that_are_over(
    store: LadderStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(people_store, "MOST_BOARDS", 2)
    record, _ = play_match("baseline", "random", 1, seed=7).records
    times = iter(["2026-01-01", "2026-01-02", "9999-01-01", "9999-01-02"])
    monkeypatch.setattr(people_store, "now", times.__next__)
    store.people.begin("1/1", "a", "Ann", Seat.SOUTH)
    store.people.end("1/1", "a", record)
    store.people.begin("2/1", "a", "Ann", Seat.SOUTH)  # it was left
    store.people.begin("3/1", "a", "Ann", Seat.SOUTH)
    assert store.people.deals_of("a") == {"1/1", "3/1"}
    # What is in play stays; so the oldest goes.
    store.people.begin("4/1", "a", "Ann", Seat.SOUTH)
    assert store.people.deals_of("a") == {"3/1", "4/1"}


def test_the_board_of_a_day_is_drawn_once(store: LadderStore) -> None:
    first, second = (KeptDay("2026-11-29", "{}", key * 64) for key in "ab")
    store.people.add_day(first)
    store.people.add_day(second)
    assert store.people.day("2026-11-29") == first
    assert store.people.day("2026-11-30") is None
    store.people.add_day(KeptDay("2026-11-30", "{}", "c" * 64))
    assert store.people.first_day() == "2026-11-29"


def test_a_backup_has_the_boards_of_people_and_of_days(store: LadderStore, tmp_path: Path) -> None:
    record, _ = play_match("baseline", "random", 1, seed=7).records
    drawn = KeptDay("2026-11-29", "{}", "a" * 64)
    store.people.add_day(drawn)
    store.people.begin("2026-11-29", "a", "Ann", Seat.SOUTH)
    store.people.end("2026-11-29", "a", record)
    file, again = tmp_path / "club.backup", tmp_path / "again.sqlite"
    file.touch()
    back_up(store.place, file, datetime.now(UTC), None, lambda numbers, *_: numbers)
    again.touch()
    with Backup.open(file, tmp_path / "working") as backup:
        backup.restore(again, lambda numbers, *_: numbers)
    with closing(LadderStore.open(again)) as restored:
        assert restored.people.day("2026-11-29") == drawn
        assert restored.people.of_deal("2026-11-29") == store.people.of_deal("2026-11-29")
