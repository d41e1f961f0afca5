"""The choice among equally good cards."""

from __future__ import annotations

import pytest

from bridge_arena.bots.montecarlo.preference import preferred, standard_lead
from bridge_arena.bridge.calls import Contract
from bridge_arena.bridge.cards import Card, Hand, Suit
from bridge_arena.bridge.play import Play
from bridge_arena.bridge.seats import Seat


def play_of(contract: str, cards: str = "") -> Play:
    play = Play(Contract.parse(contract, Seat.SOUTH))
    for text in cards.split():
        play.push(Card(text))
    return play


def choice(play: Play, hand: str, good: str) -> str:
    cards = [Card(text) for text in good.split()]
    return str(preferred(play, Hand.parse(hand), cards))


@pytest.mark.parametrize(
    ("holding", "lead"),
    [
        ("AK5", "SA"),
        ("KQ752", "SK"),
        ("QJ3", "SQ"),
        ("JT82", "SJ"),
        ("KJT94", "SJ"),
        ("T9842", "S4"),
        ("K8752", "S5"),
        ("A73", "S3"),
        ("85", "S8"),
        ("7", "S7"),
    ],
)
def test_each_holding_has_its_standard_lead(holding: str, lead: str) -> None:
    assert str(standard_lead(Hand.parse(f"{holding}..."), Suit.SPADES)) == lead


class TestOpeningLead:
    hand = "KQ5.K8752.T4.932"

    def test_the_longest_suit_is_led(self) -> None:
        assert choice(play_of("3NT"), self.hand, "SK SQ H8 H7 H5 H2 DT") == "H5"

    def test_the_top_of_a_sequence_is_led(self) -> None:
        assert choice(play_of("3NT"), self.hand, "SK SQ DT") == "SK"

    def test_the_lead_is_chosen_among_the_good_cards_alone(self) -> None:
        assert choice(play_of("3NT"), self.hand, "H8 H7 DT") == "H7"


class TestLaterCards:
    def test_the_lowest_of_equal_cards_is_played(self) -> None:
        assert choice(play_of("3NT", "S2 S3"), "KQJ...", "SK SQ SJ") == "SJ"

    def test_no_honour_is_thrown_away(self) -> None:
        assert choice(play_of("3NT", "S2 S3"), ".K2.QJ3.9", "HK H2 D3 C9") == "H2"

    def test_no_trump_is_spent_on_a_ruff_for_nothing(self) -> None:
        assert choice(play_of("4H", "S2 S3"), ".K2.QJ3.9", "H2 D3 C9") == "D3"

    def test_trumps_are_like_others_to_follow_suit_or_lead(self) -> None:
        assert choice(play_of("4S", "S2 S3"), "KQ...", "SK SQ") == "SQ"
        assert choice(play_of("4H", "S2 S3 S5 S4"), ".2.QJ3.9", "H2 D3 C9") == "H2"
