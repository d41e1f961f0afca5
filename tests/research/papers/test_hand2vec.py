"""The parts of the benchmark of hands as vectors."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from bridge_arena.bots.library.hand2vec.net import Hand2VecNet
from bridge_arena.bots.library.learning.hands import (
    denominations_reordered,
    hand_of,
    hands_array,
    points,
    random_pairs,
    reordered,
    suit_orders,
)
from bridge_arena.bots.library.openings.data import Openings, read_openings
from bridge_arena.bots.library.tricks.net import Estimate, shipped
from bridge_arena.bridge.cards import Hand
from research.papers import hand2vec_accuracy as accuracy
from research.papers.hand2vec_features import standard
from tests.bots.library.hand2vec.nets import weights_of
from tests.late_imports import late_imports

with late_imports("sklearn", "torch"):
    from research.papers import hand2vec_contracts as contracts
    from research.papers import hand2vec_openings as openings
    from research.papers import hand2vec_space as space
    from research.papers import hand2vec_worlds as worlds

pytestmark = pytest.mark.slow

NET = Hand2VecNet(weights_of(8))


class TestAccuracy:
    def test_shares_are_of_pairs_and_of_each_strain(self) -> None:
        tricks = np.full((4, 5, 2), 7.0)
        mean = tricks.copy()
        mean[0, :4] += 0.5  # within half a trick; to 8, as halves go to the even
        mean[1, :4] += 1.6  # within two, rounded too
        mean[2, 4] -= 3.0
        found = accuracy.accuracy(mean, tricks)
        assert found.share["suits"].tolist() == [75, 75, 100, 50, 75, 100]
        assert found.share["notrump"].tolist() == [75, 75, 75, 75, 75, 75]
        assert found.error["notrump"][0] == pytest.approx(25)
        assert accuracy.Accuracy.of(found.facts()).share["suits"].tolist() == [
            *(75, 75, 100, 50, 75, 100)
        ]

    def test_who_knows_the_true_means_is_as_far_off_as_ten_layouts_are(self) -> None:
        rng = np.random.default_rng(1)
        mean = rng.uniform(4, 10, (3000, 5, 2)).astype(np.float32)
        # The estimate's own means are off by 0.3, and its deviations have that in them.
        layouts = rng.normal(mean[..., None], 0.8, (*mean.shape, 10)).round().mean(axis=-1)
        deviation = np.full_like(mean, np.sqrt(0.8**2 + 0.3**2))
        estimate = Estimate(mean + rng.normal(0, 0.3, mean.shape).astype(np.float32), deviation)
        found = accuracy.floor(estimate, layouts, rng)
        assert found.off == pytest.approx(np.sqrt((0.8**2 + 1 / 12) / 10), rel=0.02)

    def test_in_all_orders_suits_are_alike(self) -> None:
        rng = np.random.default_rng(1)
        hands, partners = random_pairs(rng, 20)
        orders = suit_orders(rng, 20)
        found = accuracy.in_all_orders(NET, hands, partners)
        turned = accuracy.in_all_orders(NET, reordered(hands, orders), reordered(partners, orders))
        assert np.allclose(turned, denominations_reordered(found, orders), atol=1e-4)
        assert not np.allclose(found, NET.estimate(hands, partners), atol=1e-2)

    def test_the_table_names_all_figures(self) -> None:
        rng = np.random.default_rng(1)
        tricks = rng.uniform(4, 10, (50, 5, 2))
        one, other = (accuracy.accuracy(tricks + off, tricks) for off in (0.1, 0.7))
        told = accuracy.shares_table({"seeds": [one, other], "alone": [one]}, one, other, "notrump")
        assert "| paper, 400,000 pairs | 72.21 | 94.86 |" in told
        assert "| seeds | 50.000 ± 70.711 | 100.000 ± 0.000 |" in told
        assert "| alone | 100.000 ± 0.000 |" in told
        assert told.count("\n") == 6


class TestOpenings:
    @pytest.fixture
    def path(self, tmp_path: Path) -> Path:
        rng = np.random.default_rng(1)
        hands = np.concatenate(random_pairs(rng, 30))
        lines = [";PBN;OPENING"]
        for number, row in enumerate(hands):
            hand = Hand(sum(1 << int(card) for card in np.flatnonzero(row)))
            lines.append(f"{number};{hand};{openings.expert(hand)}")
        path = tmp_path / "openings.csv"
        path.write_text("\n".join(lines) + "\n")
        return path

    @pytest.mark.parametrize(
        ("hand", "call"),
        [
            ("AK652.K3.AK4.AQ2", "1C"),
            ("KJ4.AQ5.QJ83.K92", "1N"),
            ("K42.AJ5.QJ83.Q92", "1C"),
            ("AQJ42.K5.Q83.J92", "1S"),
            ("A2.KQ865.Q8.J932", "1H"),
            ("42.A5.KQJ83.K972", "1D"),
            ("42.A5.K83.KQJ972", "2C"),
            ("KQJ972.42.J85.83", "2D"),
            ("4.KQJ9742.85.Q83", "3H"),
            ("42.85.983.KQJ972", "3C"),
            ("QJ974.4.KT972.83", "2S"),
            ("QJ97.42.K972.J83", "PASS"),
        ],
    )
    def test_the_rules_open_hands_as_written(self, hand: str, call: str) -> None:
        assert openings.expert(Hand.parse(hand)) == call

    @pytest.mark.weekly(part="research")
    def test_every_way_judges_every_hand(self, path: Path) -> None:
        every = read_openings(path)
        assert openings.by_rules(every).all()
        for way in openings.ways(NET):
            if "8–16–8" in way.name:
                continue  # seconds long
            found = openings.judged(way, every, 1, 2)
            assert found.right.shape == found.surprise.shape == (60,)
            assert 0 < found.right.mean() < 1, way.name
            assert (found.surprise >= 0).all()
            assert openings.Judged.of(found.facts()).right.tolist() == found.right.tolist()

    def test_the_learning_curve_ends_before_the_hands_do(self, path: Path) -> None:
        found = openings.curve(openings.ways(NET)[0], read_openings(path), 1)
        assert list(found) == [50]
        assert len(found[50]) == openings.DRAWS


class TestContracts:
    def test_the_best_contract_of_each_layout_costs_nothing(self) -> None:
        found = contracts.boards(shipped(), np.random.default_rng(1), 1500)
        assert found.rewards.shape == (1500, 36)
        assert (found.rewards <= 0).all()
        assert found.rewards.max(axis=1).mean() > -150

    @pytest.mark.weekly(part="research")
    def test_an_agent_learns_and_as_much_each_time(self) -> None:
        every = contracts.boards(shipped(), np.random.default_rng(1), 41_000)
        taught = contracts.in_order(every.rows(slice(1000, None)), 1)
        tested = every.rows(slice(0, 1000))
        seen = contracts.inputs(NET)["points and lengths"]
        found = contracts.learned(seen, taught, tested, 1)
        assert list(found) == [0, 20, 40]
        assert found[40] > found[0]
        assert found == contracts.learned(seen, taught, tested, 1)

    def test_the_order_of_a_seed_keeps_hands_and_rewards_together(self) -> None:
        every = contracts.boards(shipped(), np.random.default_rng(1), 50)
        found = contracts.in_order(every, 3)
        at = [int(np.flatnonzero((every.hands == row).all(axis=1))[0]) for row in found.hands]
        assert sorted(at) == list(range(50))
        assert at != sorted(at)
        assert (every.rewards[at] == found.rewards).all()


class TestWorlds:
    @staticmethod
    def calls(number: int) -> Openings:
        """Return openings: 1NT with more than ten points, else Pass, and once 7NT."""
        hands = np.concatenate(random_pairs(np.random.default_rng(1), number // 2))
        found = np.where(points(hands) > 10, "1NT", "Pass").astype("<U4")
        found[-1] = "7NT"
        return Openings(hands, found)

    def test_a_call_that_half_of_all_hands_make_tells_a_bit(self) -> None:
        calls = self.calls(2000)
        bits = worlds.bits_by_ranges(calls, 1)
        share = (calls.calls == "Pass").mean()
        passed = calls.calls[1000:] == "Pass"
        assert np.median(bits[passed]) == pytest.approx(-np.log2(share), abs=0.15)
        assert bits[-1] == 0
        (way,) = [each for each in openings.ways(NET) if each.name == "points and lengths, kernel"]
        by_way = worlds.bits_by_way(way, calls, 1)
        assert by_way[passed].mean() == pytest.approx(-np.log2(share), abs=0.2)
        told = worlds.bits_table("who", {"ranges": bits, "way": by_way})
        assert "| more than ranges | p |" in told
        assert told.count("\n") == 3

    def test_hands_are_opened_by_natural(self) -> None:
        texts = "AQJ42.K5.Q83.J92", "QJ97.42.K972.J83"
        found = worlds.natural_calls(hands_array(map(Hand.parse, texts)))
        assert found.calls.tolist() == ["1S", "Pass"]

    def test_the_first_calls_of_games_are_read(self, tmp_path: Path) -> None:
        path = tmp_path / "games.pbn"
        deal = "N:AKQ2.QJT987.32.2 3.AK.AKQJ.876543 JT98.6543.T98.T9 7654.2.7654.AKQJ"
        game = '[Dealer "{}"]\n[Vulnerable "None"]\n[Deal "{}"]\n[Auction "{}"]\n{}\n\n'
        path.write_text(
            game.format("S", deal, "S", "1C Pass Pass Pass")
            + game.format("N", deal, "N", "2NT Pass Pass Pass")
        )
        found = worlds.read_calls(path)
        assert found.calls.tolist() == ["1C", "2NT"]
        assert [str(hand_of(row)) for row in found.hands] == [
            *("JT98.6543.T98.T9", "AKQ2.QJT987.32.2")
        ]


class TestSpace:
    def test_the_tables_of_the_space_have_all_their_rows(self) -> None:
        hands = np.concatenate(random_pairs(np.random.default_rng(1), 400))
        query = hands_array([Hand.parse(space.QUERY)])
        hands = np.concatenate([hands, query])
        vectors = NET.vectors(hands)
        told = space.nearest_table(NET, hands, vectors)
        assert told.count("\n") == 1 + 4 * 5
        assert f"| {space.QUERY} | {space.QUERY} |" not in told
        assert space.spread_table(vectors).count("\n") == 3
        correlations = space.correlation_table(hands, vectors).splitlines()
        assert len(correlations) == 7
        assert correlations[2].startswith("| HCP | ")

    def test_what_is_linear_in_the_vector_is_told_by_it(self) -> None:
        hands = np.concatenate(random_pairs(np.random.default_rng(1), 400))
        vectors = standard(hands) @ np.diag(np.arange(1, 6, dtype=np.float32))
        for line in space.correlation_table(hands, vectors).splitlines()[2:]:
            assert line.endswith("| 100.0 % |")

    def test_nets_agree_with_themselves(self) -> None:
        assert space.agreement(NET, NET, 1) == pytest.approx(1)
        assert space.agreement(NET, Hand2VecNet(weights_of(3)), 1) < 0.99
