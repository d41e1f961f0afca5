"""Every command that takes recorded boards, with boards in every format and packing."""

from __future__ import annotations

import gzip
import json
import os
import re
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from bridge_arena.bridge.calls import PASS, Call, Contract
from bridge_arena.bridge.record import BoardRecord, MadeCall
from bridge_arena.bridge.scoring import score_ns
from bridge_arena.bridge.seats import Seat
from tests.board_files.packing import (
    as_lin,
    as_links,
    as_pbn,
    as_zip,
    gzip_bomb,
    some_records,
    zip_bomb,
)
from tests.data import ROOT
from tests.end_to_end.arena import ARENA, Ended, records_of
from tests.end_to_end.conftest import FinishedMatch, Here
from tests.patience import PATIENCE

ADDRESS_SPACE = 300 << 20
"""Bytes that a command may take when it refuses a bomb; numpy takes a hundred million of them."""


def played(number: int) -> BoardRecord:
    """A board on which South claimed seven tricks in the dealer's 1NT after the lead."""
    (record,) = some_records([number])
    board = record.board
    contract = Contract.parse("1NT", board.dealer)
    leader = Seat((board.dealer + 1) % 4)
    return replace(
        record,
        calls=(MadeCall(Call("1NT")), *[MadeCall(PASS)] * 3),
        contract=contract,
        cards=(next(iter(board.deal[leader])),),
        tricks=7,
        score=score_ns(contract, 7, board.vulnerability),
    )


RECORDS = [played(1), played(2)]
PACKED: dict[str, Callable[[list[BoardRecord]], bytes]] = {
    "boards.pbn": as_pbn,
    "boards.lin": as_lin,
    "boards.txt": as_links,
    "boards.pbn.gz": lambda records: gzip.compress(as_pbn(records)),
    "boards.lin.gz": lambda records: gzip.compress(as_lin(records)),
    "boards.zip": lambda records: as_zip(
        {"a.lin": as_lin(records[:1]), "b.pbn": as_pbn(records[1:]), "README": b"hello"}
    ),
}


