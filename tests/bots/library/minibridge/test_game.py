"""The fast game, by the rules of `bridge.play`."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from bridge_arena.bots.library.minibridge.game import (
    DECLARER,
    DUMMY,
    Game,
    any_of,
    play_out,
    random_card,
    random_deal,
)
from bridge_arena.bots.library.minibridge.games import packed, state_at_table, state_of
from bridge_arena.bridge.calls import Contract
from bridge_arena.bridge.cards import CARDS, Hand
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
