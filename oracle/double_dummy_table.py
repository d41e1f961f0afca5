"""The double-dummy table of a deal: tricks for every declarer and denomination."""

from __future__ import annotations

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
        """Return declarer's double-dummy tricks, 0 to 13.

        Args:
            denomination: The denomination of the contract.
            declarer: Declarer's seat.

        Returns:
            The number of tricks.
        """
        return self.results[4 * denomination + declarer]
