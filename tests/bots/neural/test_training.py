"""Training continues after an interruption as if there were none, and each part learns."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

pytest.importorskip("torch")

import torch

from bridge_arena.bots.library.learning.arrays import write_halved
from bridge_arena.bots.library.learning.device import quick
from bridge_arena.bots.library.learning.run import TrainingRun
from bridge_arena.bots.library.tables import net as tables
from bridge_arena.bots.neural import imitation, training
from bridge_arena.bots.neural.imitation import Bidden
from bridge_arena.bots.neural.modules import CallsNet
from bridge_arena.bots.neural.net import Nets
from bridge_arena.bots.neural.training import NeuralSettings, Trainer, starting, train
from bridge_arena.bridge.board import random_deal
from bridge_arena.bridge.seats import SEATS
from bridge_arena.oracle.solved_deals import SolvedDeals
from tests.bots.neural.nets import nets

SETTINGS = NeuralSettings(
    imitation=4,
    auctions=8,
    steps=6,
    boards=6,
    meanings=3,
    dealt=8,
    bidden=20,
    width=16,
    layers=1,
    kept=2,
)


@pytest.fixture(scope="module")
def auctions() -> Bidden:
    return imitation.bidden(np.random.default_rng(1), 30)


@pytest.fixture(scope="module")
def deals() -> SolvedDeals:
    """Deals with tables that nobody solved."""
    seats = np.zeros((20, 52), np.uint8)
    for number, row in enumerate(seats, start=1):
        deal = random_deal(31, number)
        for seat in SEATS:
            row[list(deal[seat])] = int(seat)
    tricks = np.random.default_rng(2).integers(14, size=(20, 5, 4)).astype(np.uint8)
    return SolvedDeals(seats, tricks)


def trained(
    folder: Path,
    auctions: Bidden | None,
    deals: SolvedDeals,
    *,
    resume: bool = False,
    until: int | None = None,
    start: Nets | None = None,
) -> TrainingRun:
    settings = starting(SETTINGS, start) if start else SETTINGS
    run = TrainingRun(folder, "neural", asdict(settings), resume=resume)

    def told(step: int) -> None:
        if step == until:
            raise KeyboardInterrupt

    bidden: list[int] = []
    train(run, settings, auctions, deals, deals, told, bidden.append, start)
    assert bidden == [0, settings.bidden]
    return run


def test_each_part_has_its_rows(
    tmp_path: Path, auctions: Bidden, deals: SolvedDeals, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(training, "EVERY", 3)
    rows = trained(tmp_path, auctions, deals).curve()
    assert [row["step"] for row in rows] == [3, 4, 6, 9, 10, 12, 13]
    for figure, steps in (
        ("imitated", {3, 4}),
        ("won_in_training", {6, 9, 10}),
        ("from_par", {4, 6, 9, 10}),
        ("surprise", {12, 13}),
    ):
        assert {row["step"] for row in rows if not np.isnan(row[figure])} == steps


def test_the_weights_are_those_of_the_end(
    tmp_path: Path, auctions: Bidden, deals: SolvedDeals, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It holds too after an interruption between the last checkpoint and the weights."""
    monkeypatch.setattr(training, "EVERY", 2)
    whole = trained(tmp_path / "whole", auctions, deals).folder / "weights.npz"
    parts = tmp_path / "parts"

    def interrupted(*arguments: Any) -> None:
        if "\n13," in (parts / "curve.csv").read_text():
            raise KeyboardInterrupt
        write_halved(*arguments)

    with monkeypatch.context() as patch:
        patch.setattr(training, "write_halved", interrupted)
        with pytest.raises(KeyboardInterrupt):
            trained(parts, auctions, deals)
    trained(parts, auctions, deals, resume=True)
    assert (parts / "weights.npz").read_bytes() == whole.read_bytes()


def test_self_play_starts_with_networks(
    tmp_path: Path, deals: SolvedDeals, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There is no imitation, and what starts is the first past self."""
    monkeypatch.setattr(training, "EVERY", 2)
    start = nets(3)
    trainer = Trainer(starting(SETTINGS, start), None, deals, deals, start)
    assert trainer.played == 0
    before = CallsNet.of(start).state_dict()
    trainer.learn()
    for name, value in before.items():
        assert torch.equal(trainer.pool[0][name], value.to(quick()))
    assert any(not torch.equal(trainer.net.state_dict()[name], before[name]) for name in before)
    whole = trained(tmp_path / "whole", None, deals, start=start)
    with pytest.raises(KeyboardInterrupt):
        trained(tmp_path / "parts", None, deals, until=5, start=start)
    parts = trained(tmp_path / "parts", None, deals, resume=True, start=start)
    weights = [(run.folder / "weights.npz").read_bytes() for run in (whole, parts)]
    assert weights[0] == weights[1]
    assert [row["step"] for row in whole.curve()] == [2, 4, 6, 7]


def test_the_end_of_self_play_is_on_solved_deals(
    deals: SolvedDeals, monkeypatch: pytest.MonkeyPatch
) -> None:
    chances = np.zeros((SETTINGS.boards, 5, 4, 14), np.float32)
    chances[..., 3] = 1
    asked: list[int] = []

    def told(hands: NDArray[np.bool_]) -> NDArray[np.float32]:
        asked.append(trainer.played)
        return chances[: len(hands)]

    monkeypatch.setattr(tables, "shipped", lambda: SimpleNamespace(chances=told))
    settings = replace(SETTINGS, estimated=1.0, solved_at_end=0.5)
    trainer = Trainer(starting(settings, nets(3)), None, deals, deals, nets(3))
    for _ in range(settings.steps):
        trainer.learn()
    assert asked == [0, 1, 2]


def test_imitation_learns(auctions: Bidden, deals: SolvedDeals) -> None:
    settings = replace(SETTINGS, imitation=120, auctions=30, width=64, rate=3e-3)
    trainer = Trainer(settings, auctions, deals, deals)
    shares = [trainer.learn()["imitated"] for _ in range(settings.imitation)]
    passes = (auctions.meant == 0).sum() / (auctions.meant >= 0).sum()
    assert np.mean(shares[-5:]) > passes + 0.03
    assert len(trainer.pool) == 1


def test_meanings_learn(auctions: Bidden, deals: SolvedDeals) -> None:
    settings = replace(SETTINGS, imitation=1, steps=1, meanings=60, dealt=64, width=64, rate=1e-2)
    trainer = Trainer(settings, auctions, deals, deals)
    for _ in range(2):
        trainer.learn()
    surprise = [trainer.learn()["surprise"] for _ in range(settings.meanings)]
    assert np.mean(surprise[-5:]) < np.mean(surprise[:5]) - 2


@pytest.mark.slow
def test_self_play_learns(auctions: Bidden, deals: SolvedDeals) -> None:
    """All tricks are the dealer's side's, whatever is trumps: bidding high is right."""
    tricks = np.zeros_like(deals.tricks)
    tricks[:, :, [0, 2]] = 13
    one_sided = SolvedDeals(deals.seats, tricks)
    settings = replace(
        SETTINGS, imitation=1, steps=100, boards=32, width=64, hot=2.0, estimated=0.0
    )
    trainer = Trainer(settings, auctions, one_sided, deals)
    trainer.learn()
    # Who opposes is the first past self throughout.
    trainer.settings = replace(settings, field=0.0, latest=0.0, kept=1000)
    won = [trainer.learn()["won_in_training"] for _ in range(settings.steps)]
    assert np.mean(won[-20:]) > np.mean(won[:20]) + 3
