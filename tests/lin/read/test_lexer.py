"""Tests of the tags and values of LIN files."""

from __future__ import annotations

from io import BytesIO

import pytest

from bridge_arena.lin.model import Item
from bridge_arena.lin.read.lexer import Junk, read_items


def items(data: bytes) -> list[Item | Junk]:
    return list(read_items(BytesIO(data)))


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends_mean_nothing_but_are_counted(end: str) -> None:
    text = f"mb|1C|{end}AN|clubs{end} or not|{end}{end}pc|SA|"
    assert items(text.encode()) == [
        Item("mb", "1C", 1),
        Item("an", "clubs or not", 2),
        Item("pc", "SA", 5),
    ]


def test_a_value_that_the_file_ends_in_is_read() -> None:
    assert items(b"mb|1C|mb|p") == [Item("mb", "1C", 1), Item("mb", "p", 1)]


def test_text_between_tags_is_named_and_left_out() -> None:
    first, junk, last = items(b"mb|1C|oops|mb|p|")
    assert (first, last) == (Item("mb", "1C", 1), Item("mb", "p", 1))
    assert junk == Junk("'oops' is not a tag: it is left out", 1)


def test_a_bar_too_many_is_passed_over() -> None:
    assert items(b"pg|||mb|p|") == [Item("pg", "", 1), Item("mb", "p", 1)]


def test_a_missing_bar_after_an_empty_tag_is_put_in() -> None:
    empty, junk, call = items(b"pg|\nmb|1S|")
    assert (empty, call) == (Item("pg", "", 1), Item("mb", "1S", 2))
    assert isinstance(junk, Junk)
    assert "a bar is missing" in junk.reason


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16"])
def test_every_encoding_is_read(encoding: str) -> None:
    assert items("pn|Bäcker|".encode(encoding)) == [Item("pn", "Bäcker", 1)]


def test_chunks_divide_what_they_like() -> None:
    filler = "x" * 65529
    (note, call) = items(f"nt|{filler}|mb|1C|".encode())[-2:]
    assert isinstance(note, Item)
    assert call == Item("mb", "1C", 1)


def test_a_long_value_is_cut_and_what_follows_is_read() -> None:
    junk, note, call = items(b"nt|" + b"x" * 500_000 + b"|mb|1C|")
    assert isinstance(junk, Junk)
    assert "500000 bytes" in junk.reason
    assert isinstance(note, Item)
    assert len(note.value) == 16384
    assert call == Item("mb", "1C", 1)


class Endless(BytesIO):
    """A stream that never ends, and counts what was taken of it."""

    def __init__(self, start: bytes) -> None:
        super().__init__(start)
        self.taken = 0

    def read(self, size: int | None = -1, /) -> bytes:
        assert size is not None
        assert size > 0
        self.taken += size
        return super().read(size) or b"\0" * size


def test_a_file_without_bars_is_not_read_to_its_end() -> None:
    stream = Endless(b"mb|1C|")
    first, *_ = list(read_items(stream))
    assert first == Item("mb", "1C", 1)
    assert stream.taken < 1 << 21
