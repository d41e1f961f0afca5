"""Training of the Q-networks."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from bridge_arena.bots.deepq.net import QNets
from bridge_arena.bots.library.learning.hands import features, lengths, random_pairs
from bridge_arena.bots.library.learning.scores import costs_of
from bridge_arena.bots.library.tricks.net import TricksNet, shipped
from tests.late_imports import late_imports

with late_imports("torch"):
    import torch

    from bridge_arena.bots.deepq import training
    from bridge_arena.bots.library.learning.descent import Trainer


def certain(more: int, notrump: int) -> TricksNet:
    """An estimate without spread: in each suit as many more tricks as declarer has cards in it."""
    weights = {name: np.zeros_like(each) for name, each in shipped().weights.items()}
    weights["first.own.weight"][0, :13] = weights["first.own.weight"][1, 13:] = 1
    weights["suits.own.weight"][[0, 1], [0, 1]] = 1
    weights["suits.own.bias"] = np.array([more - 7, more - 7, -3, -3], np.float32)
    weights["notrump.1.bias"] = np.array([notrump - 7, notrump - 7, -3, -3], np.float32)
    return TricksNet(weights, np.eye(5, dtype=np.float32))


def test_costs_are_those_of_the_estimated_tricks() -> None:
    rng = np.random.default_rng(1)
    hands, partners = random_pairs(rng, 20)
    for more, notrump in ((0, 5), (2, 8), (4, 11)):
        found = training.Labels(certain(more, notrump), layouts=3).costs(hands, partners).numpy()
        suits = np.stack([lengths(hands), lengths(partners)], axis=2) + more
        tricks = np.concatenate([suits, np.full((20, 1, 2), notrump)], axis=1)
        assert (found == costs_of(np.tile(tricks[:, None], (1, 3, 1, 1)))).all()


def test_temperature_falls_and_stays() -> None:
    settings = training.DeepQSettings(steps=100, hot=1.0, cold=0.01, cooled=0.5)
    found = [settings.temperature(step) for step in (0, 25, 50, 99)]
    assert found == pytest.approx([1.0, 0.1, 0.01, 0.01])


def test_networks_in_numpy_bid_as_those_that_learned(tmp_path: Path) -> None:
    settings = training.DeepQSettings(width=32, pairs=64)
    trainer = training.DeepQTrainer(settings, training.Labels(shipped()))
    for _ in range(3):
        trainer.learn()
    # Half precision on both sides, or equal costs might be told apart.
    for parameter in trainer.descent.averaged.parameters():
        parameter.data = parameter.data.half().float()
    path = tmp_path / "weights.npz"
    Trainer.write_weights(trainer, path)
    hands, partners = random_pairs(np.random.default_rng(3), 500)
    reached = QNets.read(path).bid(hands, partners)
    assert (reached.contracts == trainer.bid(hands, partners)).mean() > 0.99
    for bids in reached.bids:
        made = [int(bid) for bid in bids if bid >= 0]
        assert made == sorted(made)
        assert len(made) == 6 or made[-1] == made[-2]


def test_what_is_taught_is_what_the_auction_costs() -> None:
    """The cost of each bid that was tried is that of a contract at least as high."""
    settings = training.DeepQSettings(width=16, pairs=50)
    trainer = training.DeepQTrainer(settings, training.Labels(shipped()))
    hands, partners = random_pairs(np.random.default_rng(2), 50)
    seen = [torch.from_numpy(features(each)) for each in (hands, partners)]
    # The cost of a contract is its number: so it can be seen which one was reached.
    costs = torch.arange(36).float().repeat(50, 1)
    lessons, reached = trainer._lessons(seen, costs)
    assert len(lessons) == settings.calls
    assert not torch.isnan(lessons[0].costs).any()
    for lesson in lessons:
        assert (lesson.costs >= lesson.tried).all()
        assert (lesson.tried >= lesson.states.last[:, None]).all()
    last = lessons[-1]
    assert (last.costs == last.tried).all()
    assert reached >= 0
