"""Self-play in large lessons goes on after an interruption as if there were none."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")

from bridge_arena.bots.library.learning.run import TrainingRun
from bridge_arena.bots.neural.net import Nets
from bridge_arena.bots.neural.tensors import training
from bridge_arena.bots.neural.tensors.training import LessonsSettings, Trainer, train
from bridge_arena.bridge.board import random_deal
from bridge_arena.bridge.seats import SEATS
from bridge_arena.oracle.solved_deals import SolvedDeals
from tests.bots.neural.nets import nets

SETTINGS = LessonsSettings(
    lessons=6,
    boards=8,
    turns=16,
    meanings=2,
    bidden=20,
    width=16,
    layers=1,
    kept=2,
    pool=2,
    past=0.5,
)


@pytest.fixture(scope="module")
def deals() -> SolvedDeals:
    """Deals with tables that nobody solved."""
    seats = np.zeros((10, 52), np.uint8)
    for number, row in enumerate(seats, start=1):
        deal = random_deal(31, number)
        for seat in SEATS:
            row[list(deal[seat])] = int(seat)
    tricks = np.random.default_rng(2).integers(14, size=(10, 5, 4)).astype(np.uint8)
    return SolvedDeals(seats, tricks)


def trained(
    folder: Path,
    deals: SolvedDeals,
    *,
    start: Nets | None = None,
    until: int | None = None,
    resume: bool = False,
) -> TrainingRun:
    run = TrainingRun(folder, "selfplay", asdict(SETTINGS), resume=resume)

    def told(done: int) -> None:
        if done == until:
            raise KeyboardInterrupt

    train(run, Trainer(SETTINGS, deals, deals, start, [nets(4)]), told, lambda _: None)
    return run


def test_each_figure_has_its_rows_in_the_curve(
    tmp_path: Path, deals: SolvedDeals, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(training, "EVERY", 3)
    rows = trained(tmp_path, deals).curve()
    assert [row["step"] for row in rows] == [3, 6, 8]
    for figure, steps in (("from_par", [3, 6]), ("won_in_training", [3, 6]), ("surprise", [8])):
        assert [row["step"] for row in rows if not np.isnan(row[figure])] == steps


def test_self_play_goes_on_where_it_stopped(
    tmp_path: Path, deals: SolvedDeals, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(training, "EVERY", 1)
    whole = trained(tmp_path / "whole", deals, start=nets(3)).folder / "weights.npz"
    with pytest.raises(KeyboardInterrupt):
        trained(tmp_path / "parts", deals, start=nets(3), until=4)
    parts = trained(tmp_path / "parts", deals, start=nets(3), resume=True)
    assert (parts.folder / "weights.npz").read_bytes() == whole.read_bytes()
    assert (
        Nets.read(whole).weights["calls.out.weight"] != nets(3).weights["calls.out.weight"]
    ).any()
