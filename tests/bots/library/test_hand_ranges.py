"""Tests of the ranges that hold what is known of a hand."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bridge_arena.bots.library.hand_ranges import ANY, HandRanges, with_length
from bridge_arena.bridge.board import random_deal
from bridge_arena.bridge.cards import SUITS, Hand, Suit
from bridge_arena.bridge.explanation import Range
from tests.bots.natural.auctions import hand_ranges

HAND = Hand.parse("AQ765.K4.K832.Q4")  # 14 points, 5=2=4=2


def ranges(top: int) -> st.SearchStrategy[Range]:
    ends = st.integers(0, top)
    return st.tuples(ends, ends).map(lambda pair: (min(pair), max(pair)))


any_ranges = st.builds(HandRanges, ranges(37), st.tuples(*[ranges(13)] * 4))
hands = st.integers(1, 1000).map(lambda number: random_deal(1, number).hands[0])


class TestHolds:
    def test_ranges_hold_hands_with_its_points(self) -> None:
        assert hand_ranges(hcp=(14, 14)).holds(HAND)
        assert not hand_ranges(hcp=(15, 37)).holds(HAND)
        assert not hand_ranges(hcp=(0, 13)).holds(HAND)

    def test_ranges_hold_hands_with_its_lengths(self) -> None:
        assert hand_ranges(S=(5, 5), H=(2, 2), D=(4, 4), C=(2, 2)).holds(HAND)
        assert not hand_ranges(S=(0, 4)).holds(HAND)
        assert not hand_ranges(C=(3, 13)).holds(HAND)

    def test_the_ranges_of_everything_hold_any_hand(self) -> None:
        assert ANY.holds(HAND)


def test_ranges_know_least_and_most_of_a_suit() -> None:
    known = hand_ranges(H=(4, 6))
    assert (known.least(Suit.HEARTS), known.most(Suit.HEARTS)) == (4, 6)


def test_ranges_may_limit_one_suit() -> None:
    assert with_length(Suit.DIAMONDS, 2, 3) == hand_ranges(D=(2, 3))


class TestNarrowed:
    def test_narrowing_keeps_what_both_ranges_say(self) -> None:
        narrowed = hand_ranges(hcp=(10, 15), S=(4, 8)).narrowed(hand_ranges(hcp=(12, 20), S=(0, 6)))
        assert narrowed.hcp == (12, 15)
        assert narrowed.lengths[Suit.SPADES] == (4, 6)

    def test_of_a_contradiction_the_later_is_believed(self) -> None:
        assert hand_ranges(hcp=(0, 5)).narrowed(hand_ranges(hcp=(10, 12))).hcp == (10, 12)
        assert hand_ranges(S=(5, 13)).narrowed(hand_ranges(S=(0, 2))).lengths[Suit.SPADES] == (0, 2)

    @given(any_ranges, any_ranges, hands)
    def test_a_hand_in_both_ranges_is_in_the_narrowed_ones(
        self, first: HandRanges, second: HandRanges, hand: Hand
    ) -> None:
        if first.holds(hand) and second.holds(hand):
            assert first.narrowed(second).holds(hand)


class TestHull:
    def test_the_hull_is_around_both_ranges(self) -> None:
        assert hand_ranges(hcp=(1, 2), C=(5, 5)).hull(
            hand_ranges(hcp=(4, 6), C=(1, 2))
        ) == hand_ranges((1, 6), C=(1, 5))

    @given(any_ranges, any_ranges, hands)
    def test_a_hand_in_either_of_the_ranges_is_in_the_hull(
        self, first: HandRanges, second: HandRanges, hand: Hand
    ) -> None:
        if first.holds(hand) or second.holds(hand):
            assert first.hull(second).holds(hand)


class TestCompleted:
    def test_long_suits_leave_few_cards_for_others(self) -> None:
        assert hand_ranges(S=(5, 13), H=(5, 13)).completed().lengths == (
            (0, 3),
            (0, 3),
            (5, 8),
            (5, 8),
        )

    def test_short_suits_make_the_other_suit_long(self) -> None:
        assert hand_ranges(S=(0, 3), H=(0, 3), D=(0, 3)).completed().lengths[Suit.CLUBS] == (4, 13)

    def test_ranges_that_no_hand_is_in_stay_as_they_are(self) -> None:
        too_many = hand_ranges(S=(7, 13), H=(7, 13))
        assert too_many.completed() == too_many
        too_few = HandRanges(lengths=((0, 3),) * 4)
        assert too_few.completed() == too_few

    @given(any_ranges, hands)
    def test_completing_ranges_excludes_no_hand(self, known: HandRanges, hand: Hand) -> None:
        assert known.completed().holds(hand) == known.holds(hand)

    @given(any_ranges)
    def test_ranges_stay_ranges(self, known: HandRanges) -> None:
        for low, high in known.completed().lengths:
            assert 0 <= low <= high <= 13

    @given(st.lists(any_ranges, max_size=5), hands)
    def test_narrowing_on_and_on_gives_ranges(self, told: list[HandRanges], hand: Hand) -> None:
        """An auction's calls, contradictory or not."""
        known = ANY
        for each in told:
            known = known.narrowed(each)
            assert 0 <= known.hcp[0] <= known.hcp[1] <= 37
            for suit in SUITS:
                assert 0 <= known.least(suit) <= known.most(suit) <= 13
        assert not all(each.holds(hand) for each in told) or known.holds(hand)
