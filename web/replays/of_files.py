"""The replays of files of boards: each deal once, with all tables that played it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from bridge_arena.bridge.board import Board, by_board
from bridge_arena.bridge.record import BoardRecord, Room
from bridge_arena.bridge.scoring import imps, matchpoints
from bridge_arena.reports.common.replay_pages import page_names
from bridge_arena.tournaments import Played
from bridge_arena.web.replays.replay import Replay, ReplayTable


@dataclass(frozen=True, slots=True)
class FileRecord:
    record: BoardRecord
    file: str = ""  # the name of the file; "" if all records are of one file

    @property
    def board(self) -> Board:
        return self.record.board


def replays_of_records(records: Iterable[BoardRecord]) -> Iterator[Replay]:
    """Yield a replay for each board of a file, in the order of the records."""
    yield from replays_of_files(map(FileRecord, records))


def replays_of_files(records: Iterable[FileRecord]) -> Iterator[Replay]:
    """Yield a replay for each board of several files, which names its files."""
    boards = by_board(records)
    names = page_names(boards)
    for board, tables in boards.items():
        files = ", ".join(dict.fromkeys(table.file for table in tables if table.file))
        yield _replay(names[board], board, [table.record for table in tables], files)


def _replay(name: str, board: Board, records: Sequence[BoardRecord], files: str) -> Replay:
    swings = _swings(records)
    shares = _shares(records)
    tables = []
    for record, shown in zip(records, _names(records), strict=True):
        swing = swings.get(_match(record))
        own = swing if swing is None or record.room is Room.OPEN else -swing
        share = shares.get(record.score, "")
        tables.append(ReplayTable(Played(record), shown, record.players, own, share=share))
    return Replay(name, board, _title(records, files), tuple(tables))


def _match(record: BoardRecord) -> tuple[str, str, int | None]:
    return record.home, record.visitors, record.round


def _swings(records: Sequence[BoardRecord]) -> dict[tuple[str, str, int | None], int]:
    """Return the home team's IMPs in each match that finished a board once in each room."""
    matches: dict[tuple[str, str, int | None], list[BoardRecord]] = {}
    for record in records:
        matches.setdefault(_match(record), []).append(record)
    swings: dict[tuple[str, str, int | None], int] = {}
    for match, tables in matches.items():
        scores = {record.room: record.score for record in tables}
        in_open, in_closed = (scores.get(room) for room in Room)
        if len(tables) == 2 and in_open is not None and in_closed is not None:
            swings[match] = imps(in_open - in_closed)
    return swings


def _shares(records: Sequence[BoardRecord]) -> dict[int | None, str]:
    """Return North-South's percentages by their scores, if more than one table has one."""
    scores = [record.score for record in records if record.score is not None]
    top = 2 * (len(scores) - 1)
    points = zip(scores, matchpoints(scores), strict=True)
    return {score: f"{100 * own / top:.0f} %" for score, own in points} if top > 0 else {}


def _title(records: Sequence[BoardRecord], files: str) -> str:
    """Return the files, the event, and the match if all tables are of one."""
    first = records[0]
    teams = {(record.home, record.visitors) for record in records}
    match = f"{first.home} – {first.visitors}" if len(teams) == 1 and first.home else ""
    return ": ".join(text for text in (files, first.event, match) if text)


def _names(records: Sequence[BoardRecord]) -> Iterator[str]:
    """Yield a different name for each table of a board."""
    tables_of: Counter[str] = Counter()
    for number, record in enumerate(records, start=1):
        name = ", ".join(_words(record, records)) or (
            f"Table {number}" if len(records) > 1 else "The table"
        )
        tables_of[name] += 1
        yield name if tables_of[name] == 1 else f"{name} ({tables_of[name]})"


def _words(record: BoardRecord, records: Sequence[BoardRecord]) -> Iterator[str]:
    """Yield the parts of a record's place that not all records share."""
    teams = {(other.home, other.visitors) for other in records}
    if len(teams) > 1 and (record.home or record.visitors):
        yield f"{record.home} – {record.visitors}"
    for what, number, others in (
        ("round", record.round, {other.round for other in records}),
        ("table", record.table, {other.table for other in records}),
    ):
        if number is not None and len(others) > 1:
            yield f"{what} {number}"
    if record.room is not None:
        yield f"{record.room} room"
