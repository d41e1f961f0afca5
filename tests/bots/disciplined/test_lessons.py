"""What the calls that are tried have won is what other code finds, one auction at a time."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from bridge_arena.bots.disciplined.lessons import TRIED, Lessons, lessons, make_shard, read
from bridge_arena.bots.disciplined.system import Disciplined
from bridge_arena.bots.library.bidding_systems import System
from bridge_arena.bots.library.learning.arrays import ArraysError
from bridge_arena.bots.library.learning.hands import hand_of
from bridge_arena.bots.library.many_auctions.auctions import vulnerability
from bridge_arena.bots.library.many_auctions.boards import Boards, SystemCaller, Tricks
from bridge_arena.bots.natural.system import Natural
from bridge_arena.bots.neural.net import LAST_BID
from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.board import random_deal
from bridge_arena.bridge.calls import CALLS
from bridge_arena.bridge.scoring import imps, score_ns
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.oracle.solved_deals import SolvedDeals
from tests.bots.disciplined.nets import net

BOARDS = 60


@pytest.fixture(scope="module")
def dealt() -> tuple[Boards, Tricks]:
    """Boards with tables that nobody solved."""
    rng = np.random.default_rng(3)
    tricks = rng.integers(14, size=(BOARDS, 5, 4)).astype(np.uint8)
    return Boards.random(rng, BOARDS), tricks


def points(
    boards: Boards, tricks: Tricks, row: int, call: int, players: tuple[System, System]
) -> int:
    """The points of the dealer's side on a board that begins with a call, by North's deal."""
    hands = [hand_of(hand) for hand in boards.hands[row]]
    vulnerable = vulnerability(*map(bool, boards.vulnerable[row]))
    auction = Auction(Seat.NORTH, [CALLS[call]])
    while not auction.is_over:
        seat = auction.turn
        auction.push(players[seat % 2].call(hands[seat], auction, vulnerable))
    contract = auction.contract
    if contract is None:
        return 0
    taken = int(tricks[row, contract.denomination, contract.declarer])
    return score_ns(contract, taken, vulnerable)


def opening(found: Lessons) -> list[int]:
    """The rows at which the dealer was to call."""
    return [row for row, known in enumerate(found.known) if not known[: LAST_BID + 35].any()]


@pytest.mark.parametrize("is_learned", [False, True])
def test_what_calls_have_won(dealt: tuple[Boards, Tricks], *, is_learned: bool) -> None:
    boards, tricks = dealt
    judge = net(4) if is_learned else None
    learner = Disciplined(judge) if judge else Natural()
    looked_at = 0
    for seed in range(4):
        found = lessons(np.random.default_rng(seed), boards, tricks, judge, SystemCaller())
        for row in opening(found):
            (board,) = np.flatnonzero((boards.hands[:, 0] == found.hands[row]).all(axis=1))
            players = learner, Natural()
            before = points(boards, tricks, int(board), found.made[row], players)
            for call, won in zip(found.tried[row], found.won[row], strict=True):
                if call >= 0:
                    gained = points(boards, tricks, int(board), call, players) - before
                    assert won == imps(gained)
                    looked_at += 1
    assert looked_at > 10


def test_calls_that_are_tried_fit_and_differ(dealt: tuple[Boards, Tricks]) -> None:
    found = lessons(np.random.default_rng(1), *dealt, net(5), None)
    rows = np.arange(len(found))
    for place in range(TRIED):
        tried = found.tried[:, place]
        is_tried = tried >= 0
        assert found.fitting[rows[is_tried], tried[is_tried]].all()
        assert (tried != found.made)[is_tried].all()
        assert not found.won[~is_tried, place].any()
    assert found.fitting[rows, found.made].all()
    several = found.tried[(found.tried >= 0).all(axis=1)]
    assert all(len(set(row)) == TRIED for row in several.tolist())


@pytest.mark.slow
def test_a_file_holds_what_was_made_and_is_the_same_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bridge_arena.bots.disciplined.lessons.SHARD", 8)
    seats = np.zeros((6, 52), np.uint8)
    for number, row in enumerate(seats, start=1):
        deal = random_deal(31, number)
        for seat in SEATS:
            row[list(deal[seat])] = int(seat)
    solved = SolvedDeals(seats, np.full((6, 5, 4), 7, np.uint8))
    paths = [tmp_path / name for name in ("one-1.npz", "again-1.npz", "other-2.npz")]
    for path in paths:
        make_shard((1, 0), solved, net(6), path)
    assert paths[0].read_bytes() == paths[1].read_bytes() != paths[2].read_bytes()
    every = read(paths)
    assert len(every) == sum(len(read([path])) for path in paths)
    assert every.fitting[np.arange(len(every)), every.natural].all()
    paths[0].write_bytes(paths[0].read_bytes()[:500])
    with pytest.raises(ArraysError, match=r"one-1\.npz: no file of arrays, or a damaged one"):
        read(paths)
