"""Boards to learn from."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from bridge_arena.bots.fastplay.lessons import (
    SHARD,
    Bidden,
    bid,
    by_net,
    make_shard,
    promises_of,
    shard_paths,
    solved,
)
from bridge_arena.bots.fastplay.net import PlayNet
from bridge_arena.bots.fastplay.plays import Plays, read_plays
from bridge_arena.bots.library.bidding_systems import System, system
from bridge_arena.bots.library.hand_ranges import HandRanges
from bridge_arena.bots.library.learning.made_files import make_missing
from bridge_arena.bots.natural.system import Natural
from bridge_arena.bridge.board import random_deal
from bridge_arena.bridge.calls import Contract
from bridge_arena.bridge.cards import CARDS, Hand
from bridge_arena.bridge.evaluation import hcp
from bridge_arena.bridge.play import Play
from bridge_arena.bridge.seats import SEATS
from bridge_arena.oracle.position import Position
from bridge_arena.oracle.solver import card_values
from tests.bots.fastplay.test_net import arrays

BY = "bridge_arena.bots.fastplay.lessons"


@pytest.fixture
def net() -> PlayNet:
    """Return a network that has learned nothing."""
    return PlayNet(arrays(8))


def boards(number: int) -> list[Bidden]:
    """Return boards, each in another contract, whose hands promise points by their seat."""
    promises = [HandRanges((seat, 30)) for seat in range(4)]
    return [
        Bidden(
            Contract.parse(f"2{'CDHS'[row % 4]}", SEATS[row % 4]),
            list(random_deal(4, row).hands),
            promises,
        )
        for row in range(1, number + 1)
    ]


def check_play(board: Bidden, plays: Plays, row: int) -> int:
    """Check that cards were legal, and their costs the solver's; return how many were known."""
    play, declarer = Play(board.contract), board.contract.declarer
    looked_at = 0
    for place, number in enumerate(plays.cards[row]):
        turn = play.turn
        assert plays.owner[row, number] == (turn - declarer) % 4
        known = plays.losses[row, place]
        held = [hand - Hand.of(play.cards) for hand in board.hands]
        if (known >= 0).any():
            looked_at += 1
            values = card_values(Position.of(play, held))
            most = max(values.values())
            for card, lost in zip(sorted(board.hands[turn]), known, strict=True):
                assert lost == (most - values[card] if card in values else -1)
        play.check(CARDS[number], held[turn])
        play.push(CARDS[number])
    return looked_at


@pytest.mark.parametrize(
    ("by_strangers", "leads", "first_tricks", "first"),
    [(0.0, 1.0, 0.0, 0), (1.0, 0.0, 1.0, 1), (0.0, 0.0, 0.0, 4)],
)
def test_the_costs_of_boards_are_the_solvers(
    net: PlayNet,
    by_strangers: float,
    leads: float,
    first_tricks: float,
    first: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(f"{BY}._BY_STRANGERS", by_strangers)
    monkeypatch.setattr(f"{BY}.LEADS_SOLVED", leads)
    monkeypatch.setattr(f"{BY}.FIRST_TRICKS_SOLVED", first_tricks)
    bidden = boards(2)
    rng = np.random.default_rng(3)
    played = by_net(rng, bidden, net)
    plays = solved(rng, bidden, played)
    assert (plays.cards == played.cards).all(axis=1).tolist() == [not by_strangers] * 2
    for row, board in enumerate(bidden):
        declarer = board.contract.declarer
        told = [(declarer + player) % 4 for player in range(4)]
        assert plays.promised[row, :, 0, 0].tolist() == told
        assert check_play(board, plays, row) > 20
    solved_at = (plays.losses >= 0).any(axis=(0, 2))
    assert np.flatnonzero(solved_at)[0] == first


def test_a_net_without_errors_plays_the_lowest_of_the_cheapest_cards(
    net: PlayNet, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"{BY}._ERRORS", (0.0,))
    monkeypatch.setattr(f"{BY}._AT_RANDOM", 0.0)
    monkeypatch.setattr(f"{BY}._BY_STRANGERS", 0.0)
    bidden = boards(3)
    rng = np.random.default_rng(3)
    plays = solved(rng, bidden, by_net(rng, bidden, net))
    for place in range(52):
        here = np.full(3, place)
        costs = net.costs(plays.positions(here))
        for row, lost in enumerate(plays.costs(here)):
            if (lost >= 0).any():
                played = plays.cards[row, place]
                left = ~np.isin(np.arange(52), plays.cards[row, : place - place % 4])
                legal = np.flatnonzero(lost >= 0)
                lowest = [card for card in legal if not _has_equal_below(int(card), legal, left)]
                assert played == min(lowest, key=costs[row].__getitem__)


def _has_equal_below(card: int, legal: NDArray[np.int64], left: NDArray[np.bool_]) -> bool:
    """Return whether the next lower card of the suit that is left may be played too."""
    below = [c for c in range(card - card % 13, card) if left[c]]
    return bool(below) and below[-1] in legal


def test_boards_are_bid_and_promise_what_natural_reads() -> None:
    natural = system("natural")
    boards = [bid(np.random.default_rng(seed), natural) for seed in range(300)]
    assert bid(np.random.default_rng(3), natural) == boards[3]
    true = []
    for board in boards:
        assert sorted(card for hand in board.hands for card in hand) == list(CARDS)
        told = [promise.hcp for promise in board.promises]
        assert any(low > 0 for low, _ in told), "somebody opened"
        true += [
            low <= hcp(hand) <= high for hand, (low, high) in zip(board.hands, told, strict=True)
        ]
    assert np.mean(true) > 0.95, "three hands in a hundred are not as explained"


def test_a_file_depends_on_its_name_and_the_seed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"{BY}.SHARD", 2)
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


def test_the_net_of_a_file_plays_if_it_is_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"{BY}.SHARD", 2)
    monkeypatch.setattr(f"{BY}._BY_STRANGERS", 0.0)
    np.savez(tmp_path / "start.npz", **arrays(8))
    (path,) = shard_paths(tmp_path, 1, 2)
    make_shard(path)
    by_shipped = read_plays(path)
    make_shard(path, tmp_path / "start.npz")
    by_start = read_plays(path)
    assert (by_start.owner == by_shipped.owner).all()
    assert (by_start.cards != by_shipped.cards).any()


def test_an_auction_is_read_as_naturals_whoever_bids(monkeypatch: pytest.MonkeyPatch) -> None:
    readers: list[System] = []

    def noted(reader: System, *auction: Any) -> list[HandRanges]:
        readers.append(reader)
        return promises_of(reader, *auction)

    monkeypatch.setattr(f"{BY}.promises_of", noted)
    board = bid(np.random.default_rng(7), system("deepq"))
    assert len(board.promises) == 4
    assert [type(reader) for reader in readers] == [Natural]


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
