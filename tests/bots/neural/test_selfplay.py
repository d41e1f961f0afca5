"""Tests of self-play: the result recorded for a call is that to which it led, as arrays have it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray

from bridge_arena.bots.library.learning.hands import features, points_and_lengths
from bridge_arena.bots.library.many_auctions import boards as arrays
from bridge_arena.bots.library.many_auctions.auctions import MARKS, ArrayAuctions, Auctions
from bridge_arena.bots.library.many_auctions.boards import Boards, Tricks
from bridge_arena.bots.library.tables.net import shipped
from bridge_arena.bots.neural.net import FORBIDDEN, public
from bridge_arena.bridge.calls import DENOMINATIONS, Contract, Risk
from bridge_arena.bridge.scoring import imps as scoring_imps
from bridge_arena.bridge.scoring import score_ns
from bridge_arena.bridge.seats import Seat, Vulnerability
from bridge_arena.oracle.solved_deals import SolvedDeals
from tests.bots.neural.nets import nets
from tests.late_imports import late_imports

with late_imports("torch"):
    import torch

    from bridge_arena.bots.neural.modules import CallsNet
    from bridge_arena.bots.neural.selfplay import (
        Batch,
        Lesson,
        NetPlayer,
        Player,
        Silent,
        below_best,
        bid_out,
        dealt,
        drawn,
        estimate_of,
        imps,
        lesson,
        match,
    )

NUMBER_OF_BOARDS = 40


@pytest.fixture(scope="module", autouse=True)
def _whole_precision() -> Iterator[None]:
    """Networks here are compared with those in numpy, so they compute in whole precision."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(torch.cpu, "get_capabilities", dict)
        yield


NUMBER = 8


def fast(seed: int) -> CallsNet:
    torch.manual_seed(seed)
    net = CallsNet(16, 2)
    # Calls differ, bids go up in some steps, and passes are not seldom.
    with torch.no_grad():
        net.out.weight *= 8.0
        net.out.bias[0] += 1.0
        net.out.bias[8:] -= 1.0
    return net.requires_grad_(requires_grad=False)


@pytest.fixture(scope="module")
def batch() -> Batch:
    torch.manual_seed(5)
    return dealt(NUMBER, estimate_of(shipped()))


@pytest.fixture(scope="module")
def found(batch: Batch) -> Lesson:
    nets = fast(1), fast(2)
    torch.manual_seed(7)
    return lesson(*nets, batch, temperature=0.0, candidates=3, astray=0.0)


def ended(batch: Batch, row: int, side: int, begin: list[int]) -> int:
    """The points of the dealer's side on one board, the learner on `side`, after some calls."""
    features = batch.features()
    players = NetPlayer(fast(1), features), NetPlayer(fast(2), features)
    return played_out(batch, row, side, begin, players)


def played_out(
    batch: Batch, row: int, side: int, begin: list[int], players: tuple[Player, Player]
) -> int:
    """The points of the dealer's side after some calls, with the first player on `side`."""
    auctions: ArrayAuctions[torch.Tensor] = ArrayAuctions(1, torch)
    while not auctions.over[0]:
        seat = auctions.turn
        if auctions.made < len(begin):
            call = begin[auctions.made]
        else:
            player = players[0 if seat % 2 == side else 1]
            known = public(auctions, batch.vulnerable[[row]], seat)
            one = torch.tensor([0])
            ratings = player.ratings(auctions, torch.tensor([row]), known, one)
            call = int(ratings.masked_fill(~auctions.legal(), float(FORBIDDEN)).argmax())
        auctions.push(torch.tensor([call]))
    return int(batch.points(torch.tensor([row]), auctions)[0])


def test_the_first_call_is_recorded_with_the_result_it_led_to(batch: Batch, found: Lesson) -> None:
    looked_at = 0
    for turn, hand in enumerate(found.hand.tolist()):
        row, seat = divmod(hand, 4)
        if found.known[turn, :-2].any() or seat != 0:
            continue
        elsewhere = ended(batch, row, 1, [])
        for place, call in enumerate(found.tried[turn].tolist()):
            if found.is_tried[turn, place]:
                points = ended(batch, row, 0, [call])
                assert found.won[turn, place] == imps(torch.tensor(points - elsewhere))
                looked_at += 1
    assert looked_at >= 3


