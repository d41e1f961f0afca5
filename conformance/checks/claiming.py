"""Checks of the bot at a table that allows claims; it sits South."""

from __future__ import annotations

from bridge_arena.bridge.seats import Seat
from bridge_arena.conformance.boards import LAY_DOWN, Claimer, Doubter, calls
from bridge_arena.conformance.exam import Exam
from bridge_arena.conformance.game import Game, Judged, Setup
from bridge_arena.protocol.decision import Thinker
from bridge_arena.server.claims import Claims


async def declarer(exam: Exam) -> str:
    """Check that the bot's claims as declarer are possible, whether they are accepted or not."""
    claimed = False

    def accepts(_: Seat) -> Thinker:
        return Claimer()

    def doubts(_: Seat) -> Thinker:
        return Doubter()

    for thinker in (accepts, doubts):
        setup = Setup(
            board=exam.board(Seat.SOUTH, LAY_DOWN),
            given=calls("7NT P P P"),
            judged=Judged.ALL,
            thinker=thinker,
            claims=Claims.PLAYERS,
        )
        game = await exam.play(setup)
        claimed = claimed or bool(game.table.settled_claims)
    return "it claims" if claimed else "it does not claim"


async def defender(exam: Exam) -> str:
    """Have declarer claim twice; the bot's partner accepts only the later claim."""
    answers: list[str] = []
    for dealer in (Seat.EAST, Seat.WEST):
        game = await _claimed(exam, dealer)
        answers += [answer for answer in game.answers if answer.startswith("AnswerClaim")]
    accepted = sum(answer == "AnswerClaim: accepted" for answer in answers)
    return f"it accepted {accepted} of {len(answers)}"


async def dummy(exam: Exam) -> str:
    """Have the bot's partner claim, about which the bot is not asked."""
    await _claimed(exam, Seat.NORTH)
    return ""


async def _claimed(exam: Exam, declarer: Seat) -> Game:
    return await exam.play(
        Setup(
            board=exam.board(declarer),
            given=calls("3NT P P P"),
            judged=Judged.ALL,
            thinker=lambda _: Doubter(),
            claims=Claims.PLAYERS,
        )
    )
