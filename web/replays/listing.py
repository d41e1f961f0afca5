"""The list of replays, a limited number on a page."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from bridge_arena.base.wording import plural
from bridge_arena.reports.common.replay_pages import board_address
from bridge_arena.reports.common.wording import contract_text, signed
from bridge_arena.web.board.document import Link
from bridge_arena.web.common.pages import page_of
from bridge_arena.web.replays.replay import Replay, ReplayPage, ReplayTable

ROWS = 100
"""The most boards on a page of the list."""


@dataclass(frozen=True, slots=True)
class Row:
    link: Link  # the link to the item
    title: str  # the event or match
    players: str
    results: str  # the results of the tables
    imps: str  # the home team's IMPs; "" if they are not known


@dataclass(frozen=True, slots=True)
class Listing:
    title: str  # the title of the whole list
    lead: str  # what the list contains, in a sentence
    rows: Sequence[Row]
    up: Link | None = None  # the page above; None if there is none
    earlier: Link | None = None  # the part before; None at the beginning
    later: Link | None = None  # the part after; None at the end
    # The words that were searched for; None if the list cannot be searched.
    query: str | None = None
    what: str = "board"  # the name of one item


def listing_page(listing: Listing, static: str) -> str:
    template = Path(__file__).with_name("listing.html")
    return page_of(template, static=static, listing=listing, symbols=_symbols)


def _symbols(results: str) -> str:
    """Return results with suit symbols and typographic minus signs."""
    return _CONTRACT.sub(lambda match: match[1] + _SYMBOLS[match[2]], results).replace("-", "−")


_CONTRACT = re.compile(r"\b([1-7])([SHDC])(?=X{0,2} )")

_SYMBOLS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}


def rows_of(replays: Iterable[Replay]) -> list[Row]:
    """Return the rows of replays that one page beside the list shows."""
    pages = (page for replay in replays for page in replay.pages())
    return [row_of(page, board_address(page.name)) for page in pages]


def row_of(page: ReplayPage, address: str) -> Row:
    replay = page.replay
    home = replay.tables[0].imps if len(replay.tables) == 2 else None
    return Row(
        Link(href=address, text=page.text),
        replay.title,
        players(page),
        results(page),
        "" if home is None else signed(home),
    )


def results(page: ReplayPage) -> str:
    """Return the results of the tables, as on a score sheet: `3NT W -1, 4S N =`."""
    if len(page.tables) > 2:
        return plural(len(page.tables), "table")
    return "; ".join(map(_result, page.tables))


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
