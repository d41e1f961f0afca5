"""A board at a table with the bot: its deal, its other players, and how it is played.

The judge is the server's own, driven by hand. A check that interferes with the game says so in a
`Trouble`. On the deals the bot, in South, meets rare situations; the other players are simple, and
always the same.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass
from enum import Flag, auto

from bridge_arena.bots.sdk.client import Bot
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.calls import DOUBLE, PASS, REDOUBLE, Call
from bridge_arena.bridge.cards import Card, Deal
from bridge_arena.bridge.record import FaultKind, MadeCall
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.conformance.bot_connection import BotConnection
from bridge_arena.conformance.frames import readable_message
from bridge_arena.conformance.point import NotHeldError
from bridge_arena.protocol.decision import Ask, Thinker
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
from bridge_arena.protocol.view import View
from bridge_arena.protocol.visibility import Event, Viewer, visible
from bridge_arena.server.claims import Claims
from bridge_arena.server.clock import TimeControl
from bridge_arena.server.faults import substitute_card
from bridge_arena.server.players import LocalPlayer
from bridge_arena.server.table import Table

CROSS_RUFF = Deal.parse("N:9876.A..AKQJT987 54.KQJT.T9876.65 AKQJT.5432.AKQJ. 32.9876.5432.432")
"""In spades South, void in clubs, and North, void in diamonds, ruff both ways."""

TWO_VOIDS = Deal.parse("N:QJ.432.6543.7654 A.AKQJT98.A2.K32 T98765432..QJT9. K.765.K87.AQJT98")
"""South has no heart and no club: it discards at notrump or where hearts are trumps, and may
ruff where diamonds are."""

LAY_DOWN = Deal.parse("N:5432.432.432.432 T98.JT9.JT98.JT9 AKQJ.AKQ.AKQ.AKQ 76.8765.765.8765")
"""South takes all tricks."""

NOTHING = Deal.parse("N:AKQ.AKQ.AKQ2.AKQ JT98.JT9.JT98.JT 5432.5432.543.32 76.876.76.987654")
"""South has no honour."""


def calls(text: str) -> tuple[MadeCall, ...]:
    """Return the calls of a text, divided by spaces; P is Pass."""
    return tuple(MadeCall(Call("Pass" if word == "P" else word)) for word in text.split())


class Quiet(Bot):
    """A player that passes, plays the lowest card, claims nothing and accepts no claim."""

    def call(self, view: View) -> Call | MadeCall | Ask:
        del view
        return PASS

    def play(self, view: View) -> Card | Ask:
        return substitute_card(view.legal_cards())

    def answer_claim(self, view: View) -> bool:
        del view
        return False


class Overbidder(Quiet):
    """A player that makes the lowest legal bid."""

    def call(self, view: View) -> Call | MadeCall | Ask:
        return next((call for call in view.legal_calls() if call.is_bid), PASS)


class Doubler(Quiet):
    """A player that doubles and redoubles whenever it may."""

    def call(self, view: View) -> Call | MadeCall | Ask:
        legal = view.legal_calls()
        return next((call for call in (REDOUBLE, DOUBLE) if call in legal), PASS)


class Claimer(Quiet):
    """A player that claims as declarer in the first and fourth trick, and accepts every claim."""

    def claim(self, view: View) -> int | None:
        """Claim half of the tricks left in the first trick, and all of them in the fourth."""
        done = len(view.playing.tricks)
        left = 13 - done
        return {0: left // 2, 3: left}.get(done)

    def answer_claim(self, view: View) -> bool:
        del view
        return True


class Doubter(Claimer):
    """A Claimer that accepts claims only from the fourth trick on."""

    def answer_claim(self, view: View) -> bool:
        return len(view.playing.tricks) >= 3


AWARDED = 7  # declarer's tricks on a board whose play is left out


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
    board: Board
    # The first calls, of all seats, which are made without asking anybody.
    given: Sequence[MadeCall] = ()
    judged: Judged = Judged.NOTHING  # the actions whose legality is judged
    thinker: Callable[[Seat], Thinker] = lambda _: Quiet()  # returns the player of another seat
    claims: Claims = Claims.OFF  # the table's rule for claims
    bidding_only: bool = False  # whether the board ends after the auction
    seed: int = 1  # the seed that the bot is told for its random choices


@dataclass(frozen=True, slots=True)
class Trouble:
    """What happens on a board in place of the answers to some turns."""

    happens: Callable[[Game, YourTurn], Awaitable[None]]
    # Whether it happens at a turn: at the bot's first one unless a check says otherwise.
    when: Callable[[Game, YourTurn], bool] = lambda game, turn: game.is_of_bot(turn)
    times: int = 1  # at how many turns it happens


def after_bot(game: Game, turn: YourTurn) -> bool:
    """Return whether it is another player's turn, and the bot has answered before."""
    return bool(game.answers) and not game.is_of_bot(turn)


