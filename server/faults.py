"""What happens after a fault; the driver and the table act on it.

    fault        remedy
    illegal      told why and asked again; after `RETRIES` a substitute
    malformed    the same
    timeout      a substitute
    stall        forfeit
    disconnect   forfeit
    crash        forfeit
    refused      forfeit

The substitute is Pass in the auction; in the play it is the lowest legal card, by
rank, then clubs, diamonds, hearts, spades.
"""

from __future__ import annotations

from bridge.cards import Card, Hand
from bridge.record import FaultKind

MOST_STALE = 8
"""How many answers to no open turn a seat may give at one turn; more are malformed."""

RETRIES = 1
"""How often a seat is asked again for the same action after an illegal one."""


class SeatFault(Exception):  # noqa: N818 (the field's word: a fault)
    """A seat failed to act: what it did wrong, and in words why."""

    def __init__(self, kind: FaultKind, detail: str) -> None:
        super().__init__(f"{kind}: {detail}")
        self.kind = kind
        self.detail = detail


def substitute_card(legal: Hand) -> Card:
    """The lowest of the legal cards."""
    return min(legal, key=lambda card: (card.rank, card.suit))
