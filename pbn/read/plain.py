"""A fast reader of plain stretches of PBN by one regular expression.

Plain are tag pairs on lines of their own, each followed by any rows of a section without comments
and strings; most of most files is plain. A stretch with anything else is left to `pbn.read.lexer`,
line by line. Both read the same tags from a plain stretch.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import overload

from bridge_arena.base.recorded_text import decode
from bridge_arena.pbn.model import Section, Tag
from bridge_arena.pbn.read.lexer import split_marks, unescape

ANNOTATED = frozenset(["Auction", "Play"])
"""The sections whose words may have marks."""

_MARK = re.compile(r"[!?=$^*+]")

# A row is not empty, and no tag, comment, string or escape line.
_PIECE = re.compile(
    r"""
      \[ (\w+) [ ] " ( [^"\\\r\n]* (?: \\[^\r\n] [^"\\\r\n]* )* ) "\] \n
      ( (?: [ \t]* [^\s%\[\]{}";\x1a] [^\[\]{}";\x1a\r\n]* \n )* )
    | ( (?s: .+ ) )
    """,
    re.VERBOSE,
)


def plain_tags(stretch: bytes, line: int) -> list[Tag] | None:
    """Return the tags and sections of a plain stretch whose first line has this number.

    None: the stretch is not plain throughout, or has no tags.
    """
    text = _text(stretch)
    start = text.find("[")
    if start < 0 or text[:start].strip("\n"):
        return None
    pieces = _PIECE.findall(text, start)
    if pieces[-1][3]:
        return None
    line += start
    tags: list[Tag] = []
    for name, raw, rows, _ in pieces:
        value, written = (unescape(raw), raw) if "\\" in raw else (raw, "")
        if rows and name == "Note":
            return None
        if rows or name in ANNOTATED:
            tag: Tag = Section(name, value, line, (), written, *_cells(rows, line + 1, name))
            line += rows.count("\n")
        else:
            tag = Tag(name, value, line, (), written)
        tags.append(tag)
        line += 1
    return tags


def _text(stretch: bytes) -> str:
    try:
        text = stretch.decode()
    except UnicodeDecodeError:
        # Each line has an encoding of its own.
        text = "".join(map(decode, stretch.splitlines(keepends=True)))
    return text.replace("\r\n", "\n") if "\r" in text else text


class RowLines(Sequence[int]):
    """The line number of each token of some rows, computed when first needed: few games need it."""

    __slots__ = ("_known", "_line", "_rows")

    def __init__(self, rows: str, line: int) -> None:
        self._rows = rows
        self._line = line
        self._known: list[int] | None = None

    def _lines(self) -> list[int]:
        if self._known is None:
            rows = enumerate(self._rows.split("\n"), self._line)
            self._known = [line for line, row in rows for _ in row.split()]
        return self._known

    @overload
    def __getitem__(self, at: int) -> int: ...
    @overload
    def __getitem__(self, at: slice) -> list[int]: ...
    def __getitem__(self, at: int | slice) -> int | list[int]:
        """Return the line number of a token, or those of a slice."""
        return self._lines()[at]

    def __len__(self) -> int:
        return len(self._lines())

    def __iter__(self) -> Iterator[int]:
        return iter(self._lines())

    def __eq__(self, other: object) -> bool:
        return self._lines() == (other._lines() if isinstance(other, RowLines) else other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(self._lines())


def _cells(rows: str, line: int, name: str) -> tuple[list[str], Sequence[int]]:
    """Return the tokens of a section's rows, and the line of each."""
    # The star that ends a section stands alone and needs no splitting.
    if name not in ANNOTATED or not _MARK.search(rows.removesuffix("\n*\n")):
        return rows.split(), RowLines(rows, line)
    tokens: list[str] = []
    lines: list[int] = []
    for row in rows.split("\n"):
        words = row.split()
        if _MARK.search(row):
            words = [token for word in words for token in split_marks(word)]
        tokens += words
        lines += [line] * len(words)
        line += 1
    return tokens, lines
