"""Sums over files."""

from __future__ import annotations

from io import BytesIO

import pytest

from bridge_arena.pbn.deviations import Kind
from bridge_arena.pbn.model import PbnError
from bridge_arena.pbn.read.survey import NOT_PBN, Survey
from tests.data import data_path

DEAL = '[Deal "E:AT872.QJ.T432.87 J.K98.KJ87.QT962 K9654.63.Q965.43 Q3.AT7542.A.AKJ5"]'
BOARD = f'[Event "Cup"]\n[North "Ann"]\n[Dealer "E"]\n[Vulnerable "EW"]\n{DEAL}\n'


def test_sums() -> None:
    text = (
        f'{BOARD}[Auction "E"]\n4S AP\n[Play "S"]\nSJ\n*\n\n'
        f'{BOARD}[South "Bob"]\n[Auction "E"]\n4S 4S\n\n[North "?"]\njunk }}\n\nmore\n'
    )
    survey = Survey()
    read: list[int] = []
    problems = list(survey.add_file(BytesIO(text.encode()), read.append))
    assert (survey.files, survey.games, survey.records) == (1, 3, 1)
    assert (survey.auctions, survey.plays, len(survey.deals)) == (1, 1, 1)
    assert (survey.events, survey.players) == ({"Cup"}, {"Ann", "Bob"})
    assert survey.by_kind() == [
        (NOT_PBN, 2),
        (Kind.NO_DEAL, 1),
        (Kind.INSUFFICIENT_BID, 1),
        (Kind.UNFINISHED_PLAY, 1),
    ]
    assert survey.errors == 3
    assert len(problems) == 3
    assert sum(read) < len(text)


def test_several_files_and_what_is_no_pbn() -> None:
    survey = Survey()
    for text in (BOARD, BOARD, ""):
        assert list(survey.add_file(BytesIO(text.encode()))) == []
    with pytest.raises(PbnError, match="not a PBN file"):
        list(survey.add_file(BytesIO(b"<html>")))
    assert (survey.files, survey.games, len(survey.deals), survey.errors) == (3, 2, 1, 0)


def test_two_surveys_are_added() -> None:
    texts = [f'{BOARD}[Auction "E"]\n4S AP\n', f'{BOARD}[South "Bob"]\n[Auction "E"]\n4S 4S\n']
    whole, parts = Survey(), Survey()
    for text in texts:
        part = Survey()
        for survey in (whole, part):
            list(survey.add_file(BytesIO(text.encode())))
        parts.add(part)
    assert parts == whole
    assert (whole.games, whole.errors, whole.problems[Kind.INSUFFICIENT_BID]) == (2, 1, 1)


def test_a_file_of_the_corpus() -> None:
    survey = Survey()
    path = data_path("pbn", "smoke", "bridgebots__resources__shared_deals.pbn")
    list(survey.add_file(path))
    assert (survey.games, survey.records, len(survey.deals)) == (4, 4, 2)
    assert survey.problems[Kind.IMPLIED_DEAL] == 2
