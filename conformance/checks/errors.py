"""The bot is refused, in the auction and in the play, and plays on."""

from __future__ import annotations

from bridge_arena.conformance.exam import HOME, Exam
from bridge_arena.conformance.game import Game, Setup
from bridge_arena.conformance.written_auctions import calls
from bridge_arena.protocol.errors import ErrorCode
from bridge_arena.protocol.messages import Error, YourTurn


async def illegal(exam: Exam) -> str:
    return await _refused(exam, _Refused)


async def stale(exam: Exam) -> str:
    return await _refused(exam, _Repeated)


async def timeout(exam: Exam) -> str:
    return await _refused(exam, _Late)


async def substituted(exam: Exam) -> str:
    return await _refused(exam, _RefusedTwice)


async def _refused(exam: Exam, kind: type[Game]) -> str:
    """Once in the auction, and once as declarer."""
    await exam.play(Setup(board=exam.board(HOME)), kind)
    await exam.play(Setup(board=exam.board(HOME), given=calls("3NT P P P")), kind)
    return ""


class _Refused(Game):
    """The first answer is refused as illegal, and the bot asked again."""

    refusals = 1

    async def bot_turn(self, turn: YourTurn) -> None:
        if not self.refusals:
            await super().bot_turn(turn)
            return
        self.refusals -= 1
        await self.place.answer(turn)
        await self.refuse(turn)


class _RefusedTwice(_Refused):
    """The second answer as well: then there is a substitute."""

    refusals = 2


class _Repeated(Game):
    """The first answer counts, and is refused as if it had come once more."""

    repeated = False

    async def bot_turn(self, turn: YourTurn) -> None:
        await super().bot_turn(turn)
        if not self.repeated:
            self.repeated = True
            await say_stale(self, turn)


class _Late(Game):
    """The first answer comes too late: there is a substitute, and then it is refused."""

    late = False

    async def bot_turn(self, turn: YourTurn) -> None:
        if self.late:
            await super().bot_turn(turn)
            return
        self.late = True
        await self.place.answer(turn)
        await self.time_out(turn)
        await say_stale(self, turn)


async def say_stale(game: Game, turn: YourTurn) -> None:
    """Tell the bot that its answer to `turn` came when that was open no more."""
    text = f"an answer to {turn.seq} answers no open turn of {turn.player}"
    seq, seat = turn.seq, turn.player
    await game.place.say(Error(code=ErrorCode.STALE, text=text, seat=seat, seq=seq))
