"""Games of every format, each with its meaning."""

from __future__ import annotations

import gzip
from contextlib import closing
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given

from bridge_arena.base.recorded_text import Problem
from bridge_arena.board_files.games import GamesOfText, ReadGame, read_games
from bridge_arena.board_files.problems import BoardFileError
from bridge_arena.board_files.records import read_boards, read_records
from bridge_arena.board_files.texts import texts_in
from bridge_arena.bridge.deviations import Kind
from bridge_arena.bridge.record import BoardRecord
from bridge_arena.pbn.read.reader import read_games as read_pbn
from bridge_arena.pbn.read.records import record_of
from bridge_arena.pbn.write.writer import format_game
from tests.board_files.packing import as_lin, as_links, as_pbn, as_zip, some_records, written
from tests.data import data_path
from tests.lin.strategies import kept
from tests.pbn.strategies import records

RECORDS = some_records()


def games(path: Path, problems: list[Problem] | None = None) -> list[ReadGame]:
    return list(read_games(path, None if problems is None else problems.append))


def test_games_of_each_format_are_read(tmp_path: Path) -> None:
    for write in (as_pbn, as_lin, as_links):
        path = written(tmp_path, "boards", write(RECORDS))
        found = games(path)
        assert [each.game.number for each in found] == [1, 2, 3]
        assert {each.game.file for each in found} == {str(path)}
        for each, record in zip(found, RECORDS, strict=True):
            assert each.board == record.board
            assert each.record is not None
            assert each.record.players == record.players
            assert each.error is None
            assert record_of(each.game).board == record.board
            assert [deviation.kind for deviation in each.deviations if deviation.is_error] == []


@given(record=records())
def test_a_table_is_the_game_of_its_record(
    tmp_path_factory: pytest.TempPathFactory, record: BoardRecord
) -> None:
    path = written(tmp_path_factory.getbasetemp(), "one.lin", as_lin([record]))
    (one,) = games(path)
    expected = kept(record)
    assert one.record == expected
    again = record_of(one.game)
    assert (again.board, again.contract, again.cards, again.tricks, again.score) == (
        *(expected.board, expected.contract, expected.cards, expected.tricks, expected.score),
    )
    assert [made.call for made in again.calls] == [made.call for made in expected.calls]
    assert one.game.source, "it can be edited as other games are"


def test_comments_of_a_table_stand_before_its_game(tmp_path: Path) -> None:
    text = as_lin(RECORDS[:1]).replace(b"rh||", b"nt|Ann: {hi} " + b"all " * 100 + b"|rh||")
    (one,) = games(written(tmp_path, "x.lin", text))
    assert one.game.comments[0].text.startswith("{Ann: (hi) all all")
    (again,) = read_pbn(BytesIO(format_game(one.game).encode("latin-1")))
    assert again.comments[0].text.split() == one.game.comments[0].text.split()


def test_boards_without_a_number_get_the_running_count(tmp_path: Path) -> None:
    path = tmp_path / "boards.lin"
    first = "md|1SAKQHAKQDAKQCAKQJ,SJT9HJT9DJT9CT987,S876H876D876C6543,|sv|o|mb|7N|mb|p|mb|p|mb|p|"
    second = first.replace("md|1SAKQ", "md|2SAKQ")
    path.write_text(f"{first}\n\nqx|?|{second}\nqx|?|{first}\n")
    found = games(path)
    assert [each.game.get("Board") for each in found] == ["1", "2", "1"]
    assert [each.board and each.board.number for each in found] == [1, 2, 1]


def test_games_without_a_number_get_the_running_count(tmp_path: Path) -> None:
    """Also those that are no records: `read_boards` counts them too."""
    first = as_pbn(RECORDS[:1]).replace(b'[Board "1"]', b'[Board "?"]')
    second = first.replace(b'[Vulnerable "None"]', b'[Vulnerable "All"]')
    broken = second.replace(b'"All"', b'"NS"').replace(b'[Contract "?"]', b'[Contract "8S"]')
    path = written(tmp_path, "x.pbn", b"\n".join([first, broken, second, first]))
    found = games(path)
    assert [each.board and each.board.number for each in found] == [1, 2, 3, 1]
    assert [each.record and each.record.board.number for each in found] == [1, None, 3, 1]
    assert [each.game.get("Board") for each in found] == ["?"] * 4, "the file has none"
    assert [board.number for board in read_boards(path)] == [1, 2, 3]
    assert [record.board.number for record in read_records(path, print)] == [1, 3, 1]


def test_a_table_without_a_board_is_kept_without_record(tmp_path: Path) -> None:
    good = as_lin(RECORDS[:1])
    path = written(tmp_path, "x.lin", good + b"\nqx|o2|mb|1C|\nqx|o3|md|1SA,SA|\n")
    _, hidden, impossible = games(path)
    assert (hidden.record, hidden.board) == (None, None)
    assert hidden.error is not None
    assert hidden.error.kind is Kind.NO_DEAL
    assert str(hidden.error.kind) == str(Kind.NO_DEAL), "callers need not ask which it is"
    assert impossible.error is not None
    assert (impossible.game.number, impossible.game.line) == (3, 7)
    assert str(impossible.error).startswith(f"{path}:7: table 3: md: SA is dealt twice")


def test_files_without_games_are_told_with_the_reason(tmp_path: Path) -> None:
    for data, reason in (
        (b"", "it has no game"),
        (b"{ }", "it has no game"),
        (b"hello", "this is not a PBN file: it has no game"),
        (b"pn|a|xx", "it has no game"),
        (b"https://x/handviewer.html?b=1", ":1: it holds no board: it is a link to the handviewer"),
    ):
        with pytest.raises(BoardFileError, match=reason):
            games(written(tmp_path, "x.pbn", data))


def test_bad_members_do_not_lose_the_others(tmp_path: Path) -> None:
    members = {"a.pbn": as_pbn(RECORDS), "b.pbn": b"hello", "c.pbn": b"", "d.lin": as_lin(RECORDS)}
    path = written(tmp_path, "x.zip", as_zip(members))
    problems: list[Problem] = []
    assert len(games(path, problems)) == 6
    assert [str(problem).removeprefix(f"{path}/") for problem in problems] == [
        "b.pbn:1: this is not a PBN file: it has no game",
        "c.pbn: it has no game",
    ]
    with pytest.raises(BoardFileError, match=r"b\.pbn"):
        games(path)
    path = written(tmp_path, "y.zip", as_zip({"b.pbn": b"hello"}))
    with pytest.raises(BoardFileError, match=r"y\.zip: it has no game that can be read"):
        games(path, [])


def test_a_damaged_archive_gives_the_games_before_the_damage(tmp_path: Path) -> None:
    many = as_pbn(some_records(range(1, 200)))
    path = written(tmp_path, "x.pbn.gz", gzip.compress(many)[:-2000])
    problems: list[Problem] = []
    found = games(path, problems)
    assert 50 < len(found) < 199
    (problem,) = problems
    assert "the archive is damaged" in str(problem)


def test_problems_outside_of_games_are_told(tmp_path: Path) -> None:
    path = written(tmp_path, "x.pbn", b"hello\n" + as_pbn(RECORDS))
    with closing(texts_in(path)) as texts:
        found = GamesOfText(next(texts))
        assert len(list(found)) == 3
    assert [problem.line for problem in found.problems] == [1]


def test_real_files_of_both_formats() -> None:
    for folder, pattern in (("lin", "*.lin"), ("pbn", "smoke/*.pbn")):
        for path in sorted(data_path(folder).glob(pattern))[:20]:
            for each in games(path):
                assert (each.record is None) == (each.error is not None)
