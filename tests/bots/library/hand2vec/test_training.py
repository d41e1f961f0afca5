"""Training of hands as vectors."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest

from bridge_arena.bots.library.hand2vec.net import Hand2VecNet
from bridge_arena.bots.library.learning.hands import lengths, random_pairs
from bridge_arena.bots.library.learning.run import TrainingRun
from bridge_arena.bots.library.tricks.data import Known
from bridge_arena.bots.library.tricks.net import shipped
from tests.late_imports import late_imports

with late_imports("pytorch_optimizer", "torch"):
    import torch

    from bridge_arena.bots.library.hand2vec import training


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Return settings for one thread, in which small networks are quickest, and for few hands."""
    monkeypatch.setattr(training, "EVERY", 100)
    monkeypatch.setattr(training, "CHUNK", 2000)
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def known(number: int, seed: int) -> Known:
    """A declarer takes a trick for each card that both hold in the suit; in notrump 7, and one
    more for each ace that he has more than his partner."""
    hands, partners = random_pairs(np.random.default_rng(seed), number)
    one, other = lengths(hands), lengths(partners)
    suits = np.repeat((one + other)[..., None], 2, axis=2)
    more = hands[:, 12::13].sum(axis=1) - partners[:, 12::13].sum(axis=1)
    notrump = 7 + np.stack([more, -more], axis=1)[:, None]
    return Known(hands, partners, np.concatenate([suits, notrump], axis=1).astype(np.float32))


def trained(folder: Path, settings: training.Hand2VecSettings) -> Hand2VecNet:
    run = TrainingRun(folder, "hand2vec", asdict(settings), resume=False)
    pairs, checked = known(3000, 1), known(200, 2)
    trainer = training.VectorsTrainer(settings, pairs, checked)
    path = run.train(trainer, settings.steps, training.EVERY, lambda _: None)
    return Hand2VecNet.read(path)


def test_suits_change_places_with_their_tricks() -> None:
    pairs = known(300, 1)
    after = training.in_other_suits(pairs, np.random.default_rng(2))
    assert (after.tricks[:, :4, 0] == lengths(after.hands) + lengths(after.partners)).all()
    assert (after.tricks[:, 4] == pairs.tricks[:, 4]).all()
    unchanged = (after.hands == pairs.hands).all(axis=1)
    assert 0 < unchanged.sum() < 30  # one order of 24


def test_random_pairs_have_the_tricks_of_the_estimate(tmp_path: Path) -> None:
    parts = list(training.estimated(shipped(), 3, 2500, tmp_path))
    assert [len(part) for part in parts] == [2000, 500]
    part = parts[1]
    assert np.allclose(part.tricks, shipped().estimate(part.hands, part.partners).mean)
    again = list(training.estimated(shipped(), 3, 2500, tmp_path))
    assert (again[1].hands == part.hands).all()
    assert (again[1].tricks == part.tricks).all()
    assert not (parts[0].hands[:500] == part.hands).all()


def test_the_vectors_of_random_hands_are_normal(tmp_path: Path) -> None:
    net = trained(tmp_path / "run", training.Hand2VecSettings(steps=150, dimensions=3, batch=64))
    hands, _ = random_pairs(np.random.default_rng(9), 20_000)
    vectors = net.vectors(hands)
    assert vectors.shape == (20_000, 3)
    assert np.allclose(vectors.mean(axis=0), 0, atol=0.1)
    assert np.allclose(vectors.std(axis=0), 1, atol=0.1)


def test_the_net_in_numpy_agrees_with_the_one_that_learned() -> None:
    settings = training.Hand2VecSettings(dimensions=5, batch=64, steps=20)
    trainer = training.VectorsTrainer(settings, known(500, 1), known(20, 2))
    for _ in range(20):
        trainer.learn()
    learned = trainer.ready()
    pairs = known(100, 4)
    with torch.no_grad():
        cards = (
            torch.from_numpy(each.astype(np.float32)) for each in (pairs.hands, pairs.partners)
        )
        told = learned(*cards).numpy()
    net = Hand2VecNet(learned.weights())
    assert np.allclose(net.estimate(pairs.hands, pairs.partners), told, atol=1e-4)
    assert told.std() > 0.01


@pytest.mark.slow
def test_training_brings_the_net_close_to_the_tricks(tmp_path: Path) -> None:
    net = trained(tmp_path / "run", training.Hand2VecSettings(steps=600, batch=128, average=0.9))
    pairs = known(500, 3)
    off = net.estimate(pairs.hands, pairs.partners) - pairs.tricks
    assert np.sqrt(np.square(off).mean()) < 0.5 < pairs.tricks.std()
