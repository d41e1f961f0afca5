"""The boards and records of a file do not depend on its format."""

from __future__ import annotations

from pathlib import Path

import pytest

from bridge_arena.base.recorded_text import Problem
from bridge_arena.board_files.problems import BoardFileError
from bridge_arena.board_files.records import read_boards, read_records
from tests.board_files.packing import as_lin, as_links, as_pbn, as_zip, some_records, written

WRITERS = (as_pbn, as_lin, as_links)


def test_boards_and_records_of_each_format_are_read(tmp_path: Path) -> None:
    records = some_records([3, 1, 3, 8])
    for write in WRITERS:
        path = written(tmp_path, "boards", write(records))
        assert [board.number for board in read_boards(path)] == [3, 1, 8]
        assert [record.board for record in read_records(path)] == [r.board for r in records]


def test_boards_of_all_members_of_an_archive_come_each_once(tmp_path: Path) -> None:
    members = {
        str(at): write(some_records([at, at + 1])) for at, write in enumerate(WRITERS, start=1)
    }
    path = written(tmp_path, "x.zip", as_zip(members))
    assert [board.number for board in read_boards(path)] == [1, 2, 3, 4]
    assert [record.board.number for record in read_records(path)] == [1, 2, 2, 3, 3, 4]


def test_what_is_no_record_is_reported_where_somebody_listens(tmp_path: Path) -> None:
    (record,) = some_records([1])
    for bad, good in (
        (b'[Event "x"]\n\n', as_pbn([record])),
        (b"qx|o1|md|1SA,SA|", as_lin([record])),
        (b"https://x/handviewer.html?b=1\n", as_links([record])),
    ):
        path = written(tmp_path, "x", bad + good)
        problems: list[Problem] = []
        assert [each.board for each in read_records(path, problems.append)] == [record.board]
        assert [problem.line for problem in problems] == [1]
        with pytest.raises(BoardFileError):
            list(read_records(path))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (b'[Event "x"]\n', "x:1: game 1: Deal: the deal is missing"),
        (b"qx|o1|md|1SA,SA|", "x:1: table 1: md: SA is dealt twice"),
        (b"https://x/handviewer.html?b=1\n", "x:1: it holds no board"),
        (b"https://x/handviewer.html?s=sa&w=sa\n", "x:1: table 1: md: SA is dealt twice"),
        (b"pn|a,b|", "x: this is not a LIN file: it has no board"),
        (b"", "x: it has no game"),
    ],
)
def test_errors_name_file_and_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: bytes, reason: str
) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path, "x", text)
    with pytest.raises(BoardFileError) as caught:
        read_boards("x")
    assert str(caught.value).startswith(reason)
