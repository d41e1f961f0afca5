"""Faults and their remedies, which the driver and the table apply.

    fault        remedy
    illegal      told why and asked again, `retries` times a turn; then a substitute;
                 after `illegal` of them in a match the player is lost
    malformed    the same, counted together
    timeout      a substitute; `at_zero` if the board's or the match's time is used up;
                 after `timeouts` of them in a match the player is lost
    no action    counts as an illegal answer, or as a time-out if the player says so; a substitute
    stall        forfeit
    disconnect   forfeit
    crash        forfeit
    refused      forfeit
    undo         none: only a person who plays with undo can take anything back, if opponents agree

The substitute is Pass in the auction; in the play it is the lowest legal card, by rank, then clubs,
diamonds, hearts, spades; a claim is refused. A player who is lost by a policy has the fault
`refused`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from itertools import takewhile

from bridge_arena.bridge.cards import Card, Hand
from bridge_arena.bridge.errors import BridgeError
from bridge_arena.bridge.record import FORFEITING, Fault, FaultKind

MOST_STALE = 8
"""The number of answers to no open turn that a seat may give at one turn; more are malformed."""

MOST_LATE = 32
"""The number of thoughts about no open turn that a seat may send at one turn; more are
malformed."""


class Remedy(StrEnum):
    """The remedy for a player whose time for the board or the match is used up."""

    SUBSTITUTE = "substitute"  # its actions are substituted
    FORFEIT = "forfeit"  # the player is lost and the board given up


@dataclass(frozen=True, slots=True)
class Policies:
    """The consequences of players' faults."""

    # How often a seat is asked again at one turn after an illegal or malformed answer, before a
    # substitute.
    retries: int = 1
    # The remedy when the time of the board or the match is used up.
    at_zero: Remedy = Remedy.SUBSTITUTE
    # The number of illegal or malformed answers in a match after which the player is lost, and its
    # replacement after as many more; None for no limit.
    illegal: int | None = None
    timeouts: int | None = None  # the same for timeouts

    def __post_init__(self) -> None:
        """Check the numbers. Raises ValueError."""
        if self.retries < 0:
            raise ValueError(f"retries is {self.retries}, expected 0 or more")
        for name, limit in (("illegal", self.illegal), ("timeouts", self.timeouts)):
            if limit is not None and limit < 1:
                raise ValueError(f"{name} is {limit}, expected 1 or more")

    @property
    def counts_over_match(self) -> bool:
        """Whether a player's limits depend on its faults on other boards."""
        return self.illegal is not None or self.timeouts is not None


LENIENT = Policies()
"""The default policies of a table."""

_TIMEOUTS = frozenset({FaultKind.TIMEOUT})
_ILLEGAL = frozenset({FaultKind.ILLEGAL, FaultKind.MALFORMED})


class MatchFaults:
    """The faults of a player in a match, on all its boards.

    Once the player is lost, only the faults of its replacement count.
    """

    def __init__(self, faults: Iterable[Fault] = ()) -> None:
        # All faults, in order: if the last loss is taken back, those before it count again.
        self._faults = list(faults)

    def add(self, fault: Fault) -> None:
        """Count a fault; the loss of the player begins a new count."""
        self._faults.append(fault)

    def take_back(self, faults: Iterable[Fault]) -> None:
        """Take back the faults of a board that is to be played again."""
        # By identity, as faults on other boards may be equal.
        gone = set(map(id, faults))
        self._faults = [fault for fault in self._faults if id(fault) not in gone]

    def over_limit(self, kind: FaultKind, policies: Policies) -> str | None:
        """Return why a player is lost after a fault, which was counted; None if it may play on."""
        if kind is FaultKind.TIMEOUT:
            limit, kinds, what = policies.timeouts, _TIMEOUTS, "time-outs"
        else:
            limit, kinds, what = policies.illegal, _ILLEGAL, "illegal answers"
        if limit is None:
            return None
        since_loss = takewhile(lambda fault: fault.kind not in FORFEITING, reversed(self._faults))
        count = sum(fault.kind in kinds for fault in since_loss)
        if count < limit:
            return None
        return f"{count} {what} in one match"


class IllegalAnswerError(BridgeError):
    """The turn does not allow such an answer."""


class SeatFault(Exception):  # noqa: N818 (the field's word: a fault)
    """A seat failed to act."""

    def __init__(self, kind: FaultKind, detail: str) -> None:
        super().__init__(f"{kind}: {detail}")
        self.kind = kind
        self.detail = detail


def substitute_card(legal: Hand) -> Card:
    """Return the lowest of the legal cards."""
    return min(legal, key=lambda card: (card.rank, card.suit))
