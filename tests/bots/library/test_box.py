"""Tests of boxes, which hold what is known of a hand."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bridge_arena.bots.library.box import ANY, Box, with_length
from bridge_arena.bridge.board import random_deal
from bridge_arena.bridge.cards import SUITS, Hand, Suit
from bridge_arena.bridge.explanation import Range
from tests.bots.natural.auctions import box

HAND = Hand.parse("AQ765.K4.K832.Q4")  # 14 points, 5=2=4=2


def ranges(top: int) -> st.SearchStrategy[Range]:
    ends = st.integers(0, top)
    return st.tuples(ends, ends).map(lambda pair: (min(pair), max(pair)))


boxes = st.builds(Box, ranges(37), st.tuples(*[ranges(13)] * 4))
hands = st.integers(1, 1000).map(lambda number: random_deal(1, number).hands[0])


class TestHolds:
    def test_a_box_holds_hands_with_its_points(self) -> None:
        assert box(hcp=(14, 14)).holds(HAND)
        assert not box(hcp=(15, 37)).holds(HAND)
        assert not box(hcp=(0, 13)).holds(HAND)

    def test_a_box_holds_hands_with_its_lengths(self) -> None:
        assert box(S=(5, 5), H=(2, 2), D=(4, 4), C=(2, 2)).holds(HAND)
        assert not box(S=(0, 4)).holds(HAND)
        assert not box(C=(3, 13)).holds(HAND)

    def test_the_box_of_everything_holds_any_hand(self) -> None:
        assert ANY.holds(HAND)


def test_a_box_knows_least_and_most_of_a_suit() -> None:
    known = box(H=(4, 6))
    assert (known.least(Suit.HEARTS), known.most(Suit.HEARTS)) == (4, 6)


def test_a_box_may_limit_one_suit() -> None:
    assert with_length(Suit.DIAMONDS, 2, 3) == box(D=(2, 3))


class TestNarrowed:
    def test_narrowing_keeps_what_both_boxes_say(self) -> None:
        narrowed = box(hcp=(10, 15), S=(4, 8)).narrowed(box(hcp=(12, 20), S=(0, 6)))
        assert narrowed.hcp == (12, 15)
        assert narrowed.lengths[Suit.SPADES] == (4, 6)

    def test_of_a_contradiction_the_later_is_believed(self) -> None:
        assert box(hcp=(0, 5)).narrowed(box(hcp=(10, 12))).hcp == (10, 12)
        assert box(S=(5, 13)).narrowed(box(S=(0, 2))).lengths[Suit.SPADES] == (0, 2)

    @given(boxes, boxes, hands)
    def test_a_hand_in_both_boxes_is_in_the_narrowed_box(
        self, first: Box, second: Box, hand: Hand
    ) -> None:
        if first.holds(hand) and second.holds(hand):
            assert first.narrowed(second).holds(hand)


class TestHull:
    def test_the_hull_is_around_both_boxes(self) -> None:
        assert box(hcp=(1, 2), C=(5, 5)).hull(box(hcp=(4, 6), C=(1, 2))) == box((1, 6), C=(1, 5))

    @given(boxes, boxes, hands)
    def test_a_hand_in_either_box_is_in_the_hull(self, first: Box, second: Box, hand: Hand) -> None:
        if first.holds(hand) or second.holds(hand):
            assert first.hull(second).holds(hand)


class TestCompleted:
    def test_long_suits_leave_few_cards_for_others(self) -> None:
        assert box(S=(5, 13), H=(5, 13)).completed().lengths == ((0, 3), (0, 3), (5, 8), (5, 8))

    def test_short_suits_make_the_other_suit_long(self) -> None:
        assert box(S=(0, 3), H=(0, 3), D=(0, 3)).completed().lengths[Suit.CLUBS] == (4, 13)

    def test_a_box_that_no_hand_is_in_stays_as_it_is(self) -> None:
        too_many = box(S=(7, 13), H=(7, 13))
        assert too_many.completed() == too_many
        too_few = Box(lengths=((0, 3),) * 4)
        assert too_few.completed() == too_few

    @given(boxes, hands)
    def test_completing_a_box_excludes_no_hand(self, known: Box, hand: Hand) -> None:
        assert known.completed().holds(hand) == known.holds(hand)

    @given(boxes)
    def test_ranges_stay_ranges(self, known: Box) -> None:
        for low, high in known.completed().lengths:
            assert 0 <= low <= high <= 13

    @given(st.lists(boxes, max_size=5), hands)
    def test_narrowing_on_and_on_gives_ranges(self, told: list[Box], hand: Hand) -> None:
        """An auction's calls, contradictory or not."""
        known = ANY
        for each in told:
            known = known.narrowed(each)
            assert 0 <= known.hcp[0] <= known.hcp[1] <= 37
            for suit in SUITS:
                assert 0 <= known.least(suit) <= known.most(suit) <= 13
        assert not all(each.holds(hand) for each in told) or known.holds(hand)
