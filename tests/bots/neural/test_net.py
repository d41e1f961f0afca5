"""The networks in numpy, and the features that they read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bridge_arena.bots.library.learning.arrays import ArraysError
from bridge_arena.bots.library.many_auctions.auctions import BIDS, MARKS, Auctions
from bridge_arena.bots.library.many_auctions.boards import Boards
from bridge_arena.bots.neural.net import PUBLIC, Nets, public
from bridge_arena.bridge.calls import CALL_TEXTS
from tests.bots.neural.nets import nets, weights


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"calls.seen.weight": np.zeros((16, 9))}, "calls.seen.weight is 16 × 9, expected 16 × "),
        ({"calls.hidden.0.bias": None}, "there is no array calls.hidden.0.bias"),
        ({"meanings.out.weight": np.zeros((38, 16))}, "meanings.out.weight is 38 × 16"),
        ({"calls.value.bias": np.array([np.inf])}, "calls.value.bias holds something"),
    ],
)
def test_a_file_of_other_arrays_is_refused_as_networks(
    tmp_path: Path, changes: dict[str, Any], said: str
) -> None:
    path = tmp_path / "weights.npz"
    arrays = weights(4)
    np.savez(path, **arrays)  # type: ignore[arg-type]
    hands, seen = np.ones((1, 52), np.bool_), np.ones((1, PUBLIC), np.uint8)
    assert (Nets.read(path).ratings(hands, seen) == nets(4).ratings(hands, seen)).all()
    kept = {name: each for name, each in (arrays | changes).items() if each is not None}
    np.savez(path, **kept)
    with pytest.raises(ArraysError, match=f"weights.npz: {said}"):
        Nets.read(path)


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
