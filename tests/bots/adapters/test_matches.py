"""Functions, OpenSpiel's bots and policies take a seat."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from bridge_arena import play_match
from bridge_arena.bots.adapters import MakeBot, from_function, from_openspiel, from_pettingzoo
from bridge_arena.bots.library.spaces import ACTIONS, AUCTION_SIZE, FIRST_CARD, SIZE
from bridge_arena.bridge.errors import NotationError
from bridge_arena.protocol.view import View
from tests.late_imports import late_imports

with late_imports():
    import pyspiel

Seen = dict[str, np.ndarray]


def first_legal(seen: Seen) -> int:
    return int(seen["action_mask"].argmax())


def uniform(player: int) -> Any:
    return pyspiel.make_uniform_random_bot(player, 11)


@pytest.mark.parametrize(
    "adapted",
    [
        pytest.param(from_function, id="nothing"),
        pytest.param(
            lambda: from_function(lambda _: "Pass", lambda view: str(max(view.legal_cards()))),
            id="texts",
        ),
        pytest.param(lambda: from_openspiel(uniform), id="openspiel"),
        pytest.param(lambda: from_pettingzoo(first_legal), id="policy"),
        pytest.param(lambda: from_pettingzoo(first_legal, bids_only=True), id="bidder"),
    ],
)
def test_a_match_without_a_fault(adapted: Callable[[], MakeBot]) -> None:
    match = play_match(adapted(), "baseline", 2, seed=1)
    assert len(match.imps) == 2
    assert [record.faults for record in match.records] == [()] * 4
    assert match.records[0].home in ("function", "openspiel", "policy_bot")


def test_a_seed_gives_the_same_states_again() -> None:
    def states() -> list[str]:
        seen = []

        class First:
            def step(self, state: Any) -> int:
                seen.append(str(state))
                return int(state.legal_actions()[0])

        play_match(from_openspiel(lambda _: First()), "random", 1, seed=5)
        return seen

    assert states() == states()


def test_what_a_policy_is_shown() -> None:
    shapes = set()

    def policy(seen: Seen) -> int:
        shapes.add((seen["observation"].shape, seen["action_mask"].shape))
        return first_legal(seen)

    play_match(from_pettingzoo(policy), "random", 1, seed=1)
    assert shapes == {((SIZE,), (ACTIONS,))}
    shapes.clear()
    play_match(from_pettingzoo(policy, bids_only=True), "random", 1, seed=1)
    assert shapes == {((AUCTION_SIZE,), (FIRST_CARD,))}


class Constant:
    def __init__(self, action: int) -> None:
        self.action = action

    def step(self, state: Any) -> int:
        del state
        return self.action


@pytest.mark.parametrize(
    ("adapt", "call", "message"),
    [
        (from_pettingzoo, 90, "there is no action 90"),
        (from_pettingzoo, 38, r"PolicyBot.call returned Card\('C2'\), expected a Call"),
        (from_openspiel, Constant(90), "OpenSpiel's bridge has no action 90"),
        (from_openspiel, Constant(0), "OpenSpielBot.call returned"),
        (from_function, "8NT", "'8NT' is not a call"),
    ],
)
def test_what_is_no_call_is_told_in_a_line(
    adapt: Callable[[Any], MakeBot], call: object, message: str
) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        play_match(adapt(lambda _: call), "random", 1, seed=1)


def test_what_is_no_card_is_told_in_a_line() -> None:
    def call(view: View) -> str:
        return "7NT" if "7NT" in map(str, view.legal_calls()) else "Pass"

    def policy(seen: Seen) -> int:
        return int(np.flatnonzero(seen["action_mask"])[-1]) if seen["action_mask"][37] else 0

    with pytest.raises(NotationError, match="'XX' is not a card"):
        play_match(from_function(call, lambda _: "XX"), "random", 1, seed=1)
    with pytest.raises(TypeError, match=r"PolicyBot\.play returned"):
        play_match(from_pettingzoo(policy), "random", 1, seed=1)
