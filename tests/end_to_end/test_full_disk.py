"""If nothing more can be written, the event stops with one line, and can be resumed."""

from __future__ import annotations

import json
import os
import resource
import shlex
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from bridge_arena.bridge.board import random_deal
from bridge_arena.oracle.double_dummy_table import PartialTable
from bridge_arena.oracle.table_store import NAME, TableStore
from bridge_arena.tournaments import Format, Store
from tests.data import ROOT
from tests.end_to_end.arena import (
    ARENA,
    Ended,
    arena,
    bot_pids,
    end_of,
    is_alive,
    log_of,
    order_stop,
    started,
    units_played,
    untimed,
)
from tests.tournaments.ladder.ladders import check_sums
from tests.tournaments.scores import event

EVENT = """
[event]
name = "Disk"
format = "match"
boards = {boards}
seed = 3
[[entry]]
bot = "random"
name = "one"
[[entry]]
bot = "random"
name = "two"
"""

LADDER = """
[ladder]
name = "Disk"
boards = 8
concurrency = 1
[[player]]
bot = "random"
[[player]]
bot = "baseline"
"""

BOARDS = 10
TO_BEGIN = "150k"
"""The size of a disk on which an event cannot even begin."""


@contextmanager
def disk(place: Path, size: str) -> Iterator[Path]:
    """A small disk of its own, mounted at a new folder; skips the test where none may be."""
    place.mkdir()
    mounting = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(place)]
    try:
        mounted = subprocess.run(mounting, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        pytest.skip("there is no mount command to make a small disk with")
    if mounted.returncode != 0:
        pytest.skip(f"a small disk cannot be mounted here: {mounted.stderr.strip()}")
    try:
        yield place
    finally:
        subprocess.run(["umount", str(place)], check=True)


def remount(place: Path, options: str) -> None:
    subprocess.run(["mount", "-o", f"remount,{options}", str(place)], check=True)


def write_event(folder: Path, boards: int = BOARDS) -> None:
    (folder / "event.toml").write_text(EVENT.format(boards=boards))


def tournament(folder: Path, out: str, *more: str) -> Ended:
    return arena(folder, "tournament", "event.toml", "--out", out, *more)


def complaint_to_go_on(ended: Ended, out: str) -> str:
    """Return the error line of an event that stopped; it ends with the command that resumes."""
    complaint, _, command = ended.complaint(1).partition("; go on with: ")
    assert shlex.split(command) == [
        *("arena", "tournament", "event.toml", "--out", out, "--resume"),
    ]
    return complaint


def check_whole(folder: Path) -> None:
    """Check that no file is half-written and that no process is left."""
    text = (folder / "log.jsonl").read_text()
    assert text.endswith("\n")
    for line in text.splitlines():
        json.loads(line)
    assert not list(folder.glob(".*.new*"))
    assert not any(map(is_alive, bot_pids(folder)))


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the PBN file of an uninterrupted event, without dates and times."""
    folder = tmp_path_factory.mktemp("undisturbed")
    write_event(folder)
    assert tournament(folder, "out").status == 0
    return untimed(folder / "out" / "match.pbn")


@pytest.fixture(scope="module")
def new_store(tmp_path_factory: pytest.TempPathFactory) -> int:
    """Return the bytes of a store before the first board."""
    path = tmp_path_factory.mktemp("new") / "results.sqlite"
    Store.create(path, event(Format.MATCH, 2)).close()
    return path.stat().st_size


@pytest.mark.slow
def test_an_event_goes_on_after_a_disk_has_filled_up(
    tmp_path: Path, undisturbed: str, new_store: int
) -> None:
    write_event(tmp_path)
    # It has room to make the store, and for some boards.
    with disk(tmp_path / "disk", str(2 * new_store + 50_000)) as place:
        out = place / "out"
        complaint = complaint_to_go_on(tournament(tmp_path, "disk/out"), "disk/out")
        assert complaint == "cannot write disk/out/results.sqlite: database or disk is full"
        check_whole(out)
        played = units_played(out)
        assert 0 < len(played) < 2 * BOARDS

        again = complaint_to_go_on(tournament(tmp_path, "disk/out", "--resume"), "disk/out")
        assert again.startswith("cannot write disk/out/"), "there is no more room than before"
        check_whole(out)

        remount(place, "size=20m")
        ended = tournament(tmp_path, "disk/out", "--resume")
        assert ended.status == 0, ended
        assert untimed(out / "match.pbn") == undisturbed
        assert len(set(units_played(out))) == len(units_played(out)), "nothing is replayed"
        check_whole(out)


@pytest.mark.slow
def test_a_ladder_waits_until_its_disk_has_room(tmp_path: Path) -> None:
    (tmp_path / "club.toml").write_text(LADDER)
    with (
        disk(tmp_path / "disk", "48m") as place,
        started(tmp_path, "ladder", "club.toml", "--out", "disk/out") as process,
    ):
        assert process.stdout is not None
        lines = process.stdout
        assert any(line.startswith("match 1:") for line in lines)
        # A match is at play, whose next board finds no room.
        with suppress(OSError):
            (place / "ballast").write_bytes(b"x" * 48 * 1024 * 1024)
        assert any(line.startswith("play waits, and goes on by itself: ") for line in lines)
        (place / "ballast").unlink()
        assert any(line.startswith("over: play waits") for line in lines)
        assert any(line.startswith("match ") for line in lines)
        order_stop(process)
        assert end_of(process).status == 3
        check_sums(place / "out" / "results.sqlite", 8)
        check_whole(place / "out")


@pytest.mark.slow
def test_a_disk_too_full_to_begin_is_told(tmp_path: Path) -> None:
    write_event(tmp_path, boards=1)
    with disk(tmp_path / "disk", TO_BEGIN) as place:
        complaint = tournament(tmp_path, "disk/out").complaint(2)
        assert complaint.endswith("database or disk is full")
        assert not list(place.iterdir()), "nothing is left of the attempt"
        remount(place, "size=20m")
        assert tournament(tmp_path, "disk/out").status == 0


@pytest.mark.slow
def test_a_disk_that_may_only_be_read_is_told(tmp_path: Path) -> None:
    write_event(tmp_path, boards=1)
    with disk(tmp_path / "disk", "20m") as place:
        remount(place, "ro")
        complaint = tournament(tmp_path, "disk/out").complaint(2)
        assert complaint == "cannot write disk/out: Read-only file system"
        remount(place, "rw")
        assert tournament(tmp_path, "disk/out").status == 0
        files = {path: path.read_bytes() for path in place.rglob("*") if path.is_file()}
        remount(place, "ro")
        tournament(tmp_path, "disk/out", "--resume").complaint(2)
        arena(tmp_path, "report", "disk/out").complaint(2)
        assert files == {path: path.read_bytes() for path in files}


@pytest.mark.slow
def test_results_stay_where_there_is_no_room_for_the_report(tmp_path: Path) -> None:
    """The results are there; a file that cannot be written stays as it was."""
    write_event(tmp_path, boards=1)
    with disk(tmp_path / "disk", "2m") as place:
        out = place / "out"
        assert tournament(tmp_path, "disk/out").status == 0
        before = {path: path.read_bytes() for path in out.rglob("*") if path.is_file()}
        room = os.statvfs(place)
        # 33 kB are for what SQLite keeps in memory that is shared.
        ballast = b"x" * (room.f_bavail * room.f_frsize - 33 * 1024)
        (place / "ballast").write_bytes(ballast)
        complaint = arena(tmp_path, "report", "disk/out").complaint(1)
        assert complaint.startswith("cannot write disk/out/"), complaint
        assert complaint.endswith(
            "No space left on device; all boards are kept, go on with: arena report disk/out"
        )
        assert before == {path: path.read_bytes() for path in out.rglob("*") if path.is_file()}
        (place / "ballast").unlink()
        assert arena(tmp_path, "report", "disk/out").status == 0


@pytest.mark.slow
def test_an_event_goes_on_after_its_files_might_not_grow(
    tmp_path: Path, undisturbed: str, new_store: int
) -> None:
    """The limit of the shell's `ulimit -f`, which needs no disk of its own."""
    write_event(tmp_path)
    command = ("tournament", "event.toml", "--out", "out")
    with started(tmp_path, *command) as process:
        most = new_store + 24_000
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (most, most))
        ended = end_of(process)
    assert complaint_to_go_on(ended, "out").startswith("cannot write out/results.sqlite: ")
    check_whole(tmp_path / "out")
    assert len(units_played(tmp_path / "out")) < 2 * BOARDS
    assert tournament(tmp_path, "out", "--resume").status == 0
    assert untimed(tmp_path / "out" / "match.pbn") == undisturbed


