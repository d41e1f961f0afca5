"""Games to text."""

from __future__ import annotations

from io import BytesIO

import pytest

from bridge_arena.base.recorded_text import RecordedTextError
from bridge_arena.pbn.model import LONGEST_LINE, MANDATORY_TAGS, Game, Tag
from bridge_arena.pbn.read.reader import read_games
from bridge_arena.pbn.write.writer import format_game


def formatted(text: str) -> list[str]:
    *_, game = read_games(BytesIO(text.encode()))
    return format_game(game).split("\r\n")


def test_mandatory_tags_come_first_then_the_others_in_order() -> None:
    lines = formatted('[Zebra "1"]\n[Result "9"]\n[Annotator "x"]\n[Event ""]\n')
    assert lines == [
        '[Event ""]',
        *[f'[{name} "?"]' for name in MANDATORY_TAGS[1:-1]],
        '[Result "9"]',
        '[Annotator "x"]',
        '[Zebra "1"]',
        "",
        "",
    ]


def test_inherited_values_stand_as_they_are() -> None:
    lines = formatted('[Event "##a"]\n[Site "b"]\n\n[Site "#"]')
    assert lines[:2] == ['[Site "#"]', '[Date "?"]']


def test_sections_are_written_in_rows() -> None:
    lines = formatted(
        '[Table "A;B"]\n1 2 3 4\n[Play "E"]\nSA - -\n*\n[Note "2:b"]\n[Note "1:a"]\n'
        '[Auction "N"]\n1C! =1= Pass {x} ;y\n1D 1H 1S 1NT\n*\n[Aces "A"]\nN\n'
    )
    assert lines[15:] == [
        '[Auction "N"]',
        "1C =1= $1 Pass {x} ;y",
        "1D 1H",
        "1S 1NT *",
        '[Play "E"]',
        "SA - - -",
        "*",
        '[Note "1:a"]',
        '[Note "2:b"]',
        '[Aces "A"]',
        "N",
        '[Table "A;B"]',
        "1 2",
        "3 4",
        "",
        "",
    ]


def test_comments_keep_their_place() -> None:
    lines = formatted('{head}\n[Event "a"] {event\ntwo}\n')
    assert lines[:4] == ["{head}", '[Event "a"]', "{event", "two}"]


def test_long_lines_are_broken_or_cut() -> None:
    game = Game()
    game.add(Tag("Event", 'a"' * 300, 0, comments=("{" + "word " * 100 + "}", ";" + "x" * 300)))
    lines = format_game(game).split("\r\n")
    assert max(map(len, lines)) == LONGEST_LINE
    (again,) = read_games(BytesIO("\n".join(lines).encode()))
    assert again.problems == []
    assert again.get("Event") == ('a"' * 300)[: len(again.get("Event"))]


def test_a_name_that_fits_no_line_is_refused() -> None:
    (whole,) = (line for line in formatted(f'[{"X" * 248} "value"]\n') if "XX" in line)
    assert whole == f'[{"X" * 248} ""]'
    with pytest.raises(RecordedTextError, match="the name of a tag is too long for a line"):
        formatted(f'[{"X" * 249} "value"]\n')


def test_awkward_characters_are_escaped_or_replaced() -> None:
    game = Game()
    game.add(Tag("Event", 'tab\there "x" \\ ł', 0))
    assert format_game(game).startswith('[Event "tab here \\"x\\" \\\\ ?"]\r\n')
