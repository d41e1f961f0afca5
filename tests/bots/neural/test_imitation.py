"""The auctions that are imitated."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from bridge_arena.bots.library.learning.hands import hand_of
from bridge_arena.bots.library.many_auctions.auctions import vulnerability
from bridge_arena.bots.natural.system import Natural
from bridge_arena.bots.neural import imitation
from bridge_arena.bots.neural.imitation import AuctionsError, Bidden
from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.calls import CALLS
from bridge_arena.bridge.seats import Seat, Vulnerability


@pytest.fixture(scope="module")
def made() -> Bidden:
    return imitation.bidden(np.random.default_rng(8), 40)


def of_board(bidden: Bidden, row: int) -> Vulnerability:
    dealers, others = map(bool, bidden.boards.vulnerable[row])
    return vulnerability(dealers, others)


def test_auctions_are_whole_and_what_was_meant_is_naturals(made: Bidden) -> None:
    system = Natural()
    astray = 0
    for row in range(len(made)):
        auction = Auction(Seat.NORTH)
        for call, meant in zip(made.calls[row], made.meant[row], strict=True):
            if call < 0:
                break
            hand = hand_of(made.boards.hands[row, auction.turn])
            assert system.choose(hand, auction, of_board(made, row)).call == meant
            astray += call != meant
            auction.push(CALLS[call])
        assert auction.is_over
    assert 0 < astray < 0.1 * (made.calls >= 0).sum()


def test_vulnerability_where_the_dealer_is_north() -> None:
    for either in Vulnerability:
        sides = [either.includes(seat.side) for seat in (Seat.NORTH, Seat.EAST)]
        assert vulnerability(*sides) is either


def test_files_are_made_once_and_alike(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(imitation, "SHARD", 5)
    paths = imitation.shard_paths(tmp_path / "auctions", 12)
    assert len(paths) == 3
    told: list[int] = []
    imitation.make(paths[:2], 3, told.append)
    first = [path.read_bytes() for path in paths[:2]]
    imitation.make(paths, 3, told.append)
    assert told == [1, 2, 1, 2, 3]
    assert [path.read_bytes() for path in paths[:2]] == first
    assert sorted(tmp_path.joinpath("auctions").iterdir()) == paths
    found = imitation.read(paths)
    again = imitation.bidden(np.random.default_rng([3, 2]), 5)
    assert len(found) == 15
    assert np.array_equal(found.boards.hands[10:], again.boards.hands)
    assert np.array_equal(found.boards.vulnerable[10:], again.boards.vulnerable)
    width = again.calls.shape[1]
    assert np.array_equal(found.calls[10:, :width], again.calls)
    assert np.array_equal(found.meant[10:, :width], again.meant)
    assert (found.calls[10:, width:] == -1).all()


@pytest.mark.parametrize("damage", [b"", b"not numpy's", b"PK\x03\x04 and no more"])
def test_a_damaged_file_is_named(tmp_path: Path, damage: bytes) -> None:
    path = tmp_path / "auctions-00000.npz"
    path.write_bytes(damage)
    with pytest.raises(AuctionsError, match=r"auctions-00000\.npz: no file of arrays"):
        imitation.read([path])
