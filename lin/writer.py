"""Board records as LIN text that BBO's viewer accepts.

LIN has no place for faults, times, questions, dates and rounds; adjusted scores are left out too.
Contracts without their auctions are in the results of headings, and links have none (`left_out`).
Names and texts lose what the format cannot hold (`lin.notation.portable`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path

from bridge_arena.base.files import replacing
from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.record import BoardRecord, MadeCall, Room
from bridge_arena.bridge.scoring import score_ns
from bridge_arena.lin.notation import (
    SEATS_WRITTEN,
    Result,
    digit_of,
    format_call,
    format_hand,
    format_result,
    format_vulnerability,
    portable,
    portable_name,
)
from bridge_arena.lin.play import tricks_of
from bridge_arena.lin.records import LETTERS

_MOST_BOARDS = 1000
"""The longest range of board numbers under one heading."""

_Match = tuple[str, str, str, str]

_Group = dict[int, BoardRecord]
"""The records under one heading by their places in its results."""


def write_records(path: str | Path, records: Iterable[BoardRecord]) -> int:
    """Write records to a file, in their order, completely or not at all. Raises OSError."""
    count = 0
    with (
        replacing(Path(path)) as unfinished,
        unfinished.open("w", encoding="utf-8", newline="\n") as stream,
    ):
        for group in _groups(records):
            stream.write(_format_group(group))
            count += len(group)
    return count


def format_records(records: Iterable[BoardRecord]) -> Iterator[str]:
    """Return the text of records in their order, heading by heading."""
    return map(_format_group, _groups(records))


def format_record(record: BoardRecord) -> str:
    """Return one table in one line without a heading, as players download a board."""
    board = record.board
    letter = "c" if record.room is Room.CLOSED else "o"
    hands = ",".join(format_hand(board.deal[seat]) for seat in SEATS_WRITTEN)
    parts = [
        f"qx|{letter}{board.number}|pn|{_names(record)}|st||",
        f"md|{digit_of(board.dealer)}{hands}|",
        f"rh||ah|Board {board.number}|sv|{format_vulnerability(board.vulnerability)}|",
        *map(_call, record.calls),
        "pg||",
    ]
    for at in range(0, len(record.cards), 4):
        parts += [f"pc|{card}|" for card in record.cards[at : at + 4]]
        parts.append("pg||")
    if record.tricks is not None and len(record.cards) < 52:
        parts.append(f"mc|{record.tricks}|pg||")
    return "".join(parts)


def left_out(record: BoardRecord, *, has_heading: bool) -> str:
    """Return which part of a record's outcome is not written, in words; empty if all is.

    `has_heading` says whether a heading above the table has its result, as in files but not in
    links.
    """
    if not has_heading and not _calls_give_contract(record):
        return "contract and result"
    return "" if record.score in (None, _score_read(record)) else "score"


def _calls_give_contract(record: BoardRecord) -> bool:
    """Return whether the calls tell the contract or the passed-out board, if there is one."""
    auction = Auction(record.board.dealer, (made.call for made in record.calls))
    return auction.contract == record.contract if auction.is_over else not _result(record)


def _score_read(record: BoardRecord) -> int | None:
    """Return the score that contract and tricks, or else the cards, tell; None if they do not."""
    if record.contract is None:
        return 0
    tricks = record.tricks
    if tricks is None:
        tricks = tricks_of(record.play(), record.board.deal)
    return None if tricks is None else score_ns(record.contract, tricks, record.board.vulnerability)


def _call(made: MadeCall) -> str:
    text = f"mb|{format_call(made.call)}{'!' * made.alert}|"
    note = portable(str(made.explanation)).strip() if made.explanation else ""
    return f"{text}an|{note}|" if note else text


def _names(record: BoardRecord) -> str:
    """Return four names, or for a room of a match eight, those of the other room empty."""
    names = [portable_name(record.players[seat]) for seat in SEATS_WRITTEN]
    if record.room is not None:
        others = [""] * 4
        names = names + others if record.room is Room.OPEN else others + names
    return ",".join(names)


def _groups(records: Iterable[BoardRecord]) -> Iterator[_Group]:
    """Yield the adjacent records of each match together, but begin anew where a place is taken.

    A heading has one result for each board and room. Where more tables play a board, as in a pairs
    event, the result of one would be read as that of another. A long match is written in parts.
    """

    def part_of(record: BoardRecord) -> tuple[_Match, int]:
        return _match_of(record), (record.board.number - 1) // _MOST_BOARDS

    for _, match in groupby(records, part_of):
        group: _Group = {}
        for record in match:
            place = 2 * record.board.number + (record.room is Room.CLOSED)
            if place in group:
                yield group
                group = {}
            group[place] = record
        yield group


def _match_of(record: BoardRecord) -> _Match:
    return record.event, record.scoring, record.home, record.visitors


def _format_group(group: _Group) -> str:
    """Return the tables of a group under their heading."""
    return _heading(group) + "".join(f"{format_record(record)}\n" for record in group.values())


def _heading(group: _Group) -> str:
    """Return the heading: title, teams, and the results of the open and the closed room."""
    event, scoring, home, visitors = _match_of(next(iter(group.values())))
    title, _, segment = portable(event).partition(", ")
    first, last = min(group) // 2, max(group) // 2
    cells = [
        portable_name(title),
        portable_name(segment),
        LETTERS.get(scoring.upper(), portable_name(scoring)),
        *(str(first), str(last)),
        *(portable_name(home), "0", portable_name(visitors), "0"),
    ]
    results = [_result(group.get(place)) for place in range(2 * first, 2 * last + 2)]
    return f"vg|{','.join(cells)}|\nrs|{','.join(results)}|\npg||\n"


def _result(record: BoardRecord | None) -> str:
    """Return the result of a table; empty if there is none.

    A score other than 0 without a contract is that of a contract that is not known.
    """
    if record is None or (record.contract is None and record.score != 0):
        return ""
    return format_result(Result(record.contract, record.tricks))
