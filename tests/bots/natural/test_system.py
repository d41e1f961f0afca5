"""The system at work: what it chooses is legal, and means what it says."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bridge_arena.bots.library.bidding_systems import system
from bridge_arena.bots.natural import terms
from bridge_arena.bots.natural.bot import NaturalBot
from bridge_arena.bots.natural.facts import Facts
from bridge_arena.bots.natural.reading import State
from bridge_arena.bots.natural.rules import Book
from bridge_arena.bots.natural.system import Menu, Natural, _added, _either, _menu, book
from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.calls import DOUBLE, PASS, REDOUBLE, Call
from bridge_arena.bridge.cards import Hand
from bridge_arena.bridge.seats import Seat, Vulnerability
from tests.bots.views import hold

NATURAL = Natural()
NONE = Vulnerability.NONE


def auction(calls: str) -> Auction:
    return Auction(Seat.NORTH, [Call(text) for text in calls.split()])


def lines(calls: str) -> list[str]:
    """Return what every call of an auction has shown."""
    return [str(told) for told in NATURAL.explain(auction(calls), NONE)]


def bid(hand: str, calls: str = "") -> str:
    return str(NATURAL.choose(Hand.parse(hand), auction(calls), NONE).call)


def book_read_anew() -> Book:
    """The shipped tables without anything that has been made of them."""
    for remembered in (terms.parse, terms.all_of, terms.contrary, _either, _added):
        remembered.cache_clear()
    return book.__wrapped__()


@st.composite
def auctions(draw: st.DrawFn) -> tuple[Board, Auction]:
    """A board and the beginning of its auction: each call the system's or anything legal,
    low bids more often than high."""
    board = Board.dealt(draw(st.integers(1, 50)), draw(st.integers(1, 16)))
    made = Auction(board.dealer)
    for choice in draw(st.lists(st.none() | st.integers(0, 39), max_size=24)):
        if made.is_over:
            break
        if choice is None:
            hand = board.deal[made.turn]
            made.push(NATURAL.choose(hand, made, board.vulnerability).call)
        else:
            legal = made.legal_calls()
            made.push(legal[min(choice % 8 if choice < 32 else choice, len(legal) - 1)])
    return board, made


class TestAnyAuction:
    @given(auctions())
    def test_natural_chooses_a_legal_call(self, dealt: tuple[Board, Auction]) -> None:
        board, made = dealt
        if made.is_over:
            return
        for hand in board.deal.hands:  # also hands that contradict the auction
            assert made.is_legal(NATURAL.choose(hand, made, board.vulnerability).call)

    @given(auctions())
    def test_every_call_is_explained(self, dealt: tuple[Board, Auction]) -> None:
        board, made = dealt
        assert len(NATURAL.explain(made, board.vulnerability)) == len(made.calls)

    @given(auctions())
    def test_a_choice_is_read_as_it_was_explained(self, dealt: tuple[Board, Auction]) -> None:
        board, made = dealt
        if made.is_over:
            return
        chosen = NATURAL.choose(board.deal[made.turn], made, board.vulnerability)
        made.push(chosen.call)
        told = NATURAL.explain(made, board.vulnerability)[-1]
        assert told == chosen.explanation
        assert told.lengths == (chosen.explanation and chosen.explanation.lengths)
        assert chosen.alert == told.artificial

    @given(auctions())
    def test_options_begin_with_the_choice(self, dealt: tuple[Board, Auction]) -> None:
        board, made = dealt
        if made.is_over:
            return
        hand = board.deal[made.turn]
        options = NATURAL.options(hand, made, board.vulnerability)
        assert options[0] == NATURAL.choose(hand, made, board.vulnerability)
        assert len({option.call for option in options}) == len(options)
        assert all(made.is_legal(option.call) for option in options)

    @given(auctions())
    def test_earlier_explanations_do_not_change(self, dealt: tuple[Board, Auction]) -> None:
        board, made = dealt
        told = NATURAL.explain(made, board.vulnerability)
        for length in range(len(made.calls)):
            before = Auction(made.dealer, made.calls[:length])
            assert NATURAL.explain(before, board.vulnerability) == told[:length]

    @pytest.mark.parametrize("seed", range(4))
    def test_auctions_of_natural_against_callers_at_random_end(self, seed: int) -> None:
        rng = Random(seed)
        for number in range(1, 26):
            board = Board.dealt(seed, number)
            made = Auction(board.dealer)
            while not made.is_over:
                legal = made.legal_calls()
                if made.turn.side == 0:
                    made.push(NATURAL.choose(board.deal[made.turn], made, board.vulnerability).call)
                else:
                    made.push(legal[int(rng.random() ** 3 * len(legal))])

    def test_partner_may_be_a_stranger(self) -> None:
        """The partner makes a grand slam of every hand, or contradicts himself."""
        for calls in (
            "7NT Pass",
            "1S Pass 2H Pass 3C Pass 3H Pass 5C Pass",
            "1C Pass 1H Pass 7C X",
            "2C Pass 2D Pass 7D Pass",
            "4NT Pass 7C Pass 7D Pass 7H Pass",
            "1NT Pass 4NT Pass 5C Pass 5H Pass",
            "1S 2S 3S 4S 5S 6S 7S X XX Pass Pass",
        ):
            made = auction(calls)
            hand = Hand.parse("AQ765.K4.K832.Q4")
            assert made.is_legal(NATURAL.choose(hand, made, NONE).call)


class TestExplain:
    def test_what_has_been_promised_is_kept(self) -> None:
        told = NATURAL.explain(auction("1NT Pass 2C Pass 2H Pass"), NONE)
        assert [(each.hcp, each.artificial) for each in told[::4]] == [
            ((15, 17), False),
            ((15, 17), False),
        ]
        assert told[2].forcing
        assert told[2].artificial

    def test_the_explanation_of_an_opening_tells_points_and_lengths(self) -> None:
        opened = lines("1NT")[0]
        assert opened == "strong notrump [hcp 15-17, S 2-5, H 2-5, D 2-5, C 2-5]"

    @pytest.mark.parametrize("calls", ["1S 4H 4S", "1H 1S Pass 4S"])
    def test_a_raise_to_game_has_an_upper_limit(self, calls: str) -> None:
        hcp = NATURAL.explain(auction(calls), NONE)[-1].hcp
        assert hcp is not None
        assert hcp[1] <= 19

    def test_no_calls_have_no_explanations(self) -> None:
        assert lines("") == []

    def test_a_suit_that_the_system_would_not_bid_shows_four_cards(self) -> None:
        told = NATURAL.explain(auction("1NT 3H 7D"), NONE)[-1]
        assert {suit.letter: length for suit, length in told.lengths.items()}["D"][0] == 4

    def test_vulnerability_matters_to_the_side_that_has_it(self) -> None:
        """A preempt on a poor suit, not vulnerable only."""
        hand = Hand.parse("43.K987642.Q5.82")
        opened = {
            vulnerability: NATURAL.choose(hand, auction(""), vulnerability).call
            for vulnerability in Vulnerability
        }
        assert opened[NONE] == opened[Vulnerability.EW] == Call("3H")
        assert opened[Vulnerability.NS] == opened[Vulnerability.ALL] == PASS


class TestOptions:
    def test_a_plain_hand_has_one_option(self) -> None:
        plain = NATURAL.options(Hand.parse("AQ765.K43.KJ832."), auction(""), NONE)
        assert [str(option.call) for option in plain] == ["1S"]

    def test_a_point_more_or_less_makes_another_option(self) -> None:
        options = NATURAL.options(Hand.parse("AQ3.KJ5.KQ32.432"), auction(""), NONE)  # 15
        assert [str(option.call) for option in options] == ["1NT", "1D"]


class TestMemory:
    @pytest.mark.slow
    @settings(deadline=None)
    @given(auctions(), st.sampled_from(Vulnerability))
    def test_what_natural_remembers_changes_no_call_or_explanation(
        self, dealt: tuple[Board, Auction], vulnerability: Vulnerability
    ) -> None:
        """A system that has read nothing before makes and explains the same calls."""
        board, made = dealt
        anew = book_read_anew()
        dealer = board.dealer.side
        reached = State((vulnerability.includes(dealer), vulnerability.includes(dealer.other)))
        so_far = Auction(board.dealer)
        for call in [*made.calls, None]:
            menu = Menu(reached, anew)
            if not so_far.is_over:
                for hand in board.deal.hands:
                    chosen = menu.choose(Facts(hand))
                    assert menu.made(chosen) == NATURAL.choose(hand, so_far, vulnerability)
                    assert chosen == NATURAL.call(hand, so_far, vulnerability)
            if call is not None:
                reached = reached.after(call, menu.meaning(call))
                so_far.push(call)
        told = NATURAL.explain(made, vulnerability)
        assert told == [meaning.explanation for meaning in reached.meanings]


class TestLegality:
    def test_doubles_are_only_of_the_other_side(self) -> None:
        strong = "AKQ2.AKQ.AKQ.AK2"
        for calls in ("1H Pass", "1H X Pass", "1H X XX", "Pass Pass"):
            assert bid(strong, calls) not in {str(DOUBLE), str(REDOUBLE)}


def test_natural_is_found_by_name() -> None:
    assert isinstance(system("natural"), Natural)


def test_the_bot_natural_bids_by_the_system() -> None:
    view = hold("AQ3.KJ54.K32.Q32")
    assert NaturalBot().call(view) == NATURAL.choose(view.hand, view.auction, view.vulnerability)


def auction_of(board: Board) -> list[Call]:
    """The auction of four players."""
    made = Auction(board.dealer)
    while not made.is_over:
        made.push(NATURAL.choose(board.deal[made.turn], made, board.vulnerability).call)
    return made.calls


def test_threads_share_what_is_bound() -> None:
    """The tables of a bot's process bid in threads of their own."""
    boards = [Board.dealt(7, number) for number in range(1, 41)]

    def bid_all() -> list[list[Call]]:
        return [auction_of(board) for board in boards]

    alone = bid_all()
    _menu.cache_clear()
    switching = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as threads:
            together = [threads.submit(bid_all) for _ in range(4)]
            assert all(each.result() == alone for each in together)
    finally:
        sys.setswitchinterval(switching)


@pytest.mark.parametrize(
    ("call", "points"),
    [("1C", (10, 21)), ("1D", (10, 21)), ("1H", (10, 21)), ("1S", (10, 21)), ("1NT", (15, 17))],
)
def test_openings_are_explained_as_they_are_made(call: str, points: tuple[int, int]) -> None:
    assert NATURAL.explain(auction(f"Pass Pass {call}"), NONE)[-1].hcp == points
