"""Lines to elements."""

from __future__ import annotations

from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge_arena.base.recorded_text import decode
from bridge_arena.pbn.model import Blank, Comment, Escape, Junk, Tag, Words
from bridge_arena.pbn.read.lexer import (
    Element,
    Lexer,
    escape,
    lines_of,
    read_stretches,
    split_marks,
    unescape,
)


def lex(*lines: str) -> list[Element]:
    lexer = Lexer()
    elements = [element for line in lines for element in lexer.feed(line)]
    return elements + lexer.finish()


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ('[Event "Cup"]', "Cup"),
        ('[Event ""]', ""),
        ('[ Event\t"Cup" ] ', "Cup"),
        (r'[Event "say \"no\""]', 'say "no"'),
        (r'[Event "C:\\dir\\"]', "C:\\dir\\"),
        (r'[Event "C:\dir\2R"]', r"C:\dir\2R"),
        ('[Event "a [b] {c} ;d %e"]', "a [b] {c} ;d %e"),
    ],
)
def test_tag_pairs_are_read(line: str, value: str) -> None:
    assert lex(line) == [Tag("Event", value, 1)]


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("[Event Random]", "Random"),
        ('[Event "C:\\"]', "C:\\"),
        ('[Event "the "big" one"]', 'the "big" one'),
        ('[Event"]', ""),
        ('[Event"a]', "a"),
    ],
)
def test_loose_tag_pairs_are_read_and_reported(line: str, value: str) -> None:
    tag, junk = lex(line)
    assert tag == Tag("Event", value, 1)
    assert isinstance(junk, Junk)


def test_several_pairs_may_share_a_line_and_a_pair_take_several() -> None:
    assert lex('[A "1"] [B "2"]{c}', "[C", '"3"', "]") == [
        Tag("A", "1", 1),
        Tag("B", "2", 1),
        Comment("{c}", 1),
        Tag("C", "3", 2),
    ]


def test_a_pair_never_closed_does_not_swallow_the_next() -> None:
    junk, tag = lex('[Event "Cup', '[Site "here"]')
    assert isinstance(junk, Junk)
    assert tag == Tag("Site", "here", 2)


def test_comments_are_read_over_several_lines() -> None:
    assert lex("1C {one", "% two", "", "[three] }2C ;four {", "3C") == [
        Words(["1C"], 1),
        Comment("{one\n% two\n\n[three] }", 1),
        Words(["2C"], 4),
        Comment(";four {", 4),
        Words(["3C"], 5),
    ]


def test_a_comment_never_closed_ends_before_the_next_game() -> None:
    junk, blank, tag = lex("{open", "", '[Event "Cup"]')
    assert isinstance(junk, Junk)
    assert junk.line == 1
    assert isinstance(blank, Blank)
    assert tag == Tag("Event", "Cup", 3)


def test_escapes_stand_in_the_first_column() -> None:
    assert lex("% PBN 2.1", " % no") == [Escape("% PBN 2.1", 1), Words(["%"], 2), Words(["no"], 2)]


def test_blank_lines_are_told_apart() -> None:
    assert lex("", " \t", "\x1a") == [Blank(1), Blank(2), Blank(3)]


def test_junk_ends_its_line() -> None:
    words, junk, more = lex("SA } SK", "SQ")
    assert (words, more) == (Words(["SA"], 1), Words(["SQ"], 2))
    assert isinstance(junk, Junk)


@pytest.mark.parametrize(
    ("word", "tokens"),
    [
        ("1S!!=1=$25", "1S !! =1= $25"),
        ("1D$1", "1D $1"),
        ("4D*", "4D *"),
        ("5C=1", "5C =1"),
        ("SA?!$7$8", "SA ?! $7 $8"),
        ("^R", "^R"),
        ("--", "--"),
        ("+", "+"),
        ("1NT?", "1NT ?"),
    ],
)
def test_marks_need_no_blanks(word: str, tokens: str) -> None:
    assert split_marks(word) == tokens.split()


@given(st.text(max_size=50))
def test_nothing_is_lost_by_splitting(word: str) -> None:
    assert "".join(split_marks(word)) == word


@given(st.text(max_size=50))
def test_escaped_text_comes_back(text: str) -> None:
    assert unescape(escape(text)) == text


@given(st.lists(st.text(max_size=20)))
def test_no_text_makes_it_raise(lines: list[str]) -> None:
    lex(*lines)


@given(st.lists(st.text('[]{}";%=\\aE 1\t', max_size=12)))
def test_no_marks_make_it_raise(lines: list[str]) -> None:
    lex(*lines)


def test_stretches_begin_with_semi_empty_lines() -> None:
    data = b"\na\nb\n \t\n\nc\r\n\r\nd"
    expected = [b"\na\nb\n", b" \t\n", b"\nc\r\n", b"\r\nd"]
    assert list(read_stretches(BytesIO(data))) == expected
    assert list(read_stretches(BytesIO())) == []


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r", b"\r\r\n"])
@pytest.mark.parametrize("shift", [0, 1, 2])
def test_a_long_stretch_comes_in_whole_lines(end: bytes, shift: int) -> None:
    data = b"x" * shift + b"".join(b"x" * length + end for length in range(1, 2000, 7))
    stretches = list(read_stretches(BytesIO(data)))
    assert len(stretches) > 1
    assert all(stretch.endswith(end) for stretch in stretches)
    assert b"".join(stretches) == data


def test_lines_are_split_with_their_ends() -> None:
    data = b"a\r\r\n\nb\r\rc\r\n\r\r\r\nd"
    assert lines_of(data) == [b"a\r\r\n", b"\n", b"b\r", b"\r", b"c\r\n", b"\r\r\r\n", b"d"]
    assert lines_of(b"") == []


def test_a_long_run_of_line_ends_takes_no_time() -> None:
    data = b"\r" * 1_000_000
    assert b"".join(read_stretches(BytesIO(data))) == data
    assert len(lines_of(b"x\r\r\n" + data)) == 1_000_001


def test_an_endless_line_comes_in_parts() -> None:
    parts = list(read_stretches(BytesIO(b"x" * 3_000_000)))
    assert len(parts) > 1
    assert sum(map(len, parts)) == 3_000_000


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf_16_is_read(encoding: str) -> None:
    data = "\ufeffé\nb".encode(encoding)
    assert b"".join(read_stretches(BytesIO(data))).decode() == "é\nb"


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1", "cp1252"])
def test_every_encoding_is_read(encoding: str) -> None:
    assert decode("Müller é".encode(encoding)) == "Müller é"


def test_bytes_that_no_code_page_has_are_kept() -> None:
    assert decode("“x”".encode("cp1252")) == "“x”"
    assert decode(b"\x81\xe9") == "\x81é"
