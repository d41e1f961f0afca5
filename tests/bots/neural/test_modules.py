"""The networks in torch, against numpy."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from bridge_arena.bots.library.learning.arrays import write_halved
from bridge_arena.bots.library.learning.hands import features
from bridge_arena.bots.library.many_auctions.auctions import Auctions
from bridge_arena.bots.library.many_auctions.boards import Boards
from bridge_arena.bots.neural.net import SHOWN, Nets, public
from tests.late_imports import late_imports

with late_imports("torch"):
    import torch

    from bridge_arena.bots.neural.modules import CallsNet, MeaningsNet, weights


def test_numpy_and_torch_agree(tmp_path: Path) -> None:
    torch.manual_seed(3)
    calls, meanings = CallsNet(16, 2), MeaningsNet(8, 2)
    boards = Boards.random(np.random.default_rng(1), 50)
    auctions = Auctions(50)
    auctions.push(np.arange(50) % 8 // 2 * 2)  # Pass and some bids, no double
    seen = public(auctions, boards.vulnerable, 1)
    cards = torch.from_numpy(features(boards.hands[:, 1]))
    with torch.no_grad():
        rated, value = calls.forward(calls.hand(cards), torch.from_numpy(seen).float())
        shown = meanings.forward(torch.from_numpy(seen).float())
    found = Nets(weights(calls, meanings))
    assert found.ratings(boards.hands[:, 1], seen) == pytest.approx(rated.numpy(), abs=1e-4)
    assert found.value(boards.hands[:, 1], seen) == pytest.approx(value.numpy(), abs=1e-4)
    assert found.shown(seen) == pytest.approx(shown.numpy(), abs=1e-4)
    path = tmp_path / "weights.npz"
    write_halved(path, weights(calls, meanings))
    read = Nets.read(path)
    assert read.ratings(boards.hands[:, 1], seen) == pytest.approx(rated.numpy(), abs=1e-2)
    assert read.shown(seen).shape == (50, SHOWN)
