"""A hall of tables, without bots and processes, at which units are played in this process."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace

from bridge_arena.bridge.board import Board
from bridge_arena.bridge.record import BoardRecord
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.protocol.decision import Thinker
from bridge_arena.protocol.messages import Welcome
from bridge_arena.protocol.visibility import Viewer
from bridge_arena.server.clock import TimeControl
from bridge_arena.server.driver import play_board
from bridge_arena.server.feed import Broadcast, Feed
from bridge_arena.server.pace import Pace
from bridge_arena.server.players import LocalPlayer, Player
from bridge_arena.server.table import Table
from bridge_arena.tournaments.events.event import Event
from bridge_arena.tournaments.formats.rules import Format
from bridge_arena.tournaments.schedule.plan import plan
from bridge_arena.tournaments.schedule.units import Unit
from bridge_arena.web.live.arena import LiveArena, PlayedUnits
from bridge_arena.web.live.lobby import ReadRulings
from bridge_arena.web.seat.people import PeopleSeats
from tests.server.tables import SEEDS, Lowly
from tests.tournaments.scores import event, units_of

MATCH = event(Format.MATCH, 2, boards=2)

Bots = Mapping[Seat, Thinker]


class Hall:
    """Tables that an arena watches."""

    def __init__(
        self,
        event: Event = MATCH,
        tables: int = 1,
        broadcast: str = "live",
        address: str = "/",
        *,
        pace: float = 0.0,
        played: PlayedUnits = (),
        held: PlayedUnits = (),
        rulings: ReadRulings | None = None,
    ) -> None:
        self.event = event
        # What is announced to people: where they sit down.
        self.announced: list[str] = []
        self.people = PeopleSeats(event, address, self.announced.append)
        self.arena = LiveArena(event, self.people, played, held, read_rulings=rulings)
        self.feeds = [
            Feed(Welcome(table=f"table {number}"), Broadcast.parse(broadcast), Pace(pace))
            for number in range(1, tables + 1)
        ]
        self.arena.opened(self.feeds)

    async def play(
        self,
        unit: Unit,
        table: int = 0,
        bots: Bots | None = None,
        players: Mapping[Seat, Player] | None = None,
    ) -> BoardRecord:
        """Play a unit to its end, and wait until the arena has taken what is shown of it."""
        record = await self.begin(unit, table, bots, players)
        await self.settle()
        return record

    async def begin(
        self,
        unit: Unit,
        table: int = 0,
        bots: Bots | None = None,
        players: Mapping[Seat, Player] | None = None,
    ) -> BoardRecord:
        """Play a unit to its end."""
        board = Board.dealt(1, unit.board)
        feed = self.feeds[table]
        feed.begin(unit.board)
        self.arena.begun(table, unit, board)
        seated = players or {
            seat: LocalPlayer(Viewer(seat), (bots or {}).get(seat) or Lowly({0: "1NT"}))
            for seat in SEATS
        }
        played = Table("table", board, SEEDS, TimeControl(60.0))
        await play_board(played, seated, kibitzers=[feed], pace=feed.pace)
        names = [self.event.entries[entry].name for entry in unit.lineup]
        record = played.record((names[0], names[1], names[2], names[3]))
        record = replace(record, room=unit.room, event=self.event.name, home="e0", visitors="e1")
        self.arena.ended(unit, record)
        return record

    async def settle(self) -> None:
        """Wait until the arena has read all that is shown."""
        for _ in range(5):
            await asyncio.sleep(0)

    async def end(self) -> None:
        """The event is over."""
        for feed in self.feeds:
            feed.end("over")
        await self.arena.over()


def units(event: Event = MATCH) -> list[Unit]:
    return units_of(plan(event, []))
