"""A board at a table with the bot: the server's own judge, driven by hand.

A check that interferes with the game overrides the turns in a subclass.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass
from enum import Flag, auto

from bridge_arena.bridge.board import Board
from bridge_arena.bridge.record import FaultKind, MadeCall
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.conformance.boards import Quiet
from bridge_arena.conformance.bot_connection import BotConnection
from bridge_arena.conformance.frames import readable_message
from bridge_arena.conformance.point import NotHeldError
from bridge_arena.protocol.decision import Thinker
from bridge_arena.protocol.messages import (
    Answer,
    AnswerClaim,
    Claim,
    Error,
    Explain,
    MakeCall,
    NoAction,
    PlayCard,
    YourTurn,
    stamp_of,
)
from bridge_arena.protocol.visibility import Event, Viewer, visible
from bridge_arena.server.claims import Claims
from bridge_arena.server.clock import TimeControl
from bridge_arena.server.players import LocalPlayer
from bridge_arena.server.table import Table

AWARDED = 7
"""Declarer's tricks on a board whose play is left out."""


class Judged(Flag):
    """The actions whose legality is judged, so that each point is about one thing.

    For any other illegal action there is a substitute without an error.
    """

    NOTHING = 0
    CALLS = auto()
    CARDS = auto()
    ALL = CALLS | CARDS


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """A board and how it is played."""

    board: Board
    # The first calls, of all seats, which are made without asking anybody.
    given: Sequence[MadeCall] = ()
    judged: Judged = Judged.NOTHING  # the actions whose legality is judged
    thinker: Callable[[Seat], Thinker] = lambda _: Quiet()  # returns the player of another seat
    claims: Claims = Claims.OFF  # the table's rule for claims
    bidding_only: bool = False  # whether the board ends after the auction
    seed: int = 1  # the seed that the bot is told for its random choices


class Game:
    """A board at a table with the bot, which is played once."""

    def __init__(self, place: BotConnection, setup: Setup) -> None:
        self.place = place  # the bot's place
        self.setup = setup  # the board and how it is played
        self.answers: list[str] = []  # the bot's answers in words
        self.table = Table(
            place.welcome.table,
            setup.board,
            (setup.seed, setup.seed, setup.seed, setup.seed),
            TimeControl(place.seconds),
            bidding_only=setup.bidding_only,
            claims=setup.claims,
            given=setup.given,
        )
        self._others = {
            seat: LocalPlayer(Viewer(seat), setup.thinker(seat))
            for seat in SEATS
            if seat != place.seat
        }

    async def play(self) -> None:
        """Play the board to its end."""
        await self.tell(self.table.start(self.now))
        while self.table.turns:
            for turn in self.table.turns:
                # Another player asked at the same time may have ended the board meanwhile.
                if self.table.turn_of(turn.player) is not turn:
                    continue
                if turn.player == self.place.seat:
                    await self.bot_turn(turn)
                else:
                    await self.other_turn(turn)
        if self.table.unplayed is not None:
            await self.tell(self.table.award(AWARDED))
        await self.place.sweep()

    # The turns, which subclasses override.

    async def bot_turn(self, turn: YourTurn) -> None:
        """Have the bot answer a turn."""
        await self.take(turn, await self.place.answer(turn))

    async def other_turn(self, turn: YourTurn) -> None:
        """Have another player answer a turn."""
        answer = await self._others[turn.player].act(turn)
        await self.tell(self.table.act(turn.player, answer, self.now))

    # The means of subclasses.

    @property
    def now(self) -> float:
        """The time in seconds, by the loop's clock."""
        return asyncio.get_running_loop().time()

    async def take(self, turn: YourTurn, answer: Answer) -> None:
        """Take the bot's answer as its action."""
        # Try it on a copy: an action that nobody is told of must leave no gap in the numbers of
        # events.
        error = _first_error(deepcopy(self.table).act(turn.player, answer, self.now))
        if error is None:
            self.answers.append(_in_words(answer))
            await self.tell(self.table.act(turn.player, answer, self.now))
            return
        if (Judged.CALLS if self.table.play is None else Judged.CARDS) in self.setup.judged:
            legal = "AnswerClaim" if turn.claim else f"one of {' '.join(turn.legal)}"
            raise NotHeldError(
                legal,
                f"{_in_words(answer)}: {error.text}",
                asked=readable_message(turn),
                frame=[readable_message(answer)],
            )
        events = self.table.time_out(turn.player, self.now)
        await self.tell([event for event in events if not isinstance(event.happening, Error)])

    async def refuse(self, turn: YourTurn) -> None:
        """Refuse the bot's answer as illegal."""
        await self.tell(self.table.act(turn.player, _illegal(turn), self.now))

    async def time_out(self, turn: YourTurn) -> None:
        """Treat the bot's answer as if it had not come in time."""
        await self.tell(self.table.time_out(turn.player, self.now))

    async def abandon(self, lost: Seat) -> None:
        """Lose another player, so that the board is abandoned."""
        await self.tell(self.table.forfeit(lost, FaultKind.DISCONNECT, "connection lost"))

    async def tell(self, events: Sequence[Event]) -> None:
        """Show every player its part of the events."""
        for event in events:
            for player in self._others.values():
                outgoing = visible(event, player.viewer)
                if outgoing is not None:
                    player.tell(outgoing)
            outgoing = visible(event, self.place.viewer)
            if outgoing is not None:
                self.place.tell(outgoing)
        await self.place.flush()


def _first_error(events: Sequence[Event]) -> Error | None:
    for event in events:
        if isinstance(event.happening, Error):
            return event.happening
    return None


def _illegal(turn: YourTurn) -> Answer:
    """Return an answer that no turn in the auction or the play allows."""
    return AnswerClaim(**stamp_of(turn), accept=True)


def _in_words(answer: Answer) -> str:
    if isinstance(answer, MakeCall):
        return str(answer.call)
    if isinstance(answer, PlayCard):
        return str(answer.card)
    if isinstance(answer, Claim):
        return f"Claim of {answer.tricks}"
    if isinstance(answer, Explain):
        return f"Explain of call {answer.call}"
    if isinstance(answer, NoAction):
        return "NoAction"
    assert isinstance(answer, AnswerClaim)  # no bot can send anything else
    return f"AnswerClaim: {'accepted' if answer.accept else 'not accepted'}"
