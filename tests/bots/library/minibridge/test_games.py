"""Games to learn from, and deals to test on."""

from __future__ import annotations

from itertools import islice
from random import Random

from bridge_arena.bots.library.minibridge.game import DEFENCES, Game, random_card, random_deal
from bridge_arena.bots.library.minibridge.games import (
    deals_to_test,
    margins,
    random_game,
    random_games,
    state_of,
    stream,
)


def test_a_game_is_what_declarer_saw_and_did() -> None:
    game = random_game(3, 5, "follow")
    assert len(game.states) == len(game.legal) == len(game.cards) == 26
    assert all(legal >> card & 1 for legal, card in zip(game.legal, game.cards, strict=True))
    rng = stream(3, 5)
    assert game.deal == random_deal(rng)
    again = Game(game.deal.hands)
    defend = DEFENCES["follow"]
    for state, card in zip(game.states, game.cards, strict=True):
        while again.turn & 1:
            again.play(defend(again, rng))
        assert state_of(again) == state
        rng.random()
        again.play(card)
    while not again.is_over:
        again.play(defend(again, rng))
    assert again.won - game.deal.target == game.margin


def test_won_games_are_those_of_all_that_were_won() -> None:
    every = list(islice(random_games(1, kept="all"), 60))
    won = [game for game in every if game.margin >= 0]
    assert 5 < len(won) < 40
    assert list(islice(random_games(1), len(won))) == won
    after = list(islice(random_games(1, start=won[2].number + 1), len(won) - 3))
    assert after == won[3:]


def test_seeds_and_numbers_are_streams_of_their_own() -> None:
    deals = {random_game(seed, number, "last").deal for seed in range(5) for number in range(5)}
    assert len(deals) == 25


def test_a_random_declarer_wins_three_in_ten() -> None:
    """The share is as in the paper."""
    above = margins(deals_to_test(1000), random_card, "follow", 1)
    assert 0.25 < (above >= 0).mean() < 0.37


def test_deals_to_test_are_always_the_same() -> None:
    assert deals_to_test(6)[2:] == deals_to_test(4, start=2)
    assert deals_to_test(1)[0] == random_deal(Random(2**33 - 1))
