"""The rows of datasets: a solved deal, or a board at one table. The columns are stable.

The split of a row is a hash of the deal. So the same deal is in the same split of every dataset,
whatever else is there, and so are all layouts of East's and West's cards with the same hands of
North and South.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Any

from bridge_arena.bridge.board import Board
from bridge_arena.bridge.calls import DENOMINATIONS, Call, Contract
from bridge_arena.bridge.cards import Card, Deal
from bridge_arena.bridge.record import BoardRecord, Mode, Room
from bridge_arena.bridge.seats import SEATS, Seat, Vulnerability
from bridge_arena.oracle.double_dummy_table import DoubleDummyTable
from bridge_arena.oracle.solved_deals import SolvedDeals, read, read_heading
from bridge_arena.pbn.annotations import made_call, note_of
from bridge_arena.recorded.frames import Cell, Columns


class Split(StrEnum):
    TRAIN = "train"
    VALIDATION = "validation"
    TEST = "test"


SHARES = {Split.TRAIN: 80, Split.VALIDATION: 10, Split.TEST: 10}
"""The percentage of all deals that is in each split."""


def split_of(deal: Deal) -> Split:
    text = f"bridge-arena split {deal[Seat.NORTH]} {deal[Seat.SOUTH]}"
    place = int.from_bytes(sha256(text.encode()).digest()[:8], "big") % 100
    for split, share in SHARES.items():
        if place < share:
            return split
        place -= share
    raise AssertionError("the shares are 100 percent")


class Kind(StrEnum):
    DEALS = "deals"
    TABLES = "tables"


@dataclass(frozen=True, slots=True)
class Row:
    """A row, with the deal that decides its split."""

    deal: Deal
    cells: Mapping[str, Cell]  # the cells by column


TRICKS = tuple(f"{denomination}_{seat}" for denomination in DENOMINATIONS for seat in SEATS)
"""The columns of a double-dummy table, in the order of its results: C_N, C_E, ..., NT_W."""

DEAL_MEANINGS = {
    "seed": "the public seed of the deals, in decimal digits",
    "number": "the number of the deal in the stream of the seed",
    "layout": "the number of the layout: 0 is the deal itself, in the others East's and West's "
    "cards are dealt anew between them",
    "deal": "the four hands in PBN's form, North's first",
    **{name: f"double-dummy tricks of {name[-1]} in {name[:-2]}" for name in TRICKS},
}
"""The columns of solved deals, and what is in them."""

TABLE_MEANINGS = {
    "event": "the event's name",
    "date": "the date, as YYYY.MM.DD",
    "round": "the round of the event, from 1",
    "table": "the table of the event, from 1",
    "room": "Open or Closed",
    "home": "the home team",
    "visitors": "the visiting team",
    "mode": "what the players decided: full, bidding (the tricks are double dummy) or play (the "
    "auction was given)",
    "board": "the board's number",
    "dealer": "N, E, S or W",
    "vulnerable": "None, NS, EW or All",
    "deal": "the four hands in PBN's form, North's first",
    **{seat.name.lower(): f"who sat {seat.name.title()}" for seat in SEATS},
    "calls": "the auction, with blanks between the calls, the dealer's first",
    "notes": "for each call the alert and the explanation that came with it, or null: JSON",
    "contract": "the contract without declarer, as 3NTX; Pass if the board was passed out",
    "declarer": "declarer's seat",
    "cards": "the cards as they were played, with blanks between them, suit then rank",
    "tricks": "declarer's tricks",
    "score": "the points of North-South",
}
"""The columns of played boards, and what is in them."""

_WHOLE = {"number", "layout", "round", "table", "board", "tricks", "score", *TRICKS}

MEANINGS = {Kind.DEALS: DEAL_MEANINGS, Kind.TABLES: TABLE_MEANINGS}
"""The columns of each kind, and what is in them."""


def columns(kind: Kind) -> Columns:
    return {name: int if name in _WHOLE else str for name in MEANINGS[kind]}


def deal_rows(paths: Iterable[Path]) -> Iterator[Row]:
    """Yield a row for each deal of `.deals` files. Raises SolvedDealsError, OSError."""
    for path in paths:
        heading = read_heading(path)
        places = count()
        for part in read([path]):
            for index in range(len(part)):
                number, layout = divmod(next(places), heading.layouts)
                deal = part.deal(index)
                cells: dict[str, Cell] = {
                    "seed": str(heading.seed),
                    "number": heading.first + number,
                    "layout": layout,
                    "deal": str(deal),
                    **dict(zip(TRICKS, part.table(index).results, strict=True)),
                }
                yield Row(deal, cells)


def table_row(record: BoardRecord) -> Row:
    board, contract = record.board, record.contract
    notes = [note_of(made) for made in record.calls]
    cells: dict[str, Cell] = {
        "event": record.event,
        "date": record.date,
        "round": record.round,
        "table": record.table,
        "room": record.room,
        "home": record.home,
        "visitors": record.visitors,
        "mode": record.mode,
        "board": board.number,
        "dealer": str(board.dealer),
        "vulnerable": board.vulnerability.value,
        "deal": str(board.deal),
        **{seat.name.lower(): record.players[seat] for seat in SEATS},
        "calls": " ".join(str(made.call) for made in record.calls),
        "notes": json.dumps(notes, ensure_ascii=False) if any(notes) else None,
        "contract": str(contract) if contract else "Pass" if record.is_finished else None,
        "declarer": None if contract is None else str(contract.declarer),
        "cards": " ".join(map(str, record.cards)),
        "tricks": record.tricks,
        "score": record.score,
    }
    return Row(board.deal, cells)


def solved_deals_of(rows: Iterable[Mapping[str, Any]]) -> SolvedDeals:
    cells = list(rows)
    deals = [Deal.parse(row["deal"]) for row in cells]
    tables = [DoubleDummyTable(tuple(row[name] for name in TRICKS)) for row in cells]
    return SolvedDeals.of(deals, tables)


def record_of(row: Mapping[str, Any]) -> BoardRecord:
    calls = [Call(text) for text in row["calls"].split()]
    notes = json.loads(row["notes"]) if row["notes"] else [None] * len(calls)
    declarer = None if row["declarer"] is None else Seat.parse(row["declarer"])
    north, east, south, west = (row[seat.name.lower()] or "" for seat in SEATS)
    dealer, vulnerability = Seat.parse(row["dealer"]), Vulnerability(row["vulnerable"])
    board = Board(int(row["board"]), dealer, vulnerability, Deal.parse(row["deal"]))
    return BoardRecord(
        board=board,
        players=(north, east, south, west),
        calls=tuple(made_call(call, note) for call, note in zip(calls, notes, strict=True)),
        contract=None if declarer is None else Contract.parse(row["contract"], declarer),
        cards=tuple(Card(text) for text in row["cards"].split()),
        tricks=row["tricks"],
        score=row["score"],
        event=row["event"] or "",
        date=row["date"] or "",
        room=None if row["room"] is None else Room(row["room"]),
        home=row["home"] or "",
        visitors=row["visitors"] or "",
        mode=Mode(row["mode"]),
        round=row["round"],
        table=row["table"],
    )
