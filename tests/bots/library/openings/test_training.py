"""Training of the net of openings."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import numpy as np

from bridge_arena.bots.library.learning.hands import points, random_pairs
from bridge_arena.bots.library.learning.run import TrainingRun
from bridge_arena.bots.library.openings.data import Openings
from bridge_arena.bots.library.openings.net import OpeningsNet
from bridge_arena.bridge.calls import PASS, Call
from tests.late_imports import late_imports

with late_imports("torch"):
    from bridge_arena.bots.library.openings import training


def openings(number: int) -> Openings:
    """1NT with twelve points or more, and else Pass."""
    hands, _ = random_pairs(np.random.default_rng(7), number)
    return Openings(hands, np.where(points(hands) >= 12, "1N", "PASS"))


def test_training_learns_a_rule_and_tells_how_well(tmp_path: Path) -> None:
    settings = training.OpeningsSettings(features=128)
    run = TrainingRun(tmp_path, "openings", asdict(settings), resume=False)
    seen: list[int] = []
    judges = training.Judges(settings, openings(300))
    path = run.train(judges, training.FOLDS, 1, seen.append)
    assert seen == [*range(training.FOLDS + 1)]
    *_, last = run.curve()
    assert last["right"] > 0.85
    assert last["surprise"] < 0.6
    net = OpeningsNet.read(path)
    assert net.calls == (PASS, Call("1NT"))
    hands, _ = random_pairs(np.random.default_rng(8), 500)
    found = net.probabilities(hands)[:, 1] > 0.5
    assert (found == (points(hands) >= 12)).mean() > 0.85


def test_the_same_seed_makes_the_same_weights(tmp_path: Path) -> None:
    settings = training.OpeningsSettings(features=16)
    made = []
    for name in "ab":
        run = TrainingRun(tmp_path / name, "openings", asdict(settings), resume=False)
        judges = training.Judges(settings, openings(20))
        made.append(run.train(judges, training.FOLDS, 1, lambda _: None).read_bytes())
    assert made[0] == made[1]
