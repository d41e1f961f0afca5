"""The tables of the hall, and the boards that they show, whose documents grow with every event."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import cast

from bridge_arena.bridge.board import Board
from bridge_arena.bridge.calls import Contract
from bridge_arena.bridge.cards import Hand
from bridge_arena.bridge.play import Play
from bridge_arena.bridge.record import BoardRecord, MadeCall, Room
from bridge_arena.bridge.scoring import imps
from bridge_arena.bridge.seats import SEATS, Seat, Side
from bridge_arena.oracle.position import Position
from bridge_arena.protocol.messages import (
    AuctionEnd,
    BoardEnd,
    BoardShown,
    CallMade,
    CardPlayed,
    ClaimMade,
    ClaimSettled,
    Message,
    ThoughtShown,
    TrickEnd,
)
from bridge_arena.reports.common.wording import made_text
from bridge_arena.server.pace import Pace
from bridge_arena.tournaments import Played, Unit
from bridge_arena.web.board import document
from bridge_arena.web.board.document import BoardDocument, Table
from bridge_arena.web.board.of_records import (
    LETTERS,
    document_of,
    made_call,
    named,
    rest_of,
    summary_of,
    thought_of,
)
from bridge_arena.web.common.streams import Channel

Change = dict[str, object]
"""The changes at a table: `calls`, `cards` and `winners` are added, values in `set` replaced."""

_Values = dict[str, object]
"""Values of a table of the document, by key."""


_ON_FELT = ("contract", "declarer", "result")
"""The keys of a table that a small picture of it shows."""


@dataclass(frozen=True)
class Reached:
    step: int  # the number of actions before it
    position: Position
    declaring: Side  # declarer's side
    declarer_tricks: int  # tricks that declarer has won so far
    defence_tricks: int  # tricks that the defence has won so far

    def declarers_total(self, best: int) -> int:
        """Return declarer's tricks on the board if the side in turn still takes `best`."""
        left = 13 - self.declarer_tricks - self.defence_tricks
        is_declarers = self.position.turn.side is self.declaring
        return self.declarer_tricks + (best if is_declarers else left - best)


class LiveTable:
    """One table of a board, as far as it was shown.

    `begun` is the board's record before the first call. `start` is the time in seconds at which it
    began, from which the players' thinking is measured; None if that is not shown.
    """

    def __init__(
        self, begun: BoardRecord, table: document.Table, start: float | None = None
    ) -> None:
        self.table = table
        self.table.update({"calls": [], "cards": [], "winners": []})
        self.is_over = False
        # The positions that are not solved yet.
        self.unsolved: list[Reached] = []
        # The record up to each call whose cost is not known yet, and up to the last call.
        self.unweighed: list[BoardRecord] = []
        self._record = begun
        self._hands: list[Hand] = [begun.board.deal[seat] for seat in SEATS]
        self._contract: Contract | None = None
        self._play: Play | None = None
        self._thought: document.Thought | None = None
        self._is_claimed = False
        # The time of the last action; None if the players' thinking is not shown.
        self._last = start
        if start is not None:
            self.table["clocks"] = {LETTERS[seat]: 0.0 for seat in SEATS}

    @property
    def step(self) -> int:
        """The number of calls and cards."""
        return len(self.table["calls"]) + len(self.table["cards"])

    def take(self, message: Message, time: float) -> Change | None:
        """Take an event of a time, and return the change; None if nothing changes."""
        match message:
            case ThoughtShown():
                self._thought = thought_of(message)
                return None
            case CallMade():
                made = MadeCall(message.call, message.alert, message.explanation)
                self._record = replace(self._record, calls=(*self._record.calls, made))
                self.unweighed.append(self._record)
                call = made_call(made.call, made.explanation, alert=made.alert)
                if self._thought is not None:
                    call["thought"] = self._thought
                self._thought = None
                self.table["calls"].append(call)
                return {"calls": [call]} | self._timed(message.seat, time)
            case AuctionEnd():
                return self._set(self._contract_of(message))
            case CardPlayed():
                return self._played(message, time)
            case TrickEnd():
                winner = LETTERS[message.winner]
                self.table["winners"].append(winner)
                return {"winners": [winner]}
            case ClaimMade():
                text = f"{message.seat.name.capitalize()} claims {message.tricks} of the tricks."
                return self._set({"remarks": [*self.table.get("remarks", []), text]})
            case ClaimSettled():
                self._is_claimed = message.accepted
                text = "The claim is accepted." if message.accepted else "The claim is refused."
                return self._set({"remarks": [*self.table.get("remarks", []), text]})
            case BoardEnd():
                return self._set(self._ended(message))
            case _:
                return None

    def _set(self, values: _Values) -> Change:
        self.table.update(cast("document.Table", values))
        return {"set": values}

    def _contract_of(self, message: AuctionEnd) -> _Values:
        if message.declarer is None:
            return {"contract": message.contract}
        self._contract = Contract.parse(message.contract, message.declarer)
        self._play = Play(self._contract)
        self._reach()
        return {"contract": message.contract, "declarer": LETTERS[message.declarer]}

    def _played(self, message: CardPlayed, time: float) -> Change:
        card = document.CardPlayed(seat=LETTERS[message.seat], card=str(message.card))
        if self._thought is not None:
            card["thought"] = self._thought
        self._thought = None
        if self._play is not None:
            self._play.push(message.card)
        self.table["cards"].append(card)
        self._reach()
        player = message.seat
        if self._contract is not None and player == self._contract.declarer.partner:
            player = self._contract.declarer
        return {"cards": [card]} | self._timed(player, time)

    def _timed(self, player: Seat, time: float) -> Change:
        """Add the time since the last action to a player's time."""
        if self._last is None:
            return {}
        clocks = self.table["clocks"]
        clocks[LETTERS[player]] = round(clocks[LETTERS[player]] + time - self._last, 2)
        self._last = time
        return {"set": {"clocks": clocks}}

    def _reach(self) -> None:
        """Note the position, as long as there is a card to choose."""
        play = self._play
        if play is None or play.is_over:
            return
        declaring, position = play.declarer.side, Position.of(play, self._hands)
        won, lost = play.won[declaring], play.won[declaring.other]
        self.unsolved.append(Reached(self.step, position, declaring, won, lost))

    def _ended(self, message: BoardEnd) -> _Values:
        self.is_over = True
        if message.score is None:
            return {"remarks": [*self.table.get("remarks", []), "The board was given up."]}
        values: _Values = {"score": message.score}
        if self._contract is not None and message.tricks is not None:
            values["tricks"] = message.tricks
            values["result"] = made_text(self._contract, message.tricks)
            if self._is_claimed:
                values["claim"] = document.Claim(tricks=message.tricks)
        return values


