"""A board is given up because another player is lost, and the next one follows."""

from __future__ import annotations

from protocol.messages import YourTurn
from tournaments.conformance.checks.errors import say_stale
from tournaments.conformance.exam import HOME, Exam
from tournaments.conformance.game import Game, Setup
from tournaments.conformance.script import calls


async def in_turn(exam: Exam) -> str:
    """While the bot thinks: its answer comes when the board is over."""
    await exam.play(Setup(board=exam.board(HOME)), _AbandonedInTurn)
    await exam.play(_declaring(exam), _AbandonedInTurn)
    return ""


async def out_of_turn(exam: Exam) -> str:
    await exam.play(_declaring(exam), _AbandonedMeanwhile)
    return ""


def _declaring(exam: Exam) -> Setup:
    return Setup(board=exam.board(HOME), given=calls("3NT P P P"))


class _AbandonedInTurn(Game):
    async def bot_turn(self, turn: YourTurn) -> None:
        await self.place.answer(turn)
        await self.abandon(HOME.next)
        await say_stale(self, turn)


class _AbandonedMeanwhile(Game):
    async def other_turn(self, turn: YourTurn) -> None:
        if len(self.answers) >= 2:
            await self.abandon(turn.player)
        else:
            await super().other_turn(turn)
