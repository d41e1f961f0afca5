"""The public knowledge of an event that is played: its tables, as far as they were shown."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Protocol

from bridge_arena.base.wording import plural
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.record import BoardRecord, Room
from bridge_arena.protocol.messages import BoardEnd, BoardShown, Message
from bridge_arena.reports.common.wording import contract_text
from bridge_arena.server.feed import Feed, Watching
from bridge_arena.server.websocket_player import WebsocketPlayer
from bridge_arena.tournaments import Event, Match, Unit, broadcast_of, swing
from bridge_arena.tournaments.play.seating.seats import EntrySeat
from bridge_arena.tournaments.play.venue import SeatPages
from bridge_arena.tournaments.schedule.early_stop import EarlyStop
from bridge_arena.tournaments.schedule.plan import draw_of
from bridge_arena.tournaments.schedule.units import in_schedule_order
from bridge_arena.web.common.streams import Channel
from bridge_arena.web.live.lobby import Lobby
from bridge_arena.web.live.rooms import Game, TableRoom
from bridge_arena.web.live.scoreboard import Row

_SECRET: Row = {"round": None, "board": None, "room": None, "lineup": None}
"""The lobby's row of a table whose unit is still secret."""

LARGE_SWING = 10
"""The least IMPs of a swing that the lobby shows."""

KEPT = 50
"""The number of boards that are kept with their thoughts, beside those on show."""

PlayedUnits = Iterable[tuple[Unit, BoardRecord]]


class PeopleSeats(SeatPages, Protocol):
    """Those who play in browsers."""

    def begun(self, unit: Unit) -> None:
        """Note that a table begins to play a unit."""

    def close(self) -> None:
        """Note that the event is over."""


