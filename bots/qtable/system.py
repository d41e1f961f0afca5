"""The learned system at work: the table while the opponents pass, `natural` for the rest."""

from __future__ import annotations

from collections.abc import Sequence

from bridge_arena.bots.library.learning.hands import hands_array
from bridge_arena.bots.library.learning.learned_system import LearnedSystem
from bridge_arena.bots.qtable.bidding_table import BiddingTable, Meaning, shipped
from bridge_arena.bots.qtable.calls import TOP, TURNS, call_of, contract_after, is_over, steps_to
from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.calls import PASS, Call
from bridge_arena.bridge.cards import SUITS, Hand
from bridge_arena.bridge.explanation import Explanation
from bridge_arena.bridge.seats import Vulnerability

_FORCING = 0.01
"""A bid is forcing if partner passes it with a smaller share of hands than this."""

_TO_PLAY = 0.9
"""A bid is to play if partner passes it with a larger share of hands than this."""

_NATURAL = 3
"""A suit bid is artificial if it promises fewer cards in the suit than this."""


class QTable(LearnedSystem):
    """The learned system, which takes no account of the vulnerability."""

    def __init__(self, table: BiddingTable | None = None) -> None:
        super().__init__()
        self._table = table or shipped()

    def call(self, hand: Hand, auction: Auction, vulnerability: Vulnerability) -> Call:
        """Return the call of the table, or that of `natural` if the table has none."""
        call = self._from_table(hand, auction.calls)
        if call is None or not auction.is_legal(call):
            call = self._natural.call(hand, auction, vulnerability)
        return call

    def meaning(self, before: Auction, call: Call) -> Explanation | None:
        """Return what a call means by the table, or None if it does not know."""
        first = len(before.calls) % 2
        made = _steps(before.calls, first)
        if made is not None and _is_done(made):
            return Explanation("the auction is over")
        steps = _steps([*before.calls, call], first)
        meaning = None if steps is None else self._table.meaning(steps)
        return None if meaning is None else _explanation(call, meaning)

    def _from_table(self, hand: Hand, calls: Sequence[Call]) -> Call | None:
        """Return the call of the table, or None if it has none."""
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
    """Return the steps of one side, or None if the table does not cover the auction."""
    # The side's calls are every other one from `first` on. The other side must only pass.
    own, others = calls[first::2], calls[1 - first :: 2]
    if len(own) > TURNS or any(call != PASS for call in others):
        return None
    return steps_to(own)


def _is_done(steps: tuple[int, ...]) -> bool:
    """Return whether the table passes with any hand."""
    return is_over(steps) or contract_after(steps) == TOP


def _explanation(call: Call, meaning: Meaning) -> Explanation:
    lengths = {
        suit: promised
        for suit, promised in zip(SUITS, meaning.lengths, strict=True)
        if promised[0] > 0 or promised[1] < 13
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
