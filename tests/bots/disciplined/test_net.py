"""The network: what it says of calls, and the files it reads."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from bridge_arena.bots.disciplined.choices import Choices, choices_of
from bridge_arena.bots.disciplined.net import INPUTS, WorthNet, features
from bridge_arena.bots.library.learning.arrays import ArraysError, write_halved
from bridge_arena.bots.library.many_auctions.auctions import Auctions, Turns
from bridge_arena.bots.library.many_auctions.boards import Boards
from bridge_arena.bridge.board import Board
from tests.bots.disciplined.nets import net


@pytest.fixture(scope="module")
def choices() -> Choices:
    boards = Boards.of(Board.dealt(3, number) for number in range(1, 100))
    dealers = np.zeros(len(boards), np.int64)
    turns = Turns(boards.hands[:, 0], Auctions(len(boards)), boards.vulnerable, dealers)
    return choices_of(turns)[2]


def test_natural_is_worth_nothing_more_than_itself(choices: Choices) -> None:
    worth = net(1).worth(choices)
    rows = np.arange(len(choices))
    assert not worth[rows, choices.natural].any()
    assert np.array_equal(np.isfinite(worth), choices.fitting)
    best = net(1).best(choices)
    assert choices.fitting[rows, best].all()
    assert (best != choices.natural).any()


def test_a_question_is_answered_alike_alone_and_among_others(choices: Choices) -> None:
    together = net(2).worth(choices)
    for row in range(0, len(choices), 7):
        assert np.array_equal(net(2).worth(choices.rows([row]))[0], together[row])


def test_the_features_are_of_one_size(choices: Choices) -> None:
    seen = features(choices)
    assert seen.shape == (len(choices), INPUTS)
    assert seen.min() >= 0
    assert seen.max() <= 2


def test_a_file_is_read_whole_or_refused(tmp_path: Path, choices: Choices) -> None:
    path = tmp_path / "weights.npz"
    write_halved(path, net(3).weights)
    halved = {name: weight.astype(np.float16) for name, weight in net(3).weights.items()}
    expected = WorthNet(halved).worth(choices)  # type: ignore[arg-type]
    assert np.array_equal(WorthNet.read(path).worth(choices), expected)
    write_halved(path, {name: net(3).weights[name] for name in halved if name != "out.bias"})
    with pytest.raises(ArraysError, match=r"weights\.npz: there is no array out\.bias"):
        WorthNet.read(path)
