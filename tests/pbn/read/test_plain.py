"""Plain stretches: read as the lexer would have read them."""

from __future__ import annotations

from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge_arena.pbn.model import Game, Section, Tag
from bridge_arena.pbn.read import reader
from bridge_arena.pbn.read.lexer import plain_tags

_LINES = st.one_of(
    st.sampled_from(
        [
            *("", "", " ", "\x0c", "\x1a", "% escape", "; comment", "{open", "shut}", "{a} Pass"),
            *('[Event "a"]', '[Event "b"]', '[Board "1"]', '[Board "2"]', '[Deal "#"]'),
            *('[Auction "N"]', '[Play "W"]', '[Note "1:a"]', '[ScoreTable "A\\\\2R;B"]'),
            *("Pass 1C =1= 1S! X", "SA -- *", " 1NT$4 Pass", "\tAP", "x\x1a", "\xa0", "% x"),
            *('[Event "a"]  ', '[Event  "a"]', '[Site "a\\"b"]', '[Site "a"b"]', "[Site", '"a"]'),
            *('"a b" c', "é", '[Site "\x1a"]', '[Site "\u2028"]', "a\x0bb\u2028c"),
        ]
    ),
    st.text('[]{}";%=\\aE 1\t*^$', max_size=12),
)


def _read(data: bytes) -> tuple[list[Game], list[object]]:
    games = reader.read_games(BytesIO(data), "test.pbn")
    return list(games), [games.problems, games.tail, games.count]


@given(st.lists(st.tuples(_LINES, st.sampled_from(["\n", "\r\n", "\n", "\r", "\r\r\n"]))))
def test_plain_text_is_read_as_line_by_line(lines: list[tuple[str, str]]) -> None:
    data = "".join(map("".join, lines)).encode()
    plain = _read(data)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reader, "plain_tags", lambda *_: None)
        assert _read(data) == plain


def test_plain_tags_and_sections_are_read_with_their_lines() -> None:
    tags = plain_tags(b'\n[Event "a"]\r\n[Auction "N"]\r\nPass 1C!\r\nX\r\n[A "\\\\2"]\r\n', 7)
    assert tags == [
        Tag("Event", "a", 8),
        Section("Auction", "N", 9, (), "", ["Pass", "1C", "!", "X"], [10, 10, 10, 11]),
        Tag("A", "\\2", 12, (), "\\\\2"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        *("\n", "Pass\n", '[Event "a"]', '[Event "a"] ; why\n', '[Event "a"]\n% escape\n'),
        *('[Note "1:a"]\nPass\n', '[Event "a"]\r[Site "b"]\n', 'x\n[Event "a"]\n'),
    ],
)
def test_text_that_is_not_plain_is_left_to_the_careful_reader(text: str) -> None:
    assert plain_tags(text.encode(), 1) is None


def test_plain_lines_may_have_encodings_of_their_own() -> None:
    tags = plain_tags('[Event "é"]\n'.encode() + '[Site "é"]\n'.encode("cp1252"), 1)
    assert tags == [Tag("Event", "é", 1), Tag("Site", "é", 2)]
