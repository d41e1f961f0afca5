"""Rule-based defenders."""

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
    random_deal,
    sure_winners,
)
from bridge_arena.bridge.cards import CARDS, Card, Deal, Hand

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
