"""A replay: one board with the tables that played it.

The source of replays names them (`reports.common.replay_pages`). A page shows at most `TABLES`
tables of a replay, and holds them as long as they are small, so that no page is large. Otherwise
each table has a script of its own, which is loaded when somebody looks at the table.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bridge_arena.bridge.board import Board
from bridge_arena.reports.common.costs import CallCost
from bridge_arena.reports.common.replay_pages import TABLES, address_of
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
    name: str  # the name of its page
    board: Board
    title: str  # the event or match
    tables: tuple[ReplayTable, ...]
    outcome: str = ""  # the result, in a sentence
    # The sources of the result, with IMPs of the home team.
    parts: tuple[tuple[str, float], ...] = ()

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
    def address(self) -> str:
        """The address in the folder of replays."""
        return address_of(self.replay.name, self.start)

    @property
    def text(self) -> str:
        """The text of links to the page."""
        number = f"Board {self.replay.board.number}"
        if len(self.replay.tables) <= TABLES:
            return number
        return f"{number}, tables {self.start + 1} to {self.start + len(self.tables)}"

    def script(self, table: int) -> str:
        """Return the address of the script of a table, by its place on this page."""
        return f"{self.replay.name}-table-{self.start + table + 1}.js"


def links_of(pages: Sequence[ReplayPage], place: int, index: Link) -> Links:
    """Return the links of a page to the list, `index`, and to its neighbours."""
    links = Links(index=index)
    if place > 0:
        before = pages[place - 1]
        links["previous"] = Link(href=before.address, text=f"← {before.text}")
    if place + 1 < len(pages):
        after = pages[place + 1]
        links["next"] = Link(href=after.address, text=f"{after.text} →")
    return links


IN_PAGE = 120_000
"""The most bytes of tables that a page holds."""


def document(page: ReplayPage, links: Links) -> BoardDocument:
    holds_tables = _holds_tables(page)
    tables: list[Table] = []
    for place, table in enumerate(page.tables):
        summary = table.summary(page.start + place + 1)
        if holds_tables:
            tables.append({**summary, **table.rest()})
        else:
            tables.append({**summary, "script": page.script(place)})
    replay = page.replay
    shown = document_of(replay.board, replay.title, tables)
    shown["links"] = links
    if replay.outcome:
        shown["outcome"] = replay.outcome
    if replay.parts:
        shown["parts"] = [Part(what=what, imps=round(imps, 1)) for what, imps in replay.parts]
    return shown


def scripts(page: ReplayPage) -> Iterator[tuple[str, str]]:
    """Yield address and text of the scripts to which the page's document refers."""
    if not _holds_tables(page):
        for place in range(len(page.tables)):
            yield page.script(place), script(page, place)


def script(page: ReplayPage, place: int) -> str:
    """Return the script that loads a table, by its place on the page."""
    rest = embedded(page.tables[place].rest())
    return f'Arena.tableLoaded("{page.script(place)}", {rest});\n'


def _holds_tables(page: ReplayPage) -> bool:
    if len(page.tables) > 2:
        return False
    return sum(len(embedded(table.rest()).encode()) for table in page.tables) <= IN_PAGE
