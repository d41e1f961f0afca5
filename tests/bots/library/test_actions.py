"""The numbers of the actions."""

from __future__ import annotations

import pytest

from bridge_arena.bots.library.actions import ACTIONS, FIRST_CARD, action_of, chosen_by
from bridge_arena.bridge.calls import Call
from bridge_arena.bridge.cards import Card


def test_every_action_is_one_call_or_card() -> None:
    assert [action_of(chosen_by(action)) for action in range(ACTIONS)] == list(range(ACTIONS))
    assert chosen_by(0) == Call("Pass")
    assert isinstance(chosen_by(FIRST_CARD - 1), Call)
    assert str(chosen_by(FIRST_CARD)) == "C2"
    assert action_of(Card("SA")) == ACTIONS - 1


@pytest.mark.parametrize("action", [-1, ACTIONS])
def test_a_number_beyond_the_actions_is_refused(action: int) -> None:
    with pytest.raises(ValueError, match=f"no action {action}: they are 0 to 89"):
        chosen_by(action)
