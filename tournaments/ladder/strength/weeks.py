"""What the versions on a ladder do: their form, week by week, and where their IMPs come from.

Form is what a version gains beyond what is expected of a match by all boards before it. Both are
kept in sums, which change in the transaction that ends a match.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from math import fsum, sqrt
from operator import add, neg

from bridge_arena.oracle.ledger import Role
from bridge_arena.tournaments.ladder.strength.sums import SWINGS, PairSums
from bridge_arena.tournaments.schedule.splits import Split
from bridge_arena.tournaments.statistics.significance import two_sided_t

CAUSES = ("auction", *(role.key for role in Role))
"""What the IMPs of a board come from: the auction, and the roles of play."""

FORM_BOARDS = 100
"""Form is that of the last weeks that have at least so many boards together."""

LATEST = 6
"""The weeks, with boards of anybody, of which a leaderboard tells."""

_CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True)
class Performance:
    """What a version did on some boards, in sums; all IMPs are seen from it."""

    boards: int = 0  # those of which something was expected; the next three are their sums
    imps: int = 0
    squares: int = 0  # of the boards' IMPs
    expected: float = 0.0  # the IMPs that were expected before each match
    causes: tuple[float, ...] = (0.0,) * len(CAUSES)  # the IMPs of split boards by `CAUSES`

    def __add__(self, other: Performance) -> Performance:
        """Return the sums of both."""
        return Performance(
            self.boards + other.boards,
            self.imps + other.imps,
            self.squares + other.squares,
            self.expected + other.expected,
            tuple(map(add, self.causes, other.causes)),
        )

    def turned(self) -> Performance:
        """Return what the opponents did on the same boards."""
        causes = tuple(map(neg, self.causes))
        return replace(self, imps=-self.imps, expected=-self.expected, causes=causes)

    @property
    def gain(self) -> float:
        """The IMPs a board beyond what was expected."""
        return (self.imps - self.expected) / max(1, self.boards)

    @property
    def error(self) -> float | None:
        """The half of the ordinary interval of the gain; None with fewer than two boards."""
        if self.boards < 2:
            return None
        mean = self.imps / self.boards
        variance = max(0.0, self.squares - self.boards * mean**2) / (self.boards - 1)
        return two_sided_t(_CONFIDENCE, self.boards - 1) * sqrt(variance / self.boards)

    @property
    def gain_text(self) -> str:
        """The gain with the error of its ordinary interval."""
        if not self.boards:
            return "-"
        error = "" if self.error is None else f" ± {self.error:.2f}"
        return f"{self.gain:+z.2f}{error}"


KEPT = "boards", "imps", "squares", "expected"
"""What of it is kept by week."""


@dataclass(frozen=True, slots=True)
class History:
    """What a version did in the latest weeks."""

    weeks: Mapping[str, Performance] = field(default_factory=dict)  # as `2026-W09`, latest first

    @property
    def form(self) -> Performance:
        """Its latest weeks, as many as have `FORM_BOARDS` boards together."""
        form = Performance()
        for week in self.weeks.values():
            if form.boards < FORM_BOARDS:
                form += week
        return form


def performances(
    sums: PairSums, splits: Sequence[Split], expected: float | None
) -> tuple[Performance, Performance]:
    """Return what the home team and the visitors did in a match.

    Args:
        sums: The sums of the match, seen from the home team.
        splits: The splits of its boards.
        expected: The IMPs a board that were expected of the home team; None if that was not known,
            and the match tells nothing of form.
    """
    roles = (fsum(split.first[role] + split.second[role] for split in splits) for role in Role)
    causes = fsum(split.auction for split in splits), *roles
    home = Performance(causes=causes)
    if expected is not None:
        squares = sum(imps**2 * boards for imps, boards in zip(SWINGS, sums.swings, strict=True))
        home = Performance(sums.boards, sums.imps, squares, expected * sums.boards, causes)
    return home, home.turned()


def week_of(time: str) -> str:
    """Return the week of a time in ISO 8601, as `2026-W09`."""
    year, week, _ = datetime.fromisoformat(time).isocalendar()
    return f"{year}-W{week:02}"
