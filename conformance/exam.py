"""The means of the checks: the bot at its tables, and boards for it."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any

from bridge_arena.bridge.board import Board, random_deal, standard_vulnerability
from bridge_arena.bridge.cards import Deal
from bridge_arena.bridge.seats import Seat
from bridge_arena.conformance.boards import NOTHING, calls
from bridge_arena.conformance.bot_connection import BotConnection, Conduct
from bridge_arena.conformance.bot_seat import BotAdmission, BotSeat, CountingLimits
from bridge_arena.conformance.game import Game, Setup
from bridge_arena.conformance.point import NotHeldError
from bridge_arena.server.gateway import Gateway
from bridge_arena.server.supervisor import Supervisor

TABLES = 2
"""The number of tables at which the bot plays at the same time."""

HOME = Seat.SOUTH
"""The bot's seat, except for points that need it in another one."""

RENEWAL_SECONDS = 60.0
"""The most seconds that a bot has to sit down afresh after a point that it failed."""

LEAVING_SECONDS = 2.0
"""The most seconds that the closing of a connection may take."""


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of a check."""

    command: Sequence[str]  # the command that starts the bot; empty if it comes by itself
    seconds: float  # the time for each of its answers, in seconds
    wait: float  # the time that it has to come to its tables, in seconds
    seed: int  # the seed of the random boards, also told to the bot for its random choices


class Exam:
    """The check of one bot, which sits South, at `home`, unless a point needs another seat."""

    def __init__(
        self, terms: Terms, gateway: Gateway, admission: BotAdmission, supervisor: Supervisor
    ) -> None:
        self.terms = terms
        self.admission = admission
        # In place of the gateway's own limits, to count the connections.
        self.counter = gateway.limits = CountingLimits()
        self.conduct = Conduct()
        self.tables = 0  # the number of tables at which the bot sat down at first
        self._gateway = gateway
        self._supervisor = supervisor
        self._boards = 0
        self.home = self._sitting(HOME, TABLES)  # the bot in its usual seat

    # The bot at its tables.

    @property
    def is_remote(self) -> bool:
        """Whether the bot comes by itself, without a command that starts it."""
        return not self.terms.command

    @property
    def place(self) -> BotConnection:
        """The place where the bot plays. Raises NotHeldError if the bot is not connected."""
        place = self.home.places[0]
        if not place.is_connected:
            raise NotHeldError("a bot at its table", "its connection was lost")
        return place

    async def open(self, sitting: BotSeat) -> None:
        """Admit the bot to a sitting, and start it; raise StartError if that fails."""
        self.admission.keep(sitting)
        await sitting.start(self._supervisor, self._gateway.url)

    async def renew(self) -> None:
        """Have the bot sit down afresh, whatever its state. Raises NotHeldError and StartError."""
        before = self.home
        wait = min(self.terms.wait, RENEWAL_SECONDS)
        # A bot that comes by itself knows no other token, and may be back at once.
        self.home = self._sitting(HOME, TABLES, before.token if self.is_remote else None)
        self.admission.keep(self.home)
        await self.leave(before)
        await self.open(self.home)
        await self.home.until_seated(self.tables, wait, "a bot at its tables again")

    async def restart(self) -> None:
        """End the bot's process during its work, and start it again.

        Raises NotHeldError, if the bot does not come again, and StartError.
        """
        sitting, tables = self.home, len(self.home.seated)
        await _kill(sitting)
        for place in sitting.places:
            place.cut()
        expected = "a bot that, started again, says Hello and sits down at its tables"
        await self.open(sitting)
        await sitting.until_seated(tables, self.terms.wait, expected)

    async def leave(self, sitting: BotSeat) -> None:
        """End a sitting abruptly, without Goodbye."""
        await _kill(sitting)
        with suppress(TimeoutError):
            async with asyncio.timeout(LEAVING_SECONDS):
                reason = "the seat was given up; come back with the same token"
                await asyncio.gather(*(place.part(reason) for place in sitting.seated))
        for place in sitting.places:
            place.cut()

    @asynccontextmanager
    async def guests(self, seats: Sequence[Seat]) -> AsyncIterator[list[BotConnection]]:
        """Have the bot sit in other seats too, at one table each, by processes of their own.

        Raises:
            NotHeldError: A bot does not come, or fails in the body.
        """
        sittings = [self._sitting(seat, 1) for seat in seats]
        try:
            for sitting in sittings:
                await self.open(sitting)
            for sitting in sittings:
                expected = f"a bot that sits down in seat {sitting.seat}"
                await sitting.until_seated(1, self.terms.wait, expected)
            yield [sitting.places[0] for sitting in sittings]
        except NotHeldError as error:
            for sitting in sittings:
                if (explained := await sitting.with_last_words(error)) is not error:
                    raise explained from None
            raise
        finally:
            for sitting in sittings:
                await self.leave(sitting)

    def _sitting(self, seat: Seat, tables: int, token: str | None = None) -> BotSeat:
        terms = self.terms
        return BotSeat(terms.command, seat, tables, terms.seconds, self.conduct, token)

    # Boards.

    def board(self, dealer: Seat, deal: Deal | None = None) -> Board:
        """Return the next board; without a deal it is a random one from the seed."""
        self._boards += 1
        number = self._boards
        cards = random_deal(self.terms.seed, number) if deal is None else deal
        return Board(number, dealer, standard_vulnerability(number), cards)

    def setup(self, dealer: Seat, auction: str = "", deal: Deal | None = None, **how: Any) -> Setup:
        """Return how the next board is played, whose first calls are given; `how` as in `Setup`."""
        return Setup(board=self.board(dealer, deal), given=calls(auction), **how)

    def declaring(self) -> Setup:
        """Return a board on which the bot declares 3NT."""
        return self.setup(HOME, "3NT P P P")

    async def play(
        self,
        setup: Setup,
        kind: Callable[[BotConnection, Setup], Game] = Game,
        place: BotConnection | None = None,
    ) -> Game:
        """Play a board, at the bot's usual place unless another is given.

        Raises:
            NotHeldError: The bot fails the point.
        """
        game = kind(place or self.place, setup)
        await game.play()
        return game

    async def go_on(self) -> None:
        """Check that the bot still answers on a next board; raise NotHeldError if it does not."""
        await self.play(self.setup(Seat.WEST, "P P P", NOTHING))


async def _kill(sitting: BotSeat) -> None:
    if sitting.bot is not None:
        sitting.bot.signal(signal.SIGKILL)
        await sitting.bot.ended()
