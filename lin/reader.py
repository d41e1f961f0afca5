"""The reader of LIN files: tables, one at a time, in constant memory.

Reading is tolerant: whatever a file holds, its tables are read. Problems go to `Table.problems`, or
to `TableReader.problems` if they are part of no table. `lin.records` interprets the tables.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import BinaryIO

from bridge_arena.base.recorded_text import Problem, Source, TextReader, whole_number
from bridge_arena.lin.lexer import Junk, read_items
from bridge_arena.lin.model import Heading, Item, Table

_LABEL = re.compile(r"\s*(?P<room>[oc])?\s*0*(?P<number>\d{1,9})(?!\d)", re.IGNORECASE)
_HEADINGS = frozenset(["vg", "rs", "pw", "mp", "bn"])
_ACTIONS = frozenset(["mb", "pc", "mc"])
_OF_TABLE = _ACTIONS | {"qx", "md"}
_NUMBERING = frozenset(["ah", "sv"])
"""The number and the vulnerability, which files have after the deal or before it."""
_MOST_TEXT = 1 << 20
"""The most letters of one table; each tag counts as `_ITEM` letters more."""
_ITEM = 50
_MOST_DEALS = 1000
"""The most boards whose deals are remembered for tables that leave them out."""
_MOST_PROBLEMS = 100


def label_of(value: str) -> tuple[str, int] | None:
    """Return the room (`o`, `c` or empty) and number of a `qx`; None for any other text."""
    match = _LABEL.match(value)
    return ((match["room"] or "").lower(), int(match["number"])) if match else None


class TableReader(TextReader[Table]):
    """An iterator over the tables of one file.

    A table begins with `qx`. It also begins where another deal or other players follow a table that
    has its own; a number and vulnerability that stand before them belong to it. Players that stand
    before a table are its own, unless a page ends (`pg`) between, or they are those of two rooms:
    then they are the players of all tables that name none. `problems` has those outside of any
    table, up to a limit.
    """

    def __init__(self, source: Source, name: str | None = None) -> None:
        super().__init__(source, name)
        self._heading = Heading()
        # The md and sv of boards by number, the latest last.
        self._deals: dict[int, tuple[Item, ...]] = {}
        self._start()

    def _read_stream(self, stream: BinaryIO) -> Iterator[Table]:
        for element in read_items(stream):
            if isinstance(element, Junk):
                self._report(element)
                continue
            later: list[Item] = []
            if element.tag in ("qx", "md") and self._tags.isdisjoint(_OF_TABLE):
                later = self._above(element)
            if self._ends_table(element):
                if element.tag in ("md", "pn"):
                    later = self._later()
                yield from self._finish()
                for item in later:
                    self._take(item)
            if element.tag in _HEADINGS:
                self._head(element)
            else:
                self._take(element)
        yield from self._finish()

    def _start(self) -> None:
        # The items of the table in progress, their tags, and their size in letters.
        self._items: list[Item] = []
        self._tags: set[str] = set()
        self._size = 0
        self._junk: list[Junk] = []

    def _ends_table(self, item: Item) -> bool:
        tags = self._tags
        if item.tag == "qx":
            return bool(tags)
        if item.tag in ("md", *_HEADINGS):
            return "md" in tags
        return item.tag == "pn" and "md" in tags and ("pn" in tags or not tags.isdisjoint(_ACTIONS))

    def _later(self) -> list[Item]:
        """Take the items that belong to the next table off the table in progress."""
        end = _end_of(self._items)
        later = self._items[end:]
        del self._items[end:]
        return later

    def _above(self, first: Item) -> list[Item]:
        """Put the players of all tables into the heading."""
        tags = [item.tag for item in self._items]
        page = len(tags) - tags[::-1].index("pg") if "pg" in tags else 0
        for at, item in enumerate(self._items):
            is_of_rooms = first.tag == "qx" and item.value.count(",") > 3
            if item.tag == "pn" and (at < page or is_of_rooms):
                self._head(item)
        return self._items[page:]

    def _head(self, item: Item) -> None:
        if item.tag == "vg" and (self.count or self._heading.is_given):
            self._heading = Heading()
            self._deals.clear()
        self._heading = _headed(self._heading, item)

    def _take(self, item: Item) -> None:
        size = len(item.value) + _ITEM
        if self._size <= _MOST_TEXT < self._size + size:
            reason = "more text than a board can have: what follows is left out"
            self._report(Junk(reason, item.line))
        self._size += size
        if self._size <= _MOST_TEXT:
            self._items.append(item)
            self._tags.add(item.tag)

    def _report(self, junk: Junk) -> None:
        if self._tags:
            if len(self._junk) < _MOST_PROBLEMS:
                self._junk.append(junk)
        elif len(self.problems) < _MOST_PROBLEMS:
            self.problems.append(Problem(self.name, junk.line, 0, junk.reason))

    def _finish(self) -> Iterator[Table]:
        """Yield the table in progress if it is one, with a deal, calls or cards."""
        items, junk = self._items, self._junk
        is_table = not self._tags.isdisjoint(_ACTIONS | {"md"})
        self._start()
        if is_table:
            self.count += 1
            table = Table(self.name, self.count, items[0].line, self._heading, items)
            table.problems = [
                Problem(self.name, one.line, self.count, one.reason, unit="table") for one in junk
            ]
            self._imply(table)
            yield table
        else:
            for one in junk:
                self._report(one)

    def _imply(self, table: Table) -> None:
        """Remember the deal for the other room, or take it from there."""
        item = table.last("qx")
        label = label_of(item.value) if item else None
        if label is None:
            return
        _, number = label
        if table.last("md"):
            self._deals.pop(number, None)
            self._deals[number] = tuple(table.all("md", "sv"))
            if len(self._deals) > _MOST_DEALS:
                del self._deals[next(iter(self._deals))]
        else:
            table.implied = self._deals.get(number, ())


def _end_of(items: Sequence[Item]) -> int:
    """Return the place in a table's items at which those before the next table's deal begin.

    A number or vulnerability is the next table's if it stands after the calls and cards; or, where
    there are none, after the deal though another stands before it.
    """
    tags = [item.tag for item in items]
    deal = tags.index("md")
    last = max((at for at, tag in enumerate(tags) if tag in _ACTIONS), default=-1)
    numbering = _NUMBERING if last > deal else _NUMBERING.intersection(tags[:deal])
    after = range(max(deal, last) + 1, len(tags))
    return next((at for at in after if tags[at] in numbering), len(tags))


def _headed(heading: Heading, item: Item) -> Heading:
    """Return the heading with the facts of one more tag."""
    cells = tuple(cell.strip() for cell in item.value.split(","))
    if item.tag == "vg":
        given = (*cells, *[""] * 9)[:9]
        title, segment, scoring, first, _, home, brought, visitors, carried = given
        return replace(
            heading,
            is_given=True,
            title=title,
            segment=segment,
            scoring=scoring.upper(),
            first=whole_number(first),
            teams=(home, visitors),
            carried=(_points(brought), _points(carried)),
        )
    if item.tag == "rs":
        return replace(heading, results=cells)
    if item.tag in ("pn", "pw"):
        return replace(heading, players=cells)
    return heading


def _points(text: str) -> float:
    """Return the IMPs or VPs carried over; 0 for text that is no plausible number."""
    match = re.fullmatch(r"-?\d{1,6}(\.\d{1,4})?", text)
    return float(text) if match else 0
