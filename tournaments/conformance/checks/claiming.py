"""The bot at a table that takes claims. It sits South."""

from __future__ import annotations

from bridge.seats import Seat
from protocol.decision import Thinker
from server.claims import Claims
from tournaments.conformance.deals import LAY_DOWN
from tournaments.conformance.exam import Exam
from tournaments.conformance.game import Game, Judged, Setup
from tournaments.conformance.others import Claimer, Doubter
from tournaments.conformance.script import calls


async def declarer(exam: Exam) -> str:
    """It may claim: what it claims is possible, whether it is accepted or not."""
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
    """Declarer claims: in the first trick the bot's partner does not accept, later it does."""
    answers: list[str] = []
    for dealer in (Seat.EAST, Seat.WEST):
        game = await _claimed(exam, dealer)
        answers += [answer for answer in game.answers if answer.startswith("AnswerClaim")]
    accepted = sum(answer == "AnswerClaim: accepted" for answer in answers)
    return f"it accepted {accepted} of {len(answers)}"


async def dummy(exam: Exam) -> str:
    """Partner claims, and the bot is not asked."""
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
