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
from bridge_arena.server.feed import Feed, Watching
from bridge_arena.server.websocket_player import WebsocketPlayer
from bridge_arena.tournaments import Event, Match, Unit, broadcast_of, swing
from bridge_arena.tournaments.play.seating.seats import EntrySeat
from bridge_arena.tournaments.play.venue import SeatPages
from bridge_arena.tournaments.schedule.early_stop import EarlyStop
from bridge_arena.tournaments.schedule.plan import draw_of
from bridge_arena.web.common.streams import Channel
from bridge_arena.web.live.lobby import Lobby, Row
from bridge_arena.web.live.rooms import Game, TableRoom

_IN_LOBBY = ("contract", "declarer", "result")
"""The keys of the present board that the lobby shows for each table."""

_SECRET: Row = {"round": None, "board": None, "room": None, "players": None}
"""The lobby's row of a table whose unit is still secret."""

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
        # The records that may be known of the units that count, by their ids.
        self.played: dict[str, BoardRecord] = {}
        # All units whose records were known, by their ids.
        self.units: dict[str, Unit] = {}
        self.lobby = Lobby(event, self.played, past, own)
        # Boards that are shown after they are over do not show the players' times.
        self._has_clocks = not broadcast_of(event).after_board
        self.rooms: list[TableRoom] = []
        # The boards by their matches and places there, the latest last.
        self.games: dict[str, Game] = {}
        # The records that nobody may know yet; and how often each unit was begun at a table and not
        # shown to its end, as a unit is played again if a player is lost.
        self._records: dict[str, tuple[Unit, BoardRecord]] = {
            unit.id: (unit, record) for unit, record in held
        }
        self._unshown: Counter[str] = Counter()
        # The units that tables play and the lobby may not tell yet, by the tables' numbers from 0.
        self._secret: dict[int, tuple[Unit, Board]] = {}
        # Those who read the feeds of the tables. They are dropped when they end, so that asyncio
        # tells at once why one has failed.
        self._watching: set[asyncio.Task[None]] = set()
        # The number of boards that count and the home team's IMPs, for each match of teams.
        self._totals: dict[str, tuple[int, int]] = {}
        self._early_stop = EarlyStop(event)
        for unit, record in played:
            self._count(unit, record)

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
        self.lobby.open(len(feeds))
        for room, feed in zip(self.rooms, feeds, strict=True):
            watching = asyncio.create_task(self._watch(room, feed, feed.watch_all()))
            self._watching.add(watching)
            watching.add_done_callback(self._watching.discard)

    def begun(self, table: int, unit: Unit, board: Board) -> None:
        """Remember what a table plays until it is shown."""
        self._people.begun(unit)
        self._unshown[unit.id] += 1
        self.rooms[table].to_come.append((unit, board))
        self._secret[table] = unit, board
        self._tell_places()
        if table in self._secret:
            self.lobby.tell(table, _SECRET)

    def ended(self, unit: Unit, record: BoardRecord) -> None:
        """Remember a record until its unit is shown."""
        # Without thoughts, which are large and in the store.
        self._records[unit.id] = unit, replace(record, thoughts=())
        self._publish(unit)

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
                    self._take(room, shown.message)
        except Exception:
            room.close("This table can be shown no longer.")
            raise
        finally:
            feed.leave(events)  # else it would keep all that is still to come

    def _take(self, room: TableRoom, message: Message) -> None:
        if isinstance(message, BoardShown):
            self._begin(room, message)
            return
        game = room.game
        if game is None or room.unit is None:
            return
        change = game.take(room.unit, message)
        if change is None:
            return
        if "set" in change:
            values = change["set"]
            assert isinstance(values, dict)
            if not values.keys().isdisjoint(_IN_LOBBY):
                self.lobby.tell(room.number - 1, {"shown": room.summary(_IN_LOBBY)})
        if isinstance(message, BoardEnd):
            self._finish(room)

    def _begin(self, room: TableRoom, message: BoardShown) -> None:
        if room.unit is None or room.game is None or room.is_finished:
            unit, board = room.next(message)
        else:  # shown anew after actions were taken back
            unit, board = room.unit, room.game.board
        room.unit, room.is_finished = unit, False
        game = self.games.pop(key_of(unit), None)
        if game is None:
            names = " – ".join(self.names[entry] for entry in unit.match.entries)
            game = Game(key_of(unit), board, f"{self.event.name}: {names}")
            for room_beside in unit.match.rooms:
                other = replace(unit, room=room_beside)
                if other.id in self.played and other.id != unit.id:
                    game.add_played(other, self.played[other.id], self._players(other))
        self.games[game.key] = game
        game.add(unit, self._players(unit), room.pace.now if self._has_clocks else None)
        room.show(game, self._score(unit.match))
        self.lobby.tell(room.number - 1, {"shown": room.summary(_IN_LOBBY)})
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
        self._count(*self._records.pop(unit.id))
        self.lobby.note_played()
        self._tell_places()
        if score := self._score(unit.match):
            for room in self.rooms:
                if room.unit is not None and room.unit.match.id == unit.match.id:
                    room.tell_score(score)

    def _count(self, unit: Unit, record: BoardRecord) -> None:
        """Count a unit; remove those that were played after the end of the match."""
        self.played[unit.id] = record
        self.units[unit.id] = unit
        self._early_stop.add(unit, record)
        if self._early_stop.position is None:
            self._add_to_match(unit.id, record)
            return
        self._totals.clear()
        for counted in unit.match.units():
            if self._early_stop.is_beyond(counted):
                self.played.pop(counted.id, None)
            elif counted.room is Room.OPEN and counted.id in self.played:
                self._add_to_match(counted.id, self.played[counted.id])

    def _tell_places(self) -> None:
        """Tell who plays what where, unless that tells something about results of other units."""
        if not self._secret:
            return
        first = min((draw_of(self.event, unit) for unit, _ in self._records.values()), default=None)
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

    def _add_to_match(self, unit: str, record: BoardRecord) -> None:
        """Add a board to the score of its match, once both rooms are done with it."""
        board, _, place = unit.rpartition("/")
        other = self.played.get(f"{board}/{'closed' if place == 'open' else 'open'}")
        counted = None if other is None else swing((record, other))
        if counted is not None:
            match = board.rpartition("/")[0]
            boards, imps = self._totals.get(match, (0, 0))
            self._totals[match] = boards + 1, imps + counted.imps

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
            "players": dict(zip("NESW", self._players(unit), strict=True)),
        }


def key_of(unit: Unit) -> str:
    """Return the key of a board, which both rooms share."""
    return f"{unit.match.round}-{unit.match.number}-{unit.position}"
