"""Seats: who takes one, under which conditions, and the places at tables that make it up.

A bot or a person takes a compass seat, which is a place at each table, or one place for all tables.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from bridge_arena.bridge.record import Mode
from bridge_arena.bridge.seats import Seat
from bridge_arena.protocol.messages import Welcome
from bridge_arena.protocol.visibility import Viewer
from bridge_arena.server.clock import TimeControl
from bridge_arena.server.connection_limits import ConnectionLimits
from bridge_arena.server.players import Player
from bridge_arena.server.supervisor import BotProcess
from bridge_arena.server.websocket_player import Noted, WebsocketPlayer, WireLog, new_session
from bridge_arena.tournaments.events import Isolation
from bridge_arena.tournaments.events.entries import Access, Entry, EntryError
from bridge_arena.tournaments.events.event import PLAIN, EntrySettings, Event, EventPolicies


class SeatingError(Exception):
    """A bot did not take its seats; the message is one line."""

    player = ""  # the name of the bot; "" if it is not known


@dataclass(frozen=True, slots=True)
class EntrySeat:
    """A bot and the seat that it takes, at any table."""

    entry: Entry
    seat: Seat
    room: str = ""  # the room, if the entry has a process for each of two rooms
    match: str = ""  # the match, if the entry has processes for each match
    # The name of the person who takes the seat; it is the same in all seats that the person takes
    # in turn.
    person: str = ""

    def __str__(self) -> str:
        room = f", {self.room} room" if self.room else ""
        match = f", match {self.match}" if self.match else ""
        return f"{self.entry.name} ({self.seat}{room}{match})"


@dataclass(frozen=True, slots=True)
class Conditions:
    """The conditions under which bots sit."""

    event: str  # the name of the event
    clock: TimeControl = field(default_factory=TimeControl)  # the time control
    commitment: str = ""  # the hash that the deals were committed to; "" if there is none
    policies: EventPolicies = PLAIN  # the consequences of faults
    mode: Mode = Mode.FULL  # what players decide
    # The environment variables that only those bots are given that ask for them.
    secrets: Collection[str] = ()
    # The environment variables that some bots are given by name, which may be secrets too.
    passed: Collection[str] = ()
    # The settings of players, where they are not those of all.
    own: Mapping[Entry, EntrySettings] = field(default_factory=dict)

    @classmethod
    def of(cls, event: Event, commitment: str, other_secrets: Collection[str] = ()) -> Conditions:
        """Return the conditions of an event on this machine, which may have more secrets.

        Raises EntryError, also if a variable is not set that a program is to be given.
        """
        players = event.players
        for player in players:
            for name in player.passed:
                if name not in os.environ:
                    raise EntryError(f"{player.name}: the variable {name} is not set (env)")
        secrets = {*other_secrets, *(name for player in players for name in player.secrets)}
        passed = {name for player in players for name in player.passed}
        clock = TimeControl.parse(event.clock)
        own = {
            player: event.settings(entrant)
            for entrant in event.entries
            for player in entrant.players
        }
        return cls(event.name, clock, commitment, event.policies, event.mode, secrets, passed, own)

    def settings(self, entry: Entry) -> EntrySettings:
        """Return the settings of a player."""
        policies = self.policies
        usual = EntrySettings(
            self.clock, policies.start, policies.restarts, Isolation.NONE, policies.grace
        )
        return self.own.get(entry, usual)

    @property
    def needs_sandbox(self) -> bool:
        """Whether any player is kept in a sandbox."""
        return any(own.isolation is Isolation.SANDBOX for own in self.own.values())

    def welcome(self, table: str) -> Welcome:
        """Return what a kibitzer at a table is welcomed with; players are told of their seats."""
        return Welcome(
            table=table, event=self.event, commitment=self.commitment, **self.clock.in_welcome()
        )


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


class SeatedBot:
    """A bot in a compass seat."""

    def __init__(
        self,
        entry_seat: EntrySeat,
        places: Sequence[AwaitedPlayer],
        send_away: Callable[[str], None],
        *,
        stays: bool = False,
    ) -> None:
        self.entry_seat = entry_seat
        self.stays = stays  # whether it keeps its connection when it is no longer needed here
        # Its places at the tables, or one for all tables.
        self.places = places
        # Tells a bot that lost its seat why, and closes its places.
        self.send_away = send_away
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
        """Whether a board may begin: a bot that lost its connection may still come back to it.

        Over Blue Chip none comes back to a board.
        """
        return self.entry_seat.entry.access is not Access.BLUECHIP or self.is_connected

    def settle(self) -> None:
        """Note that it sits at its places."""
        self.is_in_seat = True

    def leave(self) -> None:
        """Note that it is lost or no longer needed."""
        self.is_in_seat = False


Notes = Callable[..., Noted]
"""Returns the callback for the lost and restored connections of an EntrySeat; further arguments, by
keyword, are for the log."""


WireLogs = Callable[[EntrySeat], WireLog | None]
"""Returns the callback for the messages of a seat; None where nobody wants them."""


class WebsocketSeats:
    """A maker of places for bots, one at each table."""

    def __init__(
        self,
        conditions: Conditions,
        tables: int,
        limits: ConnectionLimits,
        notes: Notes,
        wire_logs: WireLogs | None = None,
    ) -> None:
        self._conditions = conditions
        self._tables = tables
        self._limits = limits
        self._notes = notes
        self._wire_logs = wire_logs

    def make(self, entry_seat: EntrySeat) -> list[WebsocketPlayer]:
        """Return new places for a seat."""
        self._limits.expected += self._tables
        return [self._place(entry_seat, f"table {number}") for number in range(1, self._tables + 1)]

    def close(self, places: Sequence[WebsocketPlayer]) -> None:
        """Stop expecting connections for these places."""
        self._limits.expected -= len(places)

    def _place(self, entry_seat: EntrySeat, table: str) -> WebsocketPlayer:
        grace = self._conditions.policies.grace
        welcome = self._conditions.welcome(table).model_copy(
            update={
                **self._conditions.settings(entry_seat.entry).clock.in_welcome(),
                "seat": entry_seat.seat,
                "tables": self._tables,
                "session": new_session() if grace else "",
                "grace_seconds": grace,
            }
        )
        viewer = Viewer(entry_seat.seat, entry_seat.entry.cheat)
        wire_log = None if self._wire_logs is None else self._wire_logs(entry_seat)
        noted = self._notes(entry_seat, table=table)
        place = WebsocketPlayer(viewer, welcome, noted, wire_log)
        # Once one bot is known not to come, the exceptions of the others are not looked at.
        place.seated.add_done_callback(_take_note)
        return place


def _take_note(seated: asyncio.Future[None]) -> None:
    """Retrieve a future's exception, so that asyncio does not warn that nobody did."""
    if not seated.cancelled():
        seated.exception()
