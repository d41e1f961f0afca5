"""Where the IMPs of a match came from: the auction, and the play of each bot in each role."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from bridge_arena.oracle.ledger import Role
from bridge_arena.reports.match.figures import BoardRow, MatchFigures
from bridge_arena.tournaments import HOME, VISITORS, Split
from bridge_arena.tournaments.statistics.means import Mean

MOST_BOARDS = 3
"""The most boards that are named of a part."""


@dataclass(frozen=True, slots=True)
class Source:
    """A part of the IMPs, seen from the first bot."""

    what: str
    team: int | None  # whose play it was, HOME or VISITORS; None for the auction
    imps: Mean
    boards: Sequence[tuple[BoardRow, float]]  # those with the largest parts, at most `MOST_BOARDS`
    share: float  # of the largest part, from -1 to 1

    @property
    def bar(self) -> str:
        """The place of its bar, as a style: from the middle right for the first bot."""
        width = 50 * abs(self.share)
        return f"left:{50 if self.share > 0 else 50 - width:.1f}%;width:{width:.1f}%"


def sources(figures: MatchFigures) -> list[Source]:
    """Return the parts of the IMPs, which add up; none if they are not known."""
    if not figures.has_play or not figures.analysed:
        return []
    imps = figures.bots[0].ledger.imps_per_board
    parts: list[tuple[str, int | None, Mean, Callable[[Split], float]]] = [
        (role.value, team, means[role], partial(_play, team, role))
        for team, means in ((HOME, imps.own), (VISITORS, imps.opponents))
        for role in Role
    ]
    if figures.has_auction:
        parts.insert(0, ("auction", None, imps.auction, lambda split: split.auction))
    largest = max(abs(mean.total or 0.0) for _, _, mean, _ in parts) or 1.0
    return [
        Source(what, team, mean, _most(figures, part), (mean.total or 0.0) / largest)
        for what, team, mean, part in parts
    ]


def _play(team: int, role: Role, split: Split) -> float:
    return split.of(team)[role]


def _most(
    figures: MatchFigures, part: Callable[[Split], float]
) -> Sequence[tuple[BoardRow, float]]:
    parts = [(row, part(row.split)) for row in figures.board_results if row.split is not None]
    largest = sorted(parts, key=lambda own: (-abs(own[1]), own[0].board))[:MOST_BOARDS]
    return [own for own in largest if round(own[1], 1)]
