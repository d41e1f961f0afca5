"""Training continues after an interruption as if there were none, and each part learns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bridge_arena.bots.library.bidding_systems import SystemName
from bridge_arena.bots.library.learning.arrays import write_halved
from bridge_arena.bots.library.learning.run import TrainingRun
from bridge_arena.bots.neural.imitation import Bidden
from bridge_arena.bots.neural.net import Nets
from bridge_arena.bridge.board import random_deal
from bridge_arena.bridge.seats import SEATS
from bridge_arena.oracle.solved_deals import SolvedDeals
from tests.bots.neural.nets import nets
from tests.late_imports import late_imports

with late_imports("torch"):
    import torch

    from bridge_arena.bots.neural import imitation, training
    from bridge_arena.bots.neural.modules import CallsNet
    from bridge_arena.bots.neural.selfplay import Batch, dealt
    from bridge_arena.bots.neural.training import SelfPlay, SelfPlaySettings, imitating

IMITATING = {"imitation": 4, "auctions": 8, "passes": 2}


def small(**changes: Any) -> SelfPlaySettings:
    sizes: dict[str, Any] = {
        **{"lessons": 6, "boards": 8, "boards_of_systems": 4, "turns": 16, "meanings": 3},
        **{"dealt": 8, "bidden": 20, "width": 16, "layers": 1, "kept": 2, "pool": 2, "past": 0.5},
    }
    return SelfPlaySettings(**sizes | changes)


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
    settings: SelfPlaySettings,
    deals: SolvedDeals,
    *,
    start: Nets | None = None,
    opponents: Sequence[Nets | SystemName] = (),
    auctions: Bidden | None = None,
    resume: bool = False,
    until: int | None = None,
) -> TrainingRun:
    run = TrainingRun(folder, "neural", asdict(settings), resume=resume)

    def on_progress(step: int) -> None:
        if step == until:
            raise KeyboardInterrupt

    bidden: list[int] = []
    course = SelfPlay(settings, deals, deals, start, opponents, auctions, bidden.append)
    run.train(course, settings.total, settings.every, on_progress, ends=settings.ends)
    assert bidden == [0, settings.bidden]
    return run


def test_each_part_has_its_rows(tmp_path: Path, auctions: Bidden, deals: SolvedDeals) -> None:
    settings = small(**IMITATING, every=3)
    run = trained(tmp_path, settings, deals, auctions=auctions, opponents=["natural"])
    rows = run.curve()
    assert [row["step"] for row in rows] == [3, 4, 6, 9, 10, 12, 13]
    for figure, steps in (
        ("imitated", {3, 4}),
        ("won_in_training", {6, 9, 10}),
        ("from_par", {4, 6, 9, 10}),
        ("against_natural", {4, 6, 9, 10}),
        ("surprise", {12, 13}),
    ):
        assert {row["step"] for row in rows if not np.isnan(row[figure])} == steps


def test_the_weights_are_those_of_the_end(
    tmp_path: Path, auctions: Bidden, deals: SolvedDeals, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It holds too after an interruption between the last checkpoint and the weights."""
    settings = small(**IMITATING, every=2)
    whole = trained(tmp_path / "whole", settings, deals, auctions=auctions).folder / "weights.npz"
    parts = tmp_path / "parts"

    def interrupted(*arguments: Any) -> None:
        if "\n13," in (parts / "curve.csv").read_text():
            raise KeyboardInterrupt
        write_halved(*arguments)

    with monkeypatch.context() as patch:
        patch.setattr(training, "write_halved", interrupted)
        with pytest.raises(KeyboardInterrupt):
            trained(parts, settings, deals, auctions=auctions)
    trained(parts, settings, deals, auctions=auctions, resume=True)
    assert (parts / "weights.npz").read_bytes() == whole.read_bytes()


