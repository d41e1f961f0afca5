"""Boards to learn from."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from bridge_arena.bots.fastplay import making
from bridge_arena.bots.fastplay.plays import read_plays
from bridge_arena.bots.library.hand_ranges import HandRanges
from bridge_arena.bridge.board import random_deal
from bridge_arena.bridge.calls import Contract
from bridge_arena.bridge.cards import CARDS, Hand
from bridge_arena.bridge.play import Play
from bridge_arena.bridge.seats import Seat
from bridge_arena.oracle.position import Position
from bridge_arena.oracle.solver import card_values


def test_the_costs_of_a_board_are_the_solvers() -> None:
    deal = random_deal(4, 1)
    contract = Contract.parse("2H", Seat.EAST)
    promises = [HandRanges((seat, 30)) for seat in range(4)]
    plays = making.played(np.random.default_rng(3), contract, list(deal.hands), promises)
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
    monkeypatch.setattr(making, "SHARD", 2)
    first, second = making.shard_paths(tmp_path, 1, 3)
    making.make_shard(first)
    making.make_shard(second)
    found = read_plays(first), read_plays(second)
    assert (found[0].owner != found[1].owner).any()
    assert [len(each) for each in found] == [2, 2]
    again = tmp_path / "again"
    again.mkdir()
    making.make_shard(again / second.name)
    assert (again / second.name).read_bytes() == second.read_bytes()
    _, other = making.shard_paths(again, 2, 3)
    making.make_shard(other)
    assert other.read_bytes() != second.read_bytes()


@pytest.mark.weekly(part="trainings")
def test_what_is_missing_is_made(tmp_path: Path) -> None:
    paths = making.shard_paths(tmp_path / "plays", 1, making.SHARD + 1)
    assert len(paths) == 2
    (tmp_path / "plays").mkdir()
    paths[0].write_bytes(b"there already")
    told: list[int] = []
    making.make(paths, 2, told.append)
    assert told == [1, 2]
    assert paths[0].read_bytes() == b"there already"
    assert len(read_plays(paths[1])) == making.SHARD
