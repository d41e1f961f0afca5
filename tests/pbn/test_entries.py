"""The places of an auction or a play, and what stands at each."""

from __future__ import annotations

import pytest

from bridge_arena.pbn.model import Section
from bridge_arena.pbn.write.export_sections import Mark, entries_of, sorted_marks


def section(text: str) -> Section:
    return Section("Auction", "N", 1, tokens=text.split())


def test_comments_and_marks_belong_to_what_stands_before_them() -> None:
    first, second = entries_of(section("1NT {one} =1= {note} ^I X !"))
    assert (first.word, first.comments) == ("1NT", ["{one}"])
    assert first.marks == [Mark("=1=", ["{note}"])]
    assert list(second.tokens()) == ["^I", "X", "!"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{first} 1NT", "a comment stands before the calls or cards"),
        ("$1 1NT", "'\\$1' follows no call or card"),
        ("1NT ^I", r"nothing follows \^I"),
    ],
)
def test_what_belongs_to_nothing_is_refused(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        entries_of(section(text))


def test_marks_are_sorted_the_note_first() -> None:
    marks = [Mark("$14"), Mark("!"), Mark("$3"), Mark("=2")]
    assert [mark.text for mark in sorted_marks(marks, 1)] == ["=2=", "$1", "$3", "$14"]


@pytest.mark.parametrize("text", ["$", "$x", "=note=", "!!!"])
def test_what_is_no_mark_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is no note reference, suffix or NAG"):
        sorted_marks([Mark(text)], 1)
