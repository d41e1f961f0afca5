"""Files of pairs: what was written is read back, and errors name what is wrong."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge_arena.bots.library.learning.hands import hands_array, random_pairs, spades_first
from bridge_arena.bots.library.learning.pairs import Pairs, PairsError, read_pairs, write_pairs
from bridge_arena.bridge.board import random_deal
from bridge_arena.bridge.seats import Seat


def some(count: int, seed: int = 1) -> Pairs:
    rng = np.random.default_rng(seed)
    hands = np.stack(random_pairs(rng, count), axis=1).astype(np.uint8)
    return Pairs(hands, rng.uniform(0, 24, (count, 36)).astype(np.float32))


def same(one: Pairs, other: Pairs) -> bool:
    return np.array_equal(one.hands, other.hands) and np.array_equal(one.costs, other.costs)


def test_what_is_written_is_read(tmp_path: Path) -> None:
    pairs = some(20)
    write_pairs(tmp_path / "some", pairs)
    found = read_pairs(tmp_path / "some")
    assert same(found, pairs)
    assert len(found) == 20
    assert found.hands.dtype == np.uint8
    assert found.costs.dtype == np.float32
    assert [child.name for child in tmp_path.iterdir()] == ["some"], "under the very name"


def test_a_file_may_hold_no_pair_at_all(tmp_path: Path) -> None:
    write_pairs(tmp_path / "none.npz", some(0))
    assert len(read_pairs(tmp_path / "none.npz")) == 0


@given(st.integers(0, 1000))
def test_the_same_pairs_are_the_same_bytes(
    tmp_path_factory: pytest.TempPathFactory, seed: int
) -> None:
    folder = tmp_path_factory.mktemp("pairs")
    for name in ("one.npz", "two.npz"):
        write_pairs(folder / name, some(3, seed))
    assert (folder / "one.npz").read_bytes() == (folder / "two.npz").read_bytes()


def test_files_that_others_wrote_are_read(tmp_path: Path) -> None:
    """Write the arrays with other types, in another order and compressed."""
    deal = random_deal(1, 1)
    hands = spades_first(hands_array([deal[Seat.NORTH], deal[Seat.SOUTH]]))[None]
    costs = np.arange(36)[None]
    np.savez_compressed(tmp_path / "other.npz", costs=costs, note=np.array(3), hands=hands * 1.0)
    found = read_pairs(tmp_path / "other.npz")
    assert np.array_equal(found.hands, hands)
    assert np.array_equal(found.costs, costs)


def changed(field: str, place: Any, value: Any, dtype: Any = np.float64) -> dict[str, Any]:
    fields: dict[str, Any] = {"hands": some(5).hands.astype(dtype), "costs": some(5).costs}
    fields[field][place] = value
    return fields


def doubled_card() -> dict[str, Any]:
    hands = some(5).hands
    hands[3, 1] = hands[3, 0]
    return {"hands": hands, "costs": some(5).costs}


def card_more() -> dict[str, Any]:
    hands = some(5).hands
    return changed("hands", (2, 1, int(np.flatnonzero(hands[2, 1] == 0)[0])), 1)


BAD: dict[str, tuple[dict[str, Any], str]] = {
    "a card more": (card_more(), "hands, row 2: South holds 14 cards, not 13"),
    "no card": (changed("hands", (1, 0), 0), "hands, row 1: North holds 0 cards, not 13"),
    "half a card": (changed("hands", (4, 1, 7), 0.5), "hands, row 4: there is something but 0"),
    "no number for a card": (changed("hands", (4, 1, 7), np.nan), "hands, row 4: there is some"),
    "both hold a card": (doubled_card(), "hands, row 3: both hold the same card"),
    "not a number": (changed("costs", (3, 7), np.nan), "costs, row 3, contract 7: nan is no cost"),
    "beyond bounds": (
        {"hands": some(5).hands, "costs": np.full((5, 36), 1e300)},
        "costs, row 0, contract 0: inf is no cost",
    ),
    "endless": (changed("costs", (0, 35), np.inf), "costs, row 0, contract 35: inf is no cost"),
    "negative": (changed("costs", (4, 0), -1), "costs, row 4, contract 0: -1.0 is no cost"),
    "35 contracts": (
        {"hands": some(5).hands, "costs": np.zeros((5, 35))},
        "costs is 5 × 35, expected 5 × 36",
    ),
    "a row less": (
        {"hands": some(5).hands, "costs": np.zeros((4, 36))},
        "costs is 4 × 36, expected 5 × 36",
    ),
    "one hand": (
        {"hands": np.zeros((5, 52)), "costs": np.zeros((5, 36))},
        "hands is 5 × 52, expected n × 2 × 52",
    ),
    "words": (
        {"hands": np.full((1, 2, 52), "x"), "costs": np.zeros((1, 36))},
        "hands is no array of numbers",
    ),
    "objects": (
        {"hands": np.full((1, 2, 52), None), "costs": np.zeros((1, 36))},
        "no file of arrays, or a damaged one",
    ),
    "no costs": ({"hands": some(5).hands}, "there is no array costs"),
}


@pytest.mark.parametrize("name", BAD)
def test_pairs_that_cannot_be_are_refused(tmp_path: Path, name: str) -> None:
    fields, words = BAD[name]
    path = tmp_path / "bad.npz"
    np.savez(path, **fields)
    with pytest.raises(PairsError) as caught:
        read_pairs(path)
    assert str(caught.value).startswith(f"{path}: {words}")
    assert "\n" not in str(caught.value)


def npy() -> bytes:
    data = io.BytesIO()
    np.save(data, np.zeros((5, 2, 52)))
    return data.getvalue()


@pytest.mark.parametrize("data", [b"", b"PK", b"pairs\n" * 50, npy()], ids=repr)
def test_a_file_that_is_no_archive_is_refused(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "bad.npz"
    path.write_bytes(data)
    with pytest.raises(PairsError, match=r"bad\.npz: no file of arrays, or a damaged one$"):
        read_pairs(path)


@pytest.mark.parametrize("place", [2, 400, 700, 1500, -3, -60])
def test_a_byte_that_changed_is_noticed(tmp_path: Path, place: int) -> None:
    path = tmp_path / "bad.npz"
    write_pairs(path, some(5))
    data = bytearray(path.read_bytes())
    data[place] ^= 0x55
    path.write_bytes(data)
    with pytest.raises(PairsError, match=r"bad\.npz: "):
        read_pairs(path)


def test_a_file_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        read_pairs(tmp_path / "no.npz")
