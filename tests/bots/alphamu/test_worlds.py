"""The state of the play, and the worlds of one decision."""

from __future__ import annotations

from random import Random

import pytest

from bridge_arena.bots.alphamu.worlds import State, Worlds
from bridge_arena.bots.library.sampling.sampler import Hands
from bridge_arena.bridge.calls import Contract
from bridge_arena.bridge.cards import PACK, Card, Hand, Suit
from bridge_arena.bridge.play import Play, followers
from bridge_arena.bridge.seats import Seat, Side
from bridge_arena.oracle.position import Position
from bridge_arena.oracle.solver import card_values
from tests.bots.alphamu.endings import Ending, random_ending


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


def hands(*texts: str) -> Hands:
    north, east, south, west = map(Hand.parse, texts)
    return north, east, south, west


# West has led the queen of spades, or is to play after North; East's hand is open.
FIRST = hands("A3.2..", "K9.3..", "54.4..", "87.5..")
SECOND = hands("A3.2..", "97.3..", "54.4..", "K8.5..")


def ending(*layouts: Hands, trick: str = "", leader: Seat = Seat.NORTH, need: int = 1) -> Ending:
    return Ending(layouts, None, leader, tuple(map(Card, trick.split())), need)


class TestReplies:
    def test_each_reply_comes_with_the_worlds_where_it_can_be_played(self) -> None:
        position = ending(FIRST, SECOND)
        state = position.state.after(Card("S3"), None, Seat.SOUTH.side)
        replies = dict(position.worlds.replies(state, 0b11))
        # The eight and seven lie lower than the nine: in the first world with West.
        assert replies == {Card("S7"): 0b10, Card("S9"): 0b11, Card("SK"): 0b01}

    def test_replies_are_found_among_some_worlds_only(self) -> None:
        position = ending(FIRST, SECOND)
        state = position.state.after(Card("S3"), None, Seat.SOUTH.side)
        assert dict(position.worlds.replies(state, 0b10)) == {Card("S7"): 0b10, Card("S9"): 0b10}

    def test_touching_cards_are_one_where_they_are_always_together(self) -> None:
        both = hands("A.2..", "98.3..", "54...", "K.5..")
        apart = hands("A.2..", "9.53..", "54...", "K8...")
        state = ending(both, apart).state._replace(leader=Seat.EAST)
        spades = [Card("S8"), Card("S9")]
        together = dict(ending(both, both).worlds.replies(state, 0b11))
        assert [together.get(card) for card in spades] == [0b11, None]
        divided = dict(ending(both, apart).worlds.replies(state, 0b11))
        assert [divided.get(card) for card in spades] == [0b01, 0b11]

    def test_another_suit_is_a_reply_only_in_worlds_void_of_the_suit_led(self) -> None:
        void = hands("A3.2..", ".9863..", "54.4..", "K98.5..")
        follows = hands("A3.2..", "K9.63..", "54.4..", "8.985..")
        position = ending(void, follows)
        state = position.state.after(Card("S3"), None, Seat.SOUTH.side)
        replies = dict(position.worlds.replies(state, 0b11))
        # Nine and king touch, six to nine as well: nothing between them counts.
        assert replies == {Card("S9"): 0b10, Card("H3"): 0b01, Card("H6"): 0b01}


class TestSolutions:
    @pytest.mark.parametrize("seed", range(30))
    def test_reached_is_what_the_values_say(self, seed: int) -> None:
        position = random_ending(Random(seed), 5, 4)
        worlds, state = position.worlds, position.state
        reached = worlds.reached(state, worlds.all)
        tricks = worlds.tricks(state)
        for world, layout in enumerate(position.layouts):
            values = card_values(Position(layout, position.trump, position.leader, position.trick))
            assert tricks[world] == values
            for card, where in reached.items():
                assert (where >> world & 1) == (values[card] >= position.need)

    @pytest.mark.parametrize("seed", range(30))
    def test_a_choice_stands_for_all_legal_cards(self, seed: int) -> None:
        position = random_ending(Random(seed), 5, 1)
        chosen = position.worlds.choices(position.state)
        values = card_values(
            Position(position.layouts[0], position.trump, position.leader, position.trick)
        )
        assert set(chosen) <= set(values)
        assert {values[card] for card in chosen} == set(values.values())

    def test_a_world_drawn_twice_is_solved_once(self, monkeypatch: pytest.MonkeyPatch) -> None:
        asked: list[Position] = []

        def counted(position: Position, _tricks: int) -> Hand:
            asked.append(position)
            return position.legal_cards

        monkeypatch.setattr("bridge_arena.bots.alphamu.worlds.cards_taking", counted)
        position = ending(FIRST, SECOND, FIRST)
        worlds = position.worlds
        assert set(worlds.reached(position.state, 0b111).values()) == {0b111}
        assert len(asked) == 2
        assert worlds.is_one_layout(0b101)
        assert not worlds.is_one_layout(0b011)

    def test_touching_cards_of_a_defender_are_solved_once(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        asked: list[Position] = []

        def counted(position: Position, _tricks: int) -> Hand:
            asked.append(position)
            return position.legal_cards

        monkeypatch.setattr("bridge_arena.bots.alphamu.worlds.cards_taking", counted)
        layout = hands("A3...", "QJ...", "54...", "K2...")
        worlds = ending(layout).worlds
        start = ending(layout).state.after(Card("S3"), None, Seat.SOUTH.side)
        for card in (Card("SJ"), Card("SQ")):
            worlds.reached(start.after(card, None, Seat.SOUTH.side), 1)
        assert len(asked) == 1
        assert asked[0].trick == (Card("S3"), Card("SJ"))
        assert str(asked[0].hands[Seat.EAST]) == "Q..."

    def test_a_card_of_the_trick_that_was_played_before_is_exchanged_as_well(self) -> None:
        """East's queen was played before the decision; the jack that it still has is
        worth the same."""
        layout = hands("A...", "J...", "54...", "K2...")
        position = ending(layout, trick="S3 SQ")
        assert position.worlds.reached(position.state, 1) == {Card("S4"): 1}


def test_the_search_sees_the_cards_that_a_play_left() -> None:
    state = State(PACK.mask & ~Hand.parse("AK...").mask, Seat.NORTH, (), 1)
    layout = hands("A...", "...", "K...", "...")
    worlds = Worlds([layout], Suit.SPADES, Seat.SOUTH, state)
    assert worlds.choices(state) == [Card("SA")]
    assert followers(layout[Seat.NORTH], None) == Hand.of(worlds.choices(state))
