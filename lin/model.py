"""What a LIN file holds: tables, made of tags and values, under headings.

The model knows no call and no card: `lin.read.meaning` asks `bridge`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with a file, printed in one line.

    `line`: from 1; 0 for the file as a whole. `table`: from 1; 0 outside of any table.
    `tag`: the tag concerned, or empty.
    """

    file: str
    line: int
    table: int
    reason: str
    tag: str = ""

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}: " if self.line else f"{self.file}: "
        if self.table:
            place += f"table {self.table}: "
        if self.tag:
            place += f"{self.tag}: "
        return place + " ".join(self.reason.split())


class LinError(ValueError):
    """A file, link or table that cannot be what was asked for; `str()` is the problem's line."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(str(problem))
        self.problem = problem


@dataclass(frozen=True, slots=True)
class Item:
    """A tag, in small letters, with its value and line."""

    tag: str
    value: str
    line: int


@dataclass(frozen=True, slots=True)
class Heading:
    """What stands above the tables of a match or session and holds for all of them.

    `scoring`: the file's letter, `I`, `P` or `B`. `first`: the number of the first board;
    None where it is not told. `carried`: what each team brings from before. `results`: of
    the boards from `first` on, open room, closed room, open room ...; empty where not
    known. `players`: South, West, North, East, then those of the closed room.
    """

    is_told: bool = False
    title: str = ""
    segment: str = ""
    scoring: str = ""
    first: int | None = None
    teams: tuple[str, str] = ("", "")
    carried: tuple[float, float] = (0, 0)
    results: tuple[str, ...] = ()
    players: tuple[str, ...] = ()


@dataclass(slots=True)
class Table:
    """One board at one table, as the file has it.

    `number`: from 1, counted over the file. `deal`: the `md` and `sv` that the same board had
    at another table, where this one has none. `problems`: text that is not LIN, and text
    that was left out.
    """

    file: str
    number: int
    line: int
    heading: Heading
    items: list[Item] = field(default_factory=list)
    implied: tuple[Item, ...] = ()
    problems: list[Problem] = field(default_factory=list)

    def last(self, tag: str) -> Item | None:
        """The last item of that tag, which is what a viewer shows in the end."""
        return next((item for item in reversed(self.items) if item.tag == tag), None)

    def all(self, *tags: str) -> Iterator[Item]:
        """The items of these tags in order."""
        return (item for item in self.items if item.tag in tags)

    @property
    def comments(self) -> list[str]:
        """What commentators said, in order."""
        return [item.value for item in self.all("nt")]

    def problem(self, reason: str, item: Item | None = None) -> Problem:
        """A problem of this table, placed at an item if one is given."""
        line, tag = (item.line, item.tag) if item else (self.line, "")
        return Problem(self.file, line, self.number, reason, tag)
