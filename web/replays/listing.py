"""The list of replays, a limited number on a page."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import urlencode

from markupsafe import Markup, escape

from bridge_arena.bridge.record import Room
from bridge_arena.reports.common.replay_pages import board_address
from bridge_arena.reports.common.wording import contract_text, signed
from bridge_arena.web.board.document import Link
from bridge_arena.web.common.pages import page_of
from bridge_arena.web.replays.replay import Replay, ReplayPage, ReplayTable

ROWS = 100
"""The most boards on a page of the list."""

MOST_RESULTS = 12
"""The most different results that a board shows there."""


@dataclass(frozen=True, slots=True)
class Result:
    text: str  # as on a score sheet: `3NT W -1`, `4S N =`; "" if there is no such table
    share: str = ""  # North-South's score on the board, in short
    tables: int = 1  # the number of tables that have it


@dataclass(frozen=True, slots=True)
class Row:
    link: Link  # the link to the item
    title: str  # the event or match
    players: str
    results: Sequence[Result]
    imps: str  # the home team's IMPs; "" if they are not known
    total: str = ""  # the home team's IMPs so far
    # Whether the results are those of the open and of the closed room.
    has_rooms: bool = False


@dataclass(frozen=True, slots=True)
class Listing:
    title: str  # the title of the whole list
    lead: str  # what the list contains, in a sentence
    rows: Sequence[Row]
    ups: Sequence[Link] = ()  # the pages above, the highest first
    earlier: Link | None = None  # the part before; None at the beginning
    later: Link | None = None  # the part after; None at the end
    # The words that were searched for; None if the list cannot be searched.
    query: str | None = None
    what: str = "board"  # the name of one item

    def between(self, start: int, length: int) -> Listing:
        """Return the list with links to what is before and after it, from its place in all rows."""
        after = start + ROWS
        return replace(
            self,
            earlier=self._part(max(0, start - ROWS), length) if start else None,
            later=self._part(after, length) if after < length else None,
        )

    def _part(self, start: int, length: int) -> Link:
        address = urlencode(({"q": self.query} if self.query else {}) | {"from": start + 1})
        return Link(href=f"?{address}", text=f"{start + 1} to {min(start + ROWS, length)}")


def start_of(query: Mapping[str, str], length: int) -> int:
    """Return the place of the first row of the part of a list that an address asks for."""
    given = query.get("from", "")
    start = int(given) - 1 if re.fullmatch(r"[1-9]\d{0,8}", given, re.ASCII) else 0
    return start if start < length else 0


def listing_page(listing: Listing, static: str) -> str:
    template = Path(__file__).with_name("listing.html")
    return page_of(template, static=static, listing=listing, symbols=_symbols)


def _symbols(result: str) -> Markup:
    """Return a result with suits in their colours and typographic minus signs."""
    return Markup(_CONTRACT.sub(_coloured, str(escape(result.replace("-", "−")))))


def _coloured(contract: re.Match[str]) -> str:
    level, suit = contract.groups()
    return f'{level}<span class="pip {suit}">{_SYMBOLS[suit]}</span>'


_CONTRACT = re.compile(r"\b([1-7])([SHDC])(?=X{0,2} )")

_SYMBOLS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}


def rows_of(replays: Iterable[Replay]) -> list[Row]:
    """Return the rows of replays that one page beside the list shows."""
    pages = [page for replay in replays for page in replay.pages()]
    totals = running_totals(pages)
    return [
        row_of(page, board_address(page.name), total)
        for page, total in zip(pages, totals, strict=True)
    ]


def running_totals(pages: Iterable[ReplayPage]) -> Iterator[int | None]:
    """Yield the home team's IMPs up to each page; None where it has none of its own."""
    totals: Counter[str] = Counter()
    for page in pages:
        imps = _imps(page)
        if imps is None:
            yield None
        else:
            totals[page.replay.title] += imps
            yield totals[page.replay.title]


def _imps(page: ReplayPage) -> int | None:
    """Return the home team's IMPs on the board of a match, also on one that was adjusted."""
    if page.replay.imps is not None:
        return page.replay.imps
    rooms = _rooms(page)
    return rooms[0].imps if rooms is not None and rooms[0] is not None else None


def row_of(page: ReplayPage, address: str, total: int | None = None) -> Row:
    imps = _imps(page)
    return Row(
        Link(href=address, text=page.text),
        page.replay.title,
        players(page),
        _first(results(page)),
        "" if imps is None else signed(imps),
        "" if total is None else signed(total),
        has_rooms=_rooms(page) is not None,
    )


def results(page: ReplayPage) -> list[Result]:
    """Return the results of the open and the closed room, or else the different ones of the tables.

    These begin with North-South's best.
    """
    rooms = _rooms(page)
    if rooms is not None:
        return [Result("" if table is None else _result(table)) for table in rooms]
    best_first = sorted(page.tables, key=lambda table: -(table.played.record.score or 0))
    counts = Counter((_result(table), table.share) for table in best_first)
    return [Result(text, share, count) for (text, share), count in counts.items()]


def _first(shown: list[Result]) -> list[Result]:
    """Return so many results as a list has room for."""
    left = len(shown) - MOST_RESULTS
    return shown if left <= 0 else [*shown[:MOST_RESULTS], Result(f"and {left} more")]


def _rooms(page: ReplayPage) -> tuple[ReplayTable | None, ReplayTable | None] | None:
    """Return the open and the closed room of a board; None if its tables are no rooms."""
    rooms = {table.played.record.room: table for table in page.tables}
    if None in rooms or len(rooms) < len(page.replay.tables):
        return None
    return rooms.get(Room.OPEN), rooms.get(Room.CLOSED)


def players(page: ReplayPage) -> str:
    """Return the players of a board; "" if there are more than two tables."""
    if len(page.tables) > 2:
        return ""
    return ", ".join(dict.fromkeys(name for table in page.tables for name in table.players if name))


def _result(table: ReplayTable) -> str:
    record = table.played.record
    if record.contract is None:
        return "Pass" if record.is_finished else "not finished"
    return contract_text(record.contract, record.tricks)
