"""A bot of any kind in its compass seat."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Protocol

from bridge_arena.server.players import Player
from bridge_arena.server.supervisor import BotProcess
from bridge_arena.tournaments.play.seating.entry_seat import EntrySeat


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
