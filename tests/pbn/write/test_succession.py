"""Tests of what games inherit from each other in an export."""

from __future__ import annotations

from io import BytesIO

from bridge_arena.pbn.model import Game, PbnError
from bridge_arena.pbn.read.reader import read_games
from bridge_arena.pbn.write.succession import Succession
from bridge_arena.pbn.write.writer import HEADER, format_canonical


def exported(text: str) -> tuple[str, list[Game]]:
    """The export of a file without the games that have none, and what it reads back as."""
    succession = Succession()
    texts = [HEADER]
    for game in read_games(BytesIO(text.encode())):
        try:
            texts.append(format_canonical(succession.form(game)))
        except PbnError:
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


def test_a_game_left_out_leaves_its_values() -> None:
    bad = '[Dealer "nobody"]\n[Event "##Cup"]\n[Site "Rome"]\n'
    _, games = exported(f'[Event "Old"]\n[Site "Bonn"]\n\n{bad}\n[Board "3"]\n[Site "#"]\n')
    assert [(game.get("Event"), game.get("Site")) for game in games] == [
        ("Old", "Bonn"),
        ("Cup", "Rome"),
    ]
