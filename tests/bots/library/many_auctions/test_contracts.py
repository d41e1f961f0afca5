"""Contracts scored double dummy, against the scores of the Laws."""

from __future__ import annotations

import numpy as np

from bridge_arena.bots.library.learning.scores import risks_table
from bridge_arena.bots.library.many_auctions.boards import Boards, Contracts, imps
from bridge_arena.bridge import scoring
from bridge_arena.bridge.calls import DENOMINATIONS, Contract, Risk
from bridge_arena.bridge.seats import Seat, Vulnerability


def test_points_are_those_of_the_dealers_side() -> None:
    rng = np.random.default_rng(2)
    number = 2000
    boards = Boards(np.zeros((number, 4, 52), np.bool_), rng.random((number, 2)) < 0.5)
    tricks = rng.integers(14, size=(number, 5, 4)).astype(np.uint8)
    contracts = Contracts(
        rng.integers(36, size=number), rng.integers(3, size=number), rng.integers(4, size=number)
    )
    points = contracts.points(boards, tricks)
    words = {(False, False): "None", (True, False): "NS", (False, True): "EW", (True, True): "All"}
    for row, bid in enumerate(contracts.bid):
        if not bid:
            assert points[row] == 0
            continue
        level, denomination = divmod(int(bid) - 1, 5)
        # The dealer sits North.
        declarer = Seat(int(contracts.declarer[row]))
        risk = Risk(int(contracts.risk[row]))
        contract = Contract(level + 1, DENOMINATIONS[denomination], risk, declarer)
        dealers, others = map(bool, boards.vulnerable[row])
        vulnerability = Vulnerability.parse(words[dealers, others])
        taken = int(tricks[row, denomination, declarer])
        assert points[row] == scoring.score_ns(contract, taken, vulnerability)


def test_imps_of_either_sign_are_those_of_the_scale() -> None:
    differences = np.arange(-5000, 5001, 10)
    assert imps(differences).tolist() == [scoring.imps(int(each)) for each in differences]


def test_every_risk_has_its_points() -> None:
    table = risks_table()
    three_notrump = Contract(3, DENOMINATIONS[4], Risk.REDOUBLED, Seat.EAST)
    expected = scoring.score_ns(three_notrump, 5, Vulnerability.EW)
    assert table[1, 2, 15, 5] == -expected
    assert (table[:, :, 0] == 0).all()
