"""A replay: one board with the tables that played it, and how its document is told.

Whoever has replays gives them names (`reports.common.replay_pages`); a page of a replay shows at
most `TABLES` tables, so that one is small however many there are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bridge_arena.bridge.board import Board
from bridge_arena.reports.common.call_costs import CallCost
from bridge_arena.reports.common.replay_pages import TABLES, address_of
from bridge_arena.tournaments.schedule.event_results import Played
from bridge_arena.web.board.document import Link, Links, Part, Table, TableRest
from bridge_arena.web.board.of_records import named, rest_of, summary_of


@dataclass(frozen=True, slots=True)
class ReplayTable:
    """One table. `players`: as they are shown, at N, E, S, W. `imps`: North-South's, None where
    there is no other room. `worth`: what else the result was worth. `remarks`: what else
    happened. `costs`: of its calls, where they are known."""

    played: Played
    name: str
    players: tuple[str, str, str, str]
    imps: int | None = None
    worth: str = ""
    remarks: tuple[str, ...] = ()
    costs: tuple[CallCost | None, ...] = ()

    def summary(self, number: int) -> Table:
        """Return what is shown before the table is looked at. `number`: its own, from 1."""
        table = summary_of(self.played.record, number, self.name)
        table["players"] = named(self.players)
        if self.imps is not None:
            table["imps"] = self.imps
        if self.worth:
            table["worth"] = self.worth
        return table

    def rest(self) -> TableRest:
        """Return the rest."""
        return rest_of(self.played, self.remarks, self.costs)


@dataclass(frozen=True, slots=True)
class Replay:
    """One board. `name`: of its page. `title`: the event or match. `outcome`: what it brought, in
    a sentence; `parts`: what that came from, with IMPs of the home team."""

    name: str
    board: Board
    title: str
    tables: tuple[ReplayTable, ...]
    outcome: str = ""
    parts: tuple[tuple[str, float], ...] = ()

    def pages(self) -> Iterator[ReplayPage]:
        """Yield its pages."""
        for start in range(0, max(1, len(self.tables)), TABLES):
            yield ReplayPage(self, start)

    def told_parts(self) -> list[Part]:
        """Return the parts as a document has them."""
        return [Part(what=what, imps=round(imps, 1)) for what, imps in self.parts]


@dataclass(frozen=True, slots=True)
class ReplayPage:
    """A page of a replay: its tables from place `start` on."""

    replay: Replay
    start: int

    @property
    def tables(self) -> Sequence[ReplayTable]:
        """The tables that it shows."""
        return self.replay.tables[self.start : self.start + TABLES]

    @property
    def address(self) -> str:
        """Where it lies in the folder of replays."""
        return address_of(self.replay.name, self.start)

    @property
    def text(self) -> str:
        """What a link to it says."""
        number = f"Board {self.replay.board.number}"
        if len(self.replay.tables) <= TABLES:
            return number
        return f"{number}, tables {self.start + 1} to {self.start + len(self.tables)}"

    def script(self, table: int) -> str:
        """Return the address of the script of a table, by its place on this page."""
        return f"{self.replay.name}-table-{self.start + table + 1}.js"


def links_of(pages: Sequence[ReplayPage], place: int, index: Link | None) -> Links:
    """Return where a reader goes from the page at `place` of all that follow each other."""
    links = Links()
    if index is not None:
        links["index"] = index
    if place > 0:
        links["previous"] = _link("←", pages[place - 1])
    if place + 1 < len(pages):
        links["next"] = _link("→", pages[place + 1])
    return links


def _link(arrow: str, page: ReplayPage) -> Link:
    text = f"{arrow} {page.text}" if arrow == "←" else f"{page.text} {arrow}"
    return Link(href=page.address, text=text)
