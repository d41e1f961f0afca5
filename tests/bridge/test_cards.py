"""Suits, ranks, cards, hands and deals."""

import pickle
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge_arena.bridge.board import random_deal
from bridge_arena.bridge.cards import (
    CARDS,
    PACK,
    RANKS,
    SUITS,
    SUITS_DOWN,
    Card,
    Deal,
    Hand,
    Rank,
    Suit,
)
from bridge_arena.bridge.errors import IllegalDealError, NotationError
from bridge_arena.bridge.seats import SEATS, Seat

cards = st.sampled_from(CARDS)
card_sets = st.frozensets(cards)
hands = card_sets.map(Hand.of)
deals = st.builds(random_deal, st.integers(), st.integers(1, 1000))

DEAL = (
    "N:AKQJT98765432... .AKQJT98765432.. "  # each seat has one whole suit
    "..AKQJT98765432. ...AKQJT98765432"
)


def test_suits_rank_as_in_the_bidding() -> None:
    assert "".join(map(str, SUITS)) == "CDHS"
    assert "".join(map(str, SUITS_DOWN)) == "SHDC"
    assert "".join(suit.symbol for suit in SUITS) == "♣♦♥♠"


def test_ranks_are_numbered_by_their_pips() -> None:
    assert [int(rank) for rank in RANKS] == list(range(2, 15))
    assert "".join(map(str, RANKS)) == "23456789TJQKA"


def test_the_pack_has_52_different_cards() -> None:
    assert len({str(card) for card in CARDS}) == len(CARDS) == len(PACK) == 52
    assert [int(card) for card in CARDS] == list(range(52))


def test_a_card_knows_its_suit_and_rank() -> None:
    card = Card("SQ")
    assert card.suit is Suit.SPADES
    assert card.rank is Rank.QUEEN
    assert repr(card) == "Card('SQ')"
    assert Card("C2") < Card("CA") < Card("D2") < Card("H2") < Card("S2")


def test_the_two_of_clubs_is_true_although_its_int_is_0() -> None:
    assert int(Card("C2")) == 0
    assert Card("C2")


@pytest.mark.parametrize("text", ["", "S", "AS", "S1", "S10", "XA", "SA ", "NTA"])
def test_text_that_is_no_card_is_refused(text: str) -> None:
    with pytest.raises(NotationError, match="is not a card"):
        Card(text)


@given(cards)
def test_cards_round_trip(card: Card) -> None:
    assert Card(str(card)) is card
    assert Card(str(card).lower()) is card
    assert Card.of(card.suit, card.rank) is card
    assert pickle.loads(pickle.dumps(card)) is card


def test_a_hand_is_written_spades_first_and_from_the_top() -> None:
    hand = Hand.parse("27A..q3.t")
    assert str(hand) == "A72..Q3.T"
    assert [str(card) for card in hand] == ["SA", "S7", "S2", "DQ", "D3", "CT"]
    assert repr(hand) == "Hand.parse('A72..Q3.T')"


def test_a_hand_knows_its_suits() -> None:
    hand = Hand.parse("A72..Q3.T")
    assert hand.lengths == (1, 2, 0, 3)
    assert hand.length(Suit.SPADES) == 3
    assert hand.holding(Suit.SPADES) == 0b1_0000_0010_0001
    assert str(hand.suit(Suit.DIAMONDS)) == "..Q3."


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("AK.QJ.T9", "four suits"),
        ("AK.QJ.T9.87.", "four suits"),
        ("AK1.QJ.T9.8", "'1' in hand"),
        ("AK.QJQ.T9.8", "names HQ twice"),
    ],
)
def test_text_that_is_no_hand_is_refused(text: str, reason: str) -> None:
    with pytest.raises(NotationError, match=reason):
        Hand.parse(text)


@given(hands)
def test_hands_round_trip(hand: Hand) -> None:
    assert Hand.parse(str(hand)) == hand
    assert Hand.of(hand) == hand
    assert pickle.loads(pickle.dumps(hand)) == hand


@given(card_sets, card_sets, cards)
def test_hands_behave_as_sets(one: frozenset[Card], other: frozenset[Card], card: Card) -> None:
    hand, second = Hand.of(one), Hand.of(other)
    assert set(hand | second) == one | other
    assert set(hand & second) == one & other
    assert set(hand - second) == one - other
    assert set(hand.without(card)) == one - {card}
    assert (card in hand) == (card in one)
    assert len(hand) == len(one)
    assert bool(hand) == bool(one)
    assert (hand == second) == (one == other)


@given(hands)
def test_the_suits_of_a_hand_add_up(hand: Hand) -> None:
    assert sum(hand.lengths) == len(hand)
    assert list(hand) == [card for suit in SUITS_DOWN for card in hand.suit(suit)]
    assert hand.lengths == tuple(hand.length(suit) for suit in SUITS)
    assert all(hand.holding(suit).bit_count() == hand.length(suit) for suit in SUITS)


def test_a_deal_may_be_written_from_any_seat() -> None:
    deal = Deal.parse(DEAL)
    assert str(deal) == DEAL
    assert deal[Seat.EAST] == Hand.parse(".AKQJT98765432..")
    assert deal.format(Seat.WEST) == (
        "W:...AKQJT98765432 AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432."
    )
    assert repr(deal) == f"Deal.parse('{DEAL}')"


@pytest.mark.parametrize("text", ["", "N", "N:", DEAL[2:], DEAL + " ...", "Q:" + DEAL[2:]])
def test_text_that_is_no_deal_is_refused(text: str) -> None:
    with pytest.raises(NotationError):
        Deal.parse(text)


def test_a_hand_of_12_cards_is_refused() -> None:
    with pytest.raises(IllegalDealError, match="E has 12 cards, not 13"):
        Deal.parse(DEAL.replace(".AKQ", ".AK", 1))


def test_a_card_dealt_twice_is_refused() -> None:
    with pytest.raises(IllegalDealError, match="S2 is dealt twice, the second time to E"):
        Deal.parse(DEAL.replace(".AKQJT98765432..", "2.AKQJT9876543.."))


@given(deals, st.sampled_from(SEATS))
def test_deals_round_trip(deal: Deal, first: Seat) -> None:
    assert Deal.parse(deal.format(first)) == deal
    assert pickle.loads(pickle.dumps(deal)) == deal
    assert hash(Deal.parse(str(deal))) == hash(deal)


@given(st.randoms(use_true_random=False))
def test_any_thirteen_each_are_a_deal(random: Random) -> None:
    pack = random.sample(CARDS, 52)
    north, east, south, west = (Hand.of(pack[seat::4]) for seat in SEATS)
    deal = Deal((north, east, south, west))
    assert Hand.of(card for hand in deal.hands for card in hand) == PACK
