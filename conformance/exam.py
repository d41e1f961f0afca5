"""The check of one bot: the means of its points, its tables and boards, and their examiner."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

from bridge_arena.bridge.board import Board, random_deal, standard_vulnerability
from bridge_arena.bridge.cards import Deal
from bridge_arena.bridge.seats import Seat
from bridge_arena.conformance.bot_connection import BotConnection, Conduct
from bridge_arena.conformance.bot_seat import BotAdmission, BotSeat, CountingLimits
from bridge_arena.conformance.game import NOTHING, Game, Setup, Trouble, calls
from bridge_arena.conformance.point import (
    Finding,
    NotHeldError,
    NotPossibleError,
    Point,
    Status,
    UnsupportedError,
)
from bridge_arena.server.gateway import Gateway
from bridge_arena.server.supervisor import StartError, Supervisor

TABLES = 2  # the number of tables at which the bot plays at the same time
HOME = Seat.SOUTH  # the bot's seat, except for points that need it in another one

RENEWAL_SECONDS = 60.0
"""The most seconds that a bot has to sit down afresh after a point that it failed."""

LEAVING_SECONDS = 2.0  # the most seconds that the closing of a connection may take


@dataclass(frozen=True, slots=True)
class Terms:
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
        """End the bot's process during its work, and start it again. Raises as `renew` does."""
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
        """Have the bot sit in other seats too, one process each; raise NotHeldError if it fails."""
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
        self, setup: Setup, trouble: Trouble | None = None, place: BotConnection | None = None
    ) -> Game:
        """Play a board, at the bot's usual place unless another is given. Raises NotHeldError."""
        game = Game(place or self.place, setup, trouble)
        await game.play()
        return game

    async def go_on(self) -> None:
        """Check that the bot still answers on a next board; raise NotHeldError if it does not."""
        await self.play(self.setup(Seat.WEST, "P P P", NOTHING))


async def _kill(sitting: BotSeat) -> None:
    if sitting.bot is not None:
        sitting.bot.signal(signal.SIGKILL)
        await sitting.bot.ended()


MOST_ANSWERS = 200  # the time of a point, as a multiple of the time that the bot has for one answer

_TIME_IS_OVER = "the time of the check is over"


@dataclass(slots=True)
class Examiner:
    """The examiner of one bot, which tries all points one after the other, whatever it does."""

    exam: Exam
    tell: Callable[[Finding], None]  # called with the finding of each point when it is known
    limit: float  # the time for all points together, in seconds
    # The points that failed, or were not tried because others failed.
    _failed: set[str] = field(default_factory=set, init=False)
    # Whether the bot's state is unknown, so that it must sit down afresh.
    _astray: bool = field(default=False, init=False)
    # The reason why nothing more can be tried; empty while it can.
    _over: str = field(default="", init=False)

    async def examine(self, points: Sequence[Point]) -> list[Finding]:
        """Try the points in order. Raises StartError if the program cannot be started at all."""
        end = asyncio.get_running_loop().time() + self.limit
        findings: list[Finding] = []
        for point in points:
            finding = await self._look_at(point, end)
            if finding.status is Status.FAILED:
                self._failed.add(point.id)
            self.tell(finding)
            findings.append(finding)
        return findings

    async def _look_at(self, point: Point, end: float) -> Finding:
        needed = [name for name in point.needs if name in self._failed]
        if needed:
            self._failed.add(point.id)
            return _not_tried(point, f"needs {needed[0]}")
        left = end - asyncio.get_running_loop().time()
        if left <= 0 and not self._over:
            self._over = _TIME_IS_OVER
            expected = f"an end of the check within {self.limit:g} s"
            return NotHeldError(expected, "none").finding(point)
        if self._astray and not self._over:
            await self._renew()
        if self._over:
            return _not_tried(point, self._over)
        try:
            return await self._try(point, left)
        except NotHeldError as error:
            self._astray = True
            explained = await self.exam.home.with_last_words(error)
            return explained.finding(point)
        except UnsupportedError as error:
            self._astray = True
            return Finding(point.id, point.title, Status.INFORMATION, str(error))
        except NotPossibleError as error:
            return _not_tried(point, str(error))

    async def _try(self, point: Point, left: float) -> Finding:
        """Try a point in the seconds that are left. Raises what `examine` and a `Check` raise."""
        exam = self.exam
        # A point that waits for the bot to come has time for that too.
        seconds = min(left, MOST_ANSWERS * exam.terms.seconds + exam.terms.wait)
        try:
            async with asyncio.timeout(seconds):
                note = await point.check(exam) or ""
                if point.goes_on:
                    await exam.go_on()
        except StartError as error:
            if not exam.home.opened:
                raise
            raise NotHeldError("a program that can be started", str(error)) from None
        except TimeoutError:
            if seconds == left:
                self._over = _TIME_IS_OVER
            raise NotHeldError(f"an end within {seconds:.1f} s", "none") from None
        status = Status.INFORMATION if point.informs else Status.PASSED
        return Finding(point.id, point.title, status, note)

    async def _renew(self) -> None:
        try:
            await self.exam.renew()
        except NotHeldError as error:
            self._over = f"the bot did not come again: {error.received}"
        except StartError as error:
            self._over = str(error)
        else:
            self._astray = False


def _not_tried(point: Point, why: str) -> Finding:
    return Finding(point.id, point.title, Status.NOT_TRIED, why)
