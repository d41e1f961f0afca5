"""Checks that the bot plays on after it was refused, and after a board that was given up."""

from __future__ import annotations

from bridge_arena.bridge.seats import Seat
from bridge_arena.conformance.exam import HOME, Exam
from bridge_arena.conformance.game import Doubter, Game, Trouble
from bridge_arena.conformance.point import Check
from bridge_arena.protocol.errors import ErrorCode
from bridge_arena.protocol.messages import Error, YourTurn
from bridge_arena.server.claims import Claims


async def _refuse(game: Game, turn: YourTurn) -> None:
    """Refuse the answer as illegal, so that the bot is asked again, or substituted in the end."""
    await game.place.answer(turn)
    await game.refuse(turn)


async def _repeat(game: Game, turn: YourTurn) -> None:
    """Take the answer, and then refuse it as if it had been sent twice."""
    await game.answer(turn)
    await say_stale(game, turn)


async def _come_late(game: Game, turn: YourTurn) -> None:
    """Have the answer come too late: it is substituted, then refused."""
    await game.place.answer(turn)
    await game.time_out(turn)
    await say_stale(game, turn)


def _refused(trouble: Trouble) -> Check:
    """Return the check that the bot plays on when it is refused so, in the auction and the play."""

    async def refused(exam: Exam) -> None:
        await exam.play(exam.setup(HOME), trouble)
        await exam.play(exam.declaring(), trouble)

    return refused


illegal = _refused(Trouble(_refuse))
stale = _refused(Trouble(_repeat))
timeout = _refused(Trouble(_come_late))
substituted = _refused(Trouble(_refuse, times=2))


async def say_stale(game: Game, turn: YourTurn) -> None:
    """Tell the bot that its answer to `turn` came when the turn was no longer open."""
    text = f"an answer to {turn.seq} answers no open turn of {turn.player}"
    seq, seat = turn.seq, turn.player
    await game.place.say(Error(code=ErrorCode.STALE, text=text, seat=seat, seq=seq))


async def abandoned_in_turn(exam: Exam) -> None:
    """Abandon a board while the bot thinks, so that its answer comes after the board's end."""

    async def abandon_answered(game: Game, turn: YourTurn) -> None:
        await game.place.answer(turn)
        await game.abandon(HOME.next)
        await say_stale(game, turn)

    await exam.play(exam.setup(HOME), Trouble(abandon_answered))
    await exam.play(exam.declaring(), Trouble(abandon_answered))
    await exam.play(exam.declaring(), Trouble(_abandon))


async def abandoned_claim(exam: Exam) -> None:
    """Abandon a board while the bot and its partner, who is lost, are asked about a claim."""
    setup = exam.setup(Seat.EAST, "3NT P P P", thinker=lambda _: Doubter(), claims=Claims.PLAYERS)
    about_claim = Trouble(_abandon, lambda game, turn: game.is_of_bot(turn) and turn.claim)
    game = await exam.play(setup, about_claim)
    assert not game.table.settled_claims


async def abandoned_out_of_turn(exam: Exam) -> None:
    """Abandon a board while another player is to act."""
    meanwhile = Trouble(
        lambda game, turn: game.abandon(turn.player),
        lambda game, turn: not game.is_of_bot(turn) and len(game.answers) >= 2,
    )
    await exam.play(exam.declaring(), meanwhile)


async def _abandon(game: Game, turn: YourTurn) -> None:
    """End the board before the bot has answered; it may still answer or not."""
    game.place.excuse(turn)
    await game.abandon(HOME.partner)
