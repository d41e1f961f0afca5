"""Calls, denominations and contracts.

A call is an int 0..37: Pass, X, XX, then the 35 bids in rising order, so that
bids compare as they outrank each other.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from bridge_arena.bridge.cards import SUITS, Suit
from bridge_arena.bridge.errors import NotationError
from bridge_arena.bridge.seats import SEATS, Seat


class Denomination(IntEnum):
    """What a bid names: a suit or notrump, in rising order."""

    CLUBS = 0
    DIAMONDS = 1
    HEARTS = 2
    SPADES = 3
    NOTRUMP = 4

    @property
    def trump(self) -> Suit | None:
        """The trump suit; None at notrump."""
        return None if self == Denomination.NOTRUMP else SUITS[self]

    def __str__(self) -> str:
        return ("C", "D", "H", "S", "NT")[self]


DENOMINATIONS: tuple[Denomination, ...] = tuple(Denomination)
"""The five denominations, indexed by their number."""


class Call(int):
    """Any action of the auction: `Call("Pass")`, `Call("X")`, `Call("3NT")`.

    Raises NotationError for text that is not a call.
    """

    __slots__ = ()

    def __new__(cls, text: str) -> Call:
        call = _CALL_OF.get(text) or _CALL_OF.get(text.upper())
        if call is None:
            raise NotationError(f"{text!r} is not a call (Pass, X, XX or 1C to 7NT)")
        return call

    @classmethod
    def bid(cls, level: int, denomination: Denomination) -> Call:
        """The bid of `level` tricks over six. Raises NotationError unless 1..7."""
        if not 1 <= level <= 7:
            raise NotationError(f"there is no bid at level {level}")
        return CALLS[FIRST_BID + 5 * (level - 1) + denomination]

    @property
    def is_bid(self) -> bool:
        return self >= FIRST_BID

    @property
    def level(self) -> int:
        """1..7; meaningful for bids only."""
        return (self - FIRST_BID) // 5 + 1

    @property
    def denomination(self) -> Denomination:
        """Meaningful for bids only."""
        return DENOMINATIONS[(self - FIRST_BID) % 5]

    def __str__(self) -> str:
        return CALL_TEXTS[self]

    def __format__(self, spec: str) -> str:
        return format(CALL_TEXTS[self], spec)

    def __repr__(self) -> str:
        return f"Call('{self}')"

    def __bool__(self) -> bool:
        return True  # Pass is a call, though its int is 0

    def __getnewargs__(self) -> tuple[str]:  # type: ignore[override]
        return (str(self),)


FIRST_BID = 3
"""The int of 1C, the lowest bid."""

CALL_TEXTS = (
    "Pass",
    "X",
    "XX",
    *(f"{level}{denomination}" for level in range(1, 8) for denomination in Denomination),
)
"""The text of each call, indexed by its int."""

CALLS: tuple[Call, ...] = tuple(int.__new__(Call, number) for number in range(38))
"""The 38 calls, indexed by their int."""

_CALL_OF = dict(zip(CALL_TEXTS, CALLS, strict=True)) | {"PASS": CALLS[0]}

PASS, DOUBLE, REDOUBLE = CALLS[:FIRST_BID]


class Risk(IntEnum):
    """Whether a contract is doubled or redoubled."""

    UNDOUBLED = 0
    DOUBLED = 1
    REDOUBLED = 2

    def __str__(self) -> str:
        return "X" * self


RISKS: tuple[Risk, ...] = tuple(Risk)
"""The three risks, indexed by their number."""


@dataclass(frozen=True, slots=True)
class Contract:
    """What declarer undertook: `str()` gives PBN's form, `3NTX`, without declarer."""

    level: int
    denomination: Denomination
    risk: Risk
    declarer: Seat

    @classmethod
    def parse(cls, text: str, declarer: Seat) -> Contract:
        """A bid followed by nothing, X or XX. Raises NotationError."""
        bid = text.upper().rstrip("X")
        risk = len(text) - len(bid)
        call = _CALL_OF.get(bid)
        if call is None or not call.is_bid or risk > 2:
            raise NotationError(f"{text!r} is not a contract (like 4S, 3NTX or 1CXX)")
        return cls.of(call, RISKS[risk], declarer)

    @classmethod
    def of(cls, bid: Call, risk: Risk, declarer: Seat) -> Contract:
        """The contract that a bid becomes: the same object each time."""
        return _CONTRACTS[12 * (bid - FIRST_BID) + 4 * risk + declarer]

    @property
    def tricks_needed(self) -> int:
        return self.level + 6

    def __str__(self) -> str:
        return f"{self.level}{self.denomination}{self.risk}"


_CONTRACTS = tuple(
    Contract(bid.level, bid.denomination, risk, declarer)
    for bid in CALLS[FIRST_BID:]
    for risk in RISKS
    for declarer in SEATS
)
