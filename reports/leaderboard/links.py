"""Where the replay of each match or board lies, seen from the leaderboard's folder."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cached_property

from bridge_arena.bridge.board import Board
from bridge_arena.bridge.record import BoardRecord, Room
from bridge_arena.reports.common.tables import TablesOfBoard, TeamBoard, TeamMatch
from bridge_arena.reports.leaderboard.figures import Leaderboard

FOLDER = "boards"


class Links:
    """Addresses of the pages of a leaderboard; those of several events begin with the
    event's number."""

    def __init__(self, board: Leaderboard) -> None:
        self.board = board
        self._anchors = [anchors(each.board for each in event.boards) for event in board.events]

    def of_match(self, event: int, match: TeamMatch) -> str:
        return f"{FOLDER}/{self._prefix(event)}{match.round}-{match.number}.html"

    def of_boards(self, event: int, match: TeamMatch) -> list[tuple[TeamBoard, str]]:
        """Every board of a match with the place of its replay."""
        names = anchors(each.board for each in match.boards)
        page = self.of_match(event, match)
        return [(each, f"{page}#{names[each.board]}") for each in match.boards]

    def of_board(self, event: int, board: TablesOfBoard) -> str:
        return f"{FOLDER}/{self._prefix(event)}{self._anchors[event][board.board]}.html"

    def of_table(self, record: BoardRecord) -> tuple[int, str]:
        """The event of a table, by its number from 0, and the place of its replay."""
        return self._tables[id(record)]

    @cached_property
    def _tables(self) -> dict[int, tuple[int, str]]:
        """By the record itself, as equal ones of several events are not the same table."""
        return {id(record): place for record, place in self._places()}

    def _places(self) -> Iterator[tuple[BoardRecord, tuple[int, str]]]:
        for number, event in enumerate(self.board.events):
            for match in event.matches:
                for board, address in self.of_boards(number, match):
                    for table in board.tables:
                        room = (table.record.room or Room.OPEN).lower()
                        yield table.record, (number, f"{address}-{room}")
            for tables in event.boards:
                page = self.of_board(number, tables)
                for table in tables.tables:
                    round_, match_ = table.played.match
                    yield table.record, (number, f"{page}#table-{round_}-{match_}")

    def _prefix(self, event: int) -> str:
        return f"{event + 1}-" if len(self.board.events) > 1 else ""


def anchors(boards: Iterable[Board]) -> dict[Board, str]:
    """`board-7` for each; the next board of the same number is `board-7-2`."""
    seen: Counter[int] = Counter()
    names: dict[Board, str] = {}
    for board in boards:
        seen[board.number] += 1
        again = f"-{seen[board.number]}" if seen[board.number] > 1 else ""
        names[board] = f"board-{board.number}{again}"
    return names
