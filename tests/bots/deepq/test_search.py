"""Bids by search."""

from __future__ import annotations

import numpy as np
import pytest

from bridge_arena.bots.deepq.net import shipped
from bridge_arena.bots.deepq.search import Search
from bridge_arena.bots.library.learning.hands import random_pairs
from bridge_arena.bots.library.tricks.net import shipped as shipped_tricks


@pytest.mark.slow
def test_partners_hands_would_have_bid_as_partner_did() -> None:
    search = Search(shipped(), shipped_tricks(), 64)
    hands, partners = random_pairs(np.random.default_rng(3), 200)
    made = shipped().bid(hands, partners).bids
    rng = np.random.default_rng(1)
    for row in np.flatnonzero(made[:, 2] >= 0)[:5]:
        dealt = search._partners(hands[row], made[row, :2].tolist(), rng)
        assert 0 < len(dealt) <= 64
        assert (dealt.sum(axis=1) == 13).all()
        assert not (dealt & hands[row]).any()
        again = shipped().bid(np.broadcast_to(hands[row], dealt.shape), dealt).bids
        assert (again[:, :2] == made[row, :2]).all()


def test_only_the_first_to_call_searches() -> None:
    search = Search(shipped(), shipped_tricks(), 32)
    hands, partners = random_pairs(np.random.default_rng(7), 20)
    made = shipped().bid(hands, partners).bids
    for partner, bids in zip(partners, made, strict=True):
        response = search.bid(partner, [int(bids[0])], np.random.default_rng(1))
        assert response == bids[1]


@pytest.mark.slow
def test_the_search_is_reproducible_and_legal() -> None:
    search = Search(shipped(), shipped_tricks(), 20)
    hands, partners = random_pairs(np.random.default_rng(5), 4)
    one = list(search.contracts(hands, partners, np.random.default_rng(2)))
    assert one == list(search.contracts(hands, partners, np.random.default_rng(2)))
    alone = shipped().bid(hands, partners).contracts
    assert sum(a == b for a, b in zip(one, alone, strict=True)) > 0


def test_a_bid_is_never_lower_than_the_last() -> None:
    search = Search(shipped(), shipped_tricks(), 32)
    hands, _ = random_pairs(np.random.default_rng(6), 10)
    for hand in hands:
        assert search.bid(hand, [0, 3, 9], np.random.default_rng(1)) >= 9
