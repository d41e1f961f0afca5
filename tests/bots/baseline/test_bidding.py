"""The baseline's bidding: known hands, and thousands of calls of its own."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from random import Random

import pytest

from bridge_arena.bots.baseline.bidding import Simple, cheapest_level, read
from bridge_arena.bots.baseline.bot import BaselineBot
from bridge_arena.bots.library.portable_random import pick
from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.calls import DENOMINATIONS, PASS, Call, Contract, Denomination
from bridge_arena.bridge.evaluation import hcp
from bridge_arena.bridge.record import MadeCall
from bridge_arena.bridge.seats import SEATS, Seat, Side, Vulnerability
from bridge_arena.protocol.view import View
from tests.bots.views import call_made, hold, new_view


def choose(view: View) -> MadeCall:
    return Simple().choose(view.hand, view.auction, view.vulnerability)


def bid(hand: str, calls: str = "") -> str:
    return str(choose(hold(hand, calls)).call)


@pytest.mark.parametrize(
    ("hand", "opening"),
    [
        ("KQ32.A54.K32.Q32", "1S"),  # 14 balanced: its four cards
        ("AQ3.KJ54.K32.Q32", "1NT"),  # 15
        ("AQ3.KJ54.KQ2.Q32", "1NT"),  # 17
        ("AQ3.KJ54.KQ2.K32", "1H"),  # 18: too much
        ("AK3.KQ54.KQ2.Q32", "1H"),  # 19: too little
        ("AK3.KQ54.KQ2.K32", "2NT"),  # 20
        ("AK3.KQ54.KQ2.KJ2", "2NT"),  # 21
        ("AKJ32.K54.32.Q32", "1S"),
        ("32.AKJ32.K54.Q32", "1H"),
        ("32.K54.AKJ32.Q32", "1D"),
        ("32.K54.Q32.AKJ32", "1C"),
        ("KJ32.Q54.K32.Q32", "Pass"),  # 11
        ("QJ5432.K4.432.32", "Pass"),
        ("AK5432.A4.432.32", "Pass"),  # 11
        ("AKQ2.AK4.AKQ.A32", "1S"),  # it knows no stronger opening
        ("5432.432.432.432", "Pass"),
        ("AQJ32.KQJ32.A2.2", "1S"),  # of two suits of five, the higher
    ],
)
def test_hands_are_opened_by_the_simple_system(hand: str, opening: str) -> None:
    assert bid(hand) == opening
    assert bid(hand, "Pass") == opening
    assert bid(hand, "Pass Pass Pass") == opening


@pytest.mark.parametrize(
    ("hand", "calls", "call"),
    [
        # Raises with a fit, by strength.
        ("Q432.K54.J32.432", "1S Pass", "2S"),
        ("Q432.K54.K32.J32", "1S Pass", "2S"),
        ("Q432.KQ4.K32.432", "1S Pass", "3S"),
        ("Q432.KQ4.K32.A32", "1S Pass", "4S"),
        ("5432.432.J32.Q32", "1S Pass", "Pass"),
        # New suits, with four cards at the one level and ten points at the two level.
        ("K432.54.Q32.J432", "1H Pass", "1S"),
        ("K432.54.Q32.5432", "1H Pass", "Pass"),
        ("KQ432.54.Q32.432", "1H Pass", "1S"),
        ("32.54.AQ432.5432", "1H Pass", "1NT"),
        ("32.54.AQ432.AJ32", "1H Pass", "2D"),
        # Over 1NT.
        ("432.KJ32.Q32.Q32", "1NT Pass", "2NT"),
        ("432.KJ32.Q32.KQ2", "1NT Pass", "3NT"),
        ("KQ5432.32.Q32.K2", "1NT Pass", "4S"),
        ("KQ432.32.Q32.K32", "1NT Pass", "3S"),
        ("KQ432.32.432.432", "1NT Pass", "2S"),
        ("5432.432.Q32.432", "1NT Pass", "Pass"),
        ("AQ32.KQ2.AK2.432", "1NT Pass", "6NT"),
        ("432.KJ32.432.432", "2NT Pass", "Pass"),
        ("432.KJ32.Q32.432", "2NT Pass", "3NT"),
        # Overcalls.
        ("AQJ32.K32.432.32", "1D", "1S"),
        ("432.32.AQJ32.K32", "1S", "Pass"),
        ("432.32.AQJ32.KQ2", "1S", "2D"),
        ("AQ2.KJ2.KJ32.Q32", "1D", "1NT"),
        ("AQ2.KJ2.5432.KQ2", "1D", "Pass"),  # nothing in theirs
        ("432.32.AQJ32.KQ2", "1D", "Pass"),  # their own suit
    ],
)
def test_openings_are_answered_by_the_simple_system(hand: str, calls: str, call: str) -> None:
    assert bid(hand, calls) == call


@pytest.mark.parametrize(
    ("hand", "calls", "call"),
    [
        ("432.KJ32.AQ32.K2", "1D Pass 1H Pass", "2H"),
        ("A32.KJ32.AQ32.K2", "1D Pass 1H Pass", "3H"),
        ("32.KQ2.AQJ432.K2", "1D Pass 1S Pass", "2D"),
        ("32.AQ2.AQJ432.K2", "1D Pass 1S Pass", "3D"),
        ("KQ2.A432.Q32.K32", "1H Pass 1S Pass", "1NT"),
        ("K2.AQ5432.Q32.K2", "1H Pass 2H Pass", "Pass"),
    ],
)
def test_openers_rebid_by_the_simple_system(hand: str, calls: str, call: str) -> None:
    assert bid(hand, calls) == call


def test_a_new_suit_is_not_passed() -> None:
    for hand in ("432.KJ32.AQ32.K2", "K2.AQ32.KQ32.432", "AJ32.2.AQ5432.Q2"):
        assert bid(hand, "1D Pass 1H Pass") != "Pass"


def test_pass_needs_no_explanation() -> None:
    assert choose(hold("5432.432.432.432")) == MadeCall(PASS)


def test_a_bid_is_explained() -> None:
    made = choose(hold("AQ3.KJ54.K32.Q32"))
    assert made.explanation is not None
    assert str(made.explanation).startswith("natural [hcp 15-17")
    assert not made.alert


class TestExplain:
    def lines(self, calls: str) -> list[str]:
        """Return the calls of an auction that North opens."""
        auction = Auction(Seat.NORTH, [Call(text) for text in calls.split()])
        return [str(told) for told in Simple().explain(auction, Vulnerability.NONE)]

    def test_every_call_tells_all_that_its_caller_has_promised(self) -> None:
        assert self.lines("1H Pass 2H Pass Pass 2S") == [
            "natural [hcp 12-21, H 4-13]",
            "natural [hcp 0-37]",
            "natural [hcp 6-9, H 4-13]",
            "natural [hcp 0-37]",
            "natural [hcp 12-21, H 4-13]",
            "natural [hcp 11-17, S 5-13]",
        ]

    def test_a_caller_who_passed_first_has_no_opening(self) -> None:
        assert self.lines("Pass 1S 2C Pass 3C Pass") == [
            "natural [hcp 0-11]",
            "natural [hcp 12-21, S 4-13]",
            "natural [hcp 11-17, C 5-13]",
            "natural [hcp 0-37]",
            "natural [hcp 6-9, C 3-13]",
            "natural [hcp 12-21, S 4-13]",
        ]
        assert self.lines("Pass Pass 1D Pass 1H Pass")[-2:] == [
            "natural [hcp 6-11, H 4-13]",
            "natural [hcp 0-11]",
        ]

    def test_an_auction_without_calls_has_no_explanations(self) -> None:
        assert self.lines("") == []

    def test_the_explanation_of_a_choice_comes_with_its_call(self) -> None:
        view = hold("KJ432.Q54.K32.32", "Pass Pass 1D Pass")
        made = choose(view)
        assert str(made.call) == "1S"
        assert str(made.explanation) == "natural [hcp 6-11, S 4-13]"

    def test_simple_bidding_weighs_no_other_calls(self) -> None:
        view = hold("AQ3.KJ54.K32.Q32")
        assert Simple().options(view.hand, view.auction, view.vulnerability) == [choose(view)]


class TestBot:
    def test_baseline_bids_by_the_simple_system(self) -> None:
        view = hold("AQ3.KJ54.K32.Q32")
        assert BaselineBot().call(view) == choose(view)

    def test_baseline_refuses_a_system_that_does_not_exist(self) -> None:
        with pytest.raises(ValueError, match=r"no bidding system 'acol' \(there are natural, "):
            BaselineBot("acol")  # type: ignore[arg-type]


class TestReading:
    def test_partner_and_opponents_are_read_alike(self) -> None:
        calls = [Call(text) for text in "1H Pass 2H".split()]
        north, east, south, west = read(Seat.NORTH, calls)
        assert (north.low, north.high, north.lengths) == (12, 21, (0, 0, 4, 0))
        assert (south.low, south.high, south.lengths) == (6, 9, (0, 0, 4, 0))
        assert east.bids == west.bids == ()

    def test_doubles_are_no_bids(self) -> None:
        promises = read(Seat.NORTH, [Call("1H"), Call("X"), Call("XX")])
        assert [len(promise.bids) for promise in promises] == [1, 0, 0, 0]

    @pytest.mark.parametrize("length", range(8))
    def test_any_auction_can_be_read(self, length: int) -> None:
        """Include auctions that the baseline would never bid."""
        for denomination in DENOMINATIONS:
            calls = [Call.bid(level, denomination) for level in range(1, length + 1)]
            assert len(read(Seat.EAST, calls)) == 4

    def test_the_cheapest_level_of_a_denomination_is_known(self) -> None:
        assert cheapest_level(PASS, Denomination.CLUBS) == 1
        assert cheapest_level(Call("1H"), Denomination.SPADES) == 1
        assert cheapest_level(Call("1H"), Denomination.HEARTS) == 2
        assert cheapest_level(Call("3NT"), Denomination.CLUBS) == 4


@dataclass
class SelfPlay:
    """Draw auctions of four baselines."""

    auctions: list[tuple[Board, Auction]] = field(default_factory=list)
    bids: int = 0
    held: int = 0

    @classmethod
    def of(cls, deals: int) -> SelfPlay:
        told = cls()
        for number in range(1, deals + 1):
            board = Board.dealt(11, number)
            views = [new_view(seat, board) for seat in SEATS]
            auction = Auction(board.dealer)
            while not auction.is_over:
                seat = auction.turn
                made = choose(views[seat])
                if made.call.is_bid:
                    assert made.explanation is not None
                    told.bids += 1
                    told.held += made.explanation.holds_for(board.deal[seat])
                event = call_made(board.dealer, auction, made.call)
                auction.push(made.call)  # refuses what is illegal
                assert len(auction.calls) < 40, auction
                for view in views:
                    view.apply(event)
            told.auctions.append((board, auction))
        return told

    def contracts(self) -> list[tuple[Board, Contract]]:
        return [(board, auction.contract) for board, auction in self.auctions if auction.contract]


@pytest.fixture(scope="module")
def self_play() -> SelfPlay:
    return SelfPlay.of(300)


class TestSelfPlay:
    def test_hands_keep_what_their_bids_promise(self, self_play: SelfPlay) -> None:
        assert self_play.bids > 500
        assert self_play.held / self_play.bids >= 0.9, f"{self_play.held} of {self_play.bids}"

    def test_baseline_never_doubles(self, self_play: SelfPlay) -> None:
        calls = Counter(call for _, auction in self_play.auctions for call in auction.calls)
        assert not calls[Call("X")]
        assert not calls[Call("XX")]

    def test_boards_are_passed_out_when_nobody_has_an_opening(self, self_play: SelfPlay) -> None:
        for board, auction in self_play.auctions:
            strongest = max(hcp(hand) for hand in board.deal.hands)
            assert auction.is_passed_out == (strongest < 12)

    def test_games_and_slams_are_bid_on_the_points_for_them(self, self_play: SelfPlay) -> None:
        """Games and slams are not bid without values, and plain ones are seldom missed."""
        points: dict[str, list[int]] = {"game": [], "slam": []}
        missed = plain = 0
        for board, contract in self_play.contracts():
            side = contract.declarer.side
            together = sum(hcp(board.deal[seat]) for seat in SEATS if seat.side == side)
            if contract.level >= 6:
                points["slam"].append(together)
            elif is_game(contract):
                points["game"].append(together)
            elif together >= 27:
                missed += 1
            plain += together >= 27
        assert points["game"]
        assert min(points["slam"], default=33) >= 30
        assert sum(points["game"]) / len(points["game"]) >= 25
        assert missed <= plain / 5, f"{missed} games missed of {plain}"

    def test_suits_are_played_in_fits(self, self_play: SelfPlay) -> None:
        """Declarer and dummy nearly always have seven trumps or more together."""
        lengths: list[int] = []
        for board, contract in self_play.contracts():
            trump = contract.denomination.trump
            if trump is not None:
                hands = (board.deal[contract.declarer], board.deal[contract.declarer.partner])
                lengths.append(sum(hand.length(trump) for hand in hands))
        assert sum(length >= 7 for length in lengths) / len(lengths) >= 0.8, Counter(lengths)

    def test_both_sides_get_contracts(self, self_play: SelfPlay) -> None:
        sides = Counter(contract.declarer.side for _, contract in self_play.contracts())
        assert min(sides[side] for side in Side) > 100


def is_game(contract: Contract) -> bool:
    needed = {Denomination.NOTRUMP: 3, Denomination.HEARTS: 4, Denomination.SPADES: 4}
    return contract.level >= needed.get(contract.denomination, 5)


@pytest.mark.parametrize("seed", range(8))
def test_whatever_the_others_call_baselines_call_is_legal(seed: int) -> None:
    """Two players of a side bid, against opponents who call at random up to 7NT."""
    rng = Random(seed)
    for number in range(1, 151):
        board = Board.dealt(seed, number)
        views = [new_view(seat, board) for seat in SEATS]
        auction = Auction(board.dealer)
        while not auction.is_over:
            ours = auction.turn.side == Side.NS
            legal = auction.legal_calls()
            call = choose(views[auction.turn]).call if ours else pick(rng, legal)
            made = call_made(board.dealer, auction, call)
            auction.push(call)
            for view in views:
                view.apply(made)
