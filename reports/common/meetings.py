"""The results of two entries on the boards that they played against each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

from bridge_arena.bridge.cards import Deal
from bridge_arena.reports.common.controlled import ControlFigures
from bridge_arena.tournaments.statistics.means import Mean, clustered_mean
from bridge_arena.tournaments.statistics.ratings import FEWEST_DEALS
from bridge_arena.tournaments.statistics.significance import sign_flip_p_value


@dataclass(frozen=True, slots=True)
class Meeting:
    """The two-room boards that two entries played against each other, seen from the first.

    Attributes:
        first: The first entry's name.
        second: The second entry's name.
        imps: The first entry's net IMPs.
        imps_per_board: Their mean.
        p_value: The p-value of the sign-flip test, in which the swings of one deal are flipped
            together; None without a board.
        deals_with_swing: The number of deals with a swing other than 0.
        too_few_deals: Whether there are too few of them for any result to tell the two apart.
        control: The controlled estimate of their mean; None if there is none.
    """

    first: str
    second: str
    imps: int
    imps_per_board: Mean
    p_value: float | None
    deals_with_swing: int
    too_few_deals: bool
    control: ControlFigures | None

    @classmethod
    def of(
        cls,
        first: str,
        second: str,
        swings: Iterable[tuple[Deal, int]],
        control: ControlFigures | None = None,
    ) -> Meeting:
        """Return the meeting of two entries.

        Args:
            first: The first entry's name.
            second: The second entry's name.
            swings: The deal of each board, and the first entry's IMPs.
            control: The controlled estimate of their mean; None if there is none.

        Returns:
            The meeting.
        """
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
            control,
        )

    def reversed(self) -> Meeting:
        """Return the same meeting, seen from the second entry."""
        return replace(
            self,
            first=self.second,
            second=self.first,
            imps=-self.imps,
            imps_per_board=self.imps_per_board.negated(),
            control=None if self.control is None else self.control.reversed(),
        )
