"""A bot in its compass seat, of whatever kind."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Protocol

from bridge_arena.server.players import Player
from bridge_arena.server.supervisor import BotProcess
from bridge_arena.tournaments.play.seating.entry_seat import EntrySeat


class AwaitedPlayer(Player, Protocol):
    """A player who is waited for: where a bot sits once it has come."""

    @property
    def seated(self) -> asyncio.Future[Any]:
        """Done when a bot has sat down; a SeatFault where none will."""

    @property
    def is_connected(self) -> bool:
        """Whether its bot is there now."""

    @property
    def hello(self) -> str:
        """What the bot calls itself."""

    async def say_goodbye(self, reason: str) -> None:
        """End the session in good order."""


class SeatedBot(ABC):
    """A bot in a compass seat. `places`: its chairs at the tables, or one for all."""

    def __init__(self, entry_seat: EntrySeat, places: Sequence[AwaitedPlayer]) -> None:
        self.entry_seat = entry_seat
        self.places = places
        # Its process, as it was last started; None where it came by itself.
        self.bot: BotProcess | None = None
        # Whether it has come, and nobody has noticed yet that it is lost.
        self.is_in_seat = False

    def place(self, table: int) -> AwaitedPlayer:
        """Its seat at a table; tables are numbered from 0."""
        return self.places[0 if len(self.places) == 1 else table]

    @property
    def is_there(self) -> bool:
        """Whether a board may begin: a bot that is away may still come back to it."""
        return True

    def settle(self) -> None:
        """It sits at its places."""
        self.is_in_seat = True

    def leave(self) -> None:
        """It is lost, or not needed any more."""
        self.is_in_seat = False

    @abstractmethod
    def send_away(self, why: str) -> None:
        """It left its seat because it is lost, and is told why."""

    @property
    def output(self) -> str:
        """The end of what its process printed."""
        return "" if self.bot is None else self.bot.output_tail


class Source(Protocol):
    """Where the bots of one kind come from."""

    async def call(self, entry_seat: EntrySeat) -> SeatedBot:
        """Have a bot come to a seat, where none is. Raises StartError."""
