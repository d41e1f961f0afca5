"""The files that keep played boards."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest

from bridge_arena.bots.fastplay.plays import Plays, read_plays, write_plays
from bridge_arena.bots.library.learning.arrays import ArraysError
from tests.bots.fastplay.boards import random_plays


def test_what_is_written_is_read(tmp_path: Path) -> None:
    plays = random_plays(3)
    write_plays(tmp_path / "plays.npz", plays)
    found = read_plays(tmp_path / "plays.npz")
    for field in fields(Plays):
        assert (getattr(found, field.name) == getattr(plays, field.name)).all()


@pytest.mark.parametrize(
    ("name", "change"),
    [("owner", 4), ("cards", 1), ("trump", 5), ("promised", 38), ("losses", 14), ("losses", -2)],
)
def test_values_that_cannot_be_are_named(tmp_path: Path, name: str, change: int) -> None:
    plays = random_plays(3)
    array = getattr(plays, name).copy()
    array[1] = change
    write_plays(tmp_path / "plays.npz", replace(plays, **{name: array}))
    with pytest.raises(ArraysError, match=f"plays.npz: {name}, board 1: "):
        read_plays(tmp_path / "plays.npz")


def test_cards_that_could_not_be_played_are_named(tmp_path: Path) -> None:
    plays = random_plays(3)
    write_plays(tmp_path / "plays.npz", replace(plays, cards=plays.cards[::-1]))
    with pytest.raises(ArraysError, match=r"plays.npz: cards, board \d: "):
        read_plays(tmp_path / "plays.npz")


def test_numbers_of_another_kind_are_refused(tmp_path: Path) -> None:
    plays = random_plays(3)
    write_plays(tmp_path / "plays.npz", replace(plays, owner=plays.owner.astype(np.float64)))
    with pytest.raises(ArraysError, match="owner has values that are not whole numbers"):
        read_plays(tmp_path / "plays.npz")
    write_plays(tmp_path / "plays.npz", plays.rows(slice(0)))
    with pytest.raises(ArraysError, match="there are no boards"):
        read_plays(tmp_path / "plays.npz")
    write_plays(tmp_path / "plays.npz", replace(plays, losses=np.full_like(plays.losses, -1)))
    with pytest.raises(ArraysError, match="losses, board 0"):
        read_plays(tmp_path / "plays.npz")


def test_arrays_of_other_shapes_are_no_plays(tmp_path: Path) -> None:
    plays = random_plays(2)
    write_plays(tmp_path / "plays.npz", replace(plays, cards=plays.cards[:1]))
    with pytest.raises(ArraysError, match="cards is 1 × 52, expected 2 × 52"):
        read_plays(tmp_path / "plays.npz")
    np.savez(tmp_path / "plays.npz", owner=plays.owner)
    with pytest.raises(ArraysError, match="there is no array cards"):
        read_plays(tmp_path / "plays.npz")
