"""Tests of backups: nothing is lost, nothing comes twice, and no deal comes again."""

from __future__ import annotations

import os
import signal
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable, Iterable
from contextlib import closing
from datetime import datetime
from pathlib import Path
from textwrap import dedent

import pytest
from sqlalchemy import select

from bridge_arena.bridge.record import BoardRecord
from bridge_arena.commands.common.errors import InterruptedCommandError, UnusableError
from bridge_arena.commands.ladder.backup import backup, restore
from bridge_arena.tournaments.events.event import Event
from bridge_arena.tournaments.ladder.ladder_file import LadderDefinition
from bridge_arena.tournaments.ladder.store import backups
from bridge_arena.tournaments.ladder.store.ladder_store import LadderStore
from bridge_arena.tournaments.schedule.units import Unit
from bridge_arena.tournaments.store.database import HEAD, connect, create_schema, statements
from bridge_arena.tournaments.store.models import Base, EventRow
from tests.data import ROOT
from tests.end_to_end.arena import arena
from tests.patience import PATIENCE
from tests.tournaments.ladder.ladders import check_sums, ladder_file, opened, play, venues
from tests.tournaments.ladder.test_runner import BOARDS, BOTS, KilledError, drawn
from tests.tournaments.store.contents import contents


def played(folder: Path) -> Path:
    """A ladder that was killed while two matches were in play; return the path of its store."""
    folder.mkdir()
    path = folder / "results.sqlite"
    opened(path, ladder_file(*BOTS, boards=BOARDS)).close()
    play(path, venues(drawn), 12 * BOARDS)
    begun: list[str] = []

    def dying(event: Event, unit: Unit) -> BoardRecord:
        begun.append(event.name)
        if len({*begun}) == 2 and len(begun) > 3:
            raise KilledError
        return drawn(event, unit)

    with pytest.raises(KilledError):
        play(path, venues(dying), None)
    return path


def keys(path: Path) -> dict[str, str]:
    """The secret keys of the deals by the names of the matches."""
    engine = connect(path)
    with statements(engine, "read") as connection:
        rows = connection.execute(select(EventRow.name, EventRow.key)).all()
    engine.dispose()
    return {row.name: row.key for row in rows}


def replace_name(definition: LadderDefinition, name: str) -> LadderDefinition:
    template = definition.template.model_copy(update={"name": name})
    return definition.model_copy(update={"template": template})


def names_in_play(path: Path) -> set[str]:
    with closing(LadderStore.open(path)) as store:
        return {f"Club {match.number}" for match in store.open_matches()}


def last_backup(path: Path) -> datetime:
    with closing(LadderStore.open(path)) as store:
        made = store.last_backup()
    assert made is not None
    return made


@pytest.mark.slow
def test_a_ladder_goes_on_elsewhere_from_its_backup(tmp_path: Path) -> None:
    path = played(tmp_path / "club")
    (tmp_path / "club" / "tokens.json").write_text("tokens")
    in_play = names_in_play(path)
    assert len(in_play) == 2
    backup(str(path.parent), tmp_path / "kept")
    assert stat.S_IMODE((tmp_path / "kept").stat().st_mode) == 0o600
    made = last_backup(path)
    # What is played from here on is lost, and may have been published.
    play(path, venues(drawn), 10 * BOARDS)
    elsewhere = tmp_path / "elsewhere" / "results.sqlite"
    restore(tmp_path / "kept", str(elsewhere.parent))
    assert (elsewhere.parent / "tokens.json").read_text() == "tokens"
    assert last_backup(elsewhere) == made
    assert names_in_play(elsewhere) == in_play
    assert not in_play & {*keys(elsewhere)}
    play(elsewhere, venues(drawn), 20 * BOARDS)
    check_sums(elsewhere, BOARDS)
    lost, kept = keys(path), keys(elsewhere)
    with_one_key = {name for name in kept if kept[name] == lost.get(name)}
    assert with_one_key == {f"Club {number}" for number in range(1, 13)}
    assert not {lost[name] for name in lost if name not in with_one_key} & {*kept.values()}
    left = sorted(str(file) for file in tmp_path.rglob(".*"))
    assert not left


