"""Pairs of solved deals: whose hands, which layouts belong together, and their costs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from bridge_arena.bots.library.learning.hands import hand_of, spades_first
from bridge_arena.bots.library.learning.scores import costs_of
from bridge_arena.bridge.board import random_deal, redeal
from bridge_arena.bridge.seats import Seat
from bridge_arena.oracle import solved_deals
from bridge_arena.oracle.solved_deals import SolvedDealsError
from bridge_arena.recorded.solving import shards as shards_module
from bridge_arena.recorded.solving.shards import Series, Shards, pairs_of, solve_missing
from tests.recorded.solving.solvers import Instant, table_of


@pytest.mark.parametrize("layouts", [1, 5])
def test_each_deal_gives_a_pair(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, layouts: int
) -> None:
    """Over several files, read in chunks that part the layouts of a deal."""
    monkeypatch.setattr(shards_module, "TABLES", 20)
    monkeypatch.setattr(solved_deals, "_CHUNK", 3)
    shards = Shards(tmp_path, Series(7, layouts))
    solve_missing(shards, 11, Instant(), lambda _: None)
    pairs = pairs_of(shards.paths(9), layouts, 9)
    assert pairs.hands.shape == (9, 2, 52)
    assert pairs.costs.shape == (9, 36)
    for row in range(9):
        deal = random_deal(7, row + 1)
        hands = [hand_of(spades_first(pairs.hands[row] == 1)[side]) for side in (0, 1)]
        assert hands == [deal[Seat.NORTH], deal[Seat.SOUTH]]
        tables = [table_of(redeal(7, row + 1, layout)) for layout in range(layouts)]
        tricks = np.array([table.results for table in tables]).reshape(1, layouts, 5, 4)
        assert np.allclose(pairs.costs[row], costs_of(tricks[..., [0, 2]])[0])


@pytest.mark.parametrize(("there", "asked"), [(2, 1), (1, 2), (2, 4), (2, 3), (3, 4)])
def test_layouts_are_not_taken_for_deals(tmp_path: Path, there: int, asked: int) -> None:
    shards = Shards(tmp_path, Series(7, there))
    solve_missing(shards, 4, Instant(), lambda _: None)
    with pytest.raises(SolvedDealsError, match=f"not every deal has {asked} layouts"):
        pairs_of(shards.paths(4), asked)


def test_an_empty_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "empty.txt"
    path.touch()
    with pytest.raises(SolvedDealsError, match=r"there are no solved deals in .*empty\.txt"):
        pairs_of([path])
