"""Checks that the bot's cards are legal in any part of the play; it sits South."""

from __future__ import annotations

from bridge_arena.bridge.cards import Deal
from bridge_arena.bridge.seats import Seat
from bridge_arena.conformance.deals import CROSS_RUFF, TWO_VOIDS
from bridge_arena.conformance.exam import Exam
from bridge_arena.conformance.game import Judged, Setup
from bridge_arena.conformance.point_errors import NotHeldError
from bridge_arena.conformance.written_auctions import calls


async def declarer(exam: Exam) -> str:
    """Have the bot play its own cards and dummy's, at notrump and with trumps."""
    await _play(exam, Seat.SOUTH, "3NT P P P")
    await _play(exam, Seat.NORTH, "P P 4S P P P")
    return ""


async def dummy(exam: Exam) -> str:
    """Check that the bot sends nothing as dummy, as it is not asked."""
    unasked, place = exam.conduct.unasked, exam.place
    # The answer to a ping comes after everything sent before it.
    await place.ping()
    await place.sweep()
    before = unasked.count
    await _play(exam, Seat.NORTH, "2NT P P P")
    await place.ping()
    await place.sweep()
    if unasked.last is not None and unasked.count > before:
        raise NotHeldError("no message", unasked.last.text, frame=unasked.last.frame)
    return ""


async def defender(exam: Exam) -> str:
    """Have the bot make the opening lead, and defend as the leader's partner."""
    await _play(exam, Seat.EAST, "1NT P P P")
    await _play(exam, Seat.WEST, "4H P P P")
    return ""


async def voids(exam: Exam) -> str:
    """Have the bot follow suit while it can, then ruff and discard."""
    await _play(exam, Seat.SOUTH, "6S P P P", CROSS_RUFF)
    await _play(exam, Seat.WEST, "5D P P P", TWO_VOIDS)
    await _play(exam, Seat.EAST, "4H P P P", TWO_VOIDS)
    await _play(exam, Seat.EAST, "3NT P P P", TWO_VOIDS)
    return ""


async def _play(exam: Exam, dealer: Seat, auction: str, deal: Deal | None = None) -> None:
    await exam.play(
        Setup(board=exam.board(dealer, deal), given=calls(auction), judged=Judged.CARDS)
    )
