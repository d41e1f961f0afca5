"""The contents of a PBN file: games, which are tags, sections, comments and escapes.

The model keeps everything read, in order and with its source text, so that a game can be written
back unchanged. It does not interpret calls and cards: `pbn.read.records` does, with `bridge`.
"""

from __future__ import annotations

from collections.abc import Iterator, MutableSequence
from dataclasses import dataclass, field

from bridge_arena.base.recorded_text import Problem, RecordedTextError, capped
from bridge_arena.pbn.values import UNKNOWN

MANDATORY_TAGS = (
    "Event Site Date Board West North East South Dealer Vulnerable Deal Scoring "
    "Declarer Contract Result"
).split()
"""The Mandatory Tag Set, in the order of export (PBN 2.1, section 3.4)."""

LONGEST_LINE = 253
"""The most columns of a line, without its end: 255 with CRLF."""

NOT_INHERITED = frozenset("Dealer Vulnerable Declarer Contract Auction Play Note".split())
"""Tags whose value `#` is no reference to an earlier game. In the standard Deal is one
of them, but files of version 1.0 refer to the deal of the game before."""


@dataclass(slots=True)
class Comment:
    """A comment."""

    text: str  # the comment with its signs, `{...}` or `;...`; line ends in it are `\n`
    line: int  # the line on which it begins


@dataclass(slots=True)
class Escape:
    """A line with `%` in its first column."""

    text: str  # the line, that sign included
    line: int  # the number of the line


@dataclass(slots=True)
class Words:
    """Section tokens of one line; strings keep their quotes."""

    words: list[str]
    line: int


@dataclass(slots=True)
class Junk:
    """Text that is not PBN."""

    reason: str  # what it is
    line: int


@dataclass(slots=True)
class Blank:
    """A semi-empty line, which ends a game."""

    line: int


@dataclass(slots=True)
class Tag:
    """A tag pair."""

    name: str
    value: str  # the value without escapes; `#` and `##` stand as written
    line: int
    comments: tuple[str, ...] = ()  # the comments on it
    # The value with its backslashes if it has any, else empty.
    written: str = field(default="", compare=False)

    @property
    def is_known(self) -> bool:
        """Whether it says anything."""
        return self.value not in UNKNOWN


@dataclass(slots=True)
class Section(Tag):
    """A tag pair and the tokens that follow it: Auction, Play or a table.

    The first character of a token shows its kind: `*` is the end, `+` to be continued, `=` a note
    reference, `$` a NAG, `!` or `?` a suffix, `^` an irregularity, `{` or `;` a comment, `"` a
    string; all others are calls, cards or table cells.
    """

    tokens: list[str] = field(default_factory=list)  # the tokens, in order
    lines: MutableSequence[int] = field(default_factory=list)  # the line number of each token

    @property
    def is_known(self) -> bool:
        """Whether it has any token."""
        return bool(self.tokens)


@dataclass(slots=True)
class Game:
    """One game of a file."""

    file: str = "<game>"  # the file's name
    number: int = 1  # the game's number in the file, from 1
    line: int = 1  # the line of the first tag
    tags: list[Tag] = field(default_factory=list)  # all tags in order, sections included
    # The value of each tag name: of duplicates the first known one, with inherited values resolved.
    values: dict[str, str] = field(default_factory=dict)
    comments: list[Comment] = field(default_factory=list)  # the comments before the first tag
    escapes: list[Escape] = field(default_factory=list)  # the lines with `%` in their first column
    problems: list[Problem] = field(default_factory=list)  # the problems within the game
    source: bytes = b""  # its bytes in the file, from the end of the game before
    # The board's tags, if the record of a second table leaves them to the game before without a
    # `#`.
    implied: dict[str, str] = field(default_factory=dict)

    def add(self, tag: Tag) -> None:
        """Append a tag; the first of a name that is known gives the value."""
        self.tags.append(tag)
        self.set_value(tag)

    def set_value(self, tag: Tag) -> None:
        """Set the value of a tag's name, unless there is a known one."""
        if self.values.setdefault(tag.name, tag.value) in UNKNOWN:
            self.values[tag.name] = tag.value

    def get(self, name: str, default: str = "") -> str:
        """Return the value of a tag, resolved if it is inherited; `default` if there is none."""
        return self.values.get(name, default)

    def meant(self, name: str) -> str:
        """Return the value of a tag, also if the game before implies it; empty if there is none."""
        return self.values.get(name, self.implied.get(name, ""))

    def tag(self, name: str) -> Tag | None:
        """Return the tag of a name, of duplicates the first known one; None if there is none."""
        first = None
        for tag in self.tags:
            if tag.name == name:
                if tag.is_known:
                    return tag
                first = first or tag
        return first

    def section(self, name: str) -> Section | None:
        """Return the tag of a name if it is a section, else None."""
        tag = self.tag(name) if name in self.values else None
        return tag if isinstance(tag, Section) else None

    def sections(self) -> Iterator[Section]:
        """Return the sections in order."""
        return (tag for tag in self.tags if isinstance(tag, Section))

    def notes(self, name: str) -> dict[int, Tag]:
        """Return the notes that follow a section, by number (section 3.9)."""
        notes: dict[int, Tag] = {}
        current = ""
        for tag in self.tags:
            if isinstance(tag, Section):
                current = tag.name
            elif tag.name == "Note" and current == name:
                number, colon, _ = tag.value.partition(":")
                if colon and number.strip().isdecimal():
                    notes.setdefault(capped(number.strip()), tag)
        return notes

    def problem(self, reason: str, name: str | None = None, line: int = 0) -> Problem:
        """Return a problem of this game at a line; by default the tag's, or the game's first."""
        if not line:
            tag = self.tag(name) if name else None
            line = tag.line if tag else self.line
        return Problem(self.file, line, self.number, reason, name or "")

    def error(self, reason: str, name: str | None = None, line: int = 0) -> RecordedTextError:
        """Return the error with a problem of this game; see `problem`."""
        return RecordedTextError(self.problem(reason, name, line))
