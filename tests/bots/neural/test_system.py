"""The learned bidding as a system, with networks of random weights."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from bridge_arena.bots.library.many_auctions.auctions import Auctions
from bridge_arena.bots.library.many_auctions.boards import Boards, bid_out
from bridge_arena.bots.neural.meanings import FORCING, SELDOM, explanations
from bridge_arena.bots.neural.net import LENGTHS, POINTS, SHOWN, Nets, public
from bridge_arena.bots.neural.system import Neural
from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.calls import Call
from bridge_arena.bridge.cards import SUITS, Suit
from bridge_arena.bridge.explanation import Explanation
from bridge_arena.bridge.seats import Seat, Vulnerability
from tests.bots.neural.nets import nets


def test_the_system_bids_as_its_networks_do() -> None:
    net = nets(4)
    system = Neural(net)
    own = [Board.dealt(2, number) for number in range(1, 17)]
    contracts = bid_out(Boards.of(own), net, net)
    for row, board in enumerate(own):
        auction = Auction(board.dealer)
        while not auction.is_over:
            hand = board.deal[auction.turn]
            auction.push(system.choose(hand, auction, board.vulnerability).call)
        contract = auction.contract
        if contract is None:
            assert contracts.bid[row] == 0
            continue
        assert contracts.bid[row] == 5 * (contract.level - 1) + contract.denomination + 1
        assert contracts.declarer[row] == (contract.declarer - board.dealer) % 4
        assert contracts.risk[row] == contract.risk


@pytest.mark.parametrize("calls", [[], ["1C", "X"], ["Pass", "1H", "Pass", "2H", "3C", "X"]])
def test_options_begin_with_the_choice_and_are_legal(calls: list[str]) -> None:
    system = Neural(nets(5))
    board = Board.dealt(2, 3)
    auction = Auction(Seat.EAST, map(Call, calls))
    hand = board.deal[auction.turn]
    options = system.options(hand, auction, Vulnerability.EW)
    assert options[0] == system.choose(hand, auction, Vulnerability.EW)
    assert all(auction.is_legal(each.call) for each in options)
    assert len({each.call for each in options}) == len(options)


def test_a_call_is_explained_as_it_was_made() -> None:
    system = Neural(nets(7))
    auction = Auction(Seat.SOUTH)
    assert system.explain(auction, Vulnerability.NS) == []
    board = Board.dealt(2, 5)
    told = []
    for _ in range(4):
        made = system.choose(board.deal[auction.turn], auction, Vulnerability.NS)
        told.append(made.explanation)
        auction.push(made.call)
    assert system.explain(auction, Vulnerability.NS) == told


def test_auctions_read_together_are_read_as_alone() -> None:
    system, alone = Neural(nets(7)), Neural(nets(7))
    auctions = [
        (Auction(dealer, [Call(call) for call in calls.split()]), vulnerability)
        for dealer, calls, vulnerability in (
            (Seat.SOUTH, "1C Pass 1H Pass 1NT", Vulnerability.NS),
            (Seat.SOUTH, "1C Pass 1H Pass 1NT", Vulnerability.EW),
            (Seat.WEST, "Pass 1S X", Vulnerability.NONE),
            (Seat.WEST, "", Vulnerability.NONE),
            (Seat.WEST, "Pass 1S X", Vulnerability.NONE),
        )
    ]
    system.read_many(auctions)
    for each in (*auctions, (Auction(Seat.NORTH, [Call("3NT")]), Vulnerability.ALL)):
        assert system.explain(*each) == alone.explain(*each)
    system.read_many([])
    assert system.explain(*auctions[0]) == alone.explain(*auctions[0])


class Shows(Nets):
    """Says that a hand is as the test tells it: points, then lengths, with their odds."""

    def __init__(self, odds: list[dict[int, float]]) -> None:
        super().__init__({})
        self._logits = np.full((1, SHOWN), -50.0, np.float32)
        starts = [0, *range(POINTS, SHOWN, LENGTHS)]
        for start, each in zip(starts, odds, strict=True):
            for value, odd in each.items():
                self._logits[0, start + value] = np.log(odd)

    def shown(self, seen: NDArray[np.uint8]) -> NDArray[np.float32]:
        return self._logits.repeat(len(seen), axis=0)


def seen_after(*calls: str) -> NDArray[np.uint8]:
    """What the last caller sees in public after the calls."""
    state = Auctions(1)
    for call in calls:
        seat = state.turn
        state.push(np.array([Call(call)]))
    return public(state, np.zeros((1, 2), np.bool_), seat)


def told(odds: list[dict[int, float]], *calls: str) -> Explanation:
    (found,) = explanations(Shows(odds), [Call(calls[-1])], seen_after(*calls))
    return found


@pytest.mark.parametrize(
    ("call", "passed", "is_forcing"),
    [("2C", FORCING - 0.001, True), ("2C", FORCING, False), ("Pass", FORCING - 0.001, False)],
)
def test_a_call_that_partner_next_to_never_passes_is_forcing(
    monkeypatch: pytest.MonkeyPatch, call: str, passed: float, *, is_forcing: bool
) -> None:
    monkeypatch.setattr(Shows, "passed", lambda _, seen: np.full(len(seen), passed))
    assert told([{8: 1.0}, *ANY_SUITS], call).forcing == is_forcing


def test_ranges_leave_out_what_is_seldom() -> None:
    rare = SELDOM / 2
    odds = [{11: rare, 12: 0.5, 15: 0.5}, {2: 1.0}, {13: 1.0}, {0: 0.5, 5: 0.5}, {3: 0.9, 4: 0.1}]
    found = told(odds, "1C")
    assert found.hcp == (12, 15)
    assert found.lengths == dict(zip(SUITS, [(2, 2), (13, 13), (0, 5), (3, 4)], strict=True))


ANY_SUITS: list[dict[int, float]] = [{3: 0.5, 4: 0.5}] * 4


@pytest.mark.parametrize(
    ("hearts", "calls", "text"),
    [
        ({2: 0.05, 4: 0.95}, "1H", "natural"),
        ({2: 0.2, 4: 0.8}, "1H", "artificial"),
        ({3: 0.5, 4: 0.5}, "1H Pass 2H", "raise"),
        ({6: 1.0}, "1H Pass 1S Pass 2H", "rebid"),
        ({6: 1.0}, "1H 2H", "natural"),
        ({3: 1.0}, "1NT", "notrump"),
        ({1: 0.5, 2: 0.5}, "1H X", "takeout"),
        ({2: 0.5, 3: 0.5}, "1H X", "values"),
        ({1: 0.5, 2: 0.5}, "1H X XX", "values"),
        ({3: 1.0}, "Pass", ""),
    ],
)
def test_a_call_is_told_in_a_word(hearts: dict[int, float], calls: str, text: str) -> None:
    suits = [*ANY_SUITS]
    suits[Suit.HEARTS] = hearts
    found = told([{8: 0.5, 16: 0.5}, *suits], *calls.split())
    assert (found.text, found.artificial) == (text, text == "artificial")


@pytest.mark.parametrize(
    ("points", "calls", "text"),
    [
        ({9: 0.9, 12: 0.1}, "1D", "natural, weak"),
        ({9: 0.8, 12: 0.2}, "1D", "natural"),
        ({14: 0.1, 15: 0.9}, "1D", "natural, strong"),
        ({5: 1.0}, "Pass", "weak"),
    ],
)
def test_strength_is_told_where_it_is_likely(
    points: dict[int, float], calls: str, text: str
) -> None:
    assert told([points, *ANY_SUITS], calls).text == text
