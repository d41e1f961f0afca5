"""Auctions in step, against the rules themselves."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from bridge_arena.bots.library.many_auctions.auctions import BIDS, Auctions
from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.calls import CALLS, FIRST_BID
from bridge_arena.bridge.seats import Seat


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    passing=st.floats(0, 0.9),
    doubling=st.floats(0, 0.9),
    step=st.integers(1, 35),
)
def test_auctions_in_step_agree_with_the_rules(
    seed: int, passing: float, doubling: float, step: int
) -> None:
    rng = np.random.default_rng(seed)
    alone = [Auction(Seat.NORTH) for _ in range(8)]
    auctions, on = Auctions(8), np.arange(8)
    while len(on):
        assert auctions.turn == alone[on[0]].turn
        legal = [[int(call) for call in alone[each].legal_calls()] for each in on]
        assert [np.flatnonzero(row).tolist() for row in auctions.legal()] == legal
        calls = np.array([_call(rng, each, passing, doubling, step) for each in legal])
        auctions.push(calls)
        for each, call in zip(on, calls, strict=True):
            alone[each].push(CALLS[call])
        for row, each in enumerate(on):
            assert auctions.over[row] == alone[each].is_over
            assert [CALLS[call] for call in auctions.calls[row]] == alone[each].calls
            contract = alone[each].contract
            if contract is None:
                assert auctions.last[row] == 0
                continue
            assert auctions.last[row] == 5 * (contract.level - 1) + contract.denomination + 1
            assert auctions.risk[row] == contract.risk
            assert auctions.declarer[row] == contract.declarer
        going = np.flatnonzero(~auctions.over)
        auctions, on = auctions.rows(going), on[going]


def _call(
    rng: np.random.Generator, legal: list[int], passing: float, doubling: float, step: int
) -> int:
    if rng.random() < passing:
        return 0
    doubles = [call for call in legal if 0 < call < FIRST_BID]
    if doubles and rng.random() < doubling:
        return doubles[0]
    bids = [call for call in legal if call >= FIRST_BID][:step]
    return int(rng.choice(bids)) if bids else legal[-1]


def test_marks_say_who_did_what() -> None:
    auctions = Auctions(1)
    for text in "1C X XX 1H".split():
        call = next(call for call in CALLS if str(call) == text)
        auctions.push(np.array([call]))
    marked = {tuple(each) for each in np.argwhere(auctions.marks[0])}
    assert marked == {(0, 0), (1, BIDS), (2, 2 * BIDS), (3, 2)}


def test_rows_of_auctions_are_copies() -> None:
    auctions = Auctions(2)
    auctions.push(np.array([3, 0]))
    one = auctions.rows(np.array([0, 0]))
    one.push(np.array([4, 0]))
    assert auctions.made == 1
    assert auctions.last.tolist() == [1, 0]
    assert one.last.tolist() == [2, 1]
    assert auctions.rows(np.array([0, 1, 1])).calls.tolist() == [[3], [0], [0]]
