"""Answers of bots that have the solver at hand anyway."""

from __future__ import annotations

from bridge_arena.oracle.position import Position
from bridge_arena.oracle.solver import card_values
from bridge_arena.protocol.view import View


def solver_agrees(view: View) -> bool:
    """Whether declarer can take what `view.claim` is for, double dummy. Raises SolverError,
    and ValueError where the view does not show all four hands."""
    if view.claim is None or view.deal is None:
        raise ValueError("there is no claim, or not all hands are seen")
    values = card_values(Position.of(view.playing, view.deal.hands))
    return max(values.values()) >= view.claim.tricks
