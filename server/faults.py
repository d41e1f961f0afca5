"""What happens after a fault; the driver and the table act on it.

    fault        remedy
    illegal      told why and asked again, `retries` times a turn; then a substitute
    malformed    the same
    timeout      a substitute; `at_zero`, where the board's or the match's time is used up;
                 after so many `timeouts` on a board the player is lost
    stall        forfeit
    disconnect   forfeit
    crash        forfeit
    refused      forfeit

The substitute is Pass in the auction; in the play it is the lowest legal card, by
rank, then clubs, diamonds, hearts, spades; a claim is refused. A player who is lost by
a policy has the fault `refused`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from bridge_arena.bridge.cards import Card, Hand
from bridge_arena.bridge.errors import BridgeError
from bridge_arena.bridge.record import FaultKind

MOST_STALE = 8
"""How many answers to no open turn a seat may give at one turn; more are malformed."""

MOST_ASKED = 4
"""How many explanations a seat may ask for at one turn; asking for more is illegal."""


class Remedy(StrEnum):
    """What becomes of a player whose time for the board or the match is used up."""

    SUBSTITUTE = "substitute"  # whatever it is asked is answered for it
    FORFEIT = "forfeit"  # it is lost: the board is given up


@dataclass(frozen=True, slots=True)
class Policies:
    """What the faults of players come to.

    `retries`: how often a seat is asked again at one turn after an illegal or malformed
    answer, before a substitute. `at_zero`: where the time of the board or the match is used
    up. `timeouts`: at which time-out on one board the player is lost; None: at none.
    """

    retries: int = 1
    at_zero: Remedy = Remedy.SUBSTITUTE
    timeouts: int | None = None

    def __post_init__(self) -> None:
        """Raises ValueError."""
        if self.retries < 0:
            raise ValueError(f"retries is {self.retries}, expected 0 or more")
        if self.timeouts is not None and self.timeouts < 1:
            raise ValueError(f"timeouts is {self.timeouts}, expected 1 or more")


LENIENT = Policies()
"""The policies of a table that is told none."""


class IllegalAnswerError(BridgeError):
    """An answer of a kind, or about something, that the turn does not allow."""


class SeatFault(Exception):  # noqa: N818 (the field's word: a fault)
    """A seat failed to act: what it did wrong, and in words why."""

    def __init__(self, kind: FaultKind, detail: str) -> None:
        super().__init__(f"{kind}: {detail}")
        self.kind = kind
        self.detail = detail


def substitute_card(legal: Hand) -> Card:
    """The lowest of the legal cards."""
    return min(legal, key=lambda card: (card.rank, card.suit))
