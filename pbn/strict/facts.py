"""What the strict checks share: faults, and the facts of the tags read so far."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum, IntEnum
from typing import NamedTuple

from bridge_arena.bridge.calls import Contract, Denomination, Risk
from bridge_arena.bridge.cards import PACK
from bridge_arena.bridge.seats import Seat, Vulnerability


class Severity(IntEnum):
    """The severity of a finding; a game is playable up to ERROR, not if SEVERE."""

    CLEAN = 0
    WARNING = 1
    ERROR = 2
    SEVERE = 3

    @property
    def title(self) -> str:
        """The verifier's words for it."""
        return ("OK", "PBN warning", "PBN error", "severe PBN error")[self]

    def __str__(self) -> str:
        return self.name.lower()


class Fault(NamedTuple):
    """A fault whose line is not known yet."""

    severity: Severity  # how bad it is
    reason: str  # what is wrong


@dataclass(frozen=True, slots=True)
class Finding:
    """A fault at a line of the file, counted from 1."""

    severity: Severity  # how bad it is
    line: int  # the line, from 1
    reason: str  # what is wrong


def warning(reason: str) -> Fault:
    return Fault(Severity.WARNING, reason)


def error(reason: str) -> Fault:
    return Fault(Severity.ERROR, reason)


def severe(reason: str) -> Fault:
    return Fault(Severity.SEVERE, reason)


class Blank(Enum):
    """The signs in place of a value: no tag, the value `?`, or an empty value."""

    ABSENT = 0
    UNKNOWN = "?"
    EMPTY = ""


SeatOrBlank = Seat | Blank


@dataclass(slots=True)
class Facts:
    """The facts of one game, filled by `pbn.strict.tags` and read by the other checks."""

    dealer: SeatOrBlank = Blank.ABSENT
    vulnerability: Vulnerability | None = None
    declarer: SeatOrBlank = Blank.ABSENT
    # Whether declarer and dummy were swapped at the table (`^`).
    swapped: bool = False
    # The contract's parts; `passed_out` if the tag says Pass.
    level: int = 0
    denomination: Denomination | None = None
    risk: Risk | None = None
    passed_out: bool = False
    # Cards of each seat as masks, and the seats whose hand is `-`.
    hands: list[int] = field(default_factory=lambda: [0] * 4)
    hidden: set[Seat] = field(default_factory=set)
    # The cards that are in none of the given hands.
    rest: int = PACK.mask
    # Whether the hands of the deal have fewer than 13 cards.
    is_end_position: bool = False
    tricks: int | None = None
    # Whether the players agreed on a wrong result (`^`).
    wrong_result: bool = False
    # The score: declarer's, or North-South's and East-West's.
    own_score: int | None = None
    scores: tuple[int, int] | None = None
    # The vulnerability that follows from ScoreRubberHistory.
    rubber: Vulnerability | None = None
    # Names of the tags in force in this game.
    tags: set[str] = field(default_factory=set)

    @property
    def contract(self) -> Contract | None:
        """The contract; None if a part of it is not known, as in an end position."""
        if not self.level or self.denomination is None or self.risk is None:
            return None
        if not isinstance(self.declarer, Seat):
            return None
        return Contract(self.level, self.denomination, self.risk, self.declarer)
