"""A bot that asks a policy of the environments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bots.adapters import lowest
from bridge_arena.bots.library.spaces import (
    ACTIONS,
    AUCTION_SIZE,
    FIRST_CARD,
    SIZE,
    chosen_by,
    legal_actions,
    observation,
)
from bridge_arena.bots.sdk.client import Bot
from bridge_arena.bridge.calls import Call
from bridge_arena.bridge.cards import Card
from bridge_arena.protocol.view import View

Policy = Callable[[dict[str, NDArray[Any]]], int | np.integer[Any]]
"""What chooses an action for an observation and its mask."""


class PolicyBot(Bot):
    name = "policy"

    def __init__(self, policy: Policy, *, bids_only: bool = False) -> None:
        super().__init__()
        self._policy = policy
        self._bids_only = bids_only

    def call(self, view: View) -> Call:
        """Return the call of the policy's action; the arena tells if it is none."""
        called: Call = self._chosen(view)
        return called

    def play(self, view: View) -> Card:
        """Return the card of the policy's action; the arena tells if it is none."""
        played: Card = lowest(view) if self._bids_only else self._chosen(view)
        return played

    def _chosen(self, view: View) -> Any:
        size, actions = (AUCTION_SIZE, FIRST_CARD) if self._bids_only else (SIZE, ACTIONS)
        seat_sees = {
            "observation": observation(view, size),
            "action_mask": legal_actions(view, actions),
        }
        return chosen_by(int(self._policy(seat_sees)))
