"""Lines out of bytes, however they are cut."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge_arena.protocol.bluechip.lines import MAX_LINE, FramingError, LineBuffer, to_bytes
from bridge_arena.protocol.bluechip.spelling import STANDARD, QuirkError, Quirks

TEXTS = st.lists(
    st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1, max_size=40)
)


@given(TEXTS, st.sampled_from([b"\r\n", b"\n", b"\r\n\r\n"]), st.integers(1, 50))
def test_lines_come_whole_however_the_bytes_come(texts: list[str], end: bytes, size: int) -> None:
    data = b"".join(text.encode() + end for text in texts)
    buffer = LineBuffer()
    read = [
        line
        for start in range(0, len(data), size)
        for line in buffer.feed(data[start : start + size])
    ]
    assert read == texts


def test_an_unfinished_line_waits() -> None:
    buffer = LineBuffer()
    assert list(buffer.feed(b"North pas")) == []
    assert list(buffer.feed(b"ses\nNorth")) == ["North passes"]


def test_a_line_may_have_accents() -> None:
    assert list(LineBuffer().feed(b"North bids 2C Alert. forc\xe9\n")) == [
        "North bids 2C Alert. forcé"
    ]
    assert to_bytes("forcé ♠") == b"forc? ?\r\n"


@pytest.mark.parametrize("data", [b"x" * MAX_LINE, b"x" * MAX_LINE + b"\n", b"x" * 10 * MAX_LINE])
def test_a_line_has_an_end(data: bytes) -> None:
    with pytest.raises(FramingError, match="at most 1024 bytes"):
        list(LineBuffer().feed(data))


def test_the_longest_line_is_read() -> None:
    text = "x" * (MAX_LINE - 1)
    assert list(LineBuffer().feed(text.encode() + b"\n")) == [text]


@pytest.mark.parametrize("data", [b"\x16\x03\x01\x00\n", b"a\x00b\n", b"\x1b[2J\n"])
def test_other_bytes_are_refused(data: bytes) -> None:
    with pytest.raises(FramingError, match="lines of text"):
        list(LineBuffer().feed(data))


@given(st.binary(max_size=5000), st.integers(1, 700))
def test_any_bytes_do_no_harm(data: bytes, size: int) -> None:
    buffer = LineBuffer()
    for start in range(0, len(data), size):
        try:
            lines = list(buffer.feed(data[start : start + size]))
        except FramingError:
            return
        assert all(line.strip() == line and line for line in lines)
        assert len(pickle.dumps(buffer)) < MAX_LINE + 100


# Quirks.


def test_quirks_are_read_by_name() -> None:
    assert Quirks.parse([]) == STANDARD
    assert Quirks.parse(["card=suit-rank", "timing=no"]) == Quirks(card="suit-rank", timing=False)


@pytest.mark.parametrize(
    ("item", "complaint"),
    [
        ("tea", "there is no quirk 'tea' .NAME=VALUE with one of letters, card, "),
        ("tea=5", "there is no quirk 'tea=5'"),
        ("card=upside-down", "quirk card is 'upside-down', expected one of rank-suit, suit-rank"),
        ("timing=maybe", "quirk timing is 'maybe', expected one of yes, no"),
    ],
)
def test_a_quirk_that_is_not_known_is_refused(item: str, complaint: str) -> None:
    with pytest.raises(QuirkError, match=complaint):
        Quirks.parse([item])


def test_a_quirk_is_given_once() -> None:
    with pytest.raises(QuirkError, match="quirk card is given twice"):
        Quirks.parse(["card=rank-suit", "card=suit-rank"])
