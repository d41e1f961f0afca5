"""The folder of solved deals: what is missing, what is written when, and what is refused."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bridge_arena.bots.library.learning.hands import hand_of, spades_first
from bridge_arena.bots.library.learning.scores import costs_of
from bridge_arena.bridge.board import random_deal, redeal
from bridge_arena.bridge.cards import Deal
from bridge_arena.bridge.seats import Seat
from bridge_arena.oracle import solved_deals
from bridge_arena.oracle.solved_deals import SolvedDealsError, read, read_heading
from bridge_arena.recorded.solving import TABLES
from bridge_arena.recorded.solving import shards as shards_module
from bridge_arena.recorded.solving.shards import (
    LayoutNumber,
    Series,
    Shards,
    ShardsError,
    pairs_of,
    series_in,
    solve_missing,
)
from tests.recorded.solving.solvers import Instant, table_of

FIVE = Series(seed=7, layouts=5)


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files of 6 deals of five layouts, written again after 10 tables."""
    monkeypatch.setattr(shards_module, "TABLES", 30)
    monkeypatch.setattr(shards_module, "_SAVE", 10)


def fill(shards: Shards, missing: list[tuple[LayoutNumber, Deal]]) -> None:
    for place, deal in missing:
        shards.add(place, deal, table_of(deal))


def filled(folder: Path, deals: int, series: Series = FIVE) -> Shards:
    shards = Shards(folder, series)
    fill(shards, list(shards.missing(deals)))
    shards.save()
    return shards


def deals_in(path: Path) -> list[Deal]:
    return [part.deal(place) for part in read([path]) for place in range(len(part))]


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_files_of_deals_have_a_fixed_size() -> None:
    assert TABLES == 1000, "other sizes would not go on with the folders that there are"
    sizes = {layouts: Series(1, layouts).deals_per_file for layouts in (1, 4, 30, 100)}
    assert sizes == {1: 30, 4: 7, 30: 1, 100: 1}


def test_each_file_holds_its_deals_with_all_layouts(tmp_path: Path) -> None:
    shards = filled(tmp_path, 8)
    assert [path.name for path in shards.paths(8)] == ["deals-00000.deals", "deals-00001.deals"]
    assert sorted(contents(tmp_path)) == ["deals-00000.deals", "deals-00001.deals"]
    first, second = (read_heading(path) for path in shards.paths(8))
    assert (first.seed, first.first, first.number, first.layouts) == (7, 1, 6, 5)
    assert (second.seed, second.first, second.number, second.layouts) == (7, 7, 2, 5)
    assert first.solver.startswith("DDS of endplay ")
    expected = [redeal(7, number, layout) for number in (7, 8) for layout in range(5)]
    assert deals_in(shards.path(1)) == expected
    (part,) = read([shards.path(1)])
    assert part.tricks.reshape(10, 20).tolist() == [list(table_of(d).results) for d in expected]


def test_deals_without_layouts_are_those_of_the_seed(tmp_path: Path) -> None:
    shards = filled(tmp_path, 4, Series(3, 1))
    assert deals_in(shards.path(0)) == [random_deal(3, number) for number in range(1, 5)]


@settings(max_examples=30)
@given(st.lists(st.integers(1, 9), min_size=1, max_size=3), st.randoms(use_true_random=False))
def test_files_are_the_same_however_they_came_about(
    tmp_path_factory: pytest.TempPathFactory, asked: list[int], rng: random.Random
) -> None:
    """Asked for more and more, in any order, stopped anywhere."""
    folder = tmp_path_factory.mktemp("odd")
    for deals in (*asked, 9):
        shards = Shards(folder, FIVE)
        missing = list(shards.missing(deals))
        if rng.random() < 0.5:
            rng.shuffle(missing)
        fill(shards, missing[: rng.randrange(len(missing) + 1)])
        if rng.random() < 0.5:
            shards.save()
    filled(folder, 9)
    straight = tmp_path_factory.mktemp("straight")
    filled(straight, 9)
    assert contents(folder) == contents(straight)


def test_layouts_that_are_missing_are_known(tmp_path: Path) -> None:
    shards = filled(tmp_path, 14)
    shards.path(1).unlink()
    again = Shards(tmp_path, FIVE)
    assert again.count(20) == 8
    assert again.count(3) == 3
    missing = [place for place, _ in again.missing(15)]
    numbers = [7, 8, 9, 10, 11, 12, 15]
    assert missing == [LayoutNumber(number, layout) for number in numbers for layout in range(5)]
    assert list(again.missing(6)) == []


def test_a_file_of_deals_is_written_while_it_grows(tmp_path: Path) -> None:
    """After so many tables, and up to the first that is missing; whole deals only."""
    shards = Shards(tmp_path, FIVE)
    first, *others = shards.missing(6)
    fill(shards, others[:12])
    shards.save()
    assert contents(tmp_path) == {}, "the first is missing"
    fill(shards, [first])
    assert read_heading(shards.path(0)).number == 2, "thirteen tables, without a gap"
    fill(shards, others[12:18])
    assert read_heading(shards.path(0)).number == 2
    shards.save()
    assert read_heading(shards.path(0)).number == 3
    fill(shards, others[18:])
    assert read_heading(shards.path(0)).number == 6, "a full file does not wait"


def test_a_folder_of_another_series_is_refused(tmp_path: Path) -> None:
    assert series_in(tmp_path) is None
    path = filled(tmp_path, 2).path(0)
    assert series_in(tmp_path) == FIVE
    with pytest.raises(ShardsError) as caught:
        Shards(tmp_path, Series(8, 1))
    expected = "holds seed 7 with 5 layouts a deal, expected seed 8 with 1 layout a deal"
    assert str(caught.value) == f"{path} {expected}"


def test_a_damaged_file_is_named_and_kept(tmp_path: Path) -> None:
    path = filled(tmp_path, 6).path(0)
    before = path.read_bytes()
    path.write_bytes(before[:-1])
    words = "the last deal is cut short; without this file its deals are solved again"
    with pytest.raises(ShardsError, match=words):
        Shards(tmp_path, FIVE)
    path.write_bytes(b"")
    for look in (lambda: Shards(tmp_path, FIVE), lambda: series_in(tmp_path)):
        with pytest.raises(ShardsError, match="no file of solved deals; without this file its"):
            look()
    path.unlink()
    filled(tmp_path, 6)
    assert path.read_bytes() == before


@pytest.mark.parametrize("name", ["deals-00001.deals", "deals-000000.deals"])
def test_a_file_under_another_name_is_refused(tmp_path: Path, name: str) -> None:
    path = filled(tmp_path, 2).path(0)
    path.rename(tmp_path / name)
    with pytest.raises(ShardsError, match=f"{name} holds deals 1 to 2, which do not belong there"):
        Shards(tmp_path, FIVE)


def test_files_of_another_size_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    filled(tmp_path, 12)
    monkeypatch.setattr(shards_module, "TABLES", 25)
    with pytest.raises(ShardsError, match=r"00000\.deals holds deals 1 to 6, which do not belong"):
        Shards(tmp_path, FIVE)


def test_other_files_do_not_matter(tmp_path: Path) -> None:
    for name in ("deals-0.deals", "notes.txt", "deals-00000.unfinished"):
        (tmp_path / name).write_text("something")
    assert filled(tmp_path, 2).count(2) == 2


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
