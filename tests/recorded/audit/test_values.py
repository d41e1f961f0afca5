"""The values of calls, from auctions that go on in step."""

from __future__ import annotations

from typing import get_args

import pytest

from bridge_arena.bots.library.bidding_systems import System, SystemName, system
from bridge_arena.bots.montecarlo.bidding import project
from bridge_arena.bots.natural.system import Natural
from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.calls import DOUBLE, FIRST_BID, REDOUBLE, Call
from bridge_arena.bridge.cards import Hand
from bridge_arena.bridge.seats import Vulnerability
from bridge_arena.recorded.audit.values import projections
from bridge_arena.recorded.calls.question import Systems, TableSystem

LAYOUTS = [Board.dealt(3, number).deal.hands for number in range(1, 7)]


class Circling(Natural):
    """Bids as little as it can, or doubles, and so goes on for as long as it may."""

    def call(self, hand: Hand, auction: Auction, vulnerability: Vulnerability) -> Call:
        del hand, vulnerability
        doubles = [call for call in (DOUBLE, REDOUBLE) if auction.is_legal(call)]
        bids = [call for call in auction.legal_calls() if call >= FIRST_BID]
        return (*doubles, *bids, DOUBLE)[0]


def as_projected(players: System, *made: str) -> None:
    """Check that auctions in step end as each of them does alone."""
    board = Board.dealt(3, 7)
    auction = Auction(board.dealer, map(Call, made))
    calls = [call for call in map(Call, ("Pass", "X", "2S", "3NT")) if auction.is_legal(call)]
    given = auction, board.vulnerability
    contracts = projections(players, *given, calls, LAYOUTS)
    alone = [[project(players, *given, layout, call) for layout in LAYOUTS] for call in calls]
    assert contracts == alone
    assert any(map(any, contracts))


@pytest.mark.slow
@pytest.mark.parametrize("name", get_args(SystemName))
def test_auctions_in_step_end_as_each_does_alone(name: SystemName) -> None:
    systems: Systems = (name, "natural", name, "neural")
    as_projected(TableSystem(systems), "1H", "Pass")
    as_projected(system(name), "Pass", "1C", "X")


def test_auctions_that_go_on_for_ever_are_passed_out() -> None:
    as_projected(Circling(), "1C")


def test_an_auction_that_is_passed_out_has_no_contract() -> None:
    board = Board.dealt(3, 7)
    auction = Auction(board.dealer, [Call("Pass")] * 3)
    contracts = projections(
        system("natural"), auction, board.vulnerability, [Call("Pass")], LAYOUTS[:1]
    )
    assert contracts == [[None]]
