"""The calls and cards of a section, each with its annotations.

An entry is a place in the Auction or Play section: a call or card with the irregularity before it
and the annotations and comments after it (PBN 2.1, sections 3.5.2, 3.6.2 and 3.8). Every comment
belongs to the token that it follows.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from bridge_arena.base.recorded_text import capped
from bridge_arena.pbn.model import Section

SKIPPED = "^S"
"""The sign in place of the call of a player who was skipped (section 3.9)."""

END = "*"
TO_BE_CONTINUED = "+"

_SUFFIXES = ("!", "?", "!!", "??", "!?", "?!")


@dataclass(slots=True)
class Mark:
    """A suffix, note reference or NAG, with the comments on it.

    Attributes:
        text: The mark as written.
        comments: The comments after it.
    """

    text: str
    comments: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Entry:
    """One place in the Auction or Play section.

    Attributes:
        word: A call, a card, `-`, `*`, `+` or `^S`.
        line: The line of the word, from 1; 0 if it is not known.
        irregularity: The irregularity before the word, or empty.
        comments: The comments on the word.
        marks: The annotations of the word, with their comments.
    """

    word: str
    line: int = 0
    irregularity: str = ""
    comments: list[str] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)

    def tokens(self) -> Iterator[str]:
        """Yield the tokens of the place in the order of the file."""
        if self.irregularity:
            yield self.irregularity
        yield self.word
        yield from self.comments
        for mark in self.marks:
            yield mark.text
            yield from mark.comments


def entries_of(section: Section) -> list[Entry]:
    """Return the places of a section in their order.

    Args:
        section: An Auction or Play section.

    Raises:
        ValueError: An annotation or comment stands before any call or card, or nothing follows an
            irregularity.
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
    """Return marks in the order of export: the note reference, then NAGs by number.

    Args:
        marks: The marks of one call or card.
        first_nag: The NAG that replaces the suffix `!`; the other suffixes become the NAGs after it
            (section 3.7).

    Returns:
        The marks.

    Raises:
        ValueError: One of them is no mark.
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
