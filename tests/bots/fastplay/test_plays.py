"""Boards to learn from, and the files that keep them."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest

from bridge_arena.bots.fastplay.plays import (
    SHARD,
    Plays,
    make_shard,
    played,
    read_plays,
    shard_paths,
    write_plays,
)
from bridge_arena.bots.library.hand_ranges import HandRanges
from bridge_arena.bots.library.learning.arrays import ArraysError
from bridge_arena.bots.library.learning.made_files import make_missing
from bridge_arena.bridge.board import random_deal
from bridge_arena.bridge.calls import Contract
from bridge_arena.bridge.cards import CARDS, Hand
from bridge_arena.bridge.play import Play
from bridge_arena.bridge.seats import Seat
from bridge_arena.oracle.position import Position
from bridge_arena.oracle.solver import card_values
from tests.bots.fastplay.boards import random_plays


def test_the_costs_of_a_board_are_the_solvers() -> None:
    deal = random_deal(4, 1)
    contract = Contract.parse("2H", Seat.EAST)
    promises = [HandRanges((seat, 30)) for seat in range(4)]
    plays = played(np.random.default_rng(3), contract, list(deal.hands), promises)
    assert plays.promised[0, :, 0, 0].tolist() == [1, 2, 3, 0]
    play = Play(contract)
    looked_at = 0
    for place, number in enumerate(plays.cards[0]):
        turn = play.turn
        assert plays.owner[0, number] == (turn - contract.declarer) % 4
        known = plays.losses[0, place]
        if (known >= 0).any():
            looked_at += 1
            values = card_values(Position.of(play, deal.hands))
            most = max(values.values())
            for card, lost in zip(sorted(deal[turn]), known, strict=True):
                assert lost == (most - values[card] if card in values else -1)
        play.check(CARDS[number], deal[turn] - Hand.of(play.cards))
        play.push(CARDS[number])
    assert looked_at > 20


def test_a_file_depends_on_its_name_and_the_seed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bridge_arena.bots.fastplay.plays.SHARD", 2)
    first, second = shard_paths(tmp_path, 1, 3)
    make_shard(first)
    make_shard(second)
    found = read_plays(first), read_plays(second)
    assert (found[0].owner != found[1].owner).any()
    assert [len(each) for each in found] == [2, 2]
    again = tmp_path / "again"
    again.mkdir()
    make_shard(again / second.name)
    assert (again / second.name).read_bytes() == second.read_bytes()
    _, other = shard_paths(again, 2, 3)
    make_shard(other)
    assert other.read_bytes() != second.read_bytes()


@pytest.mark.weekly(part="trainings")
def test_what_is_missing_is_made(tmp_path: Path) -> None:
    paths = shard_paths(tmp_path / "plays", 1, SHARD + 1)
    assert len(paths) == 2
    (tmp_path / "plays").mkdir()
    paths[0].write_bytes(b"there already")
    told: list[int] = []
    make_missing(paths, make_shard, 2, told.append)
    assert told == [1, 2]
    assert paths[0].read_bytes() == b"there already"
    assert len(read_plays(paths[1])) == SHARD


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