class Game:
    """A board at a table with the bot, which is played once."""

    def __init__(self, place: BotConnection, setup: Setup, trouble: Trouble | None = None) -> None:
        self.place = place  # the bot's place
        self.setup = setup  # the board and how it is played
        self._trouble = trouble
        self._troubles_left = 0 if trouble is None else trouble.times
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
        await self.tell(self.table.start(self.now))
        while self.table.turns:
            for turn in self.table.turns:
                # Another player asked at the same time may have ended the board meanwhile.
                if self.table.turn_of(turn.player) is not turn:
                    continue
                trouble = self._trouble if self._troubles_left else None
                if trouble is not None and trouble.when(self, turn):
                    self._troubles_left -= 1
                    await trouble.happens(self, turn)
                else:
                    await self.answer(turn)
        if self.table.unplayed is not None:
            await self.tell(self.table.award(AWARDED))
        await self.place.sweep()

    async def answer(self, turn: YourTurn) -> None:
        """Have the player whose turn it is answer."""
        if self.is_of_bot(turn):
            await self._take(turn, await self.place.answer(turn))
        else:
            answer = await self._others[turn.player].act(turn)
            await self.tell(self.table.act(turn.player, answer, self.now))

    def is_of_bot(self, turn: YourTurn) -> bool:
        return turn.player == self.place.seat

    @property
    def now(self) -> float:
        """The time in seconds, by the loop's clock."""
        return asyncio.get_running_loop().time()

    async def _take(self, turn: YourTurn, answer: Answer) -> None:
        """Take the bot's answer as its action."""
        # Try it on a copy: an action that nobody is told of must leave no gap in the numbers of
        # events.
        tried = deepcopy(self.table).act(turn.player, answer, self.now)
        errors = [event.happening for event in tried if isinstance(event.happening, Error)]
        if not errors:
            self.answers.append(_in_words(answer))
            await self.tell(self.table.act(turn.player, answer, self.now))
            return
        if (Judged.CALLS if self.table.play is None else Judged.CARDS) in self.setup.judged:
            legal = "AnswerClaim" if turn.claim else f"one of {' '.join(turn.legal)}"
            raise NotHeldError(
                legal,
                f"{_in_words(answer)}: {errors[0].text}",
                asked=readable_message(turn),
                frame=[readable_message(answer)],
            )
        events = self.table.time_out(turn.player, self.now)
        await self.tell([event for event in events if not isinstance(event.happening, Error)])

    async def refuse(self, turn: YourTurn) -> None:
        illegal = AnswerClaim(**stamp_of(turn), accept=True)  # there is no claim to answer
        await self.tell(self.table.act(turn.player, illegal, self.now))

    async def time_out(self, turn: YourTurn) -> None:
        """Treat the bot's answer as if it had not come in time."""
        await self.tell(self.table.time_out(turn.player, self.now))

    async def abandon(self, lost: Seat) -> None:
        """Lose another player, so that the board is abandoned."""
        await self.tell(self.table.forfeit(lost, FaultKind.DISCONNECT, "connection lost"))

    async def tell(self, events: Sequence[Event]) -> None:
        """Show every player its part of the events."""
        players: list[LocalPlayer | BotConnection] = [*self._others.values(), self.place]
        for event in events:
            for player in players:
                outgoing = visible(event, player.viewer)
                if outgoing is not None:
                    player.tell(outgoing)
        await self.place.flush()


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
