"""The tables of the hall, and the boards that they show."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from typing import cast

from bridge_arena.bridge.board import Board
from bridge_arena.bridge.record import BoardRecord, Room
from bridge_arena.bridge.scoring import imps
from bridge_arena.protocol.messages import BoardShown, Message
from bridge_arena.tournaments import Played, Unit
from bridge_arena.web.board.document import BoardDocument, Table
from bridge_arena.web.board.of_records import document_of, named, rest_of, summary_of
from bridge_arena.web.live.channel import Channel
from bridge_arena.web.live.live_board import Change, LiveTable


class TableRoom:
    """A table of the hall, by its number from 1, as spectators see it."""

    def __init__(self, number: int) -> None:
        self.number = number
        # The units that it began to play and has not shown yet, in order.
        self.to_come: deque[tuple[Unit, Board]] = deque()
        # The unit and the board that it shows; None before the first.
        self.unit: Unit | None = None
        self.game: Game | None = None
        # Whether it has shown all of the unit.
        self.is_finished = False
        # Why nothing is to come, as a sentence; "" while something is.
        self.over = ""
        # The score of the match; "" if it is not a match of teams.
        self.score = ""
        # The board that it showed before.
        self.last: Game | None = None
        self.channel = Channel(self.state)
        # Set when there is something new.
        self.changed = asyncio.Event()

    def state(self) -> dict[str, object]:
        """Return all that its page shows."""
        if self.game is None or self.unit is None:
            return {"table": self.number, "board": None, "over": self.over}
        state: dict[str, object] = {
            "table": self.number,
            "over": self.over,
            "place": list(self.game.tables).index(self.unit.id),
            "key": self.game.key,
            "board": self.game.document,
            "score": self.score,
        }
        if self.last is not None:
            board = self.last.board.number
            state["last"] = {"href": f"../boards/{self.last.key}.html", "text": f"Board {board}"}
        return state

    def summary(self, keys: Iterable[str]) -> dict[str, object]:
        """Return the number of the present board, and some keys of its table."""
        assert self.game is not None
        assert self.unit is not None
        place = list(self.game.tables).index(self.unit.id)
        table = cast("dict[str, object]", self.game.document["tables"][place])
        return {"board": self.game.board.number} | {key: table[key] for key in keys if key in table}

    def next(self, message: BoardShown) -> tuple[Unit, Board]:
        """Return the unit and the board that an event begins to show, which are no longer to come.

        Boards may be shown in another order than they were played in. Raises LookupError if the
        table did not begin such a board.
        """
        shown = message.board, message.dealer, message.deal
        for place, (unit, board) in enumerate(self.to_come):
            if (board.number, board.dealer, board.deal) == shown:
                del self.to_come[place]
                return unit, board
        raise LookupError(f"table {self.number} did not begin board {message.board}")

    def tell_score(self, score: str) -> None:
        """Tell a new score of the match that is played here."""
        self.score = score
        self.channel.change({"score": score})

    def close(self, why: str) -> None:
        """Tell that nothing is to come, and why, as a sentence."""
        self.over = why
        self.channel.change({"over": why})

    def show(self, game: Game, score: str) -> None:
        """Show another board of a match, with the score of the match."""
        self.score = score
        if self.game is not None and self.game is not game:
            self.game.rooms.pop(self, None)
            self.last = self.game
        self.game = game
        game.rooms[self] = None
        for room in game.rooms:
            room.channel.renew()
            room.changed.set()


class Game:
    """A board of a match, with its one or two tables.

    Args:
        key: The name of the board in addresses.
        clock: Returns the time in seconds; None if times are not shown.
    """

    def __init__(
        self, key: str, board: Board, title: str, clock: Callable[[], float] | None = None
    ) -> None:
        self.key = key
        self.board = board
        self.document: BoardDocument = document_of(board, title, [])
        self._clock = clock
        # Whether the solver failed to solve the board.
        self.is_given_up = False
        # By their units, in the order of the document; None for a table that was played before.
        self.tables: dict[str, LiveTable | None] = {}
        # The tables of the hall that show it.
        self.rooms: dict[TableRoom, None] = {}

    def add(self, unit: Unit, players: Sequence[str]) -> None:
        """Add a table that begins to be shown."""
        table = Table(number=len(self.tables) + 1, name=_name(unit), players=named(players))
        if unit.room is not None:
            table["room"] = unit.room.value
        self._place(unit, table, LiveTable(self.board, table, self._clock))

    def add_played(self, unit: Unit, record: BoardRecord, players: Sequence[str]) -> None:
        """Add a table that was played before."""
        table = summary_of(record, len(self.tables) + 1, _name(unit))
        table["players"] = named(players)
        self._place(unit, cast("Table", {**table, **rest_of(Played(record))}), None)

    def _place(self, unit: Unit, table: Table, live: LiveTable | None) -> None:
        """Put a table into the document, with the open room first.

        A unit that is played again has only its last table.
        """
        if unit.id in self.tables:
            del self.document["tables"][list(self.tables).index(unit.id)]
            del self.tables[unit.id]
        is_first = unit.room is Room.OPEN
        added = {unit.id: live}
        self.tables = added | self.tables if is_first else self.tables | added
        self.document["tables"].insert(0 if is_first else len(self.tables), table)
        for number, numbered in enumerate(self.document["tables"], start=1):
            numbered["number"] = number

    def take(self, unit: Unit, message: Message) -> Change | None:
        """Take an event, tell all spectators, and return the change."""
        live = self.tables[unit.id]
        change = None if live is None else live.take(message)
        if change is None:
            return None
        place = list(self.tables).index(unit.id)
        self.tell({"place": place, **change})
        if "score" in self.document["tables"][place]:
            self._compare()
        return change

    def tell(self, change: Change) -> None:
        """Tell all spectators of a change."""
        for room in self.rooms:
            room.channel.change(change)
            room.changed.set()

    def _compare(self) -> None:
        """Tell the IMPs of the board, once both rooms have a score."""
        tables = self.document["tables"]
        scores = {table.get("room"): table["score"] for table in tables if "score" in table}
        if {*Room} != scores.keys() or any("imps" in table for table in tables):
            return
        worth = imps(scores["Open"] - scores["Closed"])
        for place, table in enumerate(tables):
            table["imps"] = worth if table["room"] == "Open" else -worth
            self.tell({"place": place, "set": {"imps": table["imps"]}})


def _name(unit: Unit) -> str:
    if unit.room is not None:
        return f"{unit.room} room"
    return f"Round {unit.match.round}, table {unit.match.number}"
