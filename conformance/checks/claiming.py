"""Checks of the bot at a table that allows claims; it sits South."""

from __future__ import annotations

from bridge_arena.bridge.cards import Deal
from bridge_arena.bridge.seats import Seat
from bridge_arena.conformance.exam import Exam
from bridge_arena.conformance.game import LAY_DOWN, Claimer, Doubter, Game, Judged
from bridge_arena.server.claims import Claims


async def declarer(exam: Exam) -> str:
    """Check that the bot's claims as declarer are possible, whether they are accepted or not."""
    claimed = False
    for kind in (Claimer, Doubter):
        game = await _claimed(exam, Seat.SOUTH, kind, "7NT P P P", LAY_DOWN)
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


async def dummy(exam: Exam) -> None:
    """Have the bot's partner claim, about which the bot is not asked."""
    await _claimed(exam, Seat.NORTH)


async def _claimed(
    exam: Exam,
    declarer: Seat,
    others: type[Claimer] = Doubter,
    auction: str = "3NT P P P",
    deal: Deal | None = None,
) -> Game:
    how = {"judged": Judged.ALL, "thinker": lambda _: others(), "claims": Claims.PLAYERS}
    return await exam.play(exam.setup(declarer, auction, deal, **how))