@pytest.fixture(params=PACKED)
def file(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Write the same two boards in each format and packing; return the file's name."""
    name = str(request.param)
    (tmp_path / name).write_bytes(PACKED[name](RECORDS))
    return name


ONE_BY_ONE = """
import sys
from bridge_arena.commands.main import run

for command in sys.argv[1:]:
    print("status", run(command.split()), file=sys.stderr)
"""
"""Runs commands in one process, and prints how each ended after what it complains of."""


def piped(folder: Path, data: bytes, *arguments: str) -> Ended:
    """Run `arena` in a folder with data coming through a pipe."""
    return _ended(folder, data, [*ARENA, *arguments])


def one_by_one(folder: Path, data: bytes, *commands: str) -> list[Ended]:
    """Run commands in a process that has little address space; return how each ended."""
    ended = _ended(folder, data, [sys.executable, "-c", ONE_BY_ONE, *commands], ADDRESS_SPACE)
    assert ended.status == 0, ended
    *complaints, rest = re.split(r"^status (\d+)\n", ended.errors, flags=re.MULTILINE)
    assert rest == ""
    found = zip(complaints[::2], complaints[1::2], strict=True)
    return [Ended(int(status), "", errors) for errors, status in found]


def _ended(folder: Path, data: bytes, command: Sequence[str], limit: int | None = None) -> Ended:
    def set_limit() -> None:
        if limit is not None:
            resource.setrlimit(resource.RLIMIT_AS, (limit, limit))

    process = subprocess.run(
        command,
        cwd=folder,
        # Without the thread that says how far it is, which takes address space of its own.
        env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin", "ARENA_PROGRESS": "0"},
        input=data,
        capture_output=True,
        preexec_fn=set_limit,
        timeout=PATIENCE,
        check=False,
    )
    return Ended(process.returncode, process.stdout.decode(), process.stderr.decode())


@contextmanager
def standard_input(data: bytes) -> Iterator[None]:
    """Have so little come through a pipe that it holds all."""
    reading, writing = os.pipe()
    with os.fdopen(writing, "wb") as pipe:
        pipe.write(data)
    with os.fdopen(reading) as pipe_end, pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdin", pipe_end)
        yield
        sys.stdin.close()  # by now a copy


def test_files_of_every_format_are_read_by_the_commands_about_boards(here: Here, file: str) -> None:
    ended = here("boards", "info", file)
    assert ended.status == 0, ended
    lines = dict(line.rsplit(None, 1) for line in ended.output.splitlines())
    assert (lines["games"], lines["  complete records"], lines["  claim"]) == ("2", "2", "2")
    assert here("boards", "check", file).status == 0
    ended = here("boards", "convert", file, "--out", "out.pbn")
    assert ended.status == 0, ended
    again = records_of(Path("out.pbn"))
    assert [replace(record, event="") for record in again] == RECORDS


@pytest.mark.slow
def test_files_of_every_format_are_analysed(here: Here, file: str, tmp_path: Path) -> None:
    ended = here("analyse", file, "--workers", "1", "--out", "out")
    assert ended.status == 0, ended
    again = records_of(tmp_path / "out" / "annotated.pbn")
    assert [record.board for record in again] == [record.board for record in RECORDS]
    assert "OptimumResultTable" in (tmp_path / "out" / "annotated.pbn").read_text("latin-1")
    rows = (tmp_path / "out" / "analysis.csv").read_text().splitlines()
    assert len(rows) == 3


@pytest.mark.slow
def test_a_match_plays_boards_of_an_archive(here: Here, tmp_path: Path) -> None:
    """The archive has boards of both formats."""
    (tmp_path / "boards.zip").write_bytes(PACKED["boards.zip"](RECORDS))
    command = "match random random --boards-from boards.zip --seed 1 --out out"
    ended = here(*command.split())
    assert ended.status == 0, ended
    again = records_of(tmp_path / "out" / "match.pbn")
    assert {record.board for record in again} == {record.board for record in RECORDS}


@pytest.mark.slow
def test_an_event_plays_boards_of_a_lin_file(here: Here, tmp_path: Path) -> None:
    (tmp_path / "boards.lin").write_bytes(as_lin(RECORDS))
    (tmp_path / "event.toml").write_text(
        '[event]\nname = "E"\nformat = "gauntlet"\nboards = 2\nseed = 1\n'
        'boards_from = "boards.lin"\n' + '[[entry]]\nbot = "random"\n' * 2
    )
    ended = here("tournament", "event.toml", "--out", "out")
    assert ended.status == 0, ended
    again = records_of(tmp_path / "out" / "event.pbn")
    assert {record.board for record in again} == {record.board for record in RECORDS}


@pytest.mark.slow
@pytest.mark.parametrize("file", ["boards.txt", "boards.lin.gz", "boards.zip"], indirect=True)
def test_files_of_every_format_are_replayed(here: Here, tmp_path: Path, file: str) -> None:
    """Together they have every format and packing."""
    command = f"replay {file} --bot random --seat N --out out --concurrency 1"
    ended = here(*command.split())
    assert ended.status == 0, ended
    summary = json.loads((tmp_path / "out" / "summary.json").read_text())
    assert summary["games"] == 2


@pytest.mark.parametrize("name", PACKED)
def test_boards_of_every_packing_come_by_standard_input(tmp_path: Path, name: str) -> None:
    data = PACKED[name](RECORDS)
    ended = piped(tmp_path, data, "boards", "convert", "-", "--to", "lin")
    assert (ended.status, ended.errors) == (0, "")
    assert ended.output.count("|md|") == 2


@pytest.mark.slow
def test_standard_input_is_analysed_although_it_is_read_twice(here: Here, tmp_path: Path) -> None:
    data = gzip.compress(as_lin(RECORDS))
    with standard_input(data):
        ended = here("analyse", "-", "--workers", "1")
    assert ended.status == 0, ended
    (folder,) = (tmp_path / "runs").glob("analysis-stdin-*")
    rows = (folder / "analysis.csv").read_text().splitlines()
    assert [row.split(",")[0] for row in rows] == ["file", "<stdin>", "<stdin>"]
    with standard_input(data):
        ended = here(*"replay - --bot random --seat N --out r --concurrency 1".split())
    assert ended.status == 0, ended
    with standard_input(data):
        ended = here(*"match random random --boards-from - --seed 1 --out m".split())
    assert ended.status == 0, ended
    assert "boards of <stdin>" in ended.output


@pytest.mark.parametrize(
    ("name", "made"),
    [
        ("bomb.pbn.gz", partial(gzip_bomb, 400)),
        pytest.param("bomb.zip", partial(zip_bomb, 400), marks=pytest.mark.slow),
        pytest.param("bombs.zip", partial(zip_bomb, 40, 10), marks=pytest.mark.slow),
        pytest.param(
            "nested.zip",
            lambda: as_zip({"bomb.pbn.gz": gzip_bomb(400)}),
            marks=pytest.mark.slow,
        ),
    ],
    ids=["gz", "zip", "members", "nested"],
)
def test_a_bomb_is_refused_in_little_memory(
    tmp_path: Path, name: str, made: Callable[[], bytes]
) -> None:
    bomb = made()
    (tmp_path / name).write_bytes(bomb)
    *of_file, of_pipe = one_by_one(
        tmp_path,
        bomb,
        f"boards info {name}",
        f"boards check {name}",
        f"boards convert {name} --out x.lin",
        f"analyse {name} --out a",
        f"replay {name} --bot random --out r",
        f"match random random --boards-from {name} --out m",
        "boards info -",
    )
    assert len(of_file) == 6
    for ended in of_file:
        assert ended.status == 2, ended
        assert f"{name}" in ended.errors
        assert "not read" in ended.errors, ended
        assert "Traceback" not in ended.errors
    assert "<stdin>" in of_pipe.errors
    assert of_pipe.status == 2
    assert not [path for path in tmp_path.iterdir() if path.name.startswith((".", "m", "r", "x"))]


@pytest.mark.parametrize("suffix", ["dup", "dlm", "bri", "dge", "bws", "rbn"])
def test_other_formats_are_told_by_name(here: Here, tmp_path: Path, suffix: str) -> None:
    (tmp_path / f"club.{suffix}").write_bytes(bytes(range(256)))
    ended = here("match", "random", "random", "--boards-from", f"club.{suffix}", "--out", "out")
    assert ended.complaint(2).startswith(f"club.{suffix}: .{suffix} is ")


@pytest.mark.slow
def test_the_record_of_a_match_may_be_packed_or_piped(
    here: Here, finished_match: FinishedMatch, tmp_path: Path
) -> None:
    """Its header tells the event, so the figures are the same."""
    data = (finished_match.folder / "match.pbn").read_bytes()
    (tmp_path / "match.pbn.gz").write_bytes(gzip.compress(data))
    (tmp_path / "match.zip").write_bytes(as_zip({"folder/match.pbn": data}))
    expected = json.loads((finished_match.folder / "summary.json").read_text())
    for name in ("match.pbn.gz", "match.zip", "-"):
        run = partial(piped, tmp_path, data) if name == "-" else here
        ended = run("report", name, "--out", "out")
        assert ended.status == 0, ended
        assert json.loads((tmp_path / "out" / "summary.json").read_text()) == expected
        ended = run("deal", "--verify", name)
        assert ended.status == 0, ended
