"""A bot that decides about single positions, with a process for each seat.

Every position is a new board to the bot, so that its answer depends on nothing but the position.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import count, product

from bridge_arena.bridge.cards import Card
from bridge_arena.bridge.record import MadeCall
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.protocol.http_robot.position import Position
from bridge_arena.protocol.messages import (
    MOST_THOUGHTS,
    Answer,
    Explain,
    ExplanationGiven,
    MakeCall,
    NoAction,
    PlayCard,
    Thinking,
    Thought,
    YourTurn,
    is_about,
)
from bridge_arena.protocol.outgoing import Outgoing
from bridge_arena.server.clock import TimeControl
from bridge_arena.server.faults import SeatFault
from bridge_arena.server.players import Player
from bridge_arena.server.supervisor import StartError
from bridge_arena.tournaments import Entry, EventLog
from bridge_arena.tournaments.play.seating.roster import Roster
from bridge_arena.tournaments.play.seating.seats import Conditions, EntrySeat, SeatingError

MOST_QUESTIONS = 8
"""The most questions of a bot about one position; a position has no answers to them."""


class BusyError(Exception):
    """All tables of a seat are thinking about other positions."""


class BotError(Exception):
    """The bot ended, did not answer in time, or decided what is illegal, as the message says."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What the bot decided: the call, with its meaning, or the card; and what it thought."""

    action: MadeCall | Card
    thoughts: tuple[Thinking, ...]


class BotDecider:
    """A bot that is started here and decides about positions while it is `running`.

    Each seat works on as many positions at the same time as there are `tables`. An answer may take
    so many `seconds`; a free table is waited for as long before.
    """

    def __init__(
        self, entry: Entry, tables: int, seconds: float, complain: Callable[[str], None]
    ) -> None:
        conditions = Conditions("robot", TimeControl(seconds), secrets=entry.secrets)
        self._roster = Roster(conditions, EventLog(), tables)
        self._seats = {seat: EntrySeat(entry, seat) for seat in SEATS}
        self._seconds = seconds
        self._complain = complain
        # The numbers of the tables at which nobody thinks, by seat.
        self._free: dict[Seat, asyncio.Queue[int]] = {seat: asyncio.Queue() for seat in SEATS}
        for seat, table in product(SEATS, range(tables)):
            self._free[seat].put_nowait(table)
        # No two positions have a board's number in common, so that a late answer is known as such.
        self._numbers = count(1)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[BotDecider]:
        """Start the bot. Raises StartError, SeatingError and GatewayError."""
        async with self._roster:
            await self._roster.fill(self._seats.values())
            try:
                yield self
            finally:
                await self._roster.dismiss("nobody asks any more")

    async def decide(self, position: Position) -> Decision:
        """Return the bot's call or card, which is legal.

        A bot that fails is started again for the next position. Raises BusyError if no table is
        free in time, and BotError.
        """
        free = self._free[position.seat]
        try:
            async with asyncio.timeout(self._seconds):
                table = await free.get()
        except TimeoutError:
            raise BusyError from None
        try:
            return await self._at_table(position, table)
        except BotError as error:
            self._complain(f"{self._seats[position.seat]}: {error}")
            raise
        finally:
            free.put_nowait(table)

    async def _at_table(self, position: Position, table: int) -> Decision:
        """Have the bot decide at a table. Raises BotError."""
        seat = self._seats[position.seat]
        try:
            await self._roster.fill([seat])
        except (StartError, SeatingError) as error:
            # The reason may name a program and its folder, which is nothing to those who ask.
            self._complain(f"{seat}: {error}")
            raise BotError("the bot cannot be started") from None
        seated_bot = next(iter(self._roster.seated_bots({position.seat: seat}).values()), None)
        if seated_bot is None:  # lost at once, or released for another table
            raise BotError("the bot ended")
        place, number = seated_bot.place(table), next(self._numbers)
        try:
            async with asyncio.timeout(self._seconds):
                return await decided(place, position, self._seconds, number)
        except TimeoutError:
            why = f"no answer within {self._seconds:g} s"
        except SeatFault as fault:
            why = fault.detail
        # Another table may have had it started again already.
        if seated_bot in self._roster.seated_bots({position.seat: seat}).values():
            await self._roster.release([seat], why)
        raise BotError(why)


async def decided(player: Player, position: Position, seconds: float, number: int) -> Decision:
    """Return what a player decides. Raises SeatFault, and BotError for an illegal decision."""
    messages = position.messages("robot", number, seconds=seconds)
    for message in messages:
        player.tell(Outgoing.of(message))
    turn = messages[-1]
    assert isinstance(turn, YourTurn)
    thoughts: deque[Thinking] = deque(maxlen=MOST_THOUGHTS)
    for _ in range(MOST_QUESTIONS):
        player.flush()
        said = await _said(player, turn, thoughts)
        if not isinstance(said, Explain):
            return Decision(_legal(said, turn), tuple(thoughts))
        nothing = ExplanationGiven(
            table=turn.table, board=number, seq=turn.seq + 1, seat=position.seat, call=said.call
        )
        turn = turn.model_copy(update={"seq": turn.seq + 2})
        player.tell(Outgoing.of(nothing))
        player.tell(Outgoing.of(turn))
    raise BotError(f"it asked {MOST_QUESTIONS} questions about one position")


async def _said(player: Player, turn: YourTurn, thoughts: deque[Thinking]) -> Answer:
    """Return the answer to a turn, and keep the thoughts before it. Raises SeatFault."""
    while True:
        said = await player.act(turn)
        if not is_about(said, turn):
            continue  # about an earlier position
        if not isinstance(said, Thought):
            return said
        thoughts.append(said)


def _legal(said: Answer, turn: YourTurn) -> MadeCall | Card:
    """Return a call or card. Raises BotError if there is none, or it is illegal."""
    if isinstance(said, NoAction):
        raise BotError(f"it has no action: {said.reason}")
    what: str = said.type
    action: MadeCall | Card | None = None
    if isinstance(said, MakeCall):
        what, action = str(said.call), MadeCall(said.call, said.alert, said.explanation)
    elif isinstance(said, PlayCard):
        what, action = str(said.card), said.card
    if action is None or what not in turn.legal:
        raise BotError(f"{what} is illegal")
    return action
