"""Training of the estimate of tricks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest

from bridge_arena.bots.library.learning.hands import random_pairs
from bridge_arena.bots.library.learning.run import TrainingRun
from bridge_arena.bots.library.tricks.data import Known
from bridge_arena.bots.library.tricks.net import TricksNet
from tests.late_imports import late_imports

with late_imports("torch"):
    import torch

    from bridge_arena.bots.library.tricks import training


@pytest.fixture(autouse=True, scope="module")
def _one_thread() -> Iterator[None]:
    """Use one thread: small networks are quickest so, above all on a busy machine."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def known(number: int, seed: int) -> Known:
    """Hands that take a trick for each ace that both hold, in any denomination."""
    hands, partners = random_pairs(np.random.default_rng(seed), number)
    aces = (hands | partners)[:, 12::13].sum(axis=1)
    return Known(hands, partners, np.repeat(aces, 10).reshape(-1, 5, 2).astype(np.float32))


def test_hands_are_turned_with_their_tricks() -> None:
    pairs = known(200, 1)
    lengths = [each.reshape(-1, 4, 13).sum(axis=2) for each in (pairs.hands, pairs.partners)]
    # Either declarer's tricks are his cards in the suit.
    tricks = np.concatenate([np.stack(lengths, axis=2), np.full((200, 1, 2), 7)], axis=1)
    before = Known(pairs.hands, pairs.partners, tricks.astype(np.float32))
    after = training.turned(before, np.random.default_rng(2))
    for declarer, hands in enumerate((after.hands, after.partners)):
        assert (hands.reshape(-1, 4, 13).sum(axis=2) == after.tricks[:, :4, declarer]).all()
    changed = (after.hands != before.hands).any(axis=1)
    assert 60 < changed.sum() < 140
    assert (after.hands == np.where(changed[:, None], before.partners, before.hands)).all()


def test_the_net_in_numpy_agrees_with_the_one_that_learned(tmp_path: Path) -> None:
    settings = training.TricksSettings(steps=20, width=16, between=2, batch=32, average=0.5)
    run = TrainingRun(tmp_path / "run", "tricks", asdict(settings), resume=False)
    trainer = training.TricksTrainer(settings, known(200, 1), None, known(50, 2))
    net = TricksNet.read(run.train(trainer, settings.steps, training.EVERY, lambda _: None))
    pairs = known(100, 3)
    found = net.estimate(pairs.hands, pairs.partners)
    with torch.no_grad():
        learned = training.Tricks.of(net)
        mean, deviation = training.in_both_orders(learned, training.inputs(pairs))
    assert np.allclose(found.mean, mean.numpy(), atol=1e-4)
    assert np.allclose(found.deviation, deviation.numpy(), rtol=1e-3)
    assert found.deviation.std() > 0.001


def test_deviations_are_averaged_before_they_are_bounded() -> None:
    """The mean is that of the logarithms, which lie on either side of the bound."""
    net = training.Tricks(4, 0)
    with torch.no_grad():
        for each in net.parameters():
            each.zero_()
        net.suits.own.bias[2:] = torch.tensor([-5.0, 2.0])
    pairs = known(3, 1)
    written = {name: each.numpy() for name, each in net.state_dict().items()}
    found = TricksNet(written, np.eye(5, dtype=np.float32)).estimate(pairs.hands, pairs.partners)
    _, deviation = training.in_both_orders(net, training.inputs(pairs))
    assert np.allclose(found.deviation[:, :4], np.exp(-1.5))
    assert np.allclose(deviation.detach().numpy(), found.deviation)


def test_means_alone_teach_the_mean(tmp_path: Path) -> None:
    """The deviation is one trick; how denominations go together is of the means' errors."""
    settings = training.TricksSettings(steps=300, width=32, between=1, batch=64, rate=5e-3)
    run = TrainingRun(tmp_path / "run", "tricks", asdict(settings), resume=False)
    trainer = training.TricksTrainer(settings, None, known(3000, 1), known(200, 3))
    path = run.train(trainer, settings.steps, training.EVERY, lambda _: None)
    net, pairs = TricksNet.read(path), known(200, 3)
    found = net.estimate(pairs.hands, pairs.partners)
    assert np.sqrt(((found.mean - pairs.tricks) ** 2).mean()) < 0.6 < pairs.tricks.std()
    assert (found.deviation == 1).all()
    assert (net.correlation == net.correlation.T).all()
    with pytest.raises(ValueError, match="neither solved deals nor means"):
        training.TricksTrainer(settings, None, None, known(200, 3))


@pytest.mark.slow
def test_training_brings_the_estimate_close_to_the_tricks(tmp_path: Path) -> None:
    settings = training.TricksSettings(steps=600, width=32, between=1, batch=64, rate=5e-3)
    run = TrainingRun(tmp_path / "run", "tricks", asdict(settings), resume=False)
    pairs = known(200, 3)
    trainer = training.TricksTrainer(settings, known(3000, 1), known(1000, 2), pairs)
    path = run.train(trainer, settings.steps, training.EVERY, lambda _: None)
    off = TricksNet.read(path).estimate(pairs.hands, pairs.partners).mean - pairs.tricks
    assert np.sqrt((off**2).mean()) < 0.5 < pairs.tricks.std()