class TableRoom:
    """A table of the hall, by its number from 1, as spectators see it."""

    def __init__(self, number: int, pace: Pace) -> None:
        self.number = number
        self.pace = pace
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
            "pace": self.pace.seconds,
        }
        if self.last is not None:
            board = self.last.board.number
            state["last"] = {"href": f"../boards/{self.last.key}.html", "text": f"Board {board}"}
        return state

    def felt(self) -> dict[str, object] | None:
        """Return what a small picture of the table shows; None before the first board."""
        if self.game is None or self.unit is None:
            return None
        place = list(self.game.tables).index(self.unit.id)
        table = self.game.document["tables"][place]
        values = cast("dict[str, object]", table)
        calls, cards = table.get("calls", []), table.get("cards", [])
        winners = table.get("winners", [])
        felt = {
            "board": self.game.board.number,
            "round": self.unit.match.round,
            "lineup": self.unit.lineup,
            "score": self.score,
            "isOver": self.is_finished,
        }
        if "contract" not in table:
            by = LETTERS[SEATS[(self.game.board.dealer + len(calls) - 1) % 4]]
            return felt | ({"call": calls[-1]["call"], "by": by} if calls else {})
        felt |= {key: values[key] for key in _ON_FELT if key in values}
        felt["won"] = [sum(seat in side for seat in winners) for side in ("NS", "EW")]
        # The trick in play, or the last one.
        trick = cards[4 * max(0, len(winners) - (len(cards) == 4 * len(winners))) :]
        return felt | {"trick": {played["seat"]: played["card"] for played in trick}}

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
    """A board of a match, with its one or two tables; `key` is its name in addresses."""

    def __init__(self, key: str, board: Board, title: str) -> None:
        self.key = key
        self.board = board
        self.document: BoardDocument = document_of(board, title, [])
        # Whether the solver failed to solve the board.
        self.is_given_up = False
        # By their units, in the order of the document; None for a table that was played before.
        self.tables: dict[str, LiveTable | None] = {}
        # The tables of the hall that show it.
        self.rooms: dict[TableRoom, None] = {}

    def add(self, unit: Unit, begun: BoardRecord, start: float | None = None) -> None:
        """Add a table that begins to be shown, as a `LiveTable` has it."""
        players = named(begun.players)
        table = Table(number=len(self.tables) + 1, name=name_of(unit), players=players)
        if unit.room is not None:
            table["room"] = unit.room.value
        self._place(unit, table, LiveTable(begun, table, start))

    def add_played(self, unit: Unit, record: BoardRecord, players: Sequence[str]) -> None:
        table = summary_of(record, len(self.tables) + 1, name_of(unit))
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

    def take(self, unit: Unit, message: Message, time: float) -> Change | None:
        """Take an event of a time, tell all spectators, and return the change."""
        live = self.tables[unit.id]
        change = None if live is None else live.take(message, time)
        if change is None:
            return None
        place = list(self.tables).index(unit.id)
        self.tell({"place": place, **change})
        if "score" in self.document["tables"][place]:
            self._compare()
        return change

    def tell(self, change: Change) -> None:
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


def name_of(unit: Unit) -> str:
    if unit.room is not None:
        return f"{unit.room} room"
    return f"Round {unit.match.round}, table {unit.match.number}"


def key_of(unit: Unit) -> str:
    """Return the key of a board, which both rooms share."""
    return f"{unit.match.round}-{unit.match.number}-{unit.position}"
