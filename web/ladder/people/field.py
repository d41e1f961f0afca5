"""What people and bots made of a deal, as the rows of a page, and the replay of some of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import cast

from bridge_arena.bridge.cards import Card
from bridge_arena.bridge.record import BoardRecord
from bridge_arena.bridge.seats import Side
from bridge_arena.reports.common.wording import made_text, signed
from bridge_arena.tournaments import Played
from bridge_arena.tournaments.ladder.people.people_tables import worth
from bridge_arena.web.board.document import Link, Table
from bridge_arena.web.board.of_records import document_of, rest_of, summary_of
from bridge_arena.web.board.page import board_page

_SYMBOLS = str.maketrans({"S": "♠", "H": "♥", "D": "♦", "C": "♣"})


@dataclass(frozen=True, slots=True)
class FieldRow:
    """A table that played a deal; points and IMPs are those of one side."""

    name: str
    contract: str  # with its declarer and result
    lead: str
    tricks: str
    points: str
    imps: str  # against the datum; "" if there is none
    is_own: bool = False  # whether it is the reader's
    href: str = ""  # the address of its replay; "" if it has none
    note: str = ""  # what is to be said of it


def field_row(
    name: str,
    record: BoardRecord,
    reference: int | None,
    side: Side,
    *,
    is_own: bool = False,
    href: str = "",
    note: str = "",
) -> FieldRow:
    """Return the row of a table, against a datum and seen from a side."""
    contract = "Passed out"
    if record.contract is not None:
        bid = f"{record.contract}".replace("NT", "nt").translate(_SYMBOLS).replace("nt", "NT")
        made = made_text(record.contract, record.tricks)
        contract = f"{bid} {record.contract.declarer} {_minus(made)}"
    imps = worth(record.score, reference, side)
    points = 0 if record.score is None else record.score * (1 if side is Side.NS else -1)
    return FieldRow(
        name,
        contract,
        _card(record.cards[0]) if record.cards else "",
        "" if record.tricks is None else str(record.tricks),
        _minus(signed(points)),
        "" if imps is None else _minus(signed(imps)),
        is_own,
        href,
        note,
    )


def _card(card: Card) -> str:
    return str(card).translate(_SYMBOLS).replace("T", "10")


def replay(
    title: str, tables: Iterable[tuple[str, BoardRecord]], home: str, up: tuple[str, str]
) -> str:
    """Return the page of a board with some of its tables, by their names.

    Args:
        title: The title.
        tables: The tables.
        home: The way to the folder of the leaderboard.
        up: The address of the page above, and its name.
    """
    shown = [
        cast("Table", {**summary_of(record, number, name), **rest_of(Played(record))})
        for number, (name, record) in enumerate(tables, 1)
    ]
    records = [record for _, record in tables]
    above = [(home, "Leaderboard"), (f"{home}play/", "Play"), (f"{home}today/", "Today"), up]
    ups = [Link(href=href, text=text) for href, text in above]
    return board_page(document_of(records[0].board, title, shown), f"{home}static/", ups=ups)


def _minus(text: str) -> str:
    return text.replace("-", "−")
