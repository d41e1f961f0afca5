"""What the checks work with: the bot at its tables, and boards for it."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass

from bridge_arena.bridge.board import Board, random_deal, standard_vulnerability
from bridge_arena.bridge.cards import Deal
from bridge_arena.bridge.seats import Seat
from bridge_arena.conformance.admission import BotAdmission, Counter
from bridge_arena.conformance.bot_connection import BotConnection
from bridge_arena.conformance.bot_seat import BotSeat, EndedError
from bridge_arena.conformance.conduct import Conduct
from bridge_arena.conformance.deals import NOTHING
from bridge_arena.conformance.game import Game, Setup
from bridge_arena.conformance.point_errors import NotHeldError
from bridge_arena.conformance.written_auctions import calls
from bridge_arena.server.gateway import Gateway
from bridge_arena.server.supervisor import Supervisor

TABLES = 2
"""At how many tables the bot plays at the same time."""

HOME = Seat.SOUTH
"""Where the bot sits, but for the points that need it in another seat."""

RENEWAL_SECONDS = 60.0
"""How long a bot may take at most to sit down afresh after a point that it failed."""

PARTING_SECONDS = 2.0
"""How long the closing of a connection may take."""


@dataclass(frozen=True, slots=True)
class Terms:
    """`command`: what starts the bot; none where it comes by itself. `seconds`: for each of its
    answers. `wait`: how many seconds it may take to come to its tables. `seed`: of the random
    boards, and of what the bot is told for its random choices."""

    command: Sequence[str]
    seconds: float
    wait: float
    seed: int


class Exam:
    """The bot sits in South, at `home`, unless a check asks for another `sitting`."""

    def __init__(
        self, terms: Terms, gateway: Gateway, admission: BotAdmission, supervisor: Supervisor
    ) -> None:
        self.terms = terms
        self.admission = admission
        # Takes the place of the gateway's own: it counts who comes.
        self.counter = gateway.limits = Counter()
        self.conduct = Conduct()
        # At how many tables it sat down at first.
        self.tables = 0
        self._gateway = gateway
        self._supervisor = supervisor
        self._boards = 0
        self.home = self._sitting(HOME, TABLES)

    # The bot at its tables.

    @property
    def is_remote(self) -> bool:
        return not self.terms.command

    @property
    def place(self) -> BotConnection:
        """Where the bot plays. Raises NotHeldError."""
        place = self.home.places[0]
        if not place.is_connected:
            raise NotHeldError("a bot at its table", "its connection was lost")
        return place

    async def open(self, sitting: BotSeat) -> None:
        """Let the bot in, and start it. Raises StartError."""
        self.admission.keep(sitting)
        await sitting.start(self._supervisor, self._gateway.url)

    async def renew(self) -> None:
        """Have the bot sit down afresh, whatever it was at. Raises NotHeldError."""
        before = self.home
        wait = min(self.terms.wait, RENEWAL_SECONDS)
        # One that comes by itself knows no other token, and may be back at once.
        self.home = self._sitting(HOME, TABLES, before.token if self.is_remote else None)
        self.admission.keep(self.home)
        await self.leave(before)
        try:
            await self.open(self.home)
            await self.home.until_seated(self.tables, wait)
        except EndedError as error:
            raise NotHeldError("a bot at its tables again", f"it ended: {error}") from None
        except TimeoutError:
            raise NotHeldError("a bot at its tables again", f"nothing within {wait:g} s") from None

    async def restart(self) -> None:
        """End the bot's process in the midst of its work, and start it again. Raises
        NotHeldError."""
        sitting, tables = self.home, len(self.home.seated)
        await _kill(sitting)
        for place in sitting.places:
            place.cut()
        expected = "a bot that, started again, says Hello and sits down at its tables"
        try:
            await self.open(sitting)
            await sitting.until_seated(tables, self.terms.wait)
        except EndedError as error:
            raise NotHeldError(expected, f"it ended: {error}") from None
        except TimeoutError:
            raise NotHeldError(expected, f"nothing within {self.terms.wait:g} s") from None

    async def leave(self, sitting: BotSeat) -> None:
        """End a sitting, in no good order."""
        await _kill(sitting)
        with suppress(TimeoutError):
            async with asyncio.timeout(PARTING_SECONDS):
                parting = "the seat was given up; come back with the same token"
                await asyncio.gather(*(place.part(parting) for place in sitting.seated))
        for place in sitting.places:
            place.cut()

    @asynccontextmanager
    async def guests(self, seats: Sequence[Seat]) -> AsyncIterator[list[BotConnection]]:
        """The bot in other seats too, at one table each, by processes of their own. Raises
        NotHeldError."""
        sittings = [self._sitting(seat, 1) for seat in seats]
        try:
            for sitting in sittings:
                await self.open(sitting)
            for sitting in sittings:
                expected = f"a bot that sits down in seat {sitting.seat}"
                try:
                    await sitting.until_seated(1, self.terms.wait)
                except EndedError as error:
                    raise NotHeldError(expected, f"it ended: {error}") from None
                except TimeoutError:
                    why = "; ".join(sitting.complaints) or "nothing"
                    raise NotHeldError(expected, f"{why}, within {self.terms.wait:g} s") from None
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
        """The next board: with a deal from the seed, unless one is given."""
        self._boards += 1
        number = self._boards
        cards = random_deal(self.terms.seed, number) if deal is None else deal
        return Board(number, dealer, standard_vulnerability(number), cards)

    def declaring(self) -> Setup:
        """A board at which the bot declares 3NT."""
        return Setup(board=self.board(HOME), given=calls("3NT P P P"))

    async def play(
        self, setup: Setup, kind: type[Game] = Game, place: BotConnection | None = None
    ) -> Game:
        """Play a board, where the bot sits or at another place. Raises NotHeldError."""
        game = kind(place or self.place, setup)
        await game.play()
        return game

    async def go_on(self) -> None:
        """The next board begins, and the bot answers. Raises NotHeldError."""
        setup = Setup(board=self.board(Seat.WEST, NOTHING), given=calls("P P P"))
        await self.play(setup)


async def _kill(sitting: BotSeat) -> None:
    if sitting.bot is not None:
        sitting.bot.signal(signal.SIGKILL)
        await sitting.bot.ended()
