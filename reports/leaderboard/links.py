"""The addresses of the replays of matches and boards, relative to the leaderboard's folder."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from bridge_arena.bridge.board import Board
from bridge_arena.reports.common.replay_pages import (
    FOLDER,
    board_address,
    list_address,
    page_names,
    place_of,
)
from bridge_arena.reports.common.tables import TablesOfBoard, TeamMatch
from bridge_arena.reports.leaderboard.figures import Leaderboard, RankedEntry
from bridge_arena.tournaments import Played


class Links:
    """The addresses of a leaderboard's pages.

    If it has several events, the names begin with the number of the event.
    """

    def __init__(self, board: Leaderboard) -> None:
        self.board = board
        self._compared = [
            page_names((tables.board for tables in event.boards), self._prefix(number))
            for number, event in enumerate(board.events)
        ]

    def name_of_match(self, event: int, match: TeamMatch) -> str:
        """Return the name of the page of a match, which lists its boards."""
        return f"{self._prefix(event)}{match.round}-{match.number}"

    def names_of_boards(self, event: int, match: TeamMatch) -> dict[Board, str]:
        """Return the names of a match's boards."""
        prefix = f"{self.name_of_match(event, match)}-"
        return page_names((board.board for board in match.boards), prefix)

    def name_of_board(self, event: int, board: TablesOfBoard) -> str:
        """Return the name of a board that pairs or individuals played."""
        return self._compared[event][board.board]

    def name_of_scorecard(self, event: int, entry: int) -> str:
        """Return the address, beside the boards, of an entry's scorecard."""
        return f"{self._prefix(event)}scorecard-{entry + 1}.html"

    def of_scorecard(self, event: int, entry: int) -> str:
        """Return the address of the scorecard of an entry; "" if it has none."""
        if not self.board.events[event].has_scorecard(entry):
            return ""
        return f"{FOLDER}/{self.name_of_scorecard(event, entry)}"

    def of_only_scorecard(self, entry: RankedEntry) -> str:
        """Return the address of an entry's scorecard; "" if it has none, or several."""
        cards = [
            card
            for place in entry.standings
            if (card := self.of_scorecard(place.event, place.standing.entry))
        ]
        return cards[0] if len(cards) == 1 else ""

    def of_match(self, event: int, match: TeamMatch) -> str:
        """Return the address of the page of a match."""
        return f"{FOLDER}/{list_address(self.name_of_match(event, match))}"

    def of_board(self, event: int, board: TablesOfBoard) -> str:
        """Return the address of a board that pairs or individuals played."""
        return f"{FOLDER}/{board_address(self.name_of_board(event, board))}"

    def of_table(self, played: Played) -> tuple[int, str]:
        """Return the event of a table, by its number from 0, and the address of its replay."""
        return self._tables[id(played)]

    @cached_property
    def _tables(self) -> dict[int, tuple[int, str]]:
        """The tables by their identity: equal ones may be of different events."""
        return {id(played): place for played, place in self._places()}

    def _places(self) -> Iterator[tuple[Played, tuple[int, str]]]:
        for number, event in enumerate(self.board.events):
            for match in event.matches:
                names = self.names_of_boards(number, match)
                for board in match.boards:
                    for index, table in enumerate(board.tables):
                        address = f"{FOLDER}/{place_of(names[board.board], index)}"
                        yield table.played, (number, address)
            for tables in event.boards:
                name = self.name_of_board(number, tables)
                for index, table in enumerate(tables.tables):
                    yield table.played, (number, f"{FOLDER}/{place_of(name, index)}")

    def _prefix(self, event: int) -> str:
        return f"{event + 1}-" if len(self.board.events) > 1 else ""
