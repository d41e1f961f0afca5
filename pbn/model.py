"""What a PBN file holds: games, made of tags, sections, comments and escapes.

The model keeps everything read, in order and with its source text, so that a
game can be written back as it was. It does not know what a call or a card is:
`pbn.read.records` asks `bridge`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from bridge_arena.pbn.numbers import capped

MANDATORY_TAGS = (
    "Event Site Date Board West North East South Dealer Vulnerable Deal Scoring "
    "Declarer Contract Result"
).split()
"""The Mandatory Tag Set, in the order of export (PBN 2.1, section 3.4)."""

NOT_INHERITED = frozenset(
    "Dealer Vulnerable Declarer Contract Auction Play Note".split(),
)
"""Tags whose value `#` is no reference to an earlier game. The standard has Deal
among them too, but files of version 1.0 refer to the deal of the game before."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with a file, printed in one line.

    `line`: from 1; 0 for the file as a whole. `game`: from 1; 0 outside of any
    game. `field`: the tag concerned, or empty.
    """

    file: str
    line: int
    game: int
    reason: str
    field: str = ""

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}: " if self.line else f"{self.file}: "
        if self.game:
            place += f"game {self.game}: "
        if self.field:
            place += f"{self.field}: "
        return place + " ".join(self.reason.split())


class PbnError(ValueError):
    """A file or game that cannot be what was asked for; `str()` is the problem's line."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(str(problem))
        self.problem = problem

    @property
    def file(self) -> str:
        return self.problem.file

    @property
    def line(self) -> int:
        return self.problem.line

    @property
    def game(self) -> int:
        return self.problem.game

    @property
    def field(self) -> str:
        return self.problem.field


@dataclass(slots=True)
class Comment:
    """A comment with its marks, `{...}` or `;...`; newlines within are `\\n`."""

    text: str
    line: int


@dataclass(slots=True)
class Escape:
    """A line with `%` in its first column, that sign included."""

    text: str
    line: int


@dataclass(slots=True)
class Words:
    """Section tokens of one line; strings keep their quotes."""

    words: list[str]
    line: int


@dataclass(slots=True)
class Junk:
    """Text that is not PBN, and why."""

    reason: str
    line: int


@dataclass(slots=True)
class Blank:
    """A semi-empty line, which ends a game."""

    line: int


@dataclass(slots=True)
class Tag:
    """A tag pair. `value` is unescaped, but `#` and `##` stand as written; `written` is
    the value with its backslashes where it has any, else empty."""

    name: str
    value: str
    line: int
    comments: tuple[str, ...] = ()
    written: str = field(default="", compare=False)


@dataclass(slots=True)
class Section(Tag):
    """A tag pair and the tokens that follow it: Auction, Play or a table.

    A token's first character says what it is: `*` the end, `+` to be continued,
    `=` a note reference, `$` a NAG, `!` or `?` a suffix, `^` an irregularity,
    `{` or `;` a comment, `"` a string; all others are calls, cards or table cells.
    `lines` has the line number of each token.
    """

    tokens: list[str] = field(default_factory=list)
    lines: Sequence[int] = field(default_factory=list)


@dataclass(slots=True)
class Game:
    """One game of a file.

    `number`: from 1, counted over the file. `tags`: all of them in order,
    sections included. `values`: what each tag name stands for, the first of
    duplicates, inherited values resolved. `comments`: those before the first tag.
    `source`: its bytes in the file, from the end of the game before. `implied`: what
    the record of a second table leaves to the game before, its board, without a `#`.
    """

    file: str = "<game>"
    number: int = 1
    line: int = 1
    tags: list[Tag] = field(default_factory=list)
    values: dict[str, str] = field(default_factory=dict)
    comments: list[Comment] = field(default_factory=list)
    escapes: list[Escape] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    source: bytes = b""
    implied: dict[str, str] = field(default_factory=dict)

    def add(self, tag: Tag) -> None:
        """Append a tag; the first of a name gives the value."""
        self.tags.append(tag)
        self.values.setdefault(tag.name, tag.value)

    def get(self, name: str, default: str = "") -> str:
        """The value of a tag, an inherited one resolved."""
        return self.values.get(name, default)

    def meant(self, name: str) -> str:
        """The value of a tag, also where it is implied by the game before."""
        return self.values.get(name, self.implied.get(name, ""))

    def tag(self, name: str) -> Tag | None:
        """The first tag of that name."""
        for tag in self.tags:
            if tag.name == name:
                return tag
        return None

    def section(self, name: str) -> Section | None:
        """The first section of that name."""
        tag = self.tag(name)
        return tag if isinstance(tag, Section) else None

    def sections(self) -> Iterator[Section]:
        return (tag for tag in self.tags if isinstance(tag, Section))

    def notes(self, name: str) -> dict[int, Tag]:
        """The notes of one section, those that follow it, by number (section 3.9)."""
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

    def problem(self, reason: str, name: str = "", line: int = 0) -> Problem:
        """A problem of this game, placed at the line of the tag `name` if there is one."""
        if not line:
            tag = self.tag(name)
            line = tag.line if tag else self.line
        return Problem(self.file, line, self.number, reason, name)

    def error(self, reason: str, name: str = "", line: int = 0) -> PbnError:
        return PbnError(self.problem(reason, name, line))
