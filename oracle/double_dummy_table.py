"""The double-dummy table of a deal: tricks for every declarer and denomination."""

from __future__ import annotations

from dataclasses import dataclass

from bridge_arena.bridge.calls import Denomination
from bridge_arena.bridge.seats import Seat
from bridge_arena.oracle.errors import ImpossibleError


@dataclass(frozen=True, slots=True)
class DoubleDummyTable:
    """Tricks (0..13) of each declarer in each denomination, all cards seen by all.

    `results`: 20 of them, for N, E, S, W in clubs, then in diamonds, hearts, spades
    and notrump. Raises ImpossibleError for another number, or tricks out of range.
    """

    results: tuple[int, ...]

    def __post_init__(self) -> None:
        if len(self.results) != 20:
            raise ImpossibleError(f"a table has 20 results, not {len(self.results)}")
        for tricks in self.results:
            if not 0 <= tricks <= 13:
                raise ImpossibleError(f"a table cannot hold {tricks} tricks")

    def tricks(self, denomination: Denomination, declarer: Seat) -> int:
        """Declarer's tricks."""
        return self.results[4 * denomination + declarer]
