"""Checks that the bot plays on after it was refused, and after a board that was given up."""

from __future__ import annotations

from bridge_arena.bridge.seats import Seat
from bridge_arena.conformance.exam import HOME, Exam
from bridge_arena.conformance.game import Doubter, Game
from bridge_arena.conformance.point import Check
from bridge_arena.protocol.errors import ErrorCode
from bridge_arena.protocol.messages import Error, YourTurn
from bridge_arena.server.claims import Claims


class _Refused(Game):
    """A board on which the first answer is refused as illegal, and the bot asked again."""

    refusals = 1

    async def bot_turn(self, turn: YourTurn) -> None:
        if not self.refusals:
            await super().bot_turn(turn)
            return
        self.refusals -= 1
        await self.place.answer(turn)
        await self.refuse(turn)


class _RefusedTwice(_Refused):
    """A board on which the second answer is refused too, so that there is a substitute."""

    refusals = 2


class _Repeated(Game):
    """A board on which the first answer counts, and is then refused as if sent twice."""

    repeated = False

    async def bot_turn(self, turn: YourTurn) -> None:
        await super().bot_turn(turn)
        if not self.repeated:
            self.repeated = True
            await say_stale(self, turn)


class _Late(Game):
    """A board on which the first answer is too late: it is substituted, then refused."""

    late = False

    async def bot_turn(self, turn: YourTurn) -> None:
        if self.late:
            await super().bot_turn(turn)
            return
        self.late = True
        await self.place.answer(turn)
        await self.time_out(turn)
        await say_stale(self, turn)


def _refused(kind: type[Game]) -> Check:
    """Return the check that the bot plays on when it is refused so, in the auction and the play."""

    async def refused(exam: Exam) -> None:
        await exam.play(exam.setup(HOME), kind)
        await exam.play(exam.declaring(), kind)

    return refused


illegal = _refused(_Refused)
stale = _refused(_Repeated)
timeout = _refused(_Late)
substituted = _refused(_RefusedTwice)


async def say_stale(game: Game, turn: YourTurn) -> None:
    """Tell the bot that its answer to `turn` came when the turn was no longer open."""
    text = f"an answer to {turn.seq} answers no open turn of {turn.player}"
    seq, seat = turn.seq, turn.player
    await game.place.say(Error(code=ErrorCode.STALE, text=text, seat=seat, seq=seq))


async def abandoned_in_turn(exam: Exam) -> None:
    """Abandon a board while the bot thinks, so that its answer comes after the board's end."""
    await exam.play(exam.setup(HOME), _AbandonedInTurn)
    await exam.play(exam.declaring(), _AbandonedInTurn)
    await exam.play(exam.declaring(), _AbandonedUnanswered)


async def abandoned_claim(exam: Exam) -> None:
    """Abandon a board while the bot and its partner, who is lost, are asked about a claim."""
    setup = exam.setup(Seat.EAST, "3NT P P P", thinker=lambda _: Doubter(), claims=Claims.PLAYERS)
    game = await exam.play(setup, _AbandonedClaim)
    assert not game.table.settled_claims


async def abandoned_out_of_turn(exam: Exam) -> None:
    """Abandon a board while another player is to act."""
    await exam.play(exam.declaring(), _AbandonedMeanwhile)


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
