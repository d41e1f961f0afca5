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
"""A bid is forcing if partner passes it with a smaller share of hands than this."""

_TO_PLAY = 0.9
"""A bid is to play if partner passes it with a larger share of hands than this."""

_NATURAL = 3
"""A suit bid is artificial if it promises fewer cards in the suit than this."""


class QTable:
    """The learned system, a `bidding_systems.System`.

    It takes no account of the vulnerability.

    Args:
        table: The table; the one that ships if None.
    """

    def __init__(self, table: BiddingTable | None = None) -> None:
        self._table = table or shipped()
        self._natural = Natural()

    def call(self, hand: Hand, auction: Auction, vulnerability: Vulnerability) -> Call:
        """Return the call of the table, or that of `natural` if the table has none."""
        call = self._from_table(hand, auction.calls)
        if call is None or not auction.is_legal(call):
            call = self._natural.call(hand, auction, vulnerability)
        return call

    def choose(self, hand: Hand, auction: Auction, vulnerability: Vulnerability) -> MadeCall:
        """Return the call of the table, or that of `natural` if the table has none."""
        call = self.call(hand, auction, vulnerability)
        after = Auction(auction.dealer, [*auction.calls, call])
        explanation = self.explain(after, vulnerability)[-1]
        return MadeCall(call, alert=explanation.artificial, explanation=explanation)

    def options(self, hand: Hand, auction: Auction, vulnerability: Vulnerability) -> list[MadeCall]:
        """Return the one call that `choose` makes; the system weighs no alternatives."""
        return [self.choose(hand, auction, vulnerability)]

    def explain(self, auction: Auction, vulnerability: Vulnerability) -> list[Explanation]:
        """Return what each call told, by the table and by what the calls of `natural` add to it."""
        learned = [self._learned(auction.calls[: place + 1]) for place in range(len(auction.calls))]
        return continued(auction, vulnerability, learned)

    def _learned(self, calls: Sequence[Call]) -> Explanation | None:
        """Return what the last of the calls means by the table, or None if it does not know."""
        first = (len(calls) - 1) % 2
        before = _steps(calls[:-1], first)
        if before is not None and _is_done(before):
            return Explanation("the auction is over")
        steps = _steps(calls, first)
        meaning = None if steps is None else self._table.meaning(steps)
        return None if meaning is None else _explanation(calls[-1], meaning)

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
