"""Tests of totals over several files."""

from __future__ import annotations

from pathlib import Path

import pytest

from bridge_arena.board_files.problems import BoardFileError
from bridge_arena.board_files.survey import Survey
from bridge_arena.bridge.deviations import Kind
from tests.data import data_path

DEAL = '[Deal "E:AT872.QJ.T432.87 J.K98.KJ87.QT962 K9654.63.Q965.43 Q3.AT7542.A.AKJ5"]'
BOARD = f'[Event "Cup"]\n[North "Ann"]\n[Dealer "E"]\n[Vulnerable "EW"]\n{DEAL}\n'


def test_a_survey_counts_games_records_and_deviations(tmp_path: Path) -> None:
    text = (
        f'{BOARD}[Auction "E"]\n4S AP\n[Play "S"]\nSJ\n*\n\n'
        f'{BOARD}[South "Bob"]\n[Auction "E"]\n4S 4S\n\n[North "?"]\njunk }}\n\nmore\n'
    )
    path = tmp_path / "some.pbn"
    path.write_text(text)
    survey = Survey()
    read: list[None] = []
    problems = list(survey.add_file(path, lambda: read.append(None)))
    assert (survey.files, survey.games, survey.records) == (1, 3, 1)
    assert (survey.auctions, survey.plays, len(survey.deals)) == (1, 1, 1)
    assert (survey.events, survey.players) == ({"Cup"}, {"Ann", "Bob"})
    assert survey.by_kind() == [
        (Kind.NOT_PBN, 2),
        (Kind.NO_DEAL, 1),
        (Kind.INSUFFICIENT_BID, 1),
        (Kind.UNFINISHED_PLAY, 1),
    ]
    assert survey.errors == 3
    assert len(problems) == 3
    assert len(read) == 3


def test_several_files_are_surveyed_among_them_one_that_is_no_pbn(tmp_path: Path) -> None:
    survey = Survey()
    path = tmp_path / "some.pbn"
    for text in (BOARD, BOARD, ""):
        path.write_text(text)
        assert list(survey.add_file(path)) == []
    path.write_text("<html>")
    with pytest.raises(BoardFileError, match="not a PBN file"):
        list(survey.add_file(path))
    assert (survey.files, survey.games, len(survey.deals), survey.errors) == (3, 2, 1, 0)


def test_two_surveys_are_added(tmp_path: Path) -> None:
    texts = [f'{BOARD}[Auction "E"]\n4S AP\n', f'{BOARD}[South "Bob"]\n[Auction "E"]\n4S 4S\n']
    whole, parts = Survey(), Survey()
    path = tmp_path / "some.pbn"
    for text in texts:
        path.write_text(text)
        part = Survey()
        for survey in (whole, part):
            list(survey.add_file(path))
        parts.add(part)
    assert parts == whole
    assert (whole.games, whole.errors, whole.problems[Kind.INSUFFICIENT_BID]) == (2, 1, 1)


def test_a_file_of_the_corpus_is_surveyed() -> None:
    survey = Survey()
    path = data_path("pbn", "smoke", "bridgebots__resources__shared_deals.pbn")
    list(survey.add_file(path))
    assert (survey.games, survey.records, len(survey.deals)) == (4, 4, 2)
    assert survey.problems[Kind.IMPLIED_DEAL] == 2
