"""The contents of a LIN file: tables, which are tags with values, and headings above them.

The model knows nothing of calls and cards: `lin.records` interprets it with `bridge`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from bridge_arena.base.recorded_text import Problem


@dataclass(frozen=True, slots=True)
class Item:
    """A tag with its value."""

    tag: str  # the tag, in small letters
    value: str
    line: int  # the line of the tag


@dataclass(frozen=True, slots=True)
class Heading:
    """The facts above the tables of a match or session, which hold for all of them."""

    is_given: bool = False  # whether the file has a heading (`vg`)
    title: str = ""  # the event's title
    segment: str = ""  # the name of the segment
    scoring: str = ""  # the file's letter: `I`, `P` or `B`
    first: int | None = None  # the number of the first board; None if it is not known
    teams: tuple[str, str] = ("", "")  # the names of the home and the visiting team
    carried: tuple[float, float] = (0, 0)  # the IMPs or victory points that each team carries over
    # The results of the boards from `first` on: open room, closed room, open room ...; empty texts
    # where not known.
    results: tuple[str, ...] = ()
    # The names of South, West, North and East, then those of the closed room.
    players: tuple[str, ...] = ()

    def result_of(self, number: int | None, *, is_closed: bool) -> str:
        """Return the result of a board in the open or closed room; empty if there is none."""
        if number is None or self.first is None or number < self.first:
            return ""
        at = 2 * (number - self.first) + is_closed
        return self.results[at] if at < len(self.results) else ""


@dataclass(slots=True)
class Table:
    """One board at one table, as the file has it."""

    file: str  # the file's name
    number: int  # the table's number in the file, from 1
    line: int  # the line of the first item
    heading: Heading  # the heading above the table
    items: list[Item] = field(default_factory=list)  # the tags with their values, in order
    # The `md` and `sv` of the same board at another table, in any order, if this table has no deal.
    implied: tuple[Item, ...] = ()
    # Text that is not LIN, and text that was left out.
    problems: list[Problem] = field(default_factory=list)

    def last(self, tag: str) -> Item | None:
        """Return the last item of a tag, which is the one that a viewer shows in the end."""
        return _last(self.items, tag)

    def meant(self, tag: str) -> Item | None:
        """Return the last item of a tag; if the table has none, that of the board's other table."""
        return _last(self.items, tag) or _last(self.implied, tag)

    def all(self, *tags: str) -> Iterator[Item]:
        """Return the items of these tags in order."""
        return (item for item in self.items if item.tag in tags)

    @property
    def comments(self) -> list[str]:
        """The commentators' remarks, in order."""
        return [item.value for item in self.all("nt")]

    def problem(self, reason: str, item: Item | None = None, line: int = 0) -> Problem:
        """Return a problem of this table at a line, by default that of an item, or its first."""
        line = line or (item.line if item else self.line)
        return Problem(self.file, line, self.number, reason, item.tag if item else "", "table")


def _last(items: Sequence[Item], tag: str) -> Item | None:
    return next((item for item in reversed(items) if item.tag == tag), None)
