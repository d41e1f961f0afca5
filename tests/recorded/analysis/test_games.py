"""Tests of what an analysis keeps of a game, and reports of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from bridge_arena.base.recorded_text import Problem
from bridge_arena.recorded.analysis.games import read_entries
from bridge_arena.recorded.field.own_figures import SCORE, Ways, compare
from bridge_arena.recorded.field.tables import listed, played
from tests.lin.tables import AUCTION, START
from tests.recorded.analysis.games import OPEN, entry_of, write


def test_whatever_is_wrong_at_a_table_of_lin_is_told_and_noted(tmp_path: Path) -> None:
    path = tmp_path / "one.lin"
    path.write_text(START + AUCTION.replace("mb|2N|", "mb|1C|", 1) + "mc|9|")
    told: list[Problem] = []
    (entry,) = read_entries([path], told.append)
    assert entry.problems == tuple(told)
    assert len(told) == 1
    assert not entry.is_doubtful


@pytest.mark.parametrize(
    ("text", "told"), [(OPEN, None), (OPEN.replace("[Result", '[Score "EW 420"]\n[Result'), -420)]
)
def test_the_score_is_the_files_own_only_where_it_tells_one(text: str, told: int | None) -> None:
    entry = entry_of(text)
    assert entry.file_score == told
    assert entry.record is not None
    field = played(entry.game, entry.record, entry.file_score)
    assert field is not None
    assert (SCORE in compare(field, Ways()).agreements) == (told is not None)


def test_the_board_of_a_score_table_without_a_number_is_counted(tmp_path: Path) -> None:
    game = OPEN.partition("[Room")[0].replace('[Board "1"]', '[Board "?"]')
    game += '[ScoreTable "Contract;Declarer;Result"]\n4H E 10\n'
    path = write(tmp_path, "two.pbn", game, game.replace('"None"', '"All"'))
    entries = read_entries([path], lambda _problem: None)
    fields = [listed(entry.game, entry.board) for entry in entries]
    assert [field and field.board.number for field in fields] == [1, 2]


def test_lin_tells_no_score_and_no_way_of_scoring(tmp_path: Path) -> None:
    path = tmp_path / "one.lin"
    path.write_text(START + AUCTION + "mc|9|")
    (entry,) = read_entries([path], lambda _problem: None)
    assert entry.record is not None
    assert (entry.record.score, entry.file_score, entry.record.scoring) == (600, None, "")
