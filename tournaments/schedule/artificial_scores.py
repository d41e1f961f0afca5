"""Scores that were not made at a table: adjusted boards, byes, forfeited matches."""

from __future__ import annotations

from fractions import Fraction

from bridge_arena.tournaments.events.event import Event, Scoring

AVERAGE_PLUS_IMPS = 3
"""The IMPs of the side not at fault for an adjusted board (Law 12C2), and for each board of a
forfeited match that was not played."""

AVERAGE_PLUS = Fraction(3, 5)
"""The same score as a share of a board."""

WALKOVER_VP = 12.0
"""Victory points for a bye, and the least for a match that the opponents forfeit; they get none."""


def average(scoring: Scoring, *, plus: bool) -> float:
    """Return an artificial score for a board (Law 12C2).

    Args:
        scoring: The scoring, which decides the unit.
        plus: Whether it is average plus, else average minus.

    Returns:
        Percent by matchpoints, else IMPs.
    """
    if scoring is Scoring.MATCHPOINTS:
        return 100 * float(AVERAGE_PLUS if plus else 1 - AVERAGE_PLUS)
    return float(AVERAGE_PLUS_IMPS if plus else -AVERAGE_PLUS_IMPS)


def walkover(event: Event) -> float:
    """Return the score of a bye."""
    if event.scoring in (Scoring.VP, Scoring.VP_DISCRETE):
        return WALKOVER_VP
    if event.scoring is Scoring.BOARD_A_MATCH:
        return float(AVERAGE_PLUS * event.boards)
    return 0.0 if event.scoring is Scoring.TOTAL_POINTS else AVERAGE_PLUS_IMPS * event.boards