@pytest.mark.slow
def test_a_log_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    write_event(tmp_path, boards=1)
    out = tmp_path / "out"
    out.mkdir()
    (out / "log.jsonl").symlink_to("/dev/full")
    complaint = complaint_to_go_on(tournament(tmp_path, "out"), "out")
    assert complaint == "cannot write out/log.jsonl: No space left on device"
    (out / "log.jsonl").unlink()
    assert tournament(tmp_path, "out", "--resume").status == 0
    assert log_of(out)[-1]["event"] == "event_ended"


@pytest.mark.slow
@pytest.mark.parametrize(
    "words", ["bots", "deal 2", "--help", "power 0.5", "match random random --boards 1"]
)
def test_output_that_cannot_be_written_is_told(tmp_path: Path, words: str) -> None:
    with Path("/dev/full").open("w") as full:
        ended = subprocess.run(
            [*ARENA, *words.split()],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert ended.stderr == "arena: cannot write to standard output: No space left on device\n"
    assert ended.returncode == 2


@pytest.mark.slow
def test_half_a_line_of_the_log_is_written_over(tmp_path: Path) -> None:
    """The file is as a process leaves it that is killed while it writes."""
    write_event(tmp_path, boards=1)
    out = tmp_path / "out"
    out.mkdir()
    (out / "log.jsonl").write_text('{"event": "whole"}\n{"event": "ha')
    assert tournament(tmp_path, "out").status == 0
    check_whole(out)
    assert [line["event"] for line in log_of(out)][:2] == ["whole", "event_began"]


def test_double_dummy_answers_that_find_no_room_are_not_kept(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    deals = [random_deal(1, number) for number in range(1, 3001)]
    table = PartialTable("0123456789abcd012345")
    with disk(tmp_path / "disk", "64k") as place:
        store = TableStore(place / NAME)
        for start in range(0, len(deals), 100):
            for deal in deals[start : start + 100]:
                store.keep(deal, table)
            store.flush()
        known = [found == table for found in TableStore(place / NAME).find(deals)]
    assert all(known[:100])
    assert not any(known[-100:])
    (line,) = (record.getMessage() for record in caplog.records)
    path = tmp_path / "disk" / NAME
    assert line == f"double-dummy answers are not kept in {path}: database or disk is full"
