"""The rules of learning, step by step."""

from __future__ import annotations

import pytest

from bridge_arena.bots.library.minibridge.games import without_unknown
from bridge_arena.bots.qplay.learning import Learner, QPlaySettings, best_card

PLAIN = QPlaySettings(spread=0.0)


class TestStep:
    def test_every_step_is_fed(self) -> None:
        learner = Learner(PLAIN)
        learner.learn([10, 11, 12], [1, 2, 3], margin=2)
        assert learner.values == {
            10: {1: pytest.approx(0.6)},
            11: {2: pytest.approx(0.6)},
            12: {3: pytest.approx(0.6)},
        }

    def test_only_the_last_step_is_fed(self) -> None:
        learner = Learner(QPlaySettings(spread=0.0, when="end"))
        for _ in range(3):
            learner.learn([10, 11, 12], [1, 2, 3], margin=1)
        # It comes back by a step a game.
        assert learner.values[12][3] == pytest.approx(1 - 0.7**3)
        assert learner.values[11][2] == pytest.approx(0.7 * 0.3 * 0.9 * 0.3 + 0.3 * 0.9 * 0.51)
        assert learner.values[10][1] == pytest.approx(0.3 * 0.9 * 0.3 * 0.9 * 0.3)

    def test_a_contract_just_made_is_worth_what_the_reward_says(self) -> None:
        for reward, value in (("above", 0.0), ("made", 0.3)):
            learner = Learner(QPlaySettings(spread=0.0, reward=reward))  # type: ignore[arg-type]
            learner.learn([10], [1], margin=0)
            assert learner.values == {10: {1: pytest.approx(value)}}

    def test_the_next_state_is_worth_its_best_card_or_its_next(self) -> None:
        for rule, future in (("qlearning", 5.0), ("sarsa", 1.0)):
            learner = Learner(QPlaySettings(rule=rule, spread=0.0))  # type: ignore[arg-type]
            learner.values = {11: {2: 1.0, 3: 5.0}}
            learner.learn([10, 11], [1, 2], margin=1)
            assert learner.values[10] == {1: pytest.approx(0.3 * (1 + 0.9 * future))}

    def test_visits_are_counted(self) -> None:
        learner = Learner(PLAIN)
        for last in (12, 13):
            learner.learn([10, last], [1, 2], margin=1)
        assert learner.visits == {10: 2, 12: 1, 13: 1}


class TestSpread:
    def test_neighbours_get_their_share_of_the_reward(self) -> None:
        learner = Learner(QPlaySettings(spread=0.8))
        king = 13 * 3 + 11
        learner.learn([10], [king], margin=1)
        shares = {king: 1.0, king + 1: 0.8, king - 1: 0.8, king - 2: 0.64}
        assert learner.values[10] == {
            card: pytest.approx(0.3 * share) for card, share in shares.items()
        }

    @pytest.mark.parametrize(("card", "number"), [(0, 3), (1, 4), (2, 5), (12, 3), (13, 3)])
    def test_the_reward_is_spread_within_the_suit(self, card: int, number: int) -> None:
        learner = Learner(QPlaySettings())
        learner.learn([10], [card], margin=1)
        assert len(learner.values[10]) == number
        assert {each // 13 for each in learner.values[10]} == {card // 13}

    def test_neighbours_get_no_share_of_what_comes_after_the_card(self) -> None:
        learner = Learner(QPlaySettings(spread=0.5))
        learner.values = {11: {2: 4.0}}
        learner.learn([10, 11], [5, 2], margin=1)
        assert learner.values[10][6] == pytest.approx(0.3 * (0.5 + 0.9 * 4))


def test_the_best_card_is_legal() -> None:
    row = {1: 5.0, 2: 7.0, 3: 7.0, 4: 9.0}
    assert best_card(row, 0b11110) == 4
    assert best_card(row, 0b01110) == 3
    assert best_card(row, 0b00010) == 1
    assert best_card(row, 0b100000) is None


def test_unknown_hands_are_not_seen() -> None:
    state = (0b10101010 << 36) | 12345
    assert without_unknown(state, "known") == state
    assert without_unknown(state, "unknown") == 12345
