"""`natural` with one rule changed: it opens 1NT with 14 points too."""

from __future__ import annotations

from bridge_arena import PASS, Call, Hand, MadeCall, View, hcp
from bridge_arena.bots.library.many_auctions.auctions import Calls, Turns
from bridge_arena.bots.natural.bot import NaturalBot
from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.evaluation import is_balanced
from bridge_arena.bridge.explanation import Explanation
from bridge_arena.bridge.seats import Vulnerability

ONE_NOTRUMP = MadeCall(Call("1NT"), explanation=Explanation("14 to 17, balanced", hcp=(14, 17)))


class LightNotrump(NaturalBot):
    """natural, with a lighter notrump."""

    def call(self, view: View) -> MadeCall:
        """Return the call at a table."""
        return ONE_NOTRUMP if opens_light(view.hand, view.auction) else super().call(view)

    def call_many(self, turns: Turns) -> Calls:
        """Return the calls at many tables of the laboratory."""

        def choose(hand: Hand, auction: Auction, vulnerability: Vulnerability) -> Call:
            if opens_light(hand, auction):
                return ONE_NOTRUMP.call
            return self.system.call(hand, auction, vulnerability)

        return turns.one_by_one(choose)


def opens_light(hand: Hand, auction: Auction) -> bool:
    """Return whether the rule that was changed applies."""
    return all(call == PASS for call in auction.calls) and hcp(hand) == 14 and is_balanced(hand)
