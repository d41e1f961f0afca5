"""Which calls partner passes, as networks are found to do it."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from bridge_arena.bots.library.many_auctions.auctions import Auctions
from bridge_arena.bots.library.many_auctions.boards import Boards
from bridge_arena.bots.neural.forcing import learned, passes
from bridge_arena.bots.neural.net import Nets, public, shipped
from bridge_arena.bridge.calls import Call
from tests.bots.neural.nets import nets, weights


class Scripted(Nets):
    """Makes the calls of one auction on every board."""

    def __init__(self, calls: str) -> None:
        super().__init__(weights(1))
        self._script = [Call(call) for call in calls.split()]

    def calls(self, boards: Boards, auctions: Auctions) -> NDArray[np.integer]:
        return np.full(len(boards), self._script[auctions.made])


def seen_after(*calls: str) -> NDArray[np.uint8]:
    state, seat = Auctions(1), 0
    for call in calls:
        seat = state.turn
        state.push(np.array([Call(call)]))
    return public(state, np.zeros((1, 2), np.bool_), seat)


def test_only_calls_that_partner_could_pass_count() -> None:
    """1C is answered, 1H overcalled, 2H is passed, and X too."""
    boards = Boards.random(np.random.default_rng(1), 1)
    boards.vulnerable[:] = False
    script = "Pass 1C Pass 1H 1S 2H Pass Pass X Pass Pass Pass"
    seen, passed = passes(Scripted(script), boards)
    calls = script.split()
    assert list(passed) == [False, True, True]
    for row, number in zip(seen, (2, 6, 9), strict=True):
        assert (row == seen_after(*calls[:number])[0]).all()


def test_networks_without_it_say_that_partner_may_pass() -> None:
    assert nets(3).passed(seen_after("1C")) == [1.0]


@pytest.mark.slow
def test_what_is_learned_holds_for_other_boards() -> None:
    """The networks' own calls: those that are told forcing are hardly passed, others are."""
    net = shipped()
    rng = np.random.default_rng(5)
    bidden: list[int] = []
    found = Nets({**net.weights, **learned(net, rng, 2000, bidden.append)})
    assert bidden == [0, 2000]
    seen, passed = passes(found, Boards.random(rng, 1000))
    odds = found.passed(seen)
    assert passed[odds < 0.1].mean() < 0.1
    assert passed[odds > 0.7].mean() > 0.7
    assert abs(odds.mean() - passed.mean()) < 0.03
