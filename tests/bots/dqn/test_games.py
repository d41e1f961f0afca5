"""Many MiniBridge games at once, beside single ones."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from bridge_arena.bots.dqn.games import before_the_lead, followed, owners, played, random_deals
from bridge_arena.bots.fastplay.playing import Playing
from bridge_arena.bots.library.learning.layers import Array
from bridge_arena.bots.library.minibridge.game import (
    Game,
    MiniDeal,
    any_of,
    as_declared,
    sure_winners,
)
from bridge_arena.bots.library.minibridge.games import deals_to_test


def dealt(owner: np.ndarray) -> list[tuple[int, int, int, int]]:
    """Return the hands of deals as sets of cards."""
    found = []
    for row in owner:
        first, second, third, fourth = (
            sum(1 << int(card) for card in np.flatnonzero(row == player)) for player in range(4)
        )
        found.append((first, second, third, fourth))
    return found


def test_deals_are_as_declared() -> None:
    owner = random_deals(np.random.default_rng(1), 200)
    assert owner.shape == (200, 52)
    for hands in dealt(owner):
        deal = as_declared(hands)
        assert isinstance(deal, MiniDeal)
        assert deal.hands == hands


def test_owners_of_cards_are_those_of_the_deals() -> None:
    deals = deals_to_test(5)
    assert dealt(owners(deals)) == [deal.hands for deal in deals]


def test_the_games_and_defenders_are_those_of_single_games() -> None:
    """A sure trick is taken with the same card; other cards are legal, and not always the same."""
    rng, chance = np.random.default_rng(1), Random(1)
    owner = random_deals(rng, 60)
    playing = Playing(before_the_lead(owner))
    games = [Game(hands) for hands in dealt(owner)]
    sure = others = 0
    for place in range(52):
        legal = playing.legal()
        assert playing.turn.tolist() == [game.turn for game in games]
        for row, game in zip(legal, games, strict=True):
            assert sum(1 << int(card) for card in np.flatnonzero(row)) == game.legal()
        rows = np.flatnonzero(playing.turn % 2)
        now = playing.now.rows(rows)
        cards = np.array([any_of(game.legal(), chance) for game in games])
        found = followed(now, playing.held[rows], legal[rows], rng)
        for row, card in zip(rows, found, strict=True):
            game = games[row]
            winners = sure_winners(game, game.legal()) if place % 4 else 0
            if winners:
                assert 1 << int(card) == winners & -winners
                sure += 1
            else:
                assert game.legal() >> int(card) & 1
                others += int(card) != cards[row]
        cards[rows] = found
        playing.play(cards)
        for game, card in zip(games, cards.tolist(), strict=True):
            game.play(card)
    assert playing.tricks.tolist() == [game.won for game in games]
    assert sure > 200
    assert others > 200


def costs(seen: Array) -> Array:
    """Return costs that have nothing to do with the cards."""
    return np.random.default_rng(len(seen)).random((len(seen), 4, 13), np.float32)


def test_steps_to_learn_from_were_played_from_declarers_own_hand() -> None:
    rng = np.random.default_rng(1)
    tricks, lesson = played(costs, random_deals(rng, 40), rng, exploration=0.3)
    assert tricks.shape == (40,)
    assert 40 * 15 < len(lesson.card) < 40 * 26
    rows = np.arange(len(lesson.card))
    # The first thirteen numbers of a suit are the cards that its player holds.
    assert lesson.inputs[rows, lesson.card // 13, lesson.card % 13].all()


class TestTargets:
    """Decisions are in the order of the places; the game of the deal follows from its tricks."""

    @pytest.fixture
    def owner(self) -> np.ndarray:
        return random_deals(np.random.default_rng(3), 1)

    def lesson(
        self, owner: np.ndarray, exploration: float, share: float
    ) -> tuple[int, Array, Array]:
        """Return the tricks, the targets, and the tricks lost to the end from each decision."""
        least: list[float] = []

        def cheap(_: Array) -> Array:
            least.append(float(10 + len(least)))
            return np.full((1, 4, 13), least[-1], np.float32)

        tricks, lesson = played(cheap, owner, np.random.default_rng(5), exploration, share)
        return int(tricks[0]), lesson.cost, np.array(least, np.float32)

    def test_a_target_may_be_all_that_came_after_the_card(self, owner: np.ndarray) -> None:
        tricks, cost, _ = self.lesson(owner, 0.0, 1.0)
        assert cost[0] in (13 - tricks, 12 - tricks)  # the first trick may be over before a choice
        assert (np.diff(cost) <= 0).all()
        assert set(-np.diff(cost)) <= {0, 1, 2, 3}

    def test_a_target_may_be_the_value_of_the_next_card(self, owner: np.ndarray) -> None:
        _, whole, _ = self.lesson(owner, 0.0, 1.0)
        _, cost, least = self.lesson(owner, 0.0, 0.0)
        until_next = -np.diff(whole)
        assert cost[:-1] == pytest.approx(until_next + least[1:])
        assert cost[-1] == whole[-1]

    def test_a_target_may_be_a_mixture(self, owner: np.ndarray) -> None:
        _, whole, _ = self.lesson(owner, 0.0, 1.0)
        _, cost, least = self.lesson(owner, 0.0, 0.25)
        until_next = -np.diff(whole)
        assert cost[:-1] == pytest.approx(until_next + 0.75 * least[1:] + 0.25 * cost[1:])

    def test_nothing_is_learned_from_what_came_after_a_card_by_chance(
        self, owner: np.ndarray
    ) -> None:
        """All cards seem to cost the same: the first is the cheapest, and others are by chance."""
        _, whole, least = self.lesson(owner, 1.0, 1.0)
        _, steps, again = self.lesson(owner, 1.0, 0.0)
        assert (least == again).all()
        assert (steps[:-1] != whole[:-1]).any()
        assert (steps[:-1] == whole[:-1]).sum() > len(whole) / 2
