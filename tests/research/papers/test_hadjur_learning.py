"""Hadjur's Q-network."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest

from bridge_arena.bots.library.minibridge.games import random_game, random_games, without_unknown
from research.papers.hadjur_games import Games
from research.papers.hadjur_net import FEATURES, QNet, features
from tests.late_imports import late_imports

with late_imports("torch"):
    from research.papers.hadjur_learning import NetSettings, Steps, Trainer, made_games

pytestmark = pytest.mark.slow


def test_the_network_plays_the_best_legal_card() -> None:
    rng = np.random.default_rng(1)
    sizes = (FEATURES, 8, 8, 52)
    weights: dict[str, np.ndarray] = {}
    for layer, inputs, outputs in zip("024", sizes, sizes[1:], strict=False):
        weights[f"{layer}.weight"] = rng.normal(size=(outputs, inputs)).astype(np.float32)
        weights[f"{layer}.bias"] = rng.normal(size=outputs).astype(np.float32)
    net = QNet(weights)
    game = random_game(1, 1, "follow")
    values = net.values(np.array(game.states, np.uint64))
    assert values.shape == (26, 52)
    for state, legal, row in zip(game.states, game.legal, values, strict=True):
        best = net.best(state, legal)
        cards = [card for card in range(52) if legal >> card & 1]
        assert best in cards
        assert row[best] == pytest.approx(max(row[cards]))


def test_features_are_of_what_is_seen() -> None:
    game = random_game(1, 1, "follow")
    states = np.array(game.states, np.uint64)
    found = features(states)
    assert found.shape == (26, FEATURES)
    for state, row in zip(game.states, found, strict=True):
        assert row[:8].sum() == (state >> 36).bit_count()
        assert row[216:].sum() == (state >> 24 & 0xFFF).bit_count()
        shown = [state >> 6 * place & 63 for place in range(4)]
        assert [
            int(part.argmax()) + 1 if part.any() else 0 for part in row[8:216].reshape(4, 52)
        ] == shown
    unknown = np.array([without_unknown(state, "unknown") for state in game.states], np.uint64)
    assert not features(unknown)[:, :8].any()
    assert (features(unknown)[:, 8:] == found[:, 8:]).all()


class TestSteps:
    def test_what_comes_after_each_card(self) -> None:
        every = list(islice(random_games(1), 3))
        steps = Steps.of(Games.of(every), "above", "every")
        assert len(steps) == 78
        for number, game in enumerate(every):
            first, last = 26 * number, 26 * number + 25
            assert steps.states[first : last + 1].tolist() == game.states
            assert steps.after[first:last].tolist() == game.states[1:]
            assert steps.cards[first : last + 1].tolist() == game.cards
            assert (steps.rewards[first : last + 1] == game.margin).all()
            legal = [sum(1 << int(card) for card in np.flatnonzero(row)) for row in steps.legal]
            assert legal[first:last] == game.legal[1:]
            assert not steps.legal[last].any()

    def test_reward_at_the_end(self) -> None:
        games = Games.of(list(islice(random_games(1), 2)))
        rewards = Steps.of(games, "made", "end").rewards.reshape(2, 26)
        assert not rewards[:, :25].any()
        assert rewards[:, 25].tolist() == (games.margins + 1).tolist()


@pytest.mark.weekly(part="research")
def test_the_trainer_learns_the_rewards_of_the_games_it_saw() -> None:
    """With discount 0 the values are the rewards, so games can be learned by heart."""
    settings = NetSettings(games=5, steps=1500, width=64, discount=0.0, kept="all", rate=3e-3)
    steps = Steps.of(made_games(settings), "above", "end")
    trainer = Trainer(settings, steps)
    for _ in range(settings.steps):
        trainer.learn()
    values = trainer.net().values(steps.states)
    played = values[np.arange(len(steps)), steps.cards]
    assert features(steps.states).shape[0] == 130
    assert np.abs(played - steps.rewards).mean() < 0.2
