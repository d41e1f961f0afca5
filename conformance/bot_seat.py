"""The bot in one seat: its places, its process if it was started here, and its admission."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace

from bridge_arena.bridge.seats import Seat
from bridge_arena.conformance.bot_connection import BotConnection, Conduct
from bridge_arena.conformance.point import NotHeldError
from bridge_arena.protocol.messages import Hello, Welcome
from bridge_arena.server.clock import TimeControl
from bridge_arena.server.connection_limits import ConnectionLimits, Visit
from bridge_arena.server.faults import SeatFault
from bridge_arena.server.seating import SeatRefusedError
from bridge_arena.server.supervisor import BotProcess, Supervisor

GRACE = 10.0  # the seconds within which a bot whose connection was cut may come back
DYING_SECONDS = 1.0
"""The seconds after the loss of its connection within which a process must end for its end to
count as the reason."""


class EndedError(Exception):
    """The bot's process has ended; the message says how."""


class BotSeat:
    """The bot in one seat, with one token for all its places, one at each table.

    The command is empty if the bot comes by itself; the token is a new one unless it is given.
    """

    def __init__(
        self,
        command: Sequence[str],
        seat: Seat,
        tables: int,
        seconds: float,
        conduct: Conduct,
        token: str | None = None,
    ) -> None:
        self.seat = seat
        self.token = token or secrets.token_urlsafe(24)
        # The bot's process; None before it is started, or if it comes by itself.
        self.bot: BotProcess | None = None
        self.opened = False  # whether a handshake has succeeded
        # What was wrong with connections that had the token and got no place.
        self.complaints: list[str] = []
        self._command = command
        self._news = asyncio.Event()
        control = TimeControl(seconds)
        self.places = [
            BotConnection(
                Welcome(
                    table=f"table {number}",
                    seat=seat,
                    tables=tables,
                    event="conformance check",
                    session=secrets.token_urlsafe(16),
                    grace_seconds=GRACE,
                    **control.in_welcome(),
                ),
                seat,
                seconds,
                conduct,
                self._news.set,
            )
            for number in range(1, tables + 1)
        ]

    @property
    def seated(self) -> list[BotConnection]:
        return [place for place in self.places if place.is_connected]

    # For the gateway.

    def open(self) -> None:
        """Note that a handshake had the token."""
        self.opened = True
        self._news.set()

    def claim(self, hello: Hello) -> BotConnection:
        """Return a place for a connection, as `server.seating` does. Raises SeatRefusedError."""
        self._news.set()
        for place in self.places:
            if hello.resume and place.welcome.session == hello.resume:
                return place
        if hello.seat not in (None, self.seat):
            self.complaints.append(f"Hello wants seat {hello.seat}, the token is for {self.seat}")
            raise SeatRefusedError(f"this token is for no table in seat {hello.seat}")
        for place in [*(p for p in self.places if not p.taken), *self.places]:
            if not place.taken or not place.is_connected:
                place.taken = True
                return place
        self.complaints.append("a connection more than there are tables")
        raise SeatRefusedError("every seat of this token is taken")

    def complain(self, fault: SeatFault) -> None:
        """Note a fault of a connection that got no place."""
        self.complaints.append(fault.detail)
        self._news.set()

    # The process.

    async def start(self, supervisor: Supervisor, url: str) -> None:
        """Start the bot, unless it comes by itself; raise StartError if that fails."""
        if not self._command:
            return
        environment = {
            "ARENA_URL": url,
            "ARENA_SEAT": self.seat.letter,
            "ARENA_TOKEN": self.token,
            "ARENA_PATIENCE": "0",
            "ARENA_LOG": "warning",
        }
        self.bot = await supervisor.start(f"bot ({self.seat})", self._command, environment)

    async def until(self, holds: Callable[[], bool], seconds: float) -> None:
        """Wait until something holds, or raise TimeoutError or, if the process ends, EndedError."""
        ending = None if self.bot is None else asyncio.create_task(self.bot.ended())
        if ending is not None:
            ending.add_done_callback(lambda _: self._news.set())
        try:
            async with asyncio.timeout(seconds):
                while not holds():
                    if ending is not None and ending.done():
                        raise EndedError(ending.result())
                    self._news.clear()
                    await self._news.wait()
        finally:
            if ending is not None:
                ending.cancel()

    async def until_seated(self, tables: int, seconds: float, expected: str) -> None:
        """Wait until the bot sits at so many tables; raise NotHeldError if it does not in time."""
        try:
            await self.until(lambda: len(self.seated) >= tables, seconds)
        except EndedError as error:
            raise NotHeldError(expected, f"it ended: {error}") from None
        except TimeoutError:
            why = "; ".join(self.complaints) or "nothing"
            raise NotHeldError(expected, f"{why} within {seconds:g} s") from None

    async def end(self, within: float) -> str | None:
        """Return in words how the process ended; None if it does not end in time."""
        if self.bot is not None:
            with suppress(TimeoutError):
                async with asyncio.timeout(within):
                    return await self.bot.ended()
        return None

    async def with_last_words(self, error: NotHeldError) -> NotHeldError:
        """Return a failure, with the end of the process if it has ended."""
        lost = any(place.taken and not place.is_connected for place in self.places)
        how = await self.end(DYING_SECONDS) if lost or not self.seated else None
        if how is None or self.bot is None:
            return error
        ended = "" if how in error.received else f"; the program ended: {how}"
        received, output = f"{error.received}{ended}", self.bot.output_tail
        return replace(error, received=received, output=output)


class BotAdmission:
    """The sittings by token; `admit` is for the gateway."""

    def __init__(self) -> None:
        self.strangers = 0  # the number of handshakes with a wrong token
        self._sittings: dict[str, BotSeat] = {}

    def keep(self, sitting: BotSeat) -> None:
        self._sittings[sitting.token] = sitting

    def admit(self, token: str) -> BotSeat | None:
        """Return the sitting of a token, or None if there is none."""
        sitting = self._sittings.get(token)
        if sitting is None:
            self.strangers += 1
        else:
            sitting.open()
        return sitting


class CountingLimits(ConnectionLimits):
    """Connection limits that also count all connections that ever came."""

    def __init__(self) -> None:
        super().__init__()
        self.came = 0  # the number of connections

    def comes(self, address: str, cut: Callable[[], None]) -> Visit:
        self.came += 1
        return super().comes(address, cut)
