"""Scores that were not made at a table: adjusted boards, byes, forfeited matches."""

from __future__ import annotations

from fractions import Fraction

from bridge_arena.tournaments.events.event import Event, Scoring

AVERAGE_PLUS_IMPS = 3
"""What an adjusted board is worth to the side not at fault (Law 12C2), in IMPs; and, of the
boards of a forfeited match that were not played, each."""

AVERAGE_PLUS = Fraction(3, 5)
"""The same as a share of a board."""

WALKOVER_VP = 12.0
"""Victory points of a bye, and of a match that the opponents forfeit, or what was earned in
it where that is more; they get none."""


def average(scoring: Scoring, *, plus: bool) -> float:
    """An artificial score (Law 12C2)."""
    if scoring is Scoring.MATCHPOINTS:
        return 100 * float(AVERAGE_PLUS if plus else 1 - AVERAGE_PLUS)
    return float(AVERAGE_PLUS_IMPS if plus else -AVERAGE_PLUS_IMPS)


def walkover(event: Event) -> float:
    """The score of a bye."""
    if event.scoring in (Scoring.VP, Scoring.VP_DISCRETE):
        return WALKOVER_VP
    if event.scoring is Scoring.BOARD_A_MATCH:
        return float(AVERAGE_PLUS * event.boards)
    return 0.0 if event.scoring is Scoring.TOTAL_POINTS else AVERAGE_PLUS_IMPS * event.boards
