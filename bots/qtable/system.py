"""The learned system at work: the table while the opponents pass, `natural` for the rest."""

from __future__ import annotations

from collections.abc import Sequence

from bridge_arena.bots.library.learning.continued import continued
from bridge_arena.bots.library.learning.hands import hands_array
from bridge_arena.bots.natural.system import Natural
from bridge_arena.bots.qtable.bidding_table import BiddingTable, Meaning, shipped
from bridge_arena.bots.qtable.calls import TOP, TURNS, call_of, contract_after, is_over, steps_to
from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.calls import PASS, Call
from bridge_arena.bridge.cards import SUITS, Hand
from bridge_arena.bridge.explanation import Explanation
from bridge_arena.bridge.record import MadeCall
from bridge_arena.bridge.seats import Vulnerability

_FORCING = 0.01
"""A bid that partner passes with fewer of the hands forces."""

_TO_PLAY = 0.9
"""A bid that partner passes with more of the hands is to play."""

_NATURAL = 3
"""A suit bid that promises fewer cards in the suit is artificial."""


class QTable:
    """The system: see bidding_systems.System. It takes no account of the vulnerability."""

    def __init__(self, table: BiddingTable | None = None) -> None:
        self._table = table or shipped()
        self._natural = Natural()

    def choose(self, hand: Hand, auction: Auction, vulnerability: Vulnerability) -> MadeCall:
        call = self._call(hand, auction.calls)
        if call is None or not auction.is_legal(call):
            call = self._natural.choose(hand, auction, vulnerability).call
        after = Auction(auction.dealer, [*auction.calls, call])
        explanation = self.explain(after, vulnerability)[-1]
        return MadeCall(call, alert=explanation.artificial, explanation=explanation)

    def options(self, hand: Hand, auction: Auction, vulnerability: Vulnerability) -> list[MadeCall]:
        """It weighs no alternatives of its own."""
        return [self.choose(hand, auction, vulnerability)]

    def explain(self, auction: Auction, vulnerability: Vulnerability) -> list[Explanation]:
        """By the table as far as it goes, and what the calls of `natural` add to it."""
        learned = [self._learned(auction.calls[: place + 1]) for place in range(len(auction.calls))]
        return continued(auction, vulnerability, learned)

    def _learned(self, calls: Sequence[Call]) -> Explanation | None:
        """What the last of the calls means by the table; None where it knows nothing."""
        first = (len(calls) - 1) % 2
        before = _steps(calls[:-1], first)
        if before is not None and _is_done(before):
            return Explanation("the auction is over")
        steps = _steps(calls, first)
        meaning = None if steps is None else self._table.meaning(steps)
        return None if meaning is None else _explanation(calls[-1], meaning)

    def _call(self, hand: Hand, calls: Sequence[Call]) -> Call | None:
        """What the table bids; None where it knows nothing."""
        steps = _steps(calls, len(calls) % 2)
        if steps is None:
            return None
        if _is_done(steps):
            return PASS
        step = self._table.step(steps, hands_array([hand]))
        if step is None:
            return None
        return call_of(contract_after(steps) + step) if step else PASS


def _steps(calls: Sequence[Call], first: int) -> tuple[int, ...] | None:
    """The steps of the side that made the calls from the `first` on, every other one; None
    where the other side did more than pass, or they are out of the table's reach."""
    own, others = calls[first::2], calls[1 - first :: 2]
    if len(own) > TURNS or any(call != PASS for call in others):
        return None
    return steps_to(own)


def _is_done(steps: tuple[int, ...]) -> bool:
    """Whether the table passes whatever the hand."""
    return is_over(steps) or contract_after(steps) == TOP


def _explanation(call: Call, meaning: Meaning) -> Explanation:
    lengths = {
        suit: told
        for suit, told in zip(SUITS, meaning.lengths, strict=True)
        if told[0] > 0 or told[1] < 13
    }
    suit = call.denomination.trump if call.is_bid else None
    is_forcing = call.is_bid and meaning.passed < _FORCING
    return Explanation(
        "to play" if call.is_bid and meaning.passed > _TO_PLAY else "learned",
        meaning.hcp,
        lengths,
        forcing=is_forcing,
        artificial=suit is not None and meaning.lengths[suit][0] < _NATURAL,
    )
