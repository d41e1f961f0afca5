"""The learned table in numpy: made from values, kept in a file, bid by, read."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from bridge_arena.bots.library.learning.hands import hands_array, lengths, points, random_pairs
from bridge_arena.bots.qtable.bidding_table import BiddingTable, TableError, shipped
from bridge_arena.bots.qtable.calls import FIRST, STEPS, situation_of
from bridge_arena.bots.qtable.cells import CELLS, LEVELS
from bridge_arena.bots.qtable.opening import shipped_openings
from bridge_arena.bridge.cards import Hand
from tests.late_imports import late_imports

with late_imports("numba"):
    from bridge_arena.bots.qtable.training import meanings


def table() -> BiddingTable:
    """To 1H the responder bids 4H with ten and more learned points, 2H with six, else
    passes; the opener passes 2H, and bids 4H over it with seventeen."""
    level = np.arange(CELLS) % LEVELS
    response = np.where(level >= 10, 15, np.where(level >= 6, 5, 0))
    rebid = np.where(level >= 17, 10, 0)
    situations = [situation_of((3,)), situation_of((3, 5)), situation_of((3, 15))]
    steps = np.stack([response, rebid, np.zeros(CELLS)]).astype(np.uint8)
    rows = len(situations) + 1
    empty = BiddingTable(
        shipped_openings(),
        np.array(situations, np.int16),
        steps,
        np.zeros((rows, STEPS), np.int32),
        np.zeros((rows, STEPS, 5, 2), np.uint8),
        np.zeros((rows, STEPS), np.float32),
    )
    east, west = random_pairs(np.random.default_rng(1), 30_000)
    seen, ranges, passed = meanings(east, west, empty.bid(east, west).astype(np.int64), empty)
    return replace(empty, seen=seen, ranges=ranges, passed=passed)


@pytest.fixture(scope="module")
def known() -> BiddingTable:
    return table()


@pytest.mark.parametrize(
    ("east", "west", "steps"),
    [
        ("A2.KQ432.K32.432", "KQ43.A876.A54.65", [3, 15, 0, -1]),
        ("A2.KQ432.K32.432", "K843.876.A54.765", [3, 5, 0, -1]),
        ("A2.KQ432.AK2.K32", "K843.876.A54.765", [3, 5, 10, 0]),
        ("A2.KQ432.K32.432", "9843.876.AT4.765", [3, 0, -1, -1]),
        ("A2.KQ2.K5432.432", "9843.876.AT4.765", [2, 0, -1, -1]),  # not known: passed
    ],
)
def test_the_table_bids_to_its_contract(
    known: BiddingTable, east: str, west: str, steps: list[int]
) -> None:
    hands = [hands_array([Hand.parse(text)]) for text in (east, west)]
    assert known.bid(hands[0], hands[1]).tolist() == [steps]
    made = [step for step in steps if step >= 0]
    for place, step in enumerate(made):
        expected = None if made[0] == 2 and place else step
        found = known.step(made[:place], hands[place % 2])
        assert found == (expected if place < 3 else None)


def test_calls_mean_what_they_are_made_with(known: BiddingTable) -> None:
    east, west = random_pairs(np.random.default_rng(2), 30_000)
    made = known.bid(east, west)
    raised = (made[:, 0] == 3) & (made[:, 1] == 5)
    meaning = known.meaning((3, 5))
    assert meaning is not None
    low, high = np.quantile(points(west[raised]), [0.02, 0.98])
    assert meaning.hcp[0] <= low < 8
    assert 8 < high <= meaning.hcp[1] <= 12
    assert meaning.lengths[0][0] == 0
    assert meaning.passed == pytest.approx((made[raised, 2] == 0).mean(), abs=0.03)
    opening = known.meaning((3,))
    assert opening is not None
    hearts = lengths(east[made[:, 0] == 3])[:, 2]
    assert opening.lengths[2][0] == hearts.min() == 5
    assert (hearts > opening.lengths[2][1]).mean() < 0.01


def test_what_was_never_called_means_nothing(known: BiddingTable) -> None:
    assert known.meaning((3, 7)) is None
    assert known.meaning((2, 5)) is None
    assert known.meaning((3, 5, 10, 0, 0)) is None


def test_a_file_holds_the_whole_table(known: BiddingTable, tmp_path: Path) -> None:
    path = tmp_path / "table.npz"
    known.write(path)
    again = BiddingTable.read(path)
    for name in known.__dataclass_fields__:
        assert (getattr(again, name) == getattr(known, name)).all()
        assert getattr(again, name).dtype == getattr(known, name).dtype


@pytest.mark.parametrize("content", [b"", b"no table", b"PK\x03\x04"])
def test_other_files_are_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "table.npz"
    path.write_bytes(content)
    with pytest.raises(TableError, match=f"no learned table: {path}: no file of arrays"):
        BiddingTable.read(path)


def test_arrays_must_fit(known: BiddingTable, tmp_path: Path) -> None:
    path = tmp_path / "table.npz"
    replace(known, steps=known.steps[:, 1:]).write(path)
    with pytest.raises(TableError, match="steps is 3 × 16799, expected 3 × 16800"):
        BiddingTable.read(path)


class TestShipped:
    def test_the_shipped_table_knows_the_responses_to_every_opening(self) -> None:
        found = shipped()
        openings = np.unique(found.openings)
        assert set(FIRST[1] + openings) <= set(found.situations.tolist())

    def test_the_contracts_of_the_shipped_table_are_sensible(self) -> None:
        """Strong pairs bid games, weak ones stay low."""
        east, west = random_pairs(np.random.default_rng(3), 4000)
        contracts = np.maximum(shipped().bid(east, west), 0).sum(axis=1)
        together = points(east) + points(west)
        assert (contracts[together >= 27] >= 15).mean() > 0.85
        assert (contracts[together <= 18] >= 15).mean() < 0.05

    def test_the_promises_of_the_shipped_table_are_kept(self) -> None:
        east, west = random_pairs(np.random.default_rng(4), 2000)
        made = shipped().bid(east, west)
        kept: list[bool] = []
        for number, row in enumerate(made):
            steps = [int(step) for step in row if step >= 0]
            for place in range(len(steps)):
                meaning = shipped().meaning(steps[: place + 1])
                if meaning is None:
                    continue
                hand = (west if place % 2 else east)[number : number + 1]
                told = [meaning.hcp, *meaning.lengths]
                holds = [int(points(hand)[0]), *map(int, lengths(hand)[0])]
                kept.append(
                    all(low <= x <= high for x, (low, high) in zip(holds, told, strict=True))
                )
        assert len(kept) > 4000
        assert np.mean(kept) > 0.95
