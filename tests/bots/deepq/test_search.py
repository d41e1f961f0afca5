"""Bids by search."""

from __future__ import annotations

import numpy as np

from bots.deepq.net import shipped
from bots.deepq.search import Search
from bots.learning.hands import points, random_pairs
from bots.tricks.net import shipped as shipped_tricks


def test_partners_hands_fit_what_is_known() -> None:
    search = Search(shipped(), shipped_tricks(), 64)
    hands, partners = random_pairs(np.random.default_rng(3), 200)
    bids = shipped().bid(hands, partners).bids
    # A partner who passed is weaker than one who opened.
    rng = np.random.default_rng(1)
    strong: list[float] = []
    for row in np.flatnonzero(bids[:, 0] == 0)[:5]:
        dealt = search._partners(partners[row], [0], rng)
        assert dealt.shape == (64, 52)
        assert (dealt.sum(axis=1) == 13).all()
        assert not (dealt & partners[row]).any()
        strong.append(points(dealt).mean())
    assert max(strong) < 10


def test_it_is_reproducible_and_legal() -> None:
    search = Search(shipped(), shipped_tricks(), 32)
    hands, partners = random_pairs(np.random.default_rng(5), 12)
    one = list(search.contracts(hands, partners, np.random.default_rng(2)))
    assert one == list(search.contracts(hands, partners, np.random.default_rng(2)))
    alone = shipped().bid(hands, partners).contracts
    assert sum(a == b for a, b in zip(one, alone, strict=True)) > 0


def test_a_bid_is_never_lower_than_the_last() -> None:
    search = Search(shipped(), shipped_tricks(), 32)
    hands, _ = random_pairs(np.random.default_rng(6), 10)
    for hand in hands:
        assert search.bid(hand, [0, 3, 9], np.random.default_rng(1)) >= 9
