"""The public knowledge of an event that is played: its tables, as far as they were shown."""

from __future__ import annotations

import asyncio
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Protocol

from bridge_arena.bridge.board import Board
from bridge_arena.bridge.record import BoardRecord
from bridge_arena.protocol.messages import BoardEnd, BoardShown, Message
from bridge_arena.reports.common.rulings import ruling_text
from bridge_arena.server.feed import Feed, Watching
from bridge_arena.server.websocket_player import WebsocketPlayer
from bridge_arena.tournaments import Event, Match, Swing, Unit, broadcast_of, outcome
from bridge_arena.tournaments.play.seating.seats import EntrySeat
from bridge_arena.tournaments.play.venue import SeatPages
from bridge_arena.tournaments.schedule.early_stop import EarlyStop
from bridge_arena.tournaments.schedule.plan import draw_of
from bridge_arena.tournaments.schedule.rulings import Ruling, RulingsOn
from bridge_arena.web.board.document import BoardDocument
from bridge_arena.web.common.streams import Channel
from bridge_arena.web.live.lobby import Lobby, ReadRulings
from bridge_arena.web.live.rooms import Game, TableRoom, key_of
from bridge_arena.web.live.scoreboard import LARGE_SWING, Row

_FIRST_SWING = Swing(LARGE_SWING, 430, Fraction(1))
"""The swing that a match without a result counts as, so that it is not closer than one that such a
swing would turn."""

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
    when it is over, relative to the lobby. `read_rulings` is called in threads; None if nobody
    rules.
    """

    def __init__(
        self,
        event: Event,
        people: PeopleSeats,
        played: PlayedUnits = (),
        held: PlayedUnits = (),
        past: Sequence[Row] = (),
        own: str = "",
        read_rulings: ReadRulings | None = None,
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
        # By match, one of each board of which something may be known, in order.
        self._of_match: dict[str, list[Unit]] = {}
        self.lobby = Lobby(event, self.played, self.units, read_rulings, past, own)
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
        self._early_stop = EarlyStop(event)
        for unit, record in held:
            self._hold(unit, record)
        for unit, record in played:
            self._count(unit, record)
        self._tell_test()
        self._tell_progress()

    @property
    def rulings(self) -> Sequence[Ruling]:
        """The rulings of the event's director, as they were last read."""
        return self.lobby.so_far.results.rulings

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
        # Its row stays as it was until then: also that something is secret tells of results.
        self._tell_places()

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
        self.lobby.close()
        for room in self.rooms:
            room.close("The event is over.")

    def give_up(self) -> None:
        """Read the tables no more, as the event does not go on here."""
        for watching in self._watching:
            watching.cancel()

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
        room.show(game, self.lobby.score(unit.match))
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
        self.lobby.count_soon()
        self._tell_test()
        self._tell_progress()
        self._tell_places()

    def _count(self, unit: Unit, record: BoardRecord) -> None:
        """Count a unit, unless it was played after the end of the match."""
        self.units[unit.id] = unit
        was_over = self._early_stop.position is not None
        self._early_stop.add(unit, record)
        if self._early_stop.is_beyond(unit):
            return
        self.played[unit.id] = record
        known = self._of_match.setdefault(unit.match.id, [])
        place = bisect_left(known, unit.position, key=_position)
        if place == len(known) or known[place].position != unit.position:
            known.insert(place, unit)
        if self._early_stop.position is not None and not was_over:
            del known[bisect_right(known, self._early_stop.position, key=_position) :]
            counted = [self.units[known_unit] for known_unit in self.played]
            for beyond in filter(self._early_stop.is_beyond, counted):
                del self.played[beyond.id]

    def _tell_test(self) -> None:
        if self._early_stop.progress is not None:
            self.lobby.tell_test(self._early_stop.progress)

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

    def _feature(self) -> None:
        """Have the lobby follow the closest match, but stay at a table while it plays a board."""
        followed = self.lobby.featured
        if not followed or self.rooms[followed - 1].is_finished:
            begun = [room for room in self.rooms if room.unit is not None]
            self.lobby.feature(min(begun, key=self._closeness).number)

    def _closeness(self, room: TableRoom) -> tuple[float, ...]:
        """Return a key that is the least for the table at which the most is open."""
        assert room.unit is not None
        match = room.unit.match
        if self.event.format.is_teams:
            won = self.lobby.so_far.outcomes.get(match.id)
            if won is None or not won.boards:
                won = outcome(match, [_FIRST_SWING], {})
            home, visitors = won.scores(self.event.scoring)
            open_ = abs(home - visitors)
        else:
            open_ = min(self.lobby.rank(entry) for entry in match.entries)
        is_over = room.is_finished and room.unit.board == match.boards[-1]
        is_followed = room.number == self.lobby.featured
        return is_over, open_, room.is_finished, not is_followed, room.number

    def board(self, key: str) -> Game | None:
        """Return a board that is shown or over, by its key; None if nothing of it may be known."""
        if key in self.games:
            return self.games[key]
        for place in ("open", "closed", "table"):
            unit = self.units.get(f"{key.replace('-', '/')}/{place}")
            if unit is not None and unit.id in self.played:
                return self._game_so_far(unit, self.played[unit.id].board)
        return None

    def document(self, game: Game) -> BoardDocument:
        """Return the document of a board, with what was ruled on what may be known of it."""
        on_tables = RulingsOn(self.event, self.rulings)
        match = game.key.rsplit("-", 1)[0].replace("-", "/")
        texts: list[list[str]] = []
        for unit in game.tables:
            texts.append([])
            if unit in self.played:  # else a ruling tells of a result that may not be known yet
                room = self.units[unit].room
                ruled = on_tables.table(match, game.board.number, room)
                texts[-1] += [ruling_text(ruling, room) for ruling in ruled]
        if not any(texts):
            return game.document
        tables = [table.copy() for table in game.document["tables"]]
        for table, remarks in zip(tables, texts, strict=True):
            table.pop("imps", None)  # those of what was played
            table["remarks"] = [*table.get("remarks", []), *remarks]
        return {**game.document, "tables": tables}

    def known_of(self, match: str) -> Sequence[Unit]:
        """Return one unit of each board of a match, by its id, of which something may be known."""
        return self._of_match.get(match, ())

    def tables_of(self, unit: Unit) -> list[tuple[Unit, BoardRecord]]:
        """Return the tables of a unit's board that may be known."""
        at_tables = [replace(unit, room=room) for room in unit.match.rooms]
        return [(table, self.played[table.id]) for table in at_tables if table.id in self.played]

    def title(self, match: Match) -> str:
        """Return the event and who meets."""
        return f"{self.event.name}: {' – '.join(self.names[entry] for entry in match.entries)}"

    def _game_so_far(self, unit: Unit, board: Board) -> Game:
        """Return the board of a unit with the tables whose records may be known."""
        game = Game(key_of(unit), board, self.title(unit.match))
        for table, record in self.tables_of(unit):
            game.add_played(table, record, self._players(table))
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


def _position(unit: Unit) -> int:
    return unit.position