@pytest.mark.parametrize("until", [2, 4, 7, 11])
def test_a_training_goes_on_where_it_stopped(
    tmp_path: Path, auctions: Bidden, deals: SolvedDeals, until: int
) -> None:
    """It does so in imitation, between the parts, in self-play and in the meanings."""
    settings = small(**IMITATING, every=1)
    met: list[Nets | SystemName] = [nets(4), "natural"]
    whole = trained(tmp_path / "whole", settings, deals, auctions=auctions, opponents=met)
    parts = tmp_path / "parts"
    with pytest.raises(KeyboardInterrupt):
        trained(parts, settings, deals, auctions=auctions, opponents=met, until=until)
    trained(parts, settings, deals, auctions=auctions, opponents=met, resume=True)
    for name in ("weights.npz", "curve.csv"):
        assert (parts / name).read_bytes() == (whole.folder / name).read_bytes()


def test_self_play_starts_with_networks(tmp_path: Path, deals: SolvedDeals) -> None:
    start = nets(3)
    course = SelfPlay(small(), deals, deals, start)
    before = CallsNet.of(start).state_dict()
    for name, value in course.calls.net.state_dict().items():
        assert torch.equal(value, before[name])
    course.learn()
    after = course.calls.net.state_dict()
    assert any(not torch.equal(after[name], before[name]) for name in before)
    settings = small(every=2)
    whole = trained(tmp_path / "whole", settings, deals, start=start, opponents=[nets(4)])
    parts = tmp_path / "parts"
    with pytest.raises(KeyboardInterrupt):
        trained(parts, settings, deals, start=start, opponents=[nets(4)], until=5)
    trained(parts, settings, deals, start=start, opponents=[nets(4)], resume=True)
    assert (parts / "weights.npz").read_bytes() == (whole.folder / "weights.npz").read_bytes()
    rows = whole.curve()
    assert [row["step"] for row in rows] == [2, 4, 6, 8, 9]
    assert "against_natural" not in rows[0]


def test_networks_to_start_with_take_the_place_of_imitation() -> None:
    with_imitation, begun = imitating(1, 40, 7, None), imitating(1, 40, 7, nets(3))
    assert (with_imitation.imitation, begun.imitation) == (40, 0)
    assert begun.meanings < with_imitation.meanings
    assert begun.lessons == with_imitation.lessons == 7


def test_the_end_of_self_play_is_on_solved_deals(
    deals: SolvedDeals, monkeypatch: pytest.MonkeyPatch
) -> None:
    estimated: list[int] = []

    def noted(number: int, estimate: Any) -> Batch:
        estimated.append(course.played)
        return dealt(number, estimate)

    monkeypatch.setattr(training, "dealt", noted)
    settings = small(solved=0.0, solved_at_end=0.5)
    course = SelfPlay(settings, deals, deals)
    for _ in range(settings.lessons):
        course.learn()
    assert estimated == [0, 1, 2]


def test_imitation_learns(auctions: Bidden, deals: SolvedDeals) -> None:
    settings = small(imitation=120, auctions=30, width=64, rate_of_imitation=3e-3, average=0.9)
    course = SelfPlay(settings, deals, deals, auctions=auctions)
    shares = [course.learn()["imitated"] for _ in range(settings.imitation)]
    passes = (auctions.meant == 0).sum() / (auctions.meant >= 0).sum()
    assert np.mean(shares[-5:]) > passes + 0.03


def test_meanings_learn(deals: SolvedDeals) -> None:
    settings = small(lessons=1, meanings=60, dealt=64, turns=1000, width=64, rate_of_meanings=1e-2)
    course = SelfPlay(settings, deals, deals)
    course.learn()
    surprise = [course.learn()["surprise"] for _ in range(settings.meanings)]
    assert np.mean(surprise[-5:]) < np.mean(surprise[:5]) - 2


@pytest.mark.slow
def test_self_play_learns(deals: SolvedDeals) -> None:
    """All tricks are the dealer's side's, whatever is trumps: bidding high is right."""
    tricks = np.zeros_like(deals.tricks)
    tricks[:, :, [0, 2]] = 13
    one_sided = SolvedDeals(deals.seats, tricks)
    # Who opposes is the same network throughout.
    settings = small(lessons=100, boards=32, width=64, hot=2.0, solved=1.0, rate=1e-3, given=1.0)
    course = SelfPlay(settings, one_sided, deals, opponents=[nets(5)])
    won = [course.learn()["won_in_training"] for _ in range(settings.lessons)]
    assert np.mean(won[-20:]) > np.mean(won[:20]) + 3
