"""The scores of contracts, and what is solved for them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bridge_arena.bots.registry import parse
from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.calls import CALLS, DENOMINATIONS
from bridge_arena.bridge.record import Room
from bridge_arena.bridge.scoring import imps, score_ns
from bridge_arena.bridge.seats import SEATS
from bridge_arena.bridge.seeds import DealKey
from bridge_arena.lab.bidding import NO_CALL, bid
from bridge_arena.lab.boards import LabBoards
from bridge_arena.lab.experiment import UNKNOWN
from bridge_arena.lab.scoring import differs, scored
from bridge_arena.oracle.contract_tricks import Request

KEY = DealKey.of_seed(4)


def tricks_of(request: Request) -> int:
    """Any number that depends on the deal, declarer and denomination."""
    deal, declarer, denomination = request
    return (deal[declarer].mask % 7 + denomination + declarer) % 14


def test_scores_are_those_of_the_game_and_nothing_is_solved_in_vain() -> None:
    boards = LabBoards.dealt(KEY, 1, 61)
    pairs = [("neural", "natural"), ("baseline", "natural")]
    bids = [bid(boards, parse(one)[1], parse(other)[1], KEY) for one, other in pairs]
    asked: list[Request] = []

    def solve(requests: Sequence[Request]) -> list[int]:
        asked.extend(requests)
        return [tricks_of(request) for request in requests]

    matches = scored(boards, bids, solve)
    needed: set[Request] = set()
    for match in matches:
        for row in range(len(boards)):
            board = boards.board(row)
            contracts = [
                Auction(
                    board.dealer,
                    [CALLS[call] for call in match.bid.calls[row, room] if call != NO_CALL],
                ).contract
                for room in range(len(Room))
            ]
            if contracts[0] == contracts[1]:
                assert match.imps[row] == 0
                assert (match.tricks[row] == UNKNOWN).all()
                continue
            points = []
            for room, contract in enumerate(contracts):
                if contract is None:
                    points.append(0)
                    continue
                request = (board.deal, contract.declarer, contract.denomination)
                needed.add(request)
                assert match.tricks[row, room] == tricks_of(request)
                points.append(score_ns(contract, tricks_of(request), board.vulnerability))
            assert match.points[row].tolist() == points
            assert match.imps[row] == imps(points[0] - points[1])
    assert len(asked) == len(set(asked))
    assert set(asked) == needed


def test_solved_boards_need_no_solver() -> None:
    dealt = LabBoards.dealt(KEY, 1, 41)
    bids = [bid(dealt, parse("neural")[1], parse("natural")[1], KEY)]

    def solve(requests: Sequence[Request]) -> list[int]:
        return [tricks_of(request) for request in requests]

    tricks = np.zeros((40, 5, 4), np.uint8)
    for row in range(40):
        for place in range(20):
            request = (dealt.deal(row), SEATS[place % 4], DENOMINATIONS[place // 4])
            tricks[row, place // 4, place % 4] = tricks_of(request)
    solved = LabBoards(dealt.numbers, dealt.seats, tricks)

    def refuse(requests: Sequence[Request]) -> list[int]:
        raise AssertionError(requests)

    one, other = scored(dealt, bids, solve)[0], scored(solved, bids, refuse)[0]
    assert one.imps.tolist() == other.imps.tolist()
    assert differs(bids[0]).any()
