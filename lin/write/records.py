"""Board records as LIN text that BBO's viewer accepts.

LIN has no place for faults, times, questions, dates and rounds; adjusted scores are left out too.
Names and texts lose what the format cannot hold (`lin.notation.portable`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, islice
from pathlib import Path

from bridge_arena.bridge.record import BoardRecord, MadeCall, Room
from bridge_arena.bridge.seats import SEATS
from bridge_arena.lin.notation import (
    SEATS_WRITTEN,
    digit_of,
    format_call,
    format_hand,
    format_vulnerability,
    portable,
    portable_name,
)
from bridge_arena.lin.read.meaning import LETTERS
from bridge_arena.lin.read.results import Result, format_result

_MOST_BOARDS = 1000
"""The longest range of board numbers for which a heading has results."""

_MOST_TABLES = 2000
"""The most tables under one heading."""

_Match = tuple[str, str, str, str]


def write_records(path: str | Path, records: Iterable[BoardRecord]) -> int:
    """Write records to a file, in their order, completely or not at all.

    Args:
        path: The file.
        records: The records.

    Returns:
        The number of records.

    Raises:
        OSError: The file cannot be written.
    """
    path = Path(path)
    new = path.with_name(f".{path.name}.new")
    count = 0
    try:
        with new.open("w", encoding="utf-8", newline="\n") as stream:
            for match in _matches(records):
                stream.write(format_match(match))
                count += len(match)
        new.replace(path)
    finally:
        new.unlink(missing_ok=True)
    return count


def format_records(records: Iterable[BoardRecord]) -> Iterator[str]:
    """Return the text of records in their order, match by match."""
    return map(format_match, _matches(records))


def format_match(records: Sequence[BoardRecord]) -> str:
    """Return the tables of one match or session, of both rooms or one, under their heading."""
    return _heading(records) + "".join(format_record(record) + "\n" for record in records)


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


def _call(made: MadeCall) -> str:
    text = f"mb|{format_call(made.call)}{'!' * made.alert}|"
    note = portable(str(made.explanation)).strip() if made.explanation else ""
    return f"{text}an|{note}|" if note else text


def _names(record: BoardRecord) -> str:
    """Return four names, or for a room of a match eight, those of the other room empty."""
    by_seat = dict(zip(SEATS, record.players, strict=True))
    names = [portable_name(by_seat[seat]) for seat in SEATS_WRITTEN]
    if record.room is not None:
        others = [""] * 4
        names = names + others if record.room is Room.OPEN else others + names
    return ",".join(names)


def _matches(records: Iterable[BoardRecord]) -> Iterator[list[BoardRecord]]:
    """Yield the adjacent records of each match together, a long match in parts to save memory."""
    for _, group in groupby(records, _match_of):
        while match := list(islice(group, _MOST_TABLES)):
            yield match


def _match_of(record: BoardRecord) -> _Match:
    return record.event, record.scoring, record.home, record.visitors


def _heading(records: Sequence[BoardRecord]) -> str:
    """Return the heading: title, teams, and the results of the open and the closed room."""
    if not records:
        return ""
    first, last, results = _results(records)
    event, scoring, home, visitors = _match_of(records[0])
    title, _, segment = portable(event).partition(", ")
    cells = [
        portable_name(title),
        portable_name(segment),
        LETTERS.get(scoring.upper(), portable_name(scoring)),
        *(str(first), str(last)),
        *(portable_name(home), "0", portable_name(visitors), "0"),
    ]
    return f"vg|{','.join(cells)}|\n" + (f"rs|{','.join(results)}|\n" if results else "") + "pg||\n"


def _results(records: Sequence[BoardRecord]) -> tuple[int, int, list[str]]:
    """Return the first and last board number, and two results for each number between.

    Args:
        records: The records of a match.

    Returns:
        The two numbers and the results; no results if two records share a place, or the range is
        too long.
    """
    numbers = [record.board.number for record in records]
    first, last = min(numbers), max(numbers)
    places = [
        2 * (record.board.number - first) + (record.room is Room.CLOSED) for record in records
    ]
    if last - first >= _MOST_BOARDS or len(set(places)) < len(places):
        return first, last, []
    results = [""] * (2 * (last - first) + 2)
    for place, record in zip(places, records, strict=True):
        if record.contract is not None or record.is_finished:
            results[place] = format_result(Result(record.contract, record.tricks))
    return first, last, results