def test_the_chosen_call_led_to_the_tables_result(batch: Batch, found: Lesson) -> None:
    won = [
        int(imps(torch.tensor(ended(batch, row, 0, []) - ended(batch, row, 1, []))))
        for row in range(NUMBER)
    ]
    assert found.level == pytest.approx(sum(won) / NUMBER)
    assert match(batch, fast(1), fast(2)).tolist() == won
    for turn, hand in enumerate(found.hand.tolist()):
        assert found.is_tried[turn, 0]
        assert found.won[turn, 0] == won[hand // 4]


def test_calls_that_are_tried_differ_and_are_legal(found: Lesson) -> None:
    assert found.tried.shape[1] == 3
    for tried, is_tried in zip(found.tried, found.is_tried, strict=True):
        real = tried[is_tried > 0].tolist()
        assert 1 <= len(real) == len(set(real))
        # Nobody has bid: no double.
        if not found.known[:, 424:459].any():
            assert not {1, 2} & set(real)


def test_learning_from_a_lesson_lowers_its_loss(found: Lesson) -> None:
    torch.manual_seed(1)
    net = CallsNet(16, 2)
    optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
    turns = torch.arange(len(found))
    losses = []
    for _ in range(30):
        loss = found.loss(net, turns, 0.05)
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
        losses.append(float(loss.detach()))
    assert losses[-1] < 0.9 * losses[0]


def test_another_partnership_may_oppose_the_one_that_learns(batch: Batch) -> None:
    """It is asked for the calls of its own side, in auctions that tried calls began too."""
    turns = 0

    class Passing:
        def calls(self, boards: Boards, auctions: Auctions) -> NDArray[np.integer]:
            nonlocal turns
            assert len(boards) == len(auctions)
            turns += len(boards)
            return np.zeros(len(boards), np.int64)

    torch.manual_seed(7)
    found = lesson(fast(1), Passing(), batch, temperature=0.0, candidates=3, astray=0.1)
    assert turns > NUMBER
    for turn, hand in enumerate(found.hand):
        # Who sits left and right of the learner has made no call but passes.
        marks = found.known[turn, : 4 * MARKS].reshape(4, MARKS)
        assert not marks[1].any(), hand
        assert not marks[3].any(), hand


def test_against_silent_opponents_calls_are_compared_with_their_own_table(batch: Batch) -> None:
    """The first call that was tried is the table's, and gains nothing."""
    torch.manual_seed(7)
    found = lesson(fast(1), Silent(), batch, temperature=0.0, candidates=3, astray=0.0)
    marks = found.known[:, : 4 * MARKS].reshape(-1, 4, MARKS)
    assert not marks[:, [1, 3]].any()
    assert not found.won[:, 0].any()
    assert found.won[:, 1:].any()
    looked_at = 0
    for turn, hand in enumerate(found.hand.tolist()):
        row, seat = divmod(hand, 4)
        if found.known[turn, :-2].any() or seat != 0:
            continue
        table = uncontested(batch, row, [])
        for place, call in enumerate(found.tried[turn].tolist()):
            if found.is_tried[turn, place]:
                points = uncontested(batch, row, [call])
                assert found.won[turn, place] == imps(torch.tensor(points - table))
                looked_at += 1
    assert looked_at >= 3


def uncontested(batch: Batch, row: int, begin: list[int]) -> int:
    """The points of the dealer's side on one board whose opponents pass, after some calls."""
    features = batch.features()
    return played_out(batch, row, 0, begin, (NetPlayer(fast(1), features), Silent()))


def test_contracts_are_compared_with_the_best_of_the_side(
    both: tuple[Boards, Tricks, Batch],
) -> None:
    """Nobody bids with networks that rate a pass highest; by the scores of `bridge.scoring`."""
    _, tricks, batch = both
    net = fast(1)
    with torch.no_grad():
        net.out.weight.zero_()
        net.out.bias.zero_()
        net.out.bias[0] = 1
    contracts = [
        (Contract(level, denomination, Risk.UNDOUBLED, seat), bid)
        for bid, (level, denomination) in enumerate(product(range(1, 8), DENOMINATIONS))
        for seat in (Seat.NORTH, Seat.SOUTH)
    ]
    for row, lost in enumerate(below_best(batch, net).tolist()):
        best = max(
            score_ns(contract, int(tricks[row, bid % 5, contract.declarer]), Vulnerability.NONE)
            for contract, bid in contracts
        )
        assert lost == scoring_imps(max(best, 0))


def test_the_same_seed_gives_the_same_lesson(batch: Batch) -> None:
    two = []
    for _ in range(2):
        torch.manual_seed(9)
        two.append(lesson(fast(1), fast(2), batch, temperature=1.0, candidates=3, astray=0.1))
    assert torch.equal(two[0].tried, two[1].tried)
    assert torch.equal(two[0].won, two[1].won)


@pytest.fixture(scope="module")
def both() -> tuple[Boards, Tricks, Batch]:
    rng = np.random.default_rng(3)
    boards = Boards.random(rng, NUMBER_OF_BOARDS)
    tricks = rng.integers(14, size=(NUMBER_OF_BOARDS, 5, 4)).astype(np.uint8)
    return boards, tricks, Batch.of(boards, tricks)


def test_hands_are_read_alike(both: tuple[Boards, Tricks, Batch]) -> None:
    boards, _, ours = both
    hands = boards.hands.reshape(-1, 52)
    assert (ours.features().float().numpy() == features(hands)).all()
    assert (ours.measures().numpy() == points_and_lengths(hands)).all()


def test_networks_reach_contracts_of_the_same_worth(
    both: tuple[Boards, Tricks, Batch],
) -> None:
    boards, tricks, ours = both
    one, other = nets(1), nets(2)
    nets_there = CallsNet.of(one), CallsNet.of(other)
    for side, players in enumerate(((one, other), (other, one))):
        bid = bid_out(ours, *nets_there, torch.full((NUMBER_OF_BOARDS,), side))
        expected = arrays.bid_out(boards, *players).points(boards, tricks)
        assert (bid.points.numpy() == expected).all()
        assert len(bid.known) == len(bid.hand)
        seats = bid.hand % 4
        assert (seats % 2 == side).all()


def test_imps_of_differences_are_those_of_the_scale() -> None:
    differences = np.array([0, -20, 430, -430, 1500, -9000])
    assert imps(torch.from_numpy(differences)).tolist() == arrays.imps(differences).tolist()


def test_boards_are_dealt_and_scored_by_the_estimate() -> None:
    torch.manual_seed(1)
    boards = dealt(200, estimate_of(shipped()))
    assert (boards.hands.sum(dim=2) == 13).all()
    assert (boards.hands.sum(dim=1) == 1).all()
    chances = shipped().chances(boards.hands.numpy())
    mean = (chances * np.arange(14)).sum(axis=-1)
    assert np.abs(boards.tricks.numpy() - mean).mean() < 0.5


def test_solved_deals_keep_their_tricks() -> None:
    """A deal's cards and tricks turn together: here a seat's trumps are its tricks."""
    torch.manual_seed(2)
    rng = np.random.default_rng(4)
    order = rng.random((30, 52)).argsort(axis=1).argsort(axis=1)
    seats = (order // 13).astype(np.uint8)
    held = seats[:, None] == np.arange(4)[:, None]
    lengths = held.reshape(-1, 4, 4, 13).sum(axis=3)
    tricks = np.zeros((30, 5, 4), np.uint8)
    tricks[:, :4] = lengths.swapaxes(1, 2)
    boards = drawn(SolvedDeals(seats, tricks), 100)
    expected = boards.hands.reshape(-1, 4, 4, 13).sum(dim=3).transpose(1, 2)
    assert (boards.tricks[:, :4] == expected).all()
    assert boards.vulnerable.float().mean() == pytest.approx(0.5, abs=0.2)