@pytest.mark.slow
def test_a_backup_of_each_kind_of_database_is_restored_to_the_other(
    tmp_path: Path, postgresql: Callable[[], str]
) -> None:
    path, url = played(tmp_path / "club"), postgresql()
    other = replace_name(ladder_file("random", "baseline").definition, "Other")
    LadderStore.open(url, other).close()
    backup(str(path.parent), tmp_path / "first")
    restore(tmp_path / "first", url, tmp_path / "on the server")
    backup(url, tmp_path / "second", tmp_path / "on the server", "Club")
    # Ids differ, as another ladder was there first; restored alone, it is as it was.
    restore(tmp_path / "second", str(tmp_path / "again"))
    restore(tmp_path / "first", str(tmp_path / "once"))
    once, again = (
        contents(tmp_path / folder / "results.sqlite", without=["ladder"])
        for folder in ("once", "again")
    )
    assert once == again
    assert once["record"]


@pytest.mark.slow
def test_a_backup_of_an_earlier_release_is_restored(tmp_path: Path) -> None:
    path = played(tmp_path / "club")
    backup(str(path.parent), tmp_path / "kept")
    # As the release before would have made it.
    engine = connect(tmp_path / "old", has_log=False)
    create_schema(engine, "0012")
    engine.dispose()
    with closing(sqlite3.connect(tmp_path / "old")) as database:
        database.execute("ATTACH ? AS new", (str(tmp_path / "kept"),))
        database.execute("CREATE TABLE backup AS SELECT * FROM new.backup")
        tables = database.execute("SELECT name FROM main.sqlite_master WHERE type = 'table'")
        for (table,) in tables.fetchall():
            if table not in ("backup", "alembic_version"):
                of_table = database.execute(
                    f"SELECT name FROM pragma_table_info('{table}', 'main')"
                )
                columns = ", ".join(f'"{column}"' for (column,) in of_table)
                database.execute(
                    f"INSERT INTO {table} ({columns}) SELECT {columns} FROM new.{table}"
                )
        database.commit()
    restore(tmp_path / "old", str(tmp_path / "again"))
    play(tmp_path / "again" / "results.sqlite", venues(drawn), 2 * BOARDS)


@pytest.mark.parametrize("kind", ["folder", "pipe"])
def test_what_is_no_regular_file_is_no_backup(tmp_path: Path, kind: str) -> None:
    place, club = tmp_path / kind, tmp_path / "club"
    place.mkdir() if kind == "folder" else os.mkfifo(place)
    club.mkdir()
    opened(club / "results.sqlite", ladder_file("random", "baseline")).close()
    with pytest.raises(UnusableError, match="no backup of a ladder, which is a regular file"):
        restore(place, str(tmp_path / "again"))
    assert not (tmp_path / "again").exists()
    with pytest.raises(UnusableError, match="is there already, and is no backup of a ladder"):
        backup(str(club), place)


def test_every_table_is_copied() -> None:
    copied = {table.name for table in (*backups._OF_LADDER, *backups._OF_EVENT)}
    assert {*Base.metadata.tables} - copied == {"ladder", "event"}


def _keep(folder: Path) -> None:
    opened(folder / "results.sqlite", ladder_file(*BOTS)).close()
    assert arena(folder, "ladder", "backup", ".", "kept").status == 0


