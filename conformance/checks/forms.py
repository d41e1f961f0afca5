"""Checks that the bot accepts messages in every form that a server may use."""

from __future__ import annotations

import asyncio

from bridge_arena.bots.baseline.bot import BaselineBot
from bridge_arena.bridge.seats import Seat
from bridge_arena.conformance.boards import calls
from bridge_arena.conformance.exam import HOME, Exam
from bridge_arena.conformance.frames import WireForm
from bridge_arena.conformance.game import Game, Setup
from bridge_arena.conformance.point import NotPossibleError
from bridge_arena.protocol.messages import YourTurn

SILENCE = 1.0
"""The length of the silence, in seconds."""

_WITH_TURNS = "the bot has asked for events together with its turns"


async def grown(exam: Exam) -> str:
    """Play boards on which every message has unknown fields."""
    await _played_in(exam, WireForm.GROWN)
    return ""


async def gathered(exam: Exam) -> str:
    """Play boards with many messages in one frame."""
    if not exam.place.is_live:
        raise NotPossibleError(_WITH_TURNS)
    await _played_in(exam, WireForm.GATHERED)
    return ""


async def single(exam: Exam) -> str:
    """Play boards with each message in a frame of its own."""
    if not exam.place.is_live:
        raise NotPossibleError(_WITH_TURNS)
    await _played_in(exam, WireForm.SINGLE)
    return ""


async def fragmented(exam: Exam) -> str:
    """Play boards with frames in several fragments."""
    await _played_in(exam, WireForm.FRAGMENTED)
    return ""


async def silence(exam: Exam) -> str:
    """Have another player think long; meanwhile the bot's library must answer a ping."""
    await exam.play(Setup(board=exam.board(Seat.WEST), given=calls("1NT P P P")), _Thoughtful)
    return ""


async def _played_in(exam: Exam, form: WireForm) -> None:
    place = exam.place
    place.form = form
    try:
        await exam.play(Setup(board=exam.board(HOME), thinker=lambda _: BaselineBot()))
        await exam.play(Setup(board=exam.board(HOME), given=calls("3NT P P P")))
    finally:
        place.form = WireForm.PLAIN


class _Thoughtful(Game):
    """A board on which another player thinks long, once, after the bot's first card."""

    thought = False

    async def other_turn(self, turn: YourTurn) -> None:
        if self.answers and not self.thought:
            self.thought = True
            await asyncio.sleep(SILENCE / 2)
            await self.place.ping()
            await asyncio.sleep(SILENCE / 2)
        await super().other_turn(turn)
