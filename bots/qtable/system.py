"""The learned system at work: the table while the opponents pass, `natural` for the rest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bots.box import ANY, Box
from bots.learning.hands import hands_array
from bots.natural.system import Natural
from bots.qtable.calls import TOP, TURNS, call_of, contract_after, is_over, steps_to
from bots.qtable.table import Meaning, Table, shipped
from bridge.auction import Auction
from bridge.calls import PASS, Call
from bridge.cards import SUITS, Hand
from bridge.explanation import Explanation
from bridge.record import MadeCall
from bridge.seats import Vulnerability

_FORCING = 0.01
"""A bid that partner passes with fewer of the hands forces."""

_TO_PLAY = 0.9
"""A bid that partner passes with more of the hands is to play."""

_NATURAL = 3
"""A suit bid that promises fewer cards in the suit is artificial."""


class QTable:
    """The system: see bots.bidding.System. It takes no account of the vulnerability."""

    def __init__(self, table: Table | None = None) -> None:
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
        """By the table as far as it goes. After that `natural` reads on as if it had made the
        calls before, so a player who has called by the table promises no more than either."""
        told = self._natural.explain(auction, vulnerability)
        by_table: dict[int, Explanation] = {}
        for place, call in enumerate(auction.calls):
            steps = _steps(auction.calls[: place + 1], place % 2)
            meaning = None if steps is None else self._table.meaning(steps)
            player = place % 4
            if meaning is not None:
                told[place] = by_table[player] = _explanation(call, meaning)
            elif player in by_table:
                told[place] = _either(told[place], by_table[player])
        return told

    def _call(self, hand: Hand, calls: Sequence[Call]) -> Call | None:
        """What the table bids; None where it knows nothing."""
        steps = _steps(calls, len(calls) % 2)
        if steps is None:
            return None
        if is_over(steps) or contract_after(steps) == TOP:
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


def _either(natural: Explanation, learned: Explanation) -> Explanation:
    """What is promised where one of two explanations holds."""
    box = Box.of(natural).hull(Box.of(learned))
    lengths = {suit: told for suit, told in zip(SUITS, box.lengths, strict=True) if told != (0, 13)}
    return replace(natural, hcp=None if box.hcp == ANY.hcp else box.hcp, lengths=lengths)


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
