"""The fast game, its contracts and its defenders, by the rules of `bridge.play`."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge_arena.bots.library.minibridge import Defence
from bridge_arena.bots.library.minibridge.game import (
    DECLARER,
    DEFENCES,
    DUMMY,
    Game,
    any_of,
    as_declared,
    play_out,
    random_card,
    random_deal,
    sure_winners,
    target_tricks,
)
from bridge_arena.bots.library.minibridge.games import packed, state_at_table, state_of
from bridge_arena.bridge.calls import Contract
from bridge_arena.bridge.cards import CARDS, PACK, Card, Deal, Hand
from bridge_arena.bridge.evaluation import hcp
from bridge_arena.bridge.play import Play
from bridge_arena.bridge.seats import SEATS, Seat

DECLARERS = st.sampled_from(SEATS)


@given(st.integers(0, 2**32), DECLARERS)
def test_the_fast_game_goes_as_the_rules_say(seed: int, declarer: Seat) -> None:
    """Compare turn, legal cards, tricks and states after each card."""
    rng = Random(seed)
    game = Game(random_deal(rng).hands)
    play = Play(Contract.parse("3NT", declarer))
    while not game.is_over:
        assert (declarer + game.turn) % 4 == play.turn
        assert game.legal() == play.legal_cards(Hand(game.hands[game.turn])).mask
        held = game.hands[DECLARER] | game.hands[DUMMY]
        assert state_of(game) == state_at_table(play, held)
        card = any_of(game.legal(), rng)
        game.play(card)
        play.push(CARDS[card])
        assert game.won == play.declarer_tricks
    assert play.is_over


def test_any_of_takes_each_alike() -> None:
    rng = Random(1)
    cards = [3, 17, 40, 51]
    mask = sum(1 << card for card in cards)
    found = [any_of(mask, rng) for _ in range(8000)]
    assert set(found) == set(cards)
    assert all(abs(found.count(card) - 2000) < 200 for card in cards)


def test_the_same_numbers_give_the_same_game() -> None:
    deal = random_deal(Random(7))
    tricks = {play_out(Game(deal.hands), random_card, random_card, Random(3)) for _ in range(3)}
    assert len(tricks) == 1


def test_a_state_keeps_no_more_than_the_paper() -> None:
    """A state has aces, kings and queens of past tricks, and aces and kings of the hands."""
    jack, queen, king, ace = (1 << 13 * 2 + rank for rank in (9, 10, 11, 12))
    assert packed(0, jack, 0) == 0
    assert packed(0, queen, 0) == 1 << 24 + 6
    assert packed(0, ace, 0) == 1 << 24 + 8
    assert packed(0, 0, jack | queen) == 0
    assert packed(0, 0, king) == 1 << 36 + 4
    assert packed(0, 0, ace) == 1 << 36 + 5


TABLE = {
    **dict.fromkeys((21, 22), 7),
    **dict.fromkeys((23, 24), 8),
    **dict.fromkeys((25, 26), 9),
    **dict.fromkeys((27, 28), 10),
    **dict.fromkeys((29, 30, 31, 32), 11),
    **dict.fromkeys((33, 34, 35, 36), 12),
    **dict.fromkeys((37, 38, 39, 40), 13),
}
"""The paper's table 4.1, notrump."""


def test_contracts_are_those_of_the_papers_table() -> None:
    assert {points: target_tricks(points) for points in range(21, 41)} == TABLE


def test_no_contract_with_half_of_the_points() -> None:
    with pytest.raises(ValueError, match="20 points does not declare"):
        target_tricks(20)


@given(st.integers(0, 2**32))
def test_the_stronger_hand_of_the_stronger_side_declares(seed: int) -> None:
    deal = random_deal(Random(seed))
    assert sum(deal.hands) == PACK.mask
    assert [hand.bit_count() for hand in deal.hands] == [13] * 4
    declarer, left, dummy, right = (hcp(Hand(hand)) for hand in deal.hands)
    assert declarer >= dummy
    assert declarer + dummy > left + right
    assert deal.target == TABLE[declarer + dummy]


def masks(text: str) -> tuple[int, int, int, int]:
    north, east, south, west = (hand.mask for hand in Deal.parse(text).hands)
    return north, east, south, west


def test_hands_stand_in_turns_from_declarer() -> None:
    north, east, south, west = masks(
        "N:5432.5432.5432.5 AKQJ.K.AJ6.AQJT9 T987.T987.T987.6 6.AQJ6.KQ.K87432"
    )
    deal = as_declared((north, east, south, west))
    assert deal is not None
    assert deal.hands == (east, south, west, north)
    assert deal.target == 13


