"""An entry in a compass seat."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Any, Protocol

from bridge_arena.bridge.seats import Seat
from bridge_arena.protocol.messages import Welcome
from bridge_arena.protocol.visibility import Viewer
from bridge_arena.server.clock import TimeControl
from bridge_arena.server.connection_limits import ConnectionLimits
from bridge_arena.server.players import Player
from bridge_arena.server.supervisor import BotProcess
from bridge_arena.server.websocket_player import Noted, WebsocketPlayer, new_session
from bridge_arena.tournaments.events.entries import Access, Entry


class SeatingError(Exception):
    """A bot did not take its seats; the message is one line."""


@dataclass(frozen=True, slots=True)
class EntrySeat:
    """A bot and the seat that it takes, at any table.

    Attributes:
        entry: The bot.
        seat: The seat.
        room: The room, if the entry has a process for each of two rooms.
        match: The match, if the entry has processes for each match.
        person: The name of the person who takes the seat; it is the same in all seats that the
            person takes in turn.
    """

    entry: Entry
    seat: Seat
    room: str = ""
    match: str = ""
    person: str = ""

    def __str__(self) -> str:
        room = f", {self.room} room" if self.room else ""
        match = f", match {self.match}" if self.match else ""
        return f"{self.entry.name} ({self.seat}{room}{match})"


class AwaitedPlayer(Player, Protocol):
    """A player who is waited for: the place where a bot sits once it has connected."""

    @property
    def seated(self) -> asyncio.Future[Any]:
        """Done when a bot has sat down; it has a SeatFault if none will."""

    @property
    def is_connected(self) -> bool:
        """Whether its bot is connected now."""

    async def until_connected(self) -> None:
        """Wait until its bot is connected. Raises SeatFault if it will not be."""

    @property
    def hello(self) -> str:
        """The name that the bot gives itself."""

    async def say_goodbye(self, reason: str) -> None:
        """End the session in good order."""


class SeatedBot(ABC):
    """A bot in a compass seat.

    Args:
        entry_seat: The seat.
        places: Its places at the tables, or one for all tables.

    Attributes:
        entry_seat: The seat.
        places: Its places.
        bot: Its process, as it was last started; None if the bot connects by itself.
        is_in_seat: Whether it has sat down and is not known to be lost.
    """

    def __init__(self, entry_seat: EntrySeat, places: Sequence[AwaitedPlayer]) -> None:
        self.entry_seat = entry_seat
        self.places = places
        # Its process, as it was last started; None if the bot connects by itself.
        self.bot: BotProcess | None = None
        # Whether it has sat down and is not known to be lost.
        self.is_in_seat = False

    def place(self, table: int) -> AwaitedPlayer:
        """Return its place at a table; tables are numbered from 0."""
        return self.places[0 if len(self.places) == 1 else table]

    @property
    def is_connected(self) -> bool:
        """Whether it is connected at all its places."""
        return all(place.is_connected for place in self.places)

    @property
    def is_there(self) -> bool:
        """Whether a board may begin: a bot that lost its connection may still come back to it."""
        return True

    def settle(self) -> None:
        """Note that it sits at its places."""
        self.is_in_seat = True

    def leave(self) -> None:
        """Note that it is lost or no longer needed."""
        self.is_in_seat = False

    @abstractmethod
    def send_away(self, why: str) -> None:
        """Tell a bot that lost its seat why, and close its places."""

    @property
    def output(self) -> str:
        """The end of the output of its process."""
        return "" if self.bot is None else self.bot.output_tail


class Source(Protocol):
    """The source of the bots of one kind."""

    async def call(self, entry_seat: EntrySeat) -> SeatedBot:
        """Call a bot to a seat that is empty.

        Args:
            entry_seat: The seat.

        Returns:
            The bot, which may not have connected yet.

        Raises:
            StartError: The bot cannot be started.
            SeatingError: No bot can come to the seat.
        """


class Notes(Protocol):
    """A function that returns the callback for a seat's lost and restored connections.

    `where` has further values for the log.
    """

    def __call__(self, entry_seat: EntrySeat, **where: str) -> Noted:
        """Return the callback of a seat."""


class WebsocketSeats:
    """A maker of places for bots, one at each table.

    Args:
        event: The name of the event.
        commitment: The hash that the deals were committed to; "" if there is none.
        control: The time control.
        tables: The number of tables.
        grace: Seconds in which a bot whose connection was lost may come back.
        limits: The limits of the connections.
        notes: Makes the callbacks for lost and restored connections.
    """

    def __init__(
        self,
        event: str,
        commitment: str,
        control: TimeControl,
        tables: int,
        grace: float,
        limits: ConnectionLimits,
        notes: Notes,
    ) -> None:
        self._event = event
        self._commitment = commitment
        self._control = control
        self._tables = tables
        self._grace = grace
        self._limits = limits
        self._notes = notes

    def make(self, entry_seat: EntrySeat) -> list[WebsocketPlayer]:
        """Return new places for a seat."""
        self._limits.expected += self._tables
        return [self._place(entry_seat, f"table {number}") for number in range(1, self._tables + 1)]

    def close(self, places: Sequence[WebsocketPlayer]) -> None:
        """Stop expecting connections for these places."""
        self._limits.expected -= len(places)

    def _place(self, entry_seat: EntrySeat, table: str) -> WebsocketPlayer:
        welcome = Welcome(
            table=table,
            seat=entry_seat.seat,
            tables=self._tables,
            event=self._event,
            commitment=self._commitment,
            session=new_session() if self._grace else "",
            grace_seconds=self._grace,
            **self._control.told(),
        )
        viewer = Viewer(entry_seat.seat, entry_seat.entry.cheat)
        place = WebsocketPlayer(viewer, welcome, self._notes(entry_seat, table=table))
        # Once one bot is known not to come, the exceptions of the others are not looked at.
        place.seated.add_done_callback(_take_note)
        return place


def _take_note(seated: asyncio.Future[None]) -> None:
    """Retrieve a future's exception, so that asyncio does not warn that nobody did."""
    if not seated.cancelled():
        seated.exception()


class OneAtATime:
    """The locks that keep such players from playing at two tables at once."""

    def __init__(self) -> None:
        # The lock of each player, by name, held by the table that the player plays at.
        self._taken: dict[str, asyncio.Lock] = {}

    @asynccontextmanager
    async def at_one_table(self, entry_seats: Iterable[EntrySeat]) -> AsyncIterator[None]:
        """Keep those seats that belong to such players from all other tables, in this context."""
        ours = {
            entry_seat.person or str(entry_seat)
            for entry_seat in entry_seats
            if entry_seat.entry.access in (Access.BLUECHIP, Access.HUMAN)
        }
        async with AsyncExitStack() as held:
            # All tables lock in the same order, so that no two wait for each other.
            for player in sorted(ours):
                await held.enter_async_context(self._taken.setdefault(player, asyncio.Lock()))
            yield