class TestDoors:
    """What somebody may try, by mistake or not."""

    @pytest.fixture
    def club(
        self, tmp_path: Path, copy_of_made: Callable[[Callable[[Path], object], Path], None]
    ) -> Path:
        copy_of_made(_keep, tmp_path)
        return tmp_path

    @pytest.mark.slow
    def test_no_other_file_is_overwritten(self, club: Path) -> None:
        (club / "letter").write_text("Dear Ann")
        for name in ("letter", "results.sqlite"):
            before = (club / name).read_bytes()
            ended = arena(club, "ladder", "backup", ".", name)
            assert ended.complaint(2) == f"{name} is there already, and is no backup of a ladder"
            assert (club / name).read_bytes() == before

    @pytest.mark.slow
    def test_a_ladder_that_is_there_is_kept(self, club: Path) -> None:
        ended = arena(club, "ladder", "restore", "kept", ".")
        assert ended.complaint(2) == ". has something: restore to a new folder"
        url = f"sqlite:///{club}/results.sqlite"
        ended = arena(club, "ladder", "restore", "kept", url, "--out", "new")
        assert ended.complaint(2) == f"{club}/results.sqlite has a ladder 'Club' already"
        assert not (club / "new").exists()

    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("change", "complaint"),
        [
            (lambda data: data[:0], "kept is no backup of a ladder"),
            (lambda data: b"hello" + data[5:], "kept is no backup of a ladder, or damaged: "),
            (lambda data: data[:-4096], "kept is no backup of a ladder, or damaged: "),
            (
                lambda data: data.replace(HEAD.encode(), b"9999"),
                "kept was made by a later release of Bridge Arena",
            ),
        ],
        ids=["empty", "another file", "torn", "later"],
    )
    def test_a_bad_file_is_refused(
        self, club: Path, change: Callable[[bytes], bytes], complaint: str
    ) -> None:
        (club / "kept").write_bytes(change((club / "kept").read_bytes()))
        assert arena(club, "ladder", "restore", "kept", "new").complaint(2).startswith(complaint)
        assert not (club / "new").exists()

    def test_a_store_is_no_backup(self, club: Path) -> None:
        ended = arena(club, "ladder", "restore", "results.sqlite", "new")
        assert ended.complaint(2) == "results.sqlite is no backup of a ladder"

    def test_one_that_is_interrupted_leaves_nothing(
        self, club: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        before = {*club.iterdir()}, (club / "kept").read_bytes()

        def interrupted(*_: object) -> Iterable[int]:
            raise KeyboardInterrupt

        monkeypatch.setattr(backups, "_copy", interrupted)
        monkeypatch.chdir(club)
        orders: list[Callable[[], None]] = [
            lambda: backup(".", Path("kept")),
            lambda: restore(Path("kept"), "new"),
        ]
        for order in orders:
            with pytest.raises(InterruptedCommandError, match="interrupted; nothing was written"):
                order()
        assert ({*club.iterdir()}, (club / "kept").read_bytes()) == before

    @pytest.mark.slow
    def test_one_that_is_killed_leaves_no_half_of_a_ladder(self, club: Path) -> None:
        (club / "tokens.json").write_text("tokens")
        play(club / "results.sqlite", venues(drawn), 2 * BOARDS)
        backup(str(club), club / "kept")
        killed = """
            import os, pathlib, signal
            from bridge_arena.commands.ladder.backup import restore
            from bridge_arena.tournaments.ladder.store import backups

            backups._copy = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
            restore(pathlib.Path("kept"), "new")
        """
        process = subprocess.run(
            [sys.executable, "-c", dedent(killed)],
            cwd=club,
            check=False,
            timeout=PATIENCE,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )
        assert process.returncode == -signal.SIGKILL
        assert (club / "new" / "tokens.json").exists()
        ended = arena(club, "ladder", "--demo", "--out", "new", "--max-boards", "1")
        assert ended.complaint(2) == "a restore to new was broken off: do it again first"
        # Of another ladder, which has no tokens and no weeks.
        (club / "other").mkdir()
        opened(club / "other" / "results.sqlite", ladder_file(*BOTS)).close()
        backup(str(club / "other"), club / "other" / "kept")
        restore(club / "other" / "kept", str(club / "new"))
        assert [path.name for path in (club / "new").iterdir()] == ["results.sqlite"]

    def test_status_says_when_the_last_one_was_made(self, club: Path) -> None:
        assert (
            arena(club, "ladder", "status", ".")
            .output.splitlines()[-1]
            .startswith("last backup: 20")
        )
