"""Answers by the double-dummy solver, for bots that use it anyway."""

from __future__ import annotations

from bridge_arena.oracle.position import Position
from bridge_arena.oracle.solver import card_values
from bridge_arena.protocol.view import View


def solver_agrees(view: View) -> bool:
    """Return whether declarer can take the tricks of `view.claim`, double dummy.

    Args:
        view: A view with a claim and all four hands.

    Returns:
        True if he can.

    Raises:
        SolverError: The solver cannot solve the position.
        ValueError: There is no claim, or the view does not show all four hands.
    """
    if view.claim is None or view.deal is None:
        raise ValueError("there is no claim, or not all hands are seen")
    values = card_values(Position.of(view.playing, view.deal.hands))
    return max(values.values()) >= view.claim.tricks
