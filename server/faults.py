"""What happens after a fault; the driver and the table act on it.

    fault        remedy
    illegal      told why and asked again, `retries` times a turn; then a substitute;
                 after so many `illegal` ones in a match the player is lost
    malformed    the same, counted together
    timeout      a substitute; `at_zero`, where the board's or the match's time is used up;
                 after so many `timeouts` in a match the player is lost
    stall        forfeit
    disconnect   forfeit
    crash        forfeit
    refused      forfeit
    undo         none: only a person who plays with undo can take anything back

The substitute is Pass in the auction; in the play it is the lowest legal card, by
rank, then clubs, diamonds, hearts, spades; a claim is refused. A player who is lost by
a policy has the fault `refused`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from bridge_arena.bridge.cards import Card, Hand
from bridge_arena.bridge.errors import BridgeError
from bridge_arena.bridge.record import Fault, FaultKind

MOST_STALE = 8
"""How many answers to no open turn a seat may give at one turn; more are malformed."""

MOST_ASKED = 4
"""How many explanations a seat may ask for at one turn; asking for more is illegal."""


MOST_LATE = 32
"""How many thoughts about no open turn a seat may send at one turn; more are malformed."""


class Remedy(StrEnum):
    """What becomes of a player whose time for the board or the match is used up."""

    SUBSTITUTE = "substitute"  # whatever it is asked is answered for it
    FORFEIT = "forfeit"  # it is lost: the board is given up


@dataclass(frozen=True, slots=True)
class Policies:
    """What the faults of players come to.

    `retries`: how often a seat is asked again at one turn after an illegal or malformed
    answer, before a substitute. `at_zero`: where the time of the board or the match is used
    up. `illegal`, `timeouts`: after how many illegal or malformed answers, or time-outs, in a
    match the player is lost, and whoever comes in its place after as many more; None: never.
    """

    retries: int = 1
    at_zero: Remedy = Remedy.SUBSTITUTE
    illegal: int | None = None
    timeouts: int | None = None

    def __post_init__(self) -> None:
        """Raises ValueError."""
        if self.retries < 0:
            raise ValueError(f"retries is {self.retries}, expected 0 or more")
        for name, limit in (("illegal", self.illegal), ("timeouts", self.timeouts)):
            if limit is not None and limit < 1:
                raise ValueError(f"{name} is {limit}, expected 1 or more")

    @property
    def counts_over_match(self) -> bool:
        """Whether what a player may still do depends on its other boards."""
        return self.illegal is not None or self.timeouts is not None


LENIENT = Policies()
"""The policies of a table that is told none."""


class MatchFaults:
    """What a player has done wrong in a match, on all its boards."""

    def __init__(self, faults: Iterable[Fault] = ()) -> None:
        self._kinds = Counter(fault.kind for fault in faults)

    def add(self, kind: FaultKind) -> None:
        self._kinds[kind] += 1

    def over_limit(self, kind: FaultKind, policies: Policies) -> str | None:
        """Why a player is lost after a fault of this kind, which was added; None where it may
        play on."""
        if kind is FaultKind.TIMEOUT:
            limit, count, what = policies.timeouts, self._kinds[kind], "time-outs"
        else:
            count = self._kinds[FaultKind.ILLEGAL] + self._kinds[FaultKind.MALFORMED]
            limit, what = policies.illegal, "illegal answers"
        # At each multiple: who comes in the place of a player that was lost may have as many.
        if limit is None or count % limit:
            return None
        return f"{count} {what} in one match"


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
