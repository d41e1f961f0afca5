"""Calls, denominations and contracts.

A call is an int from 0 to 37: Pass, X, XX, then the 35 bids in rising order, so that a higher bid
is a greater int.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from bridge_arena.bridge.cards import SUITS, Suit
from bridge_arena.bridge.errors import NotationError
from bridge_arena.bridge.seats import SEATS, Seat


class Denomination(IntEnum):
    """The denomination of a bid: a suit or notrump, in rising order."""

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

    Args:
        text: `Pass`, `X`, `XX` or a bid from `1C` to `7NT`, in any case.

    Raises:
        NotationError: The text is not a call.
    """

    __slots__ = ()

    def __new__(cls, text: str) -> Call:
        """Return the call that a text names."""
        call = _CALL_OF.get(text) or _CALL_OF.get(text.upper())
        if call is None:
            raise NotationError(f"{text!r} is not a call (Pass, X, XX or 1C to 7NT)")
        return call

    @classmethod
    def bid(cls, level: int, denomination: Denomination) -> Call:
        """Return the bid of a level, 1 to 7; raise NotationError for any other."""
        if not 1 <= level <= 7:
            raise NotationError(f"there is no bid at level {level}")
        return CALLS[FIRST_BID + 5 * (level - 1) + denomination]

    @property
    def is_bid(self) -> bool:
        """Whether the call is a bid, not Pass, Double or Redouble."""
        return self >= FIRST_BID

    @property
    def level(self) -> int:
        """The level of a bid, 1 to 7; meaningless for other calls."""
        return (self - FIRST_BID) // 5 + 1

    @property
    def denomination(self) -> Denomination:
        """The denomination of a bid; meaningless for other calls."""
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
    """The state of a contract: undoubled, doubled or redoubled."""

    UNDOUBLED = 0
    DOUBLED = 1
    REDOUBLED = 2

    def __str__(self) -> str:
        return "X" * self


RISKS: tuple[Risk, ...] = tuple(Risk)
"""The three risks, indexed by their number."""


@dataclass(frozen=True, slots=True)
class Contract:
    """A contract: level, denomination, doubles and declarer.

    `str()` gives PBN's form without declarer: `3NTX`.

    Attributes:
        level: The number of tricks over six, 1 to 7.
        denomination: The suit or notrump.
        risk: Undoubled, doubled or redoubled.
        declarer: The seat that plays the contract.
    """

    level: int
    denomination: Denomination
    risk: Risk
    declarer: Seat

    @classmethod
    def parse(cls, text: str, declarer: Seat) -> Contract:
        """Read a contract: a bid followed by nothing, `X` or `XX`.

        Args:
            text: The contract in PBN's form, in any case: `4S`, `3NTX`.
            declarer: The seat that plays it.

        Returns:
            The contract.

        Raises:
            NotationError: The text is not a contract.
        """
        bid = text.upper().rstrip("X")
        risk = len(text) - len(bid)
        call = _CALL_OF.get(bid)
        if call is None or not call.is_bid or risk > 2:
            raise NotationError(f"{text!r} is not a contract (like 4S, 3NTX or 1CXX)")
        return cls.of(call, RISKS[risk], declarer)

    @classmethod
    def of(cls, bid: Call, risk: Risk, declarer: Seat) -> Contract:
        """Return the contract that a bid becomes; equal arguments give the same object."""
        return _CONTRACTS[12 * (bid - FIRST_BID) + 4 * risk + declarer]

    @property
    def tricks_needed(self) -> int:
        """The number of tricks that make the contract, 7 to 13."""
        return self.level + 6

    def has_bid_of(self, other: Contract) -> bool:
        """Return whether another contract has the same level and denomination."""
        return (self.level, self.denomination) == (other.level, other.denomination)

    def __str__(self) -> str:
        return f"{self.level}{self.denomination}{self.risk}"


_CONTRACTS = tuple(
    Contract(bid.level, bid.denomination, risk, declarer)
    for bid in CALLS[FIRST_BID:]
    for risk in RISKS
    for declarer in SEATS
)
