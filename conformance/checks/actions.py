"""Checks that the bot's calls and cards are legal in any auction and play; it sits South."""

from __future__ import annotations

from bridge_arena.bridge.calls import Call
from bridge_arena.bridge.cards import Deal, Suit
from bridge_arena.bridge.explanation import Explanation
from bridge_arena.bridge.record import MadeCall
from bridge_arena.bridge.seats import Seat, Side
from bridge_arena.conformance.exam import Exam
from bridge_arena.conformance.game import (
    CROSS_RUFF,
    NOTHING,
    TWO_VOIDS,
    Doubler,
    Judged,
    Overbidder,
    Quiet,
    Setup,
)
from bridge_arena.conformance.point import Check, NotHeldError
from bridge_arena.protocol.decision import Thinker


async def competitive(exam: Exam) -> None:
    """Play boards on which both opponents bid on, up to seven notrump."""

    def opponents_bid(seat: Seat) -> Thinker:
        return Overbidder() if seat.side is Side.EW else Quiet()

    for dealer in (Seat.NORTH, Seat.SOUTH):
        await exam.play(exam.setup(dealer, judged=Judged.CALLS, thinker=opponents_bid))


async def doubled(exam: Exam) -> None:
    """Double and redouble every bid, before the bot's turn and after it."""
    auctions = (
        (Seat.NORTH, "1H X"),  # it may redouble
        (Seat.SOUTH, "1H X XX P"),  # its own bid was redoubled
        (Seat.WEST, "1S X XX"),  # partner's double was redoubled
        (Seat.EAST, "1D X XX P P"),  # one more pass ends the auction
        (Seat.SOUTH, ""),
    )
    for dealer, given in auctions:
        await exam.play(exam.setup(dealer, given, judged=Judged.CALLS, thinker=lambda _: Doubler()))


def _legal(judged: Judged, *boards: tuple[Seat, str] | tuple[Seat, str, Deal]) -> Check:
    """Return the check that the bot acts legally on boards, by dealer, first calls and deal."""

    async def legal(exam: Exam) -> None:
        for dealer, given, *deal in boards:
            await exam.play(exam.setup(dealer, given, *deal, judged=judged))

    return legal


# Few calls are left.
seven = _legal(
    Judged.CALLS,
    (Seat.NORTH, "P 7S"),  # Pass, X, 7NT
    (Seat.WEST, "7NT P P"),  # Pass, X
    (Seat.NORTH, "7NT X"),  # Pass, XX
    (Seat.SOUTH, "7NT X XX P"),  # Pass
)

# All others pass when the bot has no values; then a board is passed out.
passed_out = _legal(Judged.CALLS, (Seat.WEST, "P P P", NOTHING), (Seat.WEST, "P P P P", NOTHING))

# The bot plays its own cards and dummy's, at notrump and with trumps.
declarer = _legal(Judged.CARDS, (Seat.SOUTH, "3NT P P P"), (Seat.NORTH, "P P 4S P P P"))

# The bot makes the opening lead, and defends as the leader's partner.
defender = _legal(Judged.CARDS, (Seat.EAST, "1NT P P P"), (Seat.WEST, "4H P P P"))

# The bot follows suit while it can, then ruffs and discards.
voids = _legal(
    Judged.CARDS,
    (Seat.SOUTH, "6S P P P", CROSS_RUFF),
    (Seat.WEST, "5D P P P", TWO_VOIDS),
    (Seat.EAST, "4H P P P", TWO_VOIDS),
    (Seat.EAST, "3NT P P P", TWO_VOIDS),
)


async def explained(exam: Exam) -> None:
    """Have the opponents alert and explain calls, with every part of an explanation."""
    strong = Explanation(
        "Großer Ohne ♠♥♦♣ " + 480 * "x", hcp=(15, 17), lengths={Suit.SPADES: (2, 5)}
    )
    asks = Explanation(artificial=True, forcing=True)
    auction = [
        MadeCall(Call("1NT"), alert=True, explanation=strong),
        MadeCall(Call("Pass"), explanation=Explanation("for the opponents only")),
        MadeCall(Call("2C"), alert=True, explanation=asks),
    ]
    empty = [
        MadeCall(Call("1C"), explanation=Explanation()),
        auction[1],
        MadeCall(Call("1D"), alert=True),
    ]
    for given in (auction, empty):
        await exam.play(Setup(board=exam.board(Seat.WEST), given=given, judged=Judged.CALLS))


async def dummy(exam: Exam) -> None:
    """Check that the bot sends nothing as dummy, as it is not asked."""
    unasked, place = exam.conduct.unasked, exam.place
    # The answer to a ping comes after everything sent before it.
    await place.ping()
    await place.sweep()
    before = unasked.count
    await exam.play(exam.setup(Seat.NORTH, "2NT P P P", judged=Judged.CARDS))
    await place.ping()
    await place.sweep()
    if unasked.last is not None and unasked.count > before:
        raise NotHeldError("no message", unasked.last.text, frame=unasked.last.frame)
