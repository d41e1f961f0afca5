"""The networks in numpy."""

from __future__ import annotations

import numpy as np

from bots.neural.auctions import Auctions
from bots.neural.boards import Boards
from bots.neural.features import public
from tests.bots.neural.nets import nets


def test_calls_are_legal_and_rated_highest() -> None:
    net = nets(4)
    boards = Boards.random(np.random.default_rng(2), 30)
    auctions, on = Auctions(30), np.arange(30)
    while len(on):
        own = boards.rows(on)
        calls = net.calls(own, auctions)
        seat = auctions.turn
        legal = auctions.legal()
        rows = np.arange(len(on))
        assert legal[rows, calls].all()
        rated = net.ratings(own.hands[:, seat], public(auctions, own.vulnerable, seat))
        assert (rated[rows, calls][:, None] >= np.where(legal, rated, -np.inf)).all()
        auctions.push(calls)
        going = np.flatnonzero(~auctions.over)
        auctions, on = auctions.rows(going), on[going]
