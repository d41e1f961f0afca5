"""Tests of lessons: the result recorded for a call is the result to which it led."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

pytest.importorskip("torch")

import torch

from bridge_arena.bots.library.learning.device import quick
from bridge_arena.bots.library.many_auctions.auctions import MARKS, Auctions
from bridge_arena.bots.library.many_auctions.boards import Boards, Contracts, Tricks, imps
from bridge_arena.bots.neural.modules import CallsNet
from bridge_arena.bots.neural.net import FORBIDDEN, PUBLIC, public
from bridge_arena.bots.neural.selfplay import Lesson, Player, lesson

NUMBER = 6


def fast(seed: int) -> CallsNet:
    torch.manual_seed(seed)
    net = CallsNet(16, 2).to(quick())
    # Calls differ, bids go up in some steps, and passes are not seldom.
    with torch.no_grad():
        net.out.weight *= 8.0
        net.out.bias[0] += 1.0
        net.out.bias[8:] -= 1.0
    return net


@pytest.fixture(scope="module")
def boards() -> Boards:
    return Boards.random(np.random.default_rng(5), NUMBER)


@pytest.fixture(scope="module")
def tricks() -> Tricks:
    return np.random.default_rng(6).integers(14, size=(NUMBER, 5, 4)).astype(np.uint8)


@pytest.fixture(scope="module")
def found(boards: Boards, tricks: Tricks) -> Lesson:
    rng = np.random.default_rng(7)
    nets = fast(1), fast(2)
    return lesson(*nets, boards, tricks, rng, temperature=0.0, candidates=3, astray=0.0)


def ended(boards: Boards, tricks: Tricks, row: int, side: int, begin: list[int]) -> int:
    """The points of the dealer's side on one board, the learner on `side`, after some calls."""
    one = boards.rows(np.array([row]))
    with torch.no_grad():
        players = Player(fast(1), one), Player(fast(2), one)
    auctions = Auctions(1)
    while not auctions.over[0]:
        seat = auctions.turn
        if auctions.made < len(begin):
            call = begin[auctions.made]
        else:
            player = players[0 if seat % 2 == side else 1]
            seen = public(auctions, one.vulnerable, seat)
            with torch.no_grad():
                ratings = player.ratings(np.array([seat]), seen)
            call = int(np.where(auctions.legal(), ratings, FORBIDDEN).argmax())
        auctions.push(np.array([call]))
    contracts = Contracts.unknown(1)
    contracts.put(np.array([0]), auctions)
    return int(contracts.points(one, tricks[[row]])[0])


def test_the_first_call_is_recorded_with_the_result_it_led_to(
    boards: Boards, tricks: Tricks, found: Lesson
) -> None:
    looked_at = 0
    for turn, hand in enumerate(found.hand):
        row, seat = divmod(int(hand), 4)
        if found.seen[turn, : PUBLIC - 2].any() or seat != 0:
            continue
        elsewhere = ended(boards, tricks, row, 1, [])
        for place, call in enumerate(found.tried[turn]):
            if not found.is_tried[turn, place]:
                continue
            points = ended(boards, tricks, row, 0, [int(call)])
            assert found.won[turn, place] == imps(np.array([points - elsewhere]))[0]
            looked_at += 1
    assert looked_at >= 3


def test_the_chosen_call_led_to_the_tables_result(
    boards: Boards, tricks: Tricks, found: Lesson
) -> None:
    """At the other side's turns too, all first calls that were tried led to the same result."""
    rooms = [[ended(boards, tricks, row, side, []) for row in range(NUMBER)] for side in (0, 1)]
    won = imps(np.subtract(*map(np.array, rooms)))
    assert found.level == pytest.approx(won.mean())
    for turn, hand in enumerate(found.hand):
        assert found.is_tried[turn, 0]
        assert found.won[turn, 0] == won[hand // 4]


def test_tried_calls_differ_and_there_is_at_least_one(found: Lesson) -> None:
    assert found.tried.shape[1] == 3
    for tried, is_tried in zip(found.tried, found.is_tried, strict=True):
        real = tried[is_tried > 0]
        assert len(set(real.tolist())) == len(real)
        assert len(real) >= 1


def test_another_partnership_may_oppose_the_one_that_learns(boards: Boards, tricks: Tricks) -> None:
    """It is asked for the calls of its own side, in auctions that tried calls began too."""
    asked: list[NDArray[np.integer]] = []

    class Passing:
        def calls(self, boards: Boards, auctions: Auctions) -> NDArray[np.integer]:
            assert len(boards) == len(auctions)
            asked.append(auctions.calls[:, -1:])
            return np.zeros(len(boards), np.int64)

    rng = np.random.default_rng(7)
    found = lesson(
        fast(1), Passing(), boards, tricks, rng, temperature=0.0, candidates=3, astray=0.1
    )
    assert sum(map(len, asked)) > NUMBER
    for turn, hand in enumerate(found.hand):
        # Who sits left and right of the learner has made no call but passes.
        marks = found.seen[turn, : 4 * MARKS].reshape(4, MARKS)
        assert not marks[1].any(), hand
        assert not marks[3].any(), hand


def test_the_same_seed_gives_the_same_lesson(boards: Boards, tricks: Tricks) -> None:
    two = [
        lesson(
            fast(1),
            fast(2),
            boards,
            tricks,
            np.random.default_rng(9),
            temperature=1.0,
            candidates=3,
            astray=0.1,
        )
        for _ in range(2)
    ]
    assert np.array_equal(two[0].tried, two[1].tried)
    assert np.array_equal(two[0].won, two[1].won)
