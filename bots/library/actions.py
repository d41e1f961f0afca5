"""One numbering for all actions of the game, as learning libraries want it.

Actions 0 to 37 are the calls as `bridge.calls` numbers them: Pass, X, XX, 1C to 7NT. Actions 38 to
89 are the cards as `bridge.cards` numbers them: C2 to CA, D2 to DA, H2 to HA, S2 to SA.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bridge.calls import CALLS, Call
from bridge_arena.bridge.cards import CARDS, Card
from bridge_arena.protocol.view import View

FIRST_CARD = len(CALLS)
"""The action of the lowest card; all calls come before it."""

ACTIONS = FIRST_CARD + len(CARDS)
"""The number of actions."""


def action_of(chosen: Call | Card) -> int:
    """Return the action of a call or card, 0 to 89."""
    return int(chosen) + (FIRST_CARD if isinstance(chosen, Card) else 0)


def chosen_by(action: int) -> Call | Card:
    """Return the call or card of an action.

    Args:
        action: The action, 0 to 89.

    Returns:
        The call or card.

    Raises:
        ValueError: There is no such action.
    """
    if not 0 <= action < ACTIONS:
        raise ValueError(f"there is no action {action}: they are 0 to {ACTIONS - 1}")
    return CALLS[action] if action < FIRST_CARD else CARDS[action - FIRST_CARD]


def legal_actions(view: View, actions: int = ACTIONS) -> NDArray[np.int8]:
    """Return the mask of the actions that a seat may choose now.

    Args:
        view: What the seat sees.
        actions: The length of the mask: ACTIONS, or FIRST_CARD if no cards are played.

    Returns:
        1 for each legal action, else 0; all 0 if it is not the seat's turn, or it has a claim to
        answer.
    """
    mask = np.zeros(actions, np.int8)
    turn = view.turn
    if turn is None or turn.claim:
        return mask
    if view.play is None:
        mask[view.legal_calls()] = 1
    else:
        mask[[FIRST_CARD + card for card in view.legal_cards()]] = 1
    return mask
