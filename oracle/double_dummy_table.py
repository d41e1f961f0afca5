"""The double-dummy table of a deal: tricks for every declarer and denomination, or for some."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from bridge_arena.bridge.calls import Denomination
from bridge_arena.bridge.seats import Seat
from bridge_arena.oracle.errors import ImpossibleError


@dataclass(frozen=True, slots=True)
class DoubleDummyTable:
    """The double-dummy table of a deal: the tricks of each declarer in each denomination.

    Attributes:
        results: 20 numbers of tricks, 0 to 13: for N, E, S, W in clubs, then in diamonds, hearts,
            spades and notrump.

    Raises:
        ImpossibleError: There are not 20 results, or one is out of range.
    """

    results: tuple[int, ...]

    def __post_init__(self) -> None:
        if len(self.results) != 20:
            raise ImpossibleError(f"a table has 20 results, not {len(self.results)}")
        for tricks in self.results:
            if not 0 <= tricks <= 13:
                raise ImpossibleError(f"a table cannot hold {tricks} tricks")

    def tricks(self, denomination: Denomination, declarer: Seat) -> int:
        """Return declarer's double-dummy tricks, 0 to 13."""
        return self.results[4 * denomination + declarer]


Cell = tuple[Denomination, Seat]
"""A place in a table: a denomination and a declarer."""

_UNKNOWN = "f"
_NOTHING = 20 * _UNKNOWN
_DIGITS = "0123456789abcd" + _UNKNOWN


@dataclass(frozen=True, slots=True)
class PartialTable:
    """What is known of the double-dummy table of a deal; ImpossibleError for wrong digits."""

    # The 20 results in the order of `DoubleDummyTable`, as hexadecimal digits; f for one that is
    # not known.
    digits: str = _NOTHING

    def __post_init__(self) -> None:
        if len(self.digits) != 20 or self.digits.strip(_DIGITS):
            raise ImpossibleError(f"{self.digits!r} is not 20 numbers of tricks")

    @classmethod
    def of(cls, results: Iterable[int | None]) -> PartialTable:
        """Return a table with 20 results, None for those that are not known."""
        return cls("".join(_UNKNOWN if tricks is None else f"{tricks:x}" for tricks in results))

    def tricks(self, denomination: Denomination, declarer: Seat) -> int | None:
        """Return declarer's double-dummy tricks, 0 to 13; None if they are not known."""
        digit = self.digits[4 * denomination + declarer]
        return None if digit == _UNKNOWN else int(digit, 16)

    def knows(self, cells: Iterable[Cell]) -> bool:
        """Return whether the results of all these cells are known."""
        return all(
            self.digits[4 * denomination + declarer] != _UNKNOWN for denomination, declarer in cells
        )

    def whole(self) -> DoubleDummyTable | None:
        """Return the table if all of it is known."""
        if _UNKNOWN in self.digits:
            return None
        return DoubleDummyTable(tuple(int(digit, 16) for digit in self.digits))

    def joined(self, other: PartialTable) -> PartialTable:
        """Return what is known by either table of the same deal."""
        if other.digits in (_NOTHING, self.digits):
            return self
        if self.digits == _NOTHING:
            return other
        return PartialTable(
            "".join(
                theirs if mine == _UNKNOWN else mine
                for mine, theirs in zip(self.digits, other.digits, strict=True)
            )
        )
