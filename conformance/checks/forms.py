"""Checks that the bot accepts messages in every form that a server may use."""

from __future__ import annotations

import asyncio

from bridge_arena.bots.baseline.bot import BaselineBot
from bridge_arena.bridge.seats import Seat
from bridge_arena.conformance.exam import HOME, Exam
from bridge_arena.conformance.frames import WireForm
from bridge_arena.conformance.game import Game, Trouble, after_bot
from bridge_arena.conformance.point import Check, NotPossibleError
from bridge_arena.protocol.messages import YourTurn

SILENCE = 1.0  # the length of the silence, in seconds


def _played_in(form: WireForm, *, only_live: bool = False) -> Check:
    """Return the check that the bot plays boards in a form, perhaps one that only live bots get."""

    async def played(exam: Exam) -> None:
        place = exam.place
        if only_live and not place.is_live:
            raise NotPossibleError("the bot has asked for events together with its turns")
        place.form = form
        try:
            await exam.play(exam.setup(HOME, thinker=lambda _: BaselineBot()))
            await exam.play(exam.declaring())
        finally:
            place.form = WireForm.PLAIN

    return played


grown = _played_in(WireForm.GROWN)
gathered = _played_in(WireForm.GATHERED, only_live=True)
single = _played_in(WireForm.SINGLE, only_live=True)
fragmented = _played_in(WireForm.FRAGMENTED)


async def silence(exam: Exam) -> None:
    """Have another player think long; meanwhile the bot's library must answer a ping."""

    async def think_long(game: Game, turn: YourTurn) -> None:
        await asyncio.sleep(SILENCE / 2)
        await game.place.ping()
        await asyncio.sleep(SILENCE / 2)
        await game.answer(turn)

    await exam.play(exam.setup(Seat.WEST, "1NT P P P"), Trouble(think_long, after_bot))
