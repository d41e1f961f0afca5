"""Examples from solved deals and from an estimate."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from bridge_arena.bots.library.learning.arrays import joined
from bridge_arena.bots.library.learning.hands import Hands, lengths, points
from bridge_arena.bots.library.learning.run import TrainingError
from bridge_arena.bots.library.tricks.net import Estimate, TricksNet
from bridge_arena.bots.qtable.examples import CHUNK, SCALE, estimated, of_solved
from bridge_arena.bridge.board import random_deal
from bridge_arena.bridge.cards import Deal
from bridge_arena.bridge.seats import Seat
from bridge_arena.oracle.double_dummy_table import DoubleDummyTable
from bridge_arena.oracle.solved_deals import SolvedDeals

DEAL = Deal.parse("N:52.J76.KQJ874.T9 AK3.T9854.T.K832 Q976.Q.9632.QJ74 JT84.AK32.A5.A65")
CLUBS, DIAMONDS, HEARTS, SPADES, NOTRUMP = (
    (4, 9, 4, 9),
    (7, 6, 7, 6),
    (2, 11, 2, 11),
    (3, 10, 3, 10),
    (3, 7, 3, 7),
)
TABLE = DoubleDummyTable((*CLUBS, *DIAMONDS, *HEARTS, *SPADES, *NOTRUMP))


class ByPoints(TricksNet):
    """The first hand's points are its tricks, at most 13, the second's the second's."""

    def __init__(self) -> None:
        super().__init__({}, np.eye(5, dtype=np.float32))

    def estimate(self, hands: Hands, partners: Hands) -> Estimate:
        tricks = np.minimum(np.stack([points(hands), points(partners)], axis=1), 13)
        mean = np.repeat(tricks[:, None], 5, axis=1).astype(np.float32)
        return Estimate(mean, np.full_like(mean, 0.01))


class TestSolved:
    def test_every_seat_is_east_once(self) -> None:
        examples = of_solved([SolvedDeals.of([DEAL, DEAL], [TABLE, TABLE])])
        assert len(examples) == 8
        assert examples.deal.tolist() == [0] * 8, "a deal that is there twice is one"
        hands = {seat: set(DEAL[seat]) for seat in Seat}
        for east, west in zip(examples.east, examples.west, strict=True):
            seat = next(seat for seat in Seat if hands[seat] == set(np.flatnonzero(east)))
            assert hands[seat.partner] == set(np.flatnonzero(west))

    @pytest.mark.parametrize(
        ("seat", "contract", "score"),
        [
            (Seat.EAST, 0, 0),
            (Seat.EAST, 4 * 5 - 2, 450),  # 4H with eleven tricks
            (Seat.WEST, 4 * 5 - 1, 420),  # 4S
            (Seat.WEST, 3 * 5, -100),  # 3NT, two down
            (Seat.EAST, 4 * 5, -500),  # 4NT, three down and doubled
            (Seat.NORTH, 2, 70),  # 1D
        ],
    )
    def test_scores_are_easts(self, seat: Seat, contract: int, score: int) -> None:
        examples = of_solved([SolvedDeals.of([DEAL], [TABLE])])
        held = [set(np.flatnonzero(east)) == set(DEAL[seat]) for east in examples.east]
        assert examples.scores[held.index(True), contract] == score * SCALE

    def test_the_same_pair_is_the_same_deal(self) -> None:
        """In any part: two layouts of the opponents' cards, and another pair twice."""
        north, east, south, west = DEAL.hands
        one = SolvedDeals.of([random_deal(1, 1), DEAL], [TABLE] * 2)
        other = SolvedDeals.of([Deal((north, west, south, east)), random_deal(1, 1)], [TABLE] * 2)
        assert of_solved([one, other]).deal.tolist() == [0, 1] * 4 + [1, 0] * 4


class TestEstimated:
    def test_either_hand_is_east(self) -> None:
        examples = joined(estimated(ByPoints(), np.random.default_rng(1), 300))
        assert len(examples) == 600
        assert (examples.east[:300] == examples.west[300:]).all()
        assert (examples.east & examples.west).sum() == 0
        assert (lengths(examples.east).sum(axis=1) == 13).all()
        tricks = np.minimum(points(examples.east), 13)
        scores = examples.scores[:, 1] / SCALE  # 1C
        assert (scores[tricks == 7] == 70).all()
        assert (scores[tricks == 9] == 110).all()
        assert (scores[tricks == 6] == -50).all()
        assert (scores[tricks == 4] == -500).all()

    def test_points_are_those_to_be_expected(self) -> None:
        class Unsure(ByPoints):
            def estimate(self, hands: Hands, partners: Hands) -> Estimate:
                sure = super().estimate(hands, partners)
                return Estimate(np.full_like(sure.mean, 6.5), np.full_like(sure.mean, 0.01))

        examples = joined(estimated(Unsure(), np.random.default_rng(1), 20))
        assert (np.abs(examples.scores[:, 1] / SCALE - (70 - 50) / 2) < 1).all()

    def test_the_same_seed_gives_the_same_examples(self) -> None:
        one, same, other = (
            joined(estimated(ByPoints(), np.random.default_rng(seed), 40)) for seed in (1, 1, 2)
        )
        assert (one.east == same.east).all()
        assert (one.scores == same.scores).all()
        assert (one.east != other.east).any()

    def test_points_that_are_kept_are_not_estimated_again(self, tmp_path: Path) -> None:
        class Counting(ByPoints):
            asked = 0

            def estimate(self, hands: Hands, partners: Hands) -> Estimate:
                self.asked += len(hands)
                return super().estimate(hands, partners)

        net, folder = Counting(), tmp_path / "pairs"
        first, *_ = estimated(net, np.random.default_rng(1), CHUNK + 10, folder)
        assert net.asked == CHUNK + 10
        (folder / "pairs-00001.npz").unlink()
        again, rest = estimated(net, np.random.default_rng(1), CHUNK + 10, folder)
        assert net.asked == CHUNK + 20
        for name in ("east", "west", "scores", "deal"):
            assert (getattr(again, name) == getattr(first, name)).all()
        (straight,) = list(estimated(net, np.random.default_rng(1), CHUNK + 10))[1:]
        assert (rest.scores == straight.scores).all()
        (folder / "pairs-00000.npz").write_bytes(b"half")
        with pytest.raises(TrainingError, match=r"pairs-00000\.npz: no file of arrays"):
            next(estimated(net, np.random.default_rng(1), 10, folder))
