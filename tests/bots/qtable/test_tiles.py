"""Learning by tiles."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from bridge_arena.bots.library.learning.hands import hands_array
from bridge_arena.bots.qtable.calls import FIRST, STEPS
from bridge_arena.bots.qtable.cells import cells
from bridge_arena.bots.qtable.examples import Examples, of_solved
from bridge_arena.bots.qtable.opening import shipped_openings
from bridge_arena.bridge.board import redeal
from bridge_arena.bridge.cards import Hand
from bridge_arena.oracle.double_dummy_table import DoubleDummyTable
from bridge_arena.oracle.solved_deals import SolvedDeals
from tests.late_imports import late_imports

with late_imports("numba"):
    from bridge_arena.bots.qtable import tiles
    from bridge_arena.bots.qtable.training import Learner, Prepared, split

EAST = Hand.parse("A2.KQ432.K32.432")  # opens 1H
WEST = Hand.parse("K43.A9876.A54.A5")


def examples(number: int, *scores: tuple[int, int], rest: int = -3000) -> Examples:
    """Return examples of one pair; `scores` gives some contracts, in tenths of points."""
    points = np.full((number, 36), rest, np.int16)
    for contract, score in scores:
        points[:, contract] = score
    east, west = hands_array([EAST] * number), hands_array([WEST] * number)
    return Examples(east, west, points, np.arange(number))


@pytest.fixture
def learner(monkeypatch: pytest.MonkeyPatch) -> Learner:
    monkeypatch.setattr("bridge_arena.bots.qtable.training.ROUND", 3000)
    return Learner(tiles.TileSettings(), 4, seed=1)


def test_a_pair_learns_its_best_contract(learner: Learner) -> None:
    """4H is 15 steps over 1H; 6H takes two bids of the responder or one of each."""
    prepared = Prepared.of(examples(1, (18, 4200), (28, 9800)), shipped_openings())
    assert prepared.opened.tolist() == [3]
    for _ in range(4):
        learner.learn(prepared)
    assert learner.points(prepared).tolist() == [980]


def test_every_step_learns_from_an_example(learner: Learner) -> None:
    """Contracts that were not bid count too: the responder's values are the points of its
    contracts.
    """
    scores = [(3 + step, 10 * step) for step in range(STEPS)]
    prepared = Prepared.of(examples(1, *scores), shipped_openings())
    for _ in range(4):
        learner.learn(prepared)
    rows = learner.tiles_of[prepared.west[0]]
    assert learner.values[rows, FIRST[1] + 3, 0].sum() == pytest.approx(0, abs=1)
    best = learner.values[rows, FIRST[1] + 3].sum(axis=0).max()
    assert best == pytest.approx(150, abs=5)


def test_what_is_learned_of_a_hand_counts_for_others(learner: Learner) -> None:
    prepared = Prepared.of(examples(1, (18, 4200)), shipped_openings())
    learner.learn(prepared)
    others = ["K43.AT876.A54.A6", "KT43.A876.A54.A6", "5432.2.65432.543"]
    known = [
        np.abs(learner.values[learner.tiles_of[cell], FIRST[1] + 3]).sum()
        for cell in cells(hands_array([WEST, *map(Hand.parse, others)]))
    ]
    assert known[0] == known[1] > known[2] > known[3] == 0


def test_a_run_that_goes_on_is_the_same(learner: Learner, tmp_path: Path) -> None:
    prepared = Prepared.of(examples(1, (18, 4200), (15, 4300)), shipped_openings())
    for number in range(4):
        learner.learn(prepared)
        if number == 1:
            learner.write(tmp_path / "checkpoint")
    learner.write(tmp_path / "straight")
    again = Learner(tiles.TileSettings(), 4, seed=1)
    again.read(tmp_path / "checkpoint")
    assert again.done == 2
    for _ in range(2):
        again.learn(prepared)
    again.write(tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == (tmp_path / "straight").read_bytes()
    assert (tmp_path / "again").read_bytes() != (tmp_path / "checkpoint").read_bytes()


def test_a_checkpoint_is_as_large_as_what_was_learned(learner: Learner, tmp_path: Path) -> None:
    """The values of all situations would take 0.8 GB."""
    learner.learn(Prepared.of(examples(1, (18, 4200)), shipped_openings()))
    learner.write(tmp_path / "checkpoint")
    assert (tmp_path / "checkpoint").stat().st_size < 3e6


@pytest.mark.slow
def test_the_best_steps_of_all_hands_have_the_greatest_totals(learner: Learner) -> None:
    rng = np.random.default_rng(3)
    learner.values[:, 40] = rng.integers(-9, 9, learner.values[:, 40].shape)
    found = tiles.best_steps(learner.values, learner.tiles_of, 40, 30)
    totals = learner.values[learner.tiles_of, 40, :6].sum(axis=1)
    assert found.tolist() == totals.argmax(axis=1).tolist()


@pytest.mark.parametrize("layouts", [1, 5, 7])
def test_layouts_of_a_pair_are_not_parted(layouts: int) -> None:
    """In several parts, as files are read, which begin within a deal."""
    deals = [redeal(1, number, layout) for number in range(1, 421) for layout in range(layouts)]
    solved = SolvedDeals.of(deals, [DoubleDummyTable((7,) * 20)] * len(deals))
    halves = (slice(0, 1001), slice(1001, None))
    parts = [SolvedDeals(solved.seats[half], solved.tricks[half]) for half in halves]
    learned, checked = split(of_solved(parts))
    assert len(learned) + len(checked) == 4 * len(deals)
    assert len(checked) == 4 * 20 * layouts

    def pairs(some: Examples) -> set[bytes]:
        return {each.tobytes() for each in np.hstack([some.east, some.west])}

    assert not pairs(learned) & pairs(checked)
