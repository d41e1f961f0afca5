"""Tests of what games inherit from each other in an export."""

from __future__ import annotations

from io import BytesIO

import pytest

from bridge_arena.base.recorded_text import RecordedTextError
from bridge_arena.pbn.model import Game
from bridge_arena.pbn.read.reader import read_games
from bridge_arena.pbn.write.succession import Succession
from bridge_arena.pbn.write.writer import HEADER, format_canonical

KNOWN = "N:52.J76.KQJ874.T9 AK3.T9854.T.K832 Q976.Q.9632.QJ74 JT84.AK32.A5.A65"


def exported(text: str) -> tuple[str, list[Game]]:
    """The export of a file without the games that have none, and what it reads back as."""
    succession = Succession()
    texts = [HEADER]
    for game in read_games(BytesIO(text.encode())):
        try:
            texts.append(format_canonical(succession.form(game)))
        except RecordedTextError:
            continue
    export = "".join(texts)
    return export, list(read_games(BytesIO(export.encode("latin-1"))))


def test_references_that_mean_the_same_stay() -> None:
    text, games = exported(
        '[Event "##Cup"]\n[Scoring "IMP"]\n\n[Board "2"]\n[Scoring "#"]\n\n'
        '[Board "3"]\n[Event "Rest"]\n'
    )
    assert [game.get("Event") for game in games] == ["Cup", "Cup", "Rest"]
    assert [game.get("Scoring") for game in games] == ["IMP", "IMP", "?"]
    assert '[Scoring "#"]' in text
    assert '[Event "##Cup"]' in text


def test_a_game_between_that_gets_the_tag_is_passed_over() -> None:
    _, games = exported('[Scoring "IMP"]\n\n[Board "2"]\n\n[Board "3"]\n[Scoring "#"]\n')
    assert [game.get("Scoring") for game in games] == ["IMP", "?", "IMP"]


def test_references_stay_beside_a_section_that_is_left_out_as_it_is_empty() -> None:
    text, _ = exported('[Event "Cup"]\n\n[Event "#"]\n[Play "W"]\n*\n')
    assert '[Event "#"]' in text
    assert "[Play" not in text


def test_no_more_than_the_values_that_would_be_others_are_written_out() -> None:
    text, games = exported(
        '[Event "Cup"]\n[Scoring "IMP"]\n\n[Event "#"]\n\n[Event "#"]\n[Scoring "#"]\n'
    )
    assert games[2].get("Scoring") == "IMP"
    assert text.count('[Event "#"]') == 2
    assert '[Scoring "#"]' not in text


@pytest.mark.parametrize(
    ("before", "reference"),
    [
        ("", '[Site "#"]'),  # nothing is known, and `?` is written before
        ('[Date "2024-05-28"]', '[Date "#"]'),
        (f'[Dealer "E"]\n[Deal "{KNOWN}"]', '[Deal "#"]'),
        ('[Contract "3NT"]\n[Declarer "N"]\n[Result "+1"]', '[Result "#"]'),
    ],
)
def test_a_reference_stays_to_a_value_that_an_export_writes_otherwise(
    before: str, reference: str
) -> None:
    text, _ = exported(f'{before}\n[Board "1"]\n\n{reference}\n[Contract "3NT"]\n[Declarer "N"]\n')
    assert reference in text


def test_a_result_of_a_side_is_written_out_for_a_declarer_of_the_other() -> None:
    _, games = exported(
        '[Contract "3NT"]\n[Declarer "E"]\n[Result "EW 9"]\n\n'
        '[Contract "3NT"]\n[Declarer "N"]\n[Result "#"]\n'
    )
    assert [game.get("Result") for game in games] == ["9", "4"]


def test_a_game_left_out_leaves_its_values() -> None:
    bad = '[Dealer "nobody"]\n[Event "##Cup"]\n[Site "Rome"]\n'
    _, games = exported(f'[Event "Old"]\n[Site "Bonn"]\n\n{bad}\n[Board "3"]\n[Site "#"]\n')
    assert [(game.get("Event"), game.get("Site")) for game in games] == [
        ("Old", "Bonn"),
        ("Cup", "Rome"),
    ]
