"""Checks that the bot goes on after a board is abandoned because another player is lost."""

from __future__ import annotations

from bridge_arena.bridge.seats import Seat
from bridge_arena.conformance.checks.errors import say_stale
from bridge_arena.conformance.exam import HOME, Exam
from bridge_arena.conformance.game import Game, Setup
from bridge_arena.conformance.other_seats import Doubter
from bridge_arena.conformance.written_auctions import calls
from bridge_arena.protocol.messages import YourTurn
from bridge_arena.server.claims import Claims


async def in_turn(exam: Exam) -> str:
    """Abandon a board while the bot thinks, so that its answer comes after the board's end."""
    await exam.play(Setup(board=exam.board(HOME)), _AbandonedInTurn)
    await exam.play(exam.declaring(), _AbandonedInTurn)
    await exam.play(exam.declaring(), _AbandonedUnanswered)
    return ""


async def claim(exam: Exam) -> str:
    """Abandon a board while the bot and its partner, who is lost, are asked about a claim."""
    setup = Setup(
        board=exam.board(Seat.EAST),
        given=calls("3NT P P P"),
        thinker=lambda _: Doubter(),
        claims=Claims.PLAYERS,
    )
    game = await exam.play(setup, _AbandonedClaim)
    assert not game.table.settled_claims
    return ""


async def out_of_turn(exam: Exam) -> str:
    """Abandon a board while another player is to act."""
    await exam.play(exam.declaring(), _AbandonedMeanwhile)
    return ""


class _AbandonedInTurn(Game):
    async def bot_turn(self, turn: YourTurn) -> None:
        await self.place.answer(turn)
        await self.abandon(HOME.next)
        await say_stale(self, turn)


class _AbandonedUnanswered(Game):
    """A board that is over before the bot has answered; it may still answer or not."""

    async def bot_turn(self, turn: YourTurn) -> None:
        self.place.excuse(turn)
        await self.abandon(HOME.partner)


class _AbandonedClaim(_AbandonedUnanswered):
    """A board on which the bot's partner is lost when both are asked about a claim."""

    async def bot_turn(self, turn: YourTurn) -> None:
        if turn.claim:
            await super().bot_turn(turn)
        else:
            await Game.bot_turn(self, turn)


class _AbandonedMeanwhile(Game):
    async def other_turn(self, turn: YourTurn) -> None:
        if len(self.answers) >= 2:
            await self.abandon(turn.player)
        else:
            await super().other_turn(turn)
