"""Training of the net that plays."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bridge_arena.bots.fastplay.net import PlayNet, features
from bridge_arena.bots.library.learning.run import TrainingRun
from tests.bots.fastplay.boards import random_plays
from tests.bots.fastplay.test_net import arrays
from tests.late_imports import late_imports

with late_imports("torch"):
    import torch

    from bridge_arena.bots.fastplay import training


@pytest.fixture(autouse=True, scope="module")
def _one_thread() -> Iterator[None]:
    """Use one thread: small networks are quickest so, above all on a busy machine."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


START = PlayNet(arrays(32))


def settings(**changes: Any) -> Any:
    small = {"steps": 4, "batch": 32, "average": 0.5}
    return training.FastPlaySettings(**small | changes)


def run(folder: Path, of: Any, *, resume: bool = False) -> TrainingRun:
    return TrainingRun(folder, "fastplay", asdict(of), resume=resume)


def test_the_net_in_numpy_agrees_with_the_one_that_learned(tmp_path: Path) -> None:
    how = settings()
    plays = random_plays(3)
    trainer = training.PlayTrainer(how, START, plays, plays)
    path = run(tmp_path / "run", how).train(trainer, how.steps, training.EVERY, lambda _: None)
    known = training.Decisions.of(plays)
    shown, _ = known.shown(np.arange(40))
    board, place = known.which[:40].T
    positions = plays.rows(board).positions(place)
    net = training.PlayModule(START.width, START.deep)
    arrays = np.load(path)
    net.load_state_dict({n: torch.tensor(arrays[n].astype("f4")) for n in arrays.files})
    with torch.no_grad():
        learned = net(shown).numpy(force=True)
    by_card = features(positions).by_card(learned)
    assert np.allclose(PlayNet.read(path).costs(positions), by_card, atol=1e-4)


def test_training_teaches_the_net_what_cards_cost(tmp_path: Path) -> None:
    """The costs follow from visible facts: every card costs except those of the suit led."""
    plays = random_plays(4)
    how = settings(steps=150, rate=1e-2)
    trainer = training.PlayTrainer(how, START, plays, plays)
    path = run(tmp_path / "run", how).train(trainer, how.steps, training.EVERY, lambda _: None)
    (row,) = run(tmp_path / "run", how, resume=True).curve()
    assert row["step"] == 150
    known = training.Decisions.of(plays)
    board, place = known.which.T
    some = plays.rows(board)
    positions = some.positions(place)
    lost = some.costs(place)
    chosen = PlayNet.read(path).cheapest(positions, lost >= 0)
    paid = lost[np.arange(len(lost)), chosen].mean()
    means = np.where(lost >= 0, lost, np.nan)
    assert paid < 0.6 * np.nanmean(means, axis=1).mean()


def test_training_begins_with_the_net_that_is_given() -> None:
    plays = random_plays(2)
    trainer = training.PlayTrainer(settings(), START, plays, plays)
    positions = plays.positions(np.array([5, 22]))
    read = features(positions)
    with torch.no_grad():
        said = trainer.descent.net(torch.tensor(read.suits)).numpy(force=True)
    assert np.allclose(START.costs(positions), read.by_card(said), atol=1e-4)


def test_choices_lose_what_the_cards_lose_that_are_said_to_be_cheap() -> None:
    """Two cards are known, of one decision: one loses a trick, the other nothing."""
    lost = torch.full((1, 4, 13), -1.0)
    lost[0, 0, :2] = torch.tensor([1.0, 0.0])
    costs = torch.zeros(1, 4, 13)
    costs[0, 3] = -100  # an unknown card is not chosen
    for said, expected in ((0.0, 0.5), (0.1, 1 / (1 + math.e)), (-0.1, math.e / (1 + math.e))):
        costs[0, 0, 0] = said
        found = float(training._lost_by_choices(costs, lost, 0.1))
        assert found == pytest.approx(expected, abs=1e-6)


def test_choices_count_in_what_is_learned() -> None:
    plays = random_plays(2)
    losses = [
        training.PlayTrainer(how, START, plays, plays).loss(np.random.default_rng(1)).item()
        for how in (settings(choices=0.0), settings(choices=1.0), settings(choices=2.0))
    ]
    assert losses[0] < losses[1]
    assert losses[2] - losses[1] == pytest.approx(losses[1] - losses[0], rel=1e-3)


def test_figures_are_of_the_cards_that_seem_cheapest() -> None:
    """A net to which all cards are alike plays the first card: the highest club, or diamond, and so
    on.
    """
    plays = random_plays(3)
    known = training.Decisions.of(plays)
    paid: dict[str, list[float]] = {"lead": [], "declarer": [], "defence": []}
    squares: list[float] = []
    for board, place in known.which:
        lost = plays.rows(np.array([board])).costs(np.array([place]))[0]
        may = np.flatnonzero(lost >= 0)
        first = min(may, key=lambda card: (card // 13, -card))
        of_declarer = plays.owner[board, plays.cards[board, place]] % 2 == 0
        part = "declarer" if of_declarer else "defence" if place else "lead"
        paid[part].append(lost[first])
        squares.append(np.square(lost[may]).mean())

    def alike(shown: Any) -> Any:
        return torch.zeros(len(shown), 4, 13)

    found = training.figures(alike, known)
    assert found == pytest.approx(
        {"error": np.mean(squares)} | {part: np.mean(each) for part, each in paid.items()}
    )
