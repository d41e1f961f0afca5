"""Training of the estimate of double-dummy tables."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bridge_arena.bots.library.learning.run import TrainingRun
from bridge_arena.bots.library.many_auctions.boards import Boards
from bridge_arena.bots.library.tables.net import TablesNet, suits_of
from bridge_arena.oracle.solved_deals import SolvedDeals
from tests.late_imports import late_imports

with late_imports("torch"):
    import torch

    from bridge_arena.bots.library.tables import training


@pytest.fixture(autouse=True, scope="module")
def _one_thread() -> Iterator[None]:
    """Use one thread: small networks are quickest so, above all on a busy machine."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def settings(**changes: Any) -> training.TablesSettings:
    small: dict[str, Any] = {"steps": 6, "width": 16, "layers": 2, "batch": 32, "average": 0.5}
    return training.TablesSettings(**small | changes)


def solved(number: int, seed: int) -> SolvedDeals:
    """Deals in which a declarer takes as many tricks as he has trumps, and three in notrump."""
    hands = Boards.random(np.random.default_rng(seed), number).hands
    lengths = hands.reshape(number, 4, 4, 13).sum(axis=3).swapaxes(1, 2)
    tricks = np.concatenate([lengths, np.full((number, 1, 4), 3)], axis=1)
    return SolvedDeals(hands.argmax(axis=1).astype(np.uint8), tricks.astype(np.uint8))


def test_the_net_in_numpy_agrees_with_the_one_that_learned(tmp_path: Path) -> None:
    how = settings()
    run = TrainingRun(tmp_path / "run", "tables", asdict(how), resume=False)
    trainer = training.TablesTrainer(how, solved(100, 1), solved(20, 2))
    path = run.train(trainer, how.steps, training.EVERY, lambda _: None)
    net = TablesNet.read(path)
    learned = training.Tables(how.width, how.layers)
    learned.load_state_dict({name: torch.from_numpy(each) for name, each in net.weights.items()})
    hands = Boards.random(np.random.default_rng(3), 30).hands
    expected: Any = 0
    with torch.no_grad():
        for turn in range(4):
            suits = torch.from_numpy(suits_of(np.roll(hands, -turn, axis=1)))
            told = torch.softmax(learned(suits), dim=-1).numpy()
            expected = expected + np.roll(told, turn, axis=2) / 4
    assert np.allclose(net.chances(hands), expected, atol=1e-5)


@pytest.mark.slow
def test_training_brings_the_estimate_close_to_the_tricks(tmp_path: Path) -> None:
    how = settings(steps=150, width=32, batch=64, rate=5e-3)
    run = TrainingRun(tmp_path / "run", "tables", asdict(how), resume=False)
    trainer = training.TablesTrainer(how, solved(2000, 1), solved(50, 2))
    path = run.train(trainer, how.steps, training.EVERY, lambda _: None)
    fresh = solved(200, 3)
    hands = fresh.seats[:, None] == np.arange(4)[:, None]
    mean = TablesNet.read(path).chances(hands) @ np.arange(14)
    assert np.abs(mean[:, 4] - 3).max() < 0.3
    assert np.sqrt(np.square(mean - fresh.tricks).mean()) < 0.5 < fresh.tricks.std()
