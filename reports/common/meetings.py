"""What two entries made of the boards that they played against each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

from bridge_arena.bridge.cards import Deal
from bridge_arena.tournaments.statistics.clustered import clustered_mean
from bridge_arena.tournaments.statistics.means import Mean
from bridge_arena.tournaments.statistics.ratings import FEWEST_DEALS
from bridge_arena.tournaments.statistics.sign_flip import sign_flip_p_value


@dataclass(frozen=True, slots=True)
class Meeting:
    """The boards of two rooms that two entries played against each other, seen from the first.
    `imps`: net. `p_value`: of the sign-flip test, the swings of one deal flipped together; None
    without a board. `deals_with_swing`: with another than 0. `too_few_deals`: whether no result
    of so few could tell the two apart."""

    first: str
    second: str
    imps: int
    imps_per_board: Mean
    p_value: float | None
    deals_with_swing: int
    too_few_deals: bool

    @classmethod
    def of(cls, first: str, second: str, swings: Iterable[tuple[Deal, int]]) -> Meeting:
        """Return the meeting of two entries by the first one's swing on each board."""
        boards = list(swings)
        by_deal: Counter[Deal] = Counter()
        for deal, imps in boards:
            by_deal[deal] += imps
        with_swing = sum(imps != 0 for imps in by_deal.values())
        return cls(
            first,
            second,
            sum(by_deal.values()),
            clustered_mean(boards),
            sign_flip_p_value(list(by_deal.values())),
            with_swing,
            with_swing < FEWEST_DEALS,
        )

    def reversed(self) -> Meeting:
        """Return the same, seen from the second."""
        mean = self.imps_per_board
        seen = Mean(mean.n, None if mean.mean is None else -mean.mean, mean.standard_error)
        return replace(
            self, first=self.second, second=self.first, imps=-self.imps, imps_per_board=seen
        )
