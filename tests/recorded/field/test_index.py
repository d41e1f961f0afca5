"""The tables of a board among the games of files."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace

import pytest

from bridge_arena.pbn.model import Game
from bridge_arena.pbn.read.records import record_of
from bridge_arena.recorded.field.index import FieldIndex, FieldIndexError
from bridge_arena.recorded.field.tables import SEVERAL_FILES, FieldBoard, group_of, played
from tests.recorded.analysis.games import HEAD
from tests.recorded.field.club import game_of


@pytest.fixture
def index() -> Iterator[FieldIndex]:
    with closing(FieldIndex()) as opened:
        yield opened


def game(tricks: int, more: str = "") -> Game:
    result = f'[Declarer "E"]\n[Contract "4H"]\n[Result "{tricks}"]\n{more}'
    return game_of(HEAD + result)


def field(tricks: int, more: str = "") -> FieldBoard:
    found = game(tricks, more)
    one = played(found, record_of(found))
    assert one is not None
    return one


def test_three_games_of_a_board_are_a_field(index: FieldIndex) -> None:
    boards = [field(tricks) for tricks in (10, 11, 9)]
    index.add(enumerate(boards))
    (board,) = index.boards()
    assert board.scores == [-420, -450, 50]
    (worths,) = index.worths([group_of(boards[0])] * 2).values()
    assert [worths[score].matchpoints for score in board.scores] == [2, 0, 4]


def test_two_games_of_a_board_are_the_rooms_of_a_match(index: FieldIndex) -> None:
    index.add(enumerate([field(10), field(11)]))
    assert list(index.boards()) == []
    assert index.worths([group_of(field(10))]) == {}


def test_games_of_another_event_are_another_field(index: FieldIndex) -> None:
    other = replace(field(9), event="another")
    index.add(enumerate([field(10), field(11), other]))
    assert list(index.boards()) == []


def test_tables_of_several_files_are_one_field(index: FieldIndex) -> None:
    other = replace(field(9), file="another")
    index.add(enumerate([field(10), field(11), other]))
    (board,) = index.boards()
    assert (board.file, len(board.results)) == (SEVERAL_FILES, 3)


def test_figures_of_a_match_of_two_rooms_are_not_the_fields() -> None:
    figure = '[ScoreIMP "NS 3"]\n'
    assert field(10, figure).results[0].table.own
    assert not field(10, f'[Room "Open"]\n{figure}').results[0].table.own


def test_a_game_without_a_result_is_no_table() -> None:
    unfinished = game_of(f'{HEAD}[Declarer "E"]\n[Contract "4H"]\n')
    assert played(unfinished, record_of(unfinished)) is None


def test_a_full_disk_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    connect = sqlite3.connect

    def small(path: str) -> sqlite3.Connection:
        database = connect(path)
        database.execute("pragma max_page_count = 8")
        return database

    monkeypatch.setattr(sqlite3, "connect", small)
    one = field(10)
    with closing(FieldIndex()) as opened, pytest.raises(FieldIndexError, match="disk is full"):
        opened.add(enumerate([one] * 100))
