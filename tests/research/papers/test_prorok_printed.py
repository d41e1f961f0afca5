"""What Prorok's printed auctions are worth."""

from __future__ import annotations

import numpy as np
import pytest

from bridge_arena.bots.library.learning.hands import hand_of, points
from bridge_arena.bots.library.tricks.net import shipped
from research.papers.prorok_printed import PRINTED, hands_like, worth

pytestmark = pytest.mark.slow


def test_hands_are_as_printed() -> None:
    rng = np.random.default_rng(1)
    east, west = hands_like(("2614", "2353"), (16, 15), 20, rng)
    assert len(east) == len(west) == 20
    assert not (east & west).any()
    assert set(points(east).tolist()) == {16}
    assert set(points(west).tolist()) == {15}
    for hands, lengths in ((east, [2, 6, 1, 4]), (west, [2, 3, 5, 3])):
        suits = str(hand_of(hands[0])).split(".")
        assert [len(suit) for suit in suits] == lengths


def test_a_printed_auction_has_its_tricks() -> None:
    rng = np.random.default_rng(1)
    score, expected, tricks = worth(shipped(), "3433 20 4351 9 3N 460", rng)
    assert score == 460, "eleven tricks"
    assert 300 < expected < 490
    assert -1.5 < tricks < 2
    assert worth(shipped(), "4225 9 5323 11 P 0", rng)[:2] == (0, 0)


def test_deals_are_possible() -> None:
    for line in PRINTED.splitlines():
        east, _, west, *_ = line.split()
        assert sum(map(int, east)) == sum(map(int, west)) == 13
        assert all(int(one) + int(other) <= 13 for one, other in zip(east, west, strict=True))
