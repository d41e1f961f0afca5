"""What spectators know of an event that is played: its tables, as far as they were shown."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace

from bridge_arena.base.plural import plural
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.record import BoardRecord
from bridge_arena.protocol.messages import BoardEnd, BoardShown, Message
from bridge_arena.server.feed import Feed, FellBehindError
from bridge_arena.server.websocket_player import WebsocketPlayer
from bridge_arena.tournaments.events.broadcasts import broadcast_of
from bridge_arena.tournaments.events.event import Event
from bridge_arena.tournaments.play.seating.entry_seat import EntrySeat
from bridge_arena.tournaments.schedule.match_outcomes import swing
from bridge_arena.tournaments.schedule.units import Match, Unit
from bridge_arena.web.live.channel import Channel
from bridge_arena.web.live.lobby import Lobby, Row
from bridge_arena.web.live.rooms import Game, TableRoom
from bridge_arena.web.seat.desk import Desk

_IN_LOBBY = ("contract", "declarer", "result")
"""What the lobby says of the board that a table shows."""

KEPT = 50
"""Boards that are kept with what was thought, beyond those on show."""


class LiveArena:
    """An event's audience (`tournaments.play.audience.Audience`), and what it may know.

    `desk`: where people sit down. `played`: what was played before, and may be known. `past`: other
    events, for the lobby.
    """

    def __init__(
        self,
        event: Event,
        desk: Desk,
        played: Mapping[str, BoardRecord],
        past: Sequence[Row] = (),
    ) -> None:
        self.event = event
        self.desk = desk
        self.names = [entrant.name for entrant in event.entries]
        self.played = dict(played)
        self.lobby = Lobby(event, self.played, past)
        # Boards that are shown when they are over say nothing of who thought how long.
        self._clock = None if broadcast_of(event).after_board else time.monotonic
        self.rooms: list[TableRoom] = []
        # Boards by their matches and places there, the latest last.
        self.games: dict[str, Game] = {}
        # Units that were kept, and those of which all was shown: public are those in both.
        self._records: dict[str, BoardRecord] = {}
        self._shown: dict[str, Unit] = {}
        self._watching: list[asyncio.Task[None]] = []
        # Boards that count and the home team's IMPs, of each match of teams.
        self._totals: dict[str, tuple[int, int]] = {}
        for unit, record in self.played.items():
            if unit.endswith("/open"):
                self._add_to_match(unit, record)

    def channels(self) -> list[Channel]:
        """Return all that can be followed."""
        return [self.lobby.channel, *(room.channel for room in self.rooms)]

    def wake(self) -> None:
        """Begin to be shown in this event loop."""
        for room in self.rooms:
            room.changed = asyncio.Event()

    # For the hall: see `Audience`.

    def opened(self, feeds: Sequence[Feed]) -> None:
        """Begin to watch the tables."""
        self.rooms = [TableRoom(number) for number in range(1, len(feeds) + 1)]
        self.lobby.open(len(feeds))
        self._watching = [
            asyncio.create_task(self._watch(room, feed))
            for room, feed in zip(self.rooms, feeds, strict=True)
        ]

    def begun(self, table: int, unit: Unit, board: Board) -> None:
        """Remember what a table plays until it is shown."""
        self.desk.begun(unit)
        # It may be played again, as somebody was lost.
        self._shown.pop(unit.id, None)
        self.rooms[table].to_come.append((unit, board))
        self.lobby.tell(table, self._told(unit, board))

    def ended(self, unit: Unit, record: BoardRecord) -> None:
        """Remember what was played until it is shown."""
        # What was thought is much, and the store has it.
        self._records[unit.id] = replace(record, thoughts=())
        self._publish(unit)

    def await_person(self, entry_seat: EntrySeat, place: WebsocketPlayer) -> None:
        """Have a person sit down."""
        self.desk.await_person(entry_seat, place)

    def dismiss_person(self, entry_seat: EntrySeat) -> None:
        """Offer a place no more."""
        self.desk.dismiss_person(entry_seat)

    async def over(self) -> None:
        """Show all that is left when the event is over, or was stopped."""
        self.desk.close()
        for watching in self._watching:
            watching.cancel()
        await asyncio.gather(*self._watching, return_exceptions=True)
        for room in self.rooms:
            if room.unit is not None:
                self._finish(room.unit)
        self.lobby.close()

    # What is shown.

    async def _watch(self, room: TableRoom, feed: Feed) -> None:
        while not feed.is_over:
            try:
                async for events in feed.watch():
                    for shown in events:
                        self._take(room, shown.message)
            except FellBehindError:
                continue  # it begins anew with the board on show

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
            self._finish(room.unit)

    def _begin(self, room: TableRoom, message: BoardShown) -> None:
        if room.unit is not None:
            self._finish(room.unit)
        unit, board = room.next(message)
        room.unit = unit
        game = self.games.pop(key_of(unit), None)
        if game is None:
            game = Game(key_of(unit), board, self._title(unit), self._clock)
            for room_beside in unit.match.rooms:
                other = replace(unit, room=room_beside)
                if other.id in self.played and other.id != unit.id:
                    game.add_played(other, self.played[other.id], self._players(other))
        self.games[game.key] = game
        game.add(unit, self._players(unit))
        room.show(game, self._score(unit.match))
        self.lobby.tell(room.number - 1, {"shown": room.summary(_IN_LOBBY)})
        self._forget()

    def _finish(self, unit: Unit) -> None:
        """All that there is of a unit was shown."""
        if unit.id in self.played:
            return
        self._shown[unit.id] = unit
        self._publish(unit)

    def _publish(self, unit: Unit) -> None:
        if unit.id not in self._shown or unit.id not in self._records:
            return
        self.played[unit.id] = self._records.pop(unit.id)
        del self._shown[unit.id]
        self._add_to_match(unit.id, self.played[unit.id])
        self.lobby.note_played()
        score = self._score(unit.match)
        if score:
            for room in self.rooms:
                if room.unit is not None and room.unit.match.id == unit.match.id:
                    room.tell_score(score)

    def _score(self, match: Match) -> str:
        """How a match of teams stands; "" for any other."""
        if not self.event.format.is_teams:
            return ""
        boards, imps = self._totals.get(match.id, (0, 0))
        home, visitors = (self.names[entry] for entry in match.entries)
        leader = home if imps > 0 else visitors
        margin = f"{leader} is ahead by {plural(abs(imps), 'IMP')}" if imps else "the match is tied"
        return f"After {plural(boards, 'board')} {margin}."

    def _add_to_match(self, unit: str, record: BoardRecord) -> None:
        """Count a board of a match in, once both rooms are done with it."""
        board, _, place = unit.rpartition("/")
        other = self.played.get(f"{board}/{'closed' if place == 'open' else 'open'}")
        found = None if other is None else swing((record, other))
        if found is not None:
            match = board.rpartition("/")[0]
            boards, imps = self._totals.get(match, (0, 0))
            self._totals[match] = boards + 1, imps + found.imps

    def _forget(self) -> None:
        """Keep what is on show, and some of the boards before."""
        spare = [key for key, game in self.games.items() if not game.rooms]
        for key in spare[: max(0, len(spare) - KEPT)]:
            del self.games[key]

    # What things are called.

    def _players(self, unit: Unit) -> Sequence[str]:
        return [self.names[entry] for entry in unit.lineup]

    def _title(self, unit: Unit) -> str:
        return f"{self.event.name}: {self._match(unit)}"

    def _match(self, unit: Unit) -> str:
        return " – ".join(self.names[entry] for entry in unit.match.entries)

    def _told(self, unit: Unit, board: Board) -> Row:
        """What everybody may know of a unit before a card of it is shown."""
        players = self._players(unit)
        return {
            "match": self._match(unit),
            "round": unit.match.round,
            "board": board.number,
            "room": unit.room.value if unit.room else "",
            "players": dict(zip("NESW", players, strict=True)),
        }


def key_of(unit: Unit) -> str:
    """What two rooms of a board have in common."""
    return f"{unit.match.round}-{unit.match.number}-{unit.position}"