def test_nobody_declares_with_twenty_each() -> None:
    hands = masks("N:AK2.K432.A32.432 Q43.AQ5.K54.KQ65 JT9.JT9.QJT9.JT9 8765.876.876.A87")
    assert as_declared(hands) is None


DEAL = Deal.parse("N:AK6.K65.AQJ5.K32 J54.QJ7.T76.QJT9 Q32.A432.K32.654 T987.T98.984.A87")
"""North declares: East leads."""


def game(cards: str = "") -> Game:
    north, east, south, west = (hand.mask for hand in DEAL.hands)
    found = Game((north, east, south, west))
    for card in cards.split():
        assert found.legal() >> Card(card) & 1, card
        found.play(Card(card))
    return found


def choices(defence: Defence, cards: str) -> set[str]:
    """Return the cards played for many random numbers."""
    return {str(CARDS[DEFENCES[defence](game(cards), Random(seed))]) for seed in range(60)}


class TestLastHand:
    @pytest.mark.parametrize("defence", ["last", "follow", "sure", "low"])
    def test_the_trick_is_taken_as_cheaply_as_can_be(self, defence: Defence) -> None:
        assert choices(defence, "CQ C4 CA C2 S7 SK S4 S2 S6 S5 S3") == {"S8"}

    def test_random_defenders_take_it_by_chance(self) -> None:
        assert choices("random", "CQ C4 CA C2 S7 SK S4 S2 S6 S5 S3") == {"S8", "S9", "ST"}

    def test_a_trick_that_cannot_be_taken_gets_a_low_card(self) -> None:
        cards = "CQ C4 CA C2 S7 SK S4 S2 HK H7 H2"
        assert choices("follow", cards) == {"H8", "H9", "HT"}
        assert choices("low", cards) == {"H8"}

    def test_partners_trick_is_left_to_partner(self) -> None:
        cards = "CQ C4 CA C2 S7 SK S4 S2 H5 HQ H2"
        assert choices("follow", cards) == {"H8", "H9", "HT"}
        assert choices("low", cards) == {"H8"}


class TestLead:
    """West, after the ace of clubs, has none that nobody beats; East's queen is one after the
    king of clubs is gone."""

    after = "CQ C4 CA CK S7 SA S4 S2 D5 DT D2 D9"

    def test_cards_that_nobody_can_beat(self) -> None:
        assert game(self.after).turn == 1
        assert choices("sure", self.after) == {"CJ", "CT", "C9"}
        assert choices("low", self.after) == {"CJ", "CT", "C9"}
        assert len(choices("follow", self.after)) > 3
        assert len(choices("last", self.after)) > 3


def test_dummy_is_not_seen_before_the_lead() -> None:
    """East does not know that West has the ace of clubs, nor what dummy lacks."""
    assert sure_winners(game(), game().legal()) == 0


@given(st.integers(0, 2**32), st.integers(0, 51))
def test_a_sure_winner_takes_the_trick(seed: int, cards: int) -> None:
    """The card wins whatever the opponents play, unless partner beats it."""
    rng = Random(seed)
    played = Game(random_deal(rng).hands)
    for _ in range(cards):
        played.play(any_of(played.legal(), rng))
    if not played.turn & 1:
        return
    winners = sure_winners(played, played.legal())
    assert winners & ~played.legal() == 0
    if winners:
        before = played.won
        played.play(any_of(winners, rng))
        while played.trick:
            played.play(any_of(played.legal(), rng))
        assert played.won == before


@given(st.integers(0, 2**32), st.integers(0, 51), st.sampled_from(list(DEFENCES)))
def test_hidden_cards_change_nothing(seed: int, cards: int, defence: Defence) -> None:
    """If declarer's and partner's hidden cards change places, the defender plays the same card."""
    rng = Random(seed)
    one = Game(random_deal(rng).hands)
    for _ in range(cards):
        one.play(any_of(one.legal(), rng))
    if not one.turn & 1:
        return
    partner = (one.turn + 2) & 3
    hidden = [DECLARER, partner] if one.trick or one.past else [DECLARER, DUMMY, partner]
    other = Game((0, 0, 0, 0))
    for name in Game.__slots__:
        value = getattr(one, name)
        setattr(other, name, value.copy() if isinstance(value, list) else value)
    unseen = list(Hand(sum(one.hands[place] for place in hidden)))
    rng.shuffle(unseen)
    for place in hidden:
        size = one.hands[place].bit_count()
        other.hands[place] = Hand.of(unseen[:size]).mask
        unseen = unseen[size:]
    defend = DEFENCES[defence]
    assert defend(one, Random(seed)) == defend(other, Random(seed))
