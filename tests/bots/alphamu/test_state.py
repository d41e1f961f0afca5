"""The state of the play that all worlds share."""

from __future__ import annotations

import pytest

from bridge_arena.bots.alphamu.worlds import State
from bridge_arena.bridge.calls import Contract
from bridge_arena.bridge.cards import PACK, Card, Hand, Suit
from bridge_arena.bridge.play import Play
from bridge_arena.bridge.seats import Seat, Side


def state(left: str, trick: str = "", leader: Seat = Seat.WEST, need: int = 1) -> State:
    """`left` holds all cards that are in some hand, as one hand."""
    gone = PACK.mask & ~Hand.parse(left).mask
    return State(gone, leader, tuple(map(Card, trick.split())), need)


def test_the_state_is_read_off_a_play() -> None:
    play = Play(Contract.parse("3NT", Seat.SOUTH))
    for card in "D4 DA D2 D3 S2 S3".split():
        play.push(Card(card))
    assert State.of(play) == State(
        Hand.parse("32..A432.").mask, Seat.NORTH, (Card("S2"), Card("S3")), 8
    )
    assert State.of(play).turn == Seat.SOUTH


@pytest.mark.parametrize(("card", "leader", "need"), [("SK", Seat.NORTH, 1), ("S2", Seat.EAST, 2)])
def test_a_trick_that_declarers_side_takes_is_needed_no_more(
    card: str, leader: Seat, need: int
) -> None:
    before = state("K2...", "SJ S5 S4", leader=Seat.EAST, need=2)
    after = before.after(Card(card), None, Side.NS)
    assert after == State(before.gone | 1 << Card(card), leader, (), need)


def test_a_trump_takes_a_trick() -> None:
    before = state("..2.2", "DA D5 D4", leader=Seat.SOUTH)
    assert before.after(Card("C2"), Suit.CLUBS, Side.NS).leader == Seat.EAST
    assert before.after(Card("C2"), None, Side.NS).leader == Seat.SOUTH


class TestChoices:
    def test_of_touching_cards_the_lowest_is_the_choice(self) -> None:
        """Other hands hold the seven and the eight; jack and ten are equal."""
        hand = Hand.parse("AKQ965...")
        chosen = state("AKQ98765...").choices(hand.mask)
        assert chosen == [Card("S5"), Card("S9")]

    def test_a_card_of_the_trick_divides(self) -> None:
        """Over the ten, jack and nine differ."""
        hand = Hand.parse("J9...")
        assert state("J9...", "ST").choices(hand.mask) == [Card("S9"), Card("SJ")]
        assert state("J9...").choices(hand.mask) == [Card("S9")]

    def test_suit_is_followed(self) -> None:
        hand = Hand.parse("J.A.2.2")
        assert state("J.A.2.2", "HK").choices(hand.mask) == [Card("HA")]
        assert len(state("J..2.2", "HK").choices(Hand.parse("J..2.2").mask)) == 3

    def test_suits_do_not_touch(self) -> None:
        hand = Hand.parse("2.A..")
        assert state("2.A..").choices(hand.mask) == [Card("HA"), Card("S2")]
