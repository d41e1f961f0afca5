"""The calls and cards of a section, each with what is said about it.

An entry is a place in the Auction or Play section: a call or card with the
irregularity before it and the annotations and comments after it (PBN 2.1, sections
3.5.2, 3.6.2 and 3.8). Every comment stays with the token that it follows.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from bridge_arena.pbn.model import Section
from bridge_arena.pbn.numbers import capped

SKIPPED = "^S"
"""Stands for the call of a player who was passed over (section 3.9)."""

END = "*"
TO_BE_CONTINUED = "+"

_SUFFIXES = ("!", "?", "!!", "??", "!?", "?!")


@dataclass(slots=True)
class Mark:
    """A suffix, note reference or NAG, and the comments on it."""

    text: str
    comments: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Entry:
    """One place: `word` is a call, a card, `-`, `*`, `+` or `^S`."""

    word: str
    line: int = 0
    irregularity: str = ""
    comments: list[str] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)

    def tokens(self) -> Iterator[str]:
        if self.irregularity:
            yield self.irregularity
        yield self.word
        yield from self.comments
        for mark in self.marks:
            yield mark.text
            yield from mark.comments


def entries_of(section: Section) -> list[Entry]:
    """The places of a section in their order.

    Raises ValueError for annotations that stand before any call or card.
    """
    entries: list[Entry] = []
    irregularity = ""
    comments: list[str] | None = None
    for token, line in zip(section.tokens, section.lines or [0] * len(section.tokens), strict=True):
        first = token[0]
        if first in "{;":
            if comments is None:
                raise ValueError("a comment stands before the calls or cards")
            comments.append(token)
        elif first in "=$!?":
            if not entries:
                raise ValueError(f"{token!r} follows no call or card")
            mark = Mark(token)
            entries[-1].marks.append(mark)
            comments = mark.comments
        elif first == "^" and token.upper() != SKIPPED:
            irregularity += token.upper()
        else:
            entry = Entry(token, line, irregularity)
            irregularity = ""
            entries.append(entry)
            comments = entry.comments
    if irregularity:
        raise ValueError(f"nothing follows {irregularity}")
    return entries


def sorted_marks(marks: list[Mark], first_nag: int) -> list[Mark]:
    """Marks in the order of export: the note reference, then NAGs by number; suffixes
    become the NAGs from `first_nag` on (section 3.7).

    Raises ValueError for what is no mark.
    """
    keyed = []
    for mark in marks:
        text = mark.text
        if text in _SUFFIXES:
            text = f"${_SUFFIXES.index(text) + first_nag}"
        number = text.strip("=$")
        if text[0] == "=":
            text = f"={number}="  # some programs leave the second sign out
        if not number.isdecimal():
            raise ValueError(f"{text!r} is no note reference, suffix or NAG")
        keyed.append((text[0] == "$", capped(number), Mark(text, mark.comments)))
    keyed.sort(key=lambda key: key[:2])
    return [mark for _, _, mark in keyed]
