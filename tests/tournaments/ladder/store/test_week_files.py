"""Tests of the PBN files of weeks: each match once, whatever happened to the files."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from bridge_arena.board_files.problems import BoardFileError
from bridge_arena.bridge.record import BoardRecord
from bridge_arena.commands.common.errors import UnusableError
from bridge_arena.commands.ladder.backup import backup, restore
from bridge_arena.recorded.deal_proof import ProofError, verify_pbn
from bridge_arena.tournaments.events.event import Event
from bridge_arena.tournaments.ladder import results
from bridge_arena.tournaments.ladder.players import State
from bridge_arena.tournaments.ladder.store.ladder_store import LadderStore
from bridge_arena.tournaments.ladder.store.week_files import WeekFiles
from bridge_arena.tournaments.schedule.event_files import headers_in, recorded_events
from bridge_arena.tournaments.schedule.units import Unit
from bridge_arena.tournaments.store import Store
from tests.tournaments.ladder.ladders import check_sums, ladder_file, opened, play, venues
from tests.tournaments.scores import record

BOARDS = 2


def drawn(event: Event, unit: Unit) -> BoardRecord:
    """A result that is the same whenever the unit is played."""
    return record(event, unit, Random(f"{event.name} {unit.id}").randrange(-2000, 2000, 10))


def _play(folder: Path) -> None:
    path = folder / "results.sqlite"
    opened(path, ladder_file("random", "baseline", "natural", boards=BOARDS)).close()
    for day, matches in (("2026-12-31", 3), ("2027-01-04", 2)):
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(results, "now", lambda day=day: f"{day}T10:00:00+00:00")
            play(path, venues(drawn), matches * BOARDS, concurrency=1)


@pytest.fixture
def path(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    copy_of_made: Callable[[Callable[[Path], object], Path], None],
) -> Path:
    """The store of a ladder that has played three matches in one week and two in the next."""
    copy_of_made(_play, tmp_path)
    monkeypatch.setattr(results, "now", lambda: "2027-01-04T10:00:00+00:00")
    return tmp_path / "results.sqlite"


class KilledError(Exception):
    """What ends a ladder between the file of a match and its sums."""


def killed(*_: object) -> None:
    raise KilledError


def forget_weeks(path: Path) -> None:
    """Make the store one of a release without files of weeks."""
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("DELETE FROM ladder_pbn")


def weeks(path: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in (path.parent / "pbn").iterdir()}


def events(path: Path, week: str) -> list[str]:
    problems: list[object] = []
    recorded = recorded_events(path.parent / "pbn" / week, problems)  # type: ignore[arg-type]
    assert problems == []
    assert all(len(records) == 2 * BOARDS for _, records in recorded)
    return [header.event.name for header, _ in recorded]


def test_a_match_is_in_the_file_of_the_week_in_which_it_ended(path: Path) -> None:
    assert sorted(weeks(path)) == ["2026-W53.pbn", "2027-W01.pbn"]
    assert events(path, "2026-W53.pbn") == ["Club 1", "Club 2", "Club 3"]
    assert events(path, "2027-W01.pbn") == ["Club 4", "Club 5"]
    for file in (path.parent / "pbn").iterdir():
        assert file.stat().st_mode & 0o077 == 0
        # A single match has the same text in the file of its event.
        for header in headers_in(file):
            with closing(Store.open(path, header.event.name)) as store:
                store.write_pbn(path.parent)
            alone = (path.parent / "match.pbn").read_bytes()
            assert alone.partition(b"% ArenaEvent ")[2] in file.read_bytes()


def test_deals_are_verified_match_by_match(tmp_path: Path) -> None:
    path = tmp_path / "results.sqlite"
    opened(path, ladder_file("random", "baseline", boards=BOARDS)).close()

    play(path, venues(drawn), 2 * BOARDS)
    (file,) = (tmp_path / "pbn").iterdir()
    # The boards of these records are not those that the keys deal.
    verdicts = verify_pbn(file)
    assert [verdict.facts[0] for verdict in verdicts] == ["Club 1", "Club 2"]
    assert all("not the board of that number" in one.mistakes[0] for one in verdicts), verdicts


def test_what_was_not_counted_is_cut_off(path: Path) -> None:
    before = weeks(path)
    folder = path.parent / "pbn"
    for name in before:
        with (folder / name).open("ab") as file:
            file.write(b"% ArenaEvent {half a ma")
    play(path, venues(drawn), 0)
    assert weeks(path) == before


def test_the_first_match_of_a_week_that_was_killed_before_it_was_counted_is_cut_off(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = weeks(path)
    monkeypatch.setattr(results, "now", lambda: "2027-01-11T10:00:00+00:00")
    with monkeypatch.context() as context:
        context.setattr(LadderStore, "end", killed)
        with pytest.raises(KilledError):
            play(path, venues(drawn), BOARDS)
    # One more is in play, and ends in this week too.
    play(path, venues(drawn), 2 * BOARDS, concurrency=1)
    assert {*weeks(path)} == {*before, "2027-W02.pbn"}
    assert events(path, "2027-W02.pbn") == ["Club 6", "Club 7"]
    check_sums(path, BOARDS)


def test_a_file_of_a_week_that_the_store_does_not_know_is_kept(path: Path) -> None:
    before = weeks(path)
    forget_weeks(path)
    play(path, venues(drawn), 0)
    assert weeks(path) == before
    play(path, venues(drawn), BOARDS, concurrency=1)
    after = weeks(path)
    assert after.pop("2027-W01.pbn.uncounted") == before["2027-W01.pbn"]
    assert after["2026-W53.pbn"] == before["2026-W53.pbn"]
    assert events(path, "2027-W01.pbn") == ["Club 4", "Club 5", "Club 6"]
    check_sums(path, BOARDS)


def test_matches_of_a_release_without_files_of_weeks_come_into_them(path: Path) -> None:
    before = weeks(path)
    forget_weeks(path)
    for name in before:
        (path.parent / "pbn" / name).unlink()
    play(path, venues(drawn), BOARDS, concurrency=1)
    assert events(path, "2027-W01.pbn") == ["Club 4", "Club 5", "Club 6"]
    backup(str(path.parent), path.parent / "kept")
    restore(path.parent / "kept", str(path.parent / "again"))
    assert weeks(path.parent / "again" / path.name) == {**before, **weeks(path)}


@pytest.mark.parametrize("week", ["../../stolen", "/stolen", "2026-W0x", "", "2026-W09\n", "x"])
def test_a_forged_week_leads_nowhere(path: Path, week: str) -> None:
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("UPDATE ladder_pbn SET week = ? WHERE week = '2027-W01'", [week])
    backup(str(path.parent), path.parent / "kept")
    again = path.parent / "a" / "b" / "again"
    with pytest.raises(UnusableError, match=f"has matches of {re.escape(repr(week))}, which is no"):
        restore(path.parent / "kept", str(again))
    assert not again.exists()
    assert [*path.parent.rglob("*stolen*")] == []


@pytest.mark.parametrize("size", [None, 0, 100])
def test_a_file_that_lacks_something_is_written_anew(path: Path, size: int | None) -> None:
    before, file = weeks(path), path.parent / "pbn" / "2027-W01.pbn"
    if size is None:
        file.unlink()
    else:
        file.write_bytes(file.read_bytes()[:size])
    play(path, venues(drawn), 0)
    assert weeks(path) == before
    with closing(LadderStore.open(path)) as store:
        files = WeekFiles(store, path.parent)
        file.unlink()
        # It may also be gone while the ladder is played.
        with closing(Store.open(path, "Club 5")) as match:
            assert files.append("2027-01-05T10:00:00+00:00", match)[1] > len(before[file.name])
        (path.parent / "pbn" / "2026-W53.pbn").unlink()
        files.mend()
        assert weeks(path) == {file.name: before[file.name]}, "an earlier one stays away"
        for week in files.weeks():
            files.write(week)
    assert weeks(path) == before
    check_sums(path, BOARDS)


def test_a_match_that_ended_before_its_first_board_is_one_of_its_own(path: Path) -> None:
    with closing(LadderStore.open(path)) as store:
        store.draw(1, 2)
        store.set_state("random", State.RETIRED)
    play(path, venues(drawn), BOARDS)
    names = [header.event.name for header in headers_in(path.parent / "pbn" / "2027-W01.pbn")]
    assert names == ["Club 4", "Club 5", "Club 6", "Club 7"]
    check_sums(path, BOARDS)


def test_the_file_of_another_ladder_stays_as_it_is(path: Path) -> None:
    file = path.parent / "pbn" / "2027-W01.pbn"
    file.write_bytes(file.read_bytes().replace(b"Club,", b"Cups,") + b"more")
    before = weeks(path)
    with pytest.raises(OSError, match="is of another ladder: give this one another folder"):
        play(path, venues(drawn), 0)
    assert weeks(path) == before


def _broken(data: bytes) -> Iterator[tuple[bytes, str]]:
    yield data.replace(b'[Event "Club 4"]', b'[Event "Cup"]'), "4 games are of the event 'Cup'"
    yield data.replace(b'% ArenaEvent {"name":"Club 5"', b'% ArenaEvent {"nome":"Club 5"'), "nome"


def test_games_of_no_event_are_told(path: Path) -> None:
    file = path.parent / "pbn" / "2027-W01.pbn"
    (strange, why), (broken, _) = _broken(file.read_bytes())
    file.write_bytes(strange)
    problems: list[object] = []
    assert [header.event.name for header, _ in recorded_events(file, problems)] == ["Club 5"]  # type: ignore[arg-type]
    assert why in str(problems[0])
    file.write_bytes(broken)
    with pytest.raises(BoardFileError, match="no event of this release"):
        headers_in(file)
    file.write_bytes(strange.partition(b"[Event")[0])
    with pytest.raises(ProofError):
        verify_pbn(file)
