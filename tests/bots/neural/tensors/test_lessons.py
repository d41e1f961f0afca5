"""The result recorded for a call is the result to which it led."""

from __future__ import annotations

import pytest

pytest.importorskip("torch")

import torch

from bridge_arena.bots.library.tables.net import shipped
from bridge_arena.bots.neural.modules import CallsNet
from bridge_arena.bots.neural.net import FORBIDDEN
from bridge_arena.bots.neural.tensors.auctions import Auctions
from bridge_arena.bots.neural.tensors.boards import Boards, dealt, estimate_of, imps
from bridge_arena.bots.neural.tensors.lessons import Lesson, Player, lesson, match

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
def boards() -> Boards:
    torch.manual_seed(5)
    return dealt(NUMBER, estimate_of(shipped()))


@pytest.fixture(scope="module")
def found(boards: Boards) -> Lesson:
    nets = fast(1), fast(2)
    torch.manual_seed(7)
    return lesson(*nets, boards, temperature=0.0, candidates=3, astray=0.0)


def ended(boards: Boards, row: int, side: int, begin: list[int]) -> int:
    """The points of the dealer's side on one board, the learner on `side`, after some calls."""
    features = boards.features()
    players = Player(fast(1), features), Player(fast(2), features)
    auctions = Auctions(torch.tensor([[row]]))
    while not auctions.over[0]:
        seat = auctions.turn
        if auctions.made < len(begin):
            call = begin[auctions.made]
        else:
            player = players[0 if seat % 2 == side else 1]
            seen = auctions.public(boards.vulnerable[[row]], seat)
            ratings = player.ratings(torch.tensor([4 * row + seat]), seen)
            call = int(ratings.masked_fill(~auctions.legal(), float(FORBIDDEN)).argmax())
        auctions.push(torch.tensor([call]))
    return int(boards.points(torch.tensor([row]), auctions)[0])


def test_the_first_call_is_recorded_with_the_result_it_led_to(
    boards: Boards, found: Lesson
) -> None:
    looked_at = 0
    for turn, hand in enumerate(found.hand.tolist()):
        row, seat = divmod(hand, 4)
        if found.seen[turn, :-2].any() or seat != 0:
            continue
        elsewhere = ended(boards, row, 1, [])
        for place, call in enumerate(found.tried[turn].tolist()):
            if found.is_tried[turn, place]:
                points = ended(boards, row, 0, [call])
                assert found.won[turn, place] == imps(torch.tensor(points - elsewhere))
                looked_at += 1
    assert looked_at >= 3


def test_the_chosen_call_led_to_the_tables_result(boards: Boards, found: Lesson) -> None:
    won = [
        int(imps(torch.tensor(ended(boards, row, 0, []) - ended(boards, row, 1, []))))
        for row in range(NUMBER)
    ]
    assert found.level == pytest.approx(sum(won) / NUMBER)
    assert match(boards, fast(1), fast(2)).tolist() == won
    for turn, hand in enumerate(found.hand.tolist()):
        assert found.is_tried[turn, 0]
        assert found.won[turn, 0] == won[hand // 4]


def test_calls_that_are_tried_differ_and_are_legal(found: Lesson) -> None:
    assert found.tried.shape[1] == 3
    for tried, is_tried in zip(found.tried, found.is_tried, strict=True):
        real = tried[is_tried > 0].tolist()
        assert 1 <= len(real) == len(set(real))
        # Nobody has bid: no double.
        if not found.seen[:, 424:459].any():
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