class LiveArena:
    """An event's audience (`tournaments.play.venue.Audience`), and what it may know.

    Of the units that were played before, `played` may be known, and `held` when the event is over.
    `past` are the lobby's rows of other events, and `own` is the address of this event's boards
    when it is over, relative to the lobby.
    """

    def __init__(
        self,
        event: Event,
        people: PeopleSeats,
        played: PlayedUnits = (),
        held: PlayedUnits = (),
        past: Sequence[Row] = (),
        own: str = "",
    ) -> None:
        self.event = event
        self._people = people
        self.names = [entrant.name for entrant in event.entries]
        # The bots by the names of their entries.
        self.specs = {entrant.name: entrant.bot for entrant in event.entries}
        # The records that may be known of the units that count, by their ids.
        self.played: dict[str, BoardRecord] = {}
        # All units whose records were known, by their ids.
        self.units: dict[str, Unit] = {}
        # The same by match.
        self._of_match: dict[str, dict[str, Unit]] = {}
        self.lobby = Lobby(event, self.played, past, own)
        # Boards that are shown after they are over do not show the players' times.
        self._has_clocks = not broadcast_of(event).after_board
        self.rooms: list[TableRoom] = []
        # The boards by their matches and places there, the latest last.
        self.games: dict[str, Game] = {}
        # The records that nobody may know yet; and how often each unit was begun at a table and not
        # shown to its end, as a unit is played again if a player is lost.
        self._records: dict[str, tuple[Unit, BoardRecord]] = {}
        # How many of them come from each draw.
        self._draws: Counter[tuple[int, int]] = Counter()
        self._unshown: Counter[str] = Counter()
        # The units that tables play and the lobby may not tell yet, by the tables' numbers from 0.
        self._secret: dict[int, tuple[Unit, Board]] = {}
        # Those who read the feeds of the tables. They are dropped when they end, so that asyncio
        # tells at once why one has failed.
        self._watching: set[asyncio.Task[None]] = set()
        # The number of boards that count and the home team's IMPs, for each match of teams.
        self._totals: dict[str, tuple[int, int]] = {}
        self._early_stop = EarlyStop(event)
        if self._early_stop.progress is not None:
            self.lobby.tell_test(self._early_stop.progress)
        for unit, record in held:
            self._hold(unit, record)
        for unit, record in played:
            self._count(unit, record)
        self._tell_progress()

    def channels(self) -> list[Channel]:
        """Return all channels that can be followed."""
        return [self.lobby.channel, *(room.channel for room in self.rooms)]

    def wake(self) -> None:
        """Prepare for being served in this event loop."""
        for room in self.rooms:
            room.changed = asyncio.Event()

    # For the hall, as `Audience` has it.

    def opened(self, feeds: Sequence[Feed]) -> None:
        self.rooms = [TableRoom(number, feed.pace) for number, feed in enumerate(feeds, start=1)]
        self.lobby.open(self.rooms)
        for room, feed in zip(self.rooms, feeds, strict=True):
            watching = asyncio.create_task(self._watch(room, feed, feed.watch_all()))
            self._watching.add(watching)
            watching.add_done_callback(self._watching.discard)

    def begun(self, table: int, unit: Unit, board: Board) -> None:
        """Remember what a table plays until it is shown."""
        self._people.begun(unit)
        self.lobby.begin()
        self._unshown[unit.id] += 1
        self.rooms[table].to_come.append((unit, board))
        self._secret[table] = unit, board
        self._tell_places()
        if table in self._secret:
            self.lobby.tell(table, _SECRET)

    def ended(self, unit: Unit, record: BoardRecord) -> None:
        """Remember a record until its unit is shown."""
        # Without thoughts, which are large and in the store.
        self._hold(unit, replace(record, thoughts=()))
        self._publish(unit)
        self._tell_progress()

    def await_person(self, entry_seat: EntrySeat, place: WebsocketPlayer) -> None:
        self._people.await_person(entry_seat, place)

    def dismiss_person(self, entry_seat: EntrySeat) -> None:
        self._people.dismiss_person(entry_seat)

    async def over(self) -> None:
        """Show all that is left, as the event is over and the feeds have ended."""
        self._people.close()
        if self._watching:
            await asyncio.wait(self._watching)
        for room in self.rooms:
            self._finish(room)
        self._unshown.clear()
        for unit, _ in list(self._records.values()):
            self._publish(unit)
        for room in self.rooms:
            room.close("The event is over.")
        self.lobby.close()

    # What spectators are shown.

    async def _watch(self, room: TableRoom, feed: Feed, events: Watching) -> None:
        try:
            async for several in events:
                for shown in several:
                    self._take(room, shown.message, shown.time)
        except Exception:
            room.close("This table can be shown no longer.")
            raise
        finally:
            feed.leave(events)  # else it would keep all that is still to come

    def _take(self, room: TableRoom, message: Message, time: float) -> None:
        if isinstance(message, BoardShown):
            self._begin(room, message, time)
            return
        game = room.game
        if game is None or room.unit is None:
            return
        if game.take(room.unit, message, time) is None:
            return
        self.lobby.tell_felt(room.number - 1)
        if isinstance(message, BoardEnd):
            self._finish(room)

    def _begin(self, room: TableRoom, message: BoardShown, time: float) -> None:
        if room.unit is None or room.game is None or room.is_finished:
            unit, board = room.next(message)
        else:  # shown anew after actions were taken back
            unit, board = room.unit, room.game.board
        room.unit, room.is_finished = unit, False
        game = self.games.pop(key_of(unit), None)
        if game is None:
            game = self._game_so_far(unit, board)
        self.games[game.key] = game
        north, east, south, west = self._players(unit)
        begun = BoardRecord(board, (north, east, south, west), (), mode=self.event.mode)
        game.add(unit, begun, time if self._has_clocks else None)
        room.show(game, self._score(unit.match))
        self.lobby.tell_felt(room.number - 1)
        self._feature()
        self._forget()

    def _finish(self, room: TableRoom) -> None:
        """Note that all of the unit on show was shown."""
        if room.unit is not None and not room.is_finished:
            room.is_finished = True
            self._unshown[room.unit.id] -= 1
            self._publish(room.unit)

    def _publish(self, unit: Unit) -> None:
        """Publish the record of a unit, if it may be known."""
        if self._unshown[unit.id] > 0 or unit.id not in self._records:
            return
        draw = draw_of(self.event, unit)
        self._draws[draw] -= 1
        if not self._draws[draw]:
            del self._draws[draw]
        self._count(*self._records.pop(unit.id))
        self.lobby.note_played()
        self._tell_progress()
        self._tell_places()
        if score := self._score(unit.match):
            for room in self.rooms:
                if room.unit is not None and room.unit.match.id == unit.match.id:
                    room.tell_score(score)
                    self.lobby.tell_felt(room.number - 1)

    def _count(self, unit: Unit, record: BoardRecord) -> None:
        """Count a unit; remove those that were played after the end of the match."""
        self.played[unit.id] = record
        self.units[unit.id] = unit
        self._of_match.setdefault(unit.match.id, {})[unit.id] = unit
        self._early_stop.add(unit, record)
        if self._early_stop.progress is not None:
            self.lobby.tell_test(self._early_stop.progress)
        if self._early_stop.position is None:
            self._add_to_match(unit, record)
            return
        self._totals.clear()
        self.lobby.tell_swing(None)
        for counted in unit.match.units():
            if self._early_stop.is_beyond(counted):
                self.played.pop(counted.id, None)
            elif counted.room is Room.OPEN and counted.id in self.played:
                self._add_to_match(counted, self.played[counted.id])

    def _hold(self, unit: Unit, record: BoardRecord) -> None:
        """Keep a record that may not be known yet."""
        self._draws[draw_of(self.event, unit)] += unit.id not in self._records
        self._records[unit.id] = unit, record

    def _tell_progress(self) -> None:
        """Tell how many boards are over, without those that tell something about results."""
        self.lobby.note_over(self._draws[min(self._draws)] if self._draws else 0)

    def _tell_places(self) -> None:
        """Tell who plays what where, unless that tells something about results of other units."""
        if not self._secret:
            return
        first = min(self._draws, default=None)
        for table, (unit, board) in list(self._secret.items()):
            if first is None or first >= draw_of(self.event, unit):
                del self._secret[table]
                self.lobby.tell(table, self._lobby_row(unit, board))

    def _score(self, match: Match) -> str:
        """Return the score of a match of teams; "" for any other, and before its first result."""
        if not self.event.format.is_teams:
            return ""
        boards, imps = self._totals.get(match.id, (0, 0))
        if not boards:
            return ""
        home, visitors = (self.names[entry] for entry in match.entries)
        leader = home if imps > 0 else visitors
        margin = f"{leader} is ahead by {plural(abs(imps), 'IMP')}" if imps else "the match is tied"
        return f"After {plural(boards, 'board')} {margin}."

    def _add_to_match(self, unit: Unit, record: BoardRecord) -> None:
        """Add a board to the score of its match, once both rooms are done with it."""
        other = self.played.get(replace(unit, room=_OTHER.get(unit.room)).id)
        counted = None if other is None else swing((record, other))
        if other is None or counted is None:
            return
        match = unit.match
        boards, imps = self._totals.get(match.id, (0, 0))
        self._totals[match.id] = boards + 1, imps + counted.imps
        if abs(counted.imps) >= LARGE_SWING:
            rooms = (record, other) if unit.room is Room.OPEN else (other, record)
            winner, loser = match.entries if counted.imps > 0 else match.entries[::-1]
            self.lobby.tell_swing(
                {
                    "key": key_of(unit),
                    "board": record.board.number,
                    "imps": abs(counted.imps),
                    "entries": [winner, loser],
                    "results": [_result(room) for room in rooms],
                }
            )

    def _feature(self) -> None:
        """Have the lobby follow the closest match, but stay at a table while it plays a board."""
        followed = self.lobby.featured
        if not followed or self.rooms[followed - 1].is_finished:
            begun = [room for room in self.rooms if room.unit is not None]
            self.lobby.feature(min(begun, key=self._closeness).number)

    def _closeness(self, room: TableRoom) -> tuple[int, ...]:
        """Return a key that is the least for the table at which the most is open."""
        assert room.unit is not None
        is_followed, match = room.number == self.lobby.featured, room.unit.match
        is_idle = room.is_finished and not is_followed
        if not self.event.format.is_teams:
            best = min(self.lobby.rank(entry) for entry in match.entries)
            return is_idle, best, not is_followed, room.number
        # A match without a result is not closer than one that a swing would turn.
        boards, imps = self._totals.get(match.id, (0, LARGE_SWING))
        is_over = boards >= len(match.boards)
        return is_over, is_idle, abs(imps), not is_followed, room.number

    def board(self, key: str) -> Game | None:
        """Return a board that is shown or over, by its key; None if nothing of it may be known."""
        if key in self.games:
            return self.games[key]
        for place in ("open", "closed", "table"):
            unit = self.units.get(f"{key.replace('-', '/')}/{place}")
            if unit is not None and unit.id in self.played:
                return self._game_so_far(unit, self.played[unit.id].board)
        return None

    def known_of(self, match: str) -> list[tuple[Unit, BoardRecord]]:
        """Return what may be known of a match, by its id, in schedule order."""
        units = self._of_match.get(match, {})
        known = sorted(units.keys() & self.played.keys(), key=in_schedule_order)
        return [(units[unit], self.played[unit]) for unit in known]

    def title(self, match: Match) -> str:
        """Return the event and who meets."""
        return f"{self.event.name}: {' – '.join(self.names[entry] for entry in match.entries)}"

    def _game_so_far(self, unit: Unit, board: Board) -> Game:
        """Return the board of a unit with the tables whose records may be known."""
        game = Game(key_of(unit), board, self.title(unit.match))
        for room in unit.match.rooms:
            played = replace(unit, room=room)
            if played.id in self.played:
                game.add_played(played, self.played[played.id], self._players(played))
        return game

    def _forget(self) -> None:
        """Drop old boards, except those on show and some of the others."""
        spare = [key for key, game in self.games.items() if not game.rooms]
        for key in spare[: max(0, len(spare) - KEPT)]:
            del self.games[key]

    def _players(self, unit: Unit) -> Sequence[str]:
        return [self.names[entry] for entry in unit.lineup]

    def _lobby_row(self, unit: Unit, board: Board) -> Row:
        """Return what everybody may know of a unit before a card of it is shown."""
        return {
            "round": unit.match.round,
            "board": board.number,
            "room": unit.room.value if unit.room else "",
            "lineup": unit.lineup,
        }


_OTHER: dict[Room | None, Room] = {Room.OPEN: Room.CLOSED, Room.CLOSED: Room.OPEN}


def _result(record: BoardRecord) -> str:
    """Return a result as on a score sheet; `Pass` if all passed."""
    if record.contract is None:
        return "Pass"
    return contract_text(record.contract, record.tricks)


def key_of(unit: Unit) -> str:
    """Return the key of a board, which both rooms share."""
    return f"{unit.match.round}-{unit.match.number}-{unit.position}"
