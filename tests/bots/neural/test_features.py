"""Tests of what the networks are given of an auction."""

from __future__ import annotations

import numpy as np

from bridge_arena.bots.library.many_auctions.auctions import BIDS, MARKS, Auctions
from bridge_arena.bots.neural.net import PUBLIC, public
from bridge_arena.bridge.calls import CALL_TEXTS

NOBODY = np.zeros((1, 2), np.bool_)


def after(text: str) -> Auctions:
    auctions = Auctions(1)
    for word in text.split():
        auctions.push(np.array([CALL_TEXTS.index(word)]))
    return auctions


def test_an_auction_from_where_a_seat_sits() -> None:
    auctions = after("Pass 1C X Pass")
    seen = public(auctions, np.array([[True, False]]), auctions.turn)[0]
    at = 4 * MARKS
    expected = {
        MARKS * 1 + 0,  # the next player bid 1C
        MARKS * 2 + BIDS,  # partner doubled it
        at,  # the viewer passed before the first bid
        at + 4,  # 1C is the last bid,
        at + 4 + BIDS + 1,  # the other side's,
        at + 6 + BIDS,  # doubled
        at + 8 + BIDS,  # and passed once
        PUBLIC - 2,  # the viewer's side is vulnerable
    }
    assert set(np.flatnonzero(seen)) == expected


def test_an_auction_looks_the_same_to_each_seat_in_turn() -> None:
    """The dealer shows only in the passes before the first bid."""
    one = public(after("1H Pass 2H"), np.array([[True, False]]), 3)
    other = public(after("Pass 1H Pass 2H"), np.array([[False, True]]), 0)
    assert np.flatnonzero(one != other).tolist() == [4 * MARKS]


def test_auctions_differ_in_what_is_seen() -> None:
    """The features keep everything of an auction in progress."""
    rng = np.random.default_rng(3)
    auctions = Auctions(4000)
    known: dict[tuple[bytes, int], bytes] = {}
    while len(auctions) and auctions.made < 9:
        legal = auctions.legal()
        legal[:, 8:] = False
        auctions.push(np.where(legal, rng.random(legal.shape), -1).argmax(axis=1))
        auctions = auctions.rows(np.flatnonzero(~auctions.over))
        seen = public(auctions, NOBODY.repeat(len(auctions), axis=0), auctions.turn)
        for row, calls in zip(seen, auctions.calls, strict=True):
            key = row.tobytes(), auctions.turn
            assert known.setdefault(key, calls.tobytes()) == calls.tobytes()
    assert len(known) > 1000
