"""The parts of Hadjur's benchmark."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from bridge_arena.bots.baseline.bot import BaselineBot
from bridge_arena.bots.library.minibridge.game import Game, MiniDeal, play_out, random_card
from bridge_arena.bots.library.minibridge.games import deals_to_test
from bridge_arena.bots.sdk.client import Bot
from bridge_arena.bridge.cards import Card, Deal
from bridge_arena.bridge.seats import Seat
from bridge_arena.protocol.view import View
from research.papers.hadjur_play import margin_of_bot, seated, solved_margin
from research.papers.hadjur_tables import ratio, two_way
from research.papers.hadjur_twelve import PACK, Study, Tree, deals_that_matter, study

pytestmark = pytest.mark.slow


def hands(text: str) -> tuple[int, int, int, int]:
    """Return a deal of few cards, declarer's first."""
    first, second, third, fourth = (
        sum(1 << Card(card) for card in hand.split()) for hand in text.split("/")
    )
    return first, second, third, fourth


class TestTwelve:
    def test_endings_have_their_exact_values(self) -> None:
        """Declarer has the tops of three suits, but not the lead: clubs may run before."""
        tree = Tree(hands("SA HA DA/CA CK CQ/SK HK DK/SQ HQ DQ"), "won")
        assert (tree.best, tree.random) == (0, 0)
        tree = Tree(hands("SA HA DA/SK HK DK/CA CK CQ/SQ HQ DQ"), "tricks")
        assert tree.best == 3

    def test_random_play_is_worth_what_it_wins(self) -> None:
        tree = deals_that_matter(1, "won", 3)[0]
        rng = Random(1)
        won = [play_out(Game(tree.hands), random_card, random_card, rng) >= 2 for _ in range(4000)]
        assert np.mean(won) == pytest.approx(tree.random, abs=0.03)
        assert tree.best > tree.random

    def test_deals_that_matter_are_those_that_skill_decides(self) -> None:
        for tree in deals_that_matter(3, "lost", 1):
            assert sum(tree.hands) == sum(1 << card for card in PACK)
            assert -1 <= tree.random < tree.best <= 1

    def test_a_table_of_all_values_is_the_best(self) -> None:
        tree = deals_that_matter(1, "won", 2)[0]
        values = {
            state: {card: tree.best_of((*state, card)) for card in cards}
            for state, cards in tree.legal.items()
        }
        assert tree.worth(values) == pytest.approx(tree.best)

    @pytest.mark.parametrize("rule", ["qlearning", "sarsa"])
    def test_learning_finds_the_value_and_is_the_same_each_time(self, rule: str) -> None:
        tree = min(deals_that_matter(5, "won", 1), key=lambda tree: tree.moves)
        found = study(tree, Study(rule, order="backward"), 1500, 1)  # type: ignore[arg-type]
        assert found.first is not None
        assert found.most is not None
        assert found.back is not None
        assert found.most <= found.first
        assert found == study(tree, Study(rule, order="backward"), 1500, 1)  # type: ignore[arg-type]


def test_a_ratio_of_games_is_told_with_its_interval() -> None:
    one, other = np.array([[1, 1], [4, 4]]), np.array([[1, 1], [1, 1]])
    assert ratio(one, other) == "2.00 (0.50 to 8.00)"


class TestTwoWay:
    def test_of_independent_games_it_is_the_plain_error(self) -> None:
        won = (np.random.default_rng(1).random((5, 4000)) < 0.3).astype(np.float64)
        mean, error = two_way(won)
        assert mean == won.mean()
        assert error == pytest.approx(np.sqrt(0.21 / won.size), rel=0.4)

    def test_seeds_that_are_alike_are_one(self) -> None:
        row = (np.random.default_rng(1).random(4000) < 0.3).astype(np.float64)
        _, one = two_way(row[None])
        _, five = two_way(np.tile(row, (5, 1)))
        assert five == pytest.approx(one, rel=0.15)

    def test_seeds_that_differ_count(self) -> None:
        won = np.repeat([[0.2], [0.4], [0.3]], 1000, axis=1)
        _, error = two_way(won)
        assert error == pytest.approx(0.1 / np.sqrt(3), rel=0.05)


class TestTable:
    def test_a_bot_declares(self) -> None:
        deals = deals_to_test(6)
        above = [
            margin_of_bot(BaselineBot(), deal, "follow", number, 1)
            for number, deal in enumerate(deals)
        ]
        assert above == [
            margin_of_bot(BaselineBot(), deal, "follow", number, 1)
            for number, deal in enumerate(deals)
        ]
        assert all(-deal.target <= each for each, deal in zip(above, deals, strict=True))

    def test_the_bot_that_declares_sees_what_declarer_sees(self) -> None:
        views: list[View] = []

        class Watching(BaselineBot):
            def play(self, view: View) -> Card:
                views.append(view)
                assert view.seat == view.playing.declarer == Seat.SOUTH
                assert view.deal is None
                return super().play(view)

        margin_of_bot(Watching(), deals_to_test(1)[0], "follow", 0, 1)
        assert len(views) == 26

    def test_a_bot_that_asks_is_refused(self) -> None:
        class Asking(Bot):
            def play(self, view: View) -> object:  # type: ignore[override]
                return view

        with pytest.raises(ValueError, match="asks a question"):
            margin_of_bot(Asking(), deals_to_test(1)[0], "follow", 0, 1)

    def test_the_solved_margin_is_double_dummy(self) -> None:
        text = "N:52.J76.KQJ874.T9 AK3.T9854.T.K832 Q976.Q.9632.QJ74 JT84.AK32.A5.A65"
        north, east, south, west = (hand.mask for hand in Deal.parse(text).hands)
        # Makes, for N E S W at notrump: 3 7 3 7.
        assert solved_margin(MiniDeal((west, north, east, south), 7)) == 0
        assert solved_margin(MiniDeal((north, east, south, west), 7)) == -4
        assert seated(MiniDeal((south, west, north, east), 7)) == Deal.parse(text)
