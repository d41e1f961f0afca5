"""A replay: one board with the tables that played it.

The source of replays names them (`reports.common.replay_pages`). A page shows at most `TABLES`
tables of a replay. Two tables come with it as long as they are small, so that no page is large.
Others are loaded by scripts when somebody looks at them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from bridge_arena.bridge.board import Board
from bridge_arena.reports.common.costs import CallCost
from bridge_arena.reports.common.replay_pages import TABLES, part_name
from bridge_arena.tournaments import Played
from bridge_arena.web.board.document import BoardDocument, Link, Links, Part, Table, TableRest
from bridge_arena.web.board.of_records import document_of, named, rest_of, summary_of
from bridge_arena.web.common.pages import embedded


@dataclass(frozen=True, slots=True)
class ReplayTable:
    played: Played  # the record with its values
    name: str  # the table's name
    players: tuple[str, str, str, str]  # the names that are shown, at N, E, S, W
    imps: int | None = None  # North-South's IMPs; None if there is no other room
    worth: str = ""  # other values of the result, in words
    share: str = ""  # North-South's score on the board, in short: `62 %`, `+1.5 IMPs`
    remarks: tuple[str, ...] = ()  # further remarks
    costs: tuple[CallCost | None, ...] = ()  # the costs of its calls, if they are known

    def summary(self, number: int) -> Table:
        """Return the part that is shown before somebody looks at the table."""
        table = summary_of(self.played.record, number, self.name)
        table["players"] = named(self.players)
        if self.imps is not None:
            table["imps"] = self.imps
        if self.worth:
            table["worth"] = self.worth
        return table

    def rest(self) -> TableRest:
        """Return the part that is shown once somebody looks at the table."""
        return rest_of(self.played, self.remarks, self.costs)


@dataclass(frozen=True, slots=True)
class Replay:
    name: str  # its name in addresses
    board: Board
    title: str  # the event or match
    tables: tuple[ReplayTable, ...]
    outcome: str = ""  # the result, in a sentence
    # The sources of the result, with IMPs of the home team.
    parts: tuple[tuple[str, float], ...] = ()
    # The home team's IMPs, also where they are not those of the tables; None if these say all.
    imps: int | None = None

    def pages(self) -> Iterator[ReplayPage]:
        for start in range(0, max(1, len(self.tables)), TABLES):
            yield ReplayPage(self, start)


@dataclass(frozen=True, slots=True)
class ReplayPage:
    replay: Replay
    start: int  # the place of the page's first table, from 0

    @property
    def tables(self) -> Sequence[ReplayTable]:
        return self.replay.tables[self.start : self.start + TABLES]

    @property
    def name(self) -> str:
        """The name in addresses."""
        return part_name(self.replay.name, self.start)

    @property
    def text(self) -> str:
        """The text of links to the page."""
        number = f"Board {self.replay.board.number}"
        if len(self.replay.tables) <= TABLES:
            return number
        return f"{number}, tables {self.start + 1} to {self.start + len(self.tables)}"


def links_of(
    pages: Sequence[ReplayPage], place: int, index: Link, address: Callable[[str], str]
) -> Links:
    """Return the links of a page to the list, `index`, and to its neighbours.

    `address` returns the address of a page by its name.
    """
    links = Links(index=index)
    if place > 0:
        before = pages[place - 1]
        links["previous"] = Link(href=address(before.name), text=f"← {before.text}")
    if place + 1 < len(pages):
        after = pages[place + 1]
        links["next"] = Link(href=address(after.name), text=f"{after.text} →")
    return links


MOST_BYTES = 100_000
"""The most bytes of tables that come with the document of a board."""


def rests_at_once(page: ReplayPage) -> list[TableRest] | None:
    """Return the rests of tables that come with their board; None if they are many or large."""
    if len(page.tables) > 2:
        return None
    rests = [table.rest() for table in page.tables]
    size = sum(len(embedded(rest).encode()) for rest in rests)
    return rests if size <= MOST_BYTES else None


def document(page: ReplayPage, links: Links, rests: Iterable[TableRest | str]) -> BoardDocument:
    """Return a page's document, with each table's rest or the address of its script."""
    tables: list[Table] = []
    for place, (table, rest) in enumerate(zip(page.tables, rests, strict=True)):
        summary = table.summary(page.start + place + 1)
        tables.append({**summary, "script": rest} if isinstance(rest, str) else {**summary, **rest})
    replay = page.replay
    shown = document_of(replay.board, replay.title, tables)
    shown["links"] = links
    if replay.outcome:
        shown["outcome"] = replay.outcome
    if replay.parts:
        shown["parts"] = [Part(what=what, imps=round(imps, 1)) for what, imps in replay.parts]
    return shown
