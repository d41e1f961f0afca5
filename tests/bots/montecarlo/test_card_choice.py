"""The choice of a card: what each is worth in sampled worlds, for an objective, and of equals."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from threading import Event

import numpy as np
import pytest

from bridge_arena.bots.library.sampling.sampler import Hands
from bridge_arena.bots.montecarlo import card_choice, parallel
from bridge_arena.bots.montecarlo.card_choice import (
    Evaluation,
    Merits,
    Objective,
    advised,
    are_equal,
    best_cards,
    costs_of,
    evaluate,
    merits_of,
    preferred,
    score_by_tricks,
    standard_lead,
)
from bridge_arena.bridge.calls import Contract
from bridge_arena.bridge.cards import Card, Hand, Suit
from bridge_arena.bridge.play import Play
from bridge_arena.bridge.seats import Seat, Side, Vulnerability
from bridge_arena.oracle.position import Position
from bridge_arena.oracle.solver import card_values
from tests.bots.conftest import Stick
from tests.bots.montecarlo.endings import DEAL, TRICKS
from tests.patience import PATIENCE


def play_of(contract: str, cards: str = "") -> Play:
    play = Play(Contract.parse(contract, Seat.SOUTH))
    for text in cards.split():
        play.push(Card(text))
    return play


def choice(play: Play, hand: str, good: str) -> str:
    cards = [Card(text) for text in good.split()]
    return str(preferred(play, Hand.parse(hand), cards))


@pytest.mark.parametrize(
    ("holding", "lead"),
    [
        ("AK5", "SA"),
        ("KQ752", "SK"),
        ("QJ3", "SQ"),
        ("JT82", "SJ"),
        ("KJT94", "SJ"),
        ("T9842", "S4"),
        ("K8752", "S5"),
        ("A73", "S3"),
        ("85", "S8"),
        ("7", "S7"),
    ],
)
def test_each_holding_has_its_standard_lead(holding: str, lead: str) -> None:
    assert str(standard_lead(Hand.parse(f"{holding}..."), Suit.SPADES)) == lead


class TestOpeningLead:
    hand = "KQ5.K8752.T4.932"

    def test_the_longest_suit_is_led(self) -> None:
        assert choice(play_of("3NT"), self.hand, "SK SQ H8 H7 H5 H2 DT") == "H5"

    def test_the_top_of_a_sequence_is_led(self) -> None:
        assert choice(play_of("3NT"), self.hand, "SK SQ DT") == "SK"

    def test_the_lead_is_chosen_among_the_good_cards_alone(self) -> None:
        assert choice(play_of("3NT"), self.hand, "H8 H7 DT") == "H7"


class TestLaterCards:
    def test_the_lowest_of_equal_cards_is_played(self) -> None:
        assert choice(play_of("3NT", "S2 S3"), "KQJ...", "SK SQ SJ") == "SJ"

    def test_no_honour_is_thrown_away(self) -> None:
        assert choice(play_of("3NT", "S2 S3"), ".K2.QJ3.9", "HK H2 D3 C9") == "H2"

    def test_no_trump_is_spent_on_a_ruff_for_nothing(self) -> None:
        assert choice(play_of("4H", "S2 S3"), ".K2.QJ3.9", "H2 D3 C9") == "D3"

    def test_trumps_are_like_others_to_follow_suit_or_lead(self) -> None:
        assert choice(play_of("4S", "S2 S3"), "KQ...", "SK SQ") == "SQ"
        assert choice(play_of("4H", "S2 S3 S5 S4"), ".2.QJ3.9", "H2 D3 C9") == "H2"


THREE_NOTRUMP = Contract.parse("3NT", Seat.SOUTH)

SAFE_OR_MANY = {"SA": (9, 9, 9, 9), "SQ": (11, 11, 8, 8)}
"""Nine tricks for sure, or now eleven, now eight."""


def best(
    objective: Objective,
    values: Mapping[str, tuple[int, ...]],
    counts: tuple[int, ...] | None = None,
    side: Side = Side.NS,
) -> set[str]:
    size = len(next(iter(values.values())))
    evaluation = Evaluation(
        counts or (1,) * size, {Card(text): tricks for text, tricks in values.items()}
    )
    merits = merits_of(evaluation, objective, THREE_NOTRUMP, side, Vulnerability.NONE)
    return {str(card) for card in best_cards(merits)}


class TestScores:
    def test_declarers_score_what_their_tricks_are_worth(self) -> None:
        points = score_by_tricks(THREE_NOTRUMP, Side.NS, Vulnerability.NONE)
        assert points[8:11] == (-50, 400, 430)
        points = score_by_tricks(THREE_NOTRUMP, Side.NS, Vulnerability.NS)
        assert points[8:11] == (-100, 600, 630)
        assert points[0] == -900

    def test_defenders_score_what_declarers_other_tricks_are_worth(self) -> None:
        """Declarer keeps nine tricks when the defenders take four."""
        points = score_by_tricks(THREE_NOTRUMP, Side.EW, Vulnerability.EW)
        assert points[3:6] == (-430, -400, 50)
        assert points[13] == 450

    @pytest.mark.parametrize("side", list(Side))
    def test_more_tricks_are_more_points(self, side: Side) -> None:
        points = score_by_tricks(Contract.parse("2SX", Seat.SOUTH), side, Vulnerability.ALL)
        assert sorted(set(points)) == list(points)


class TestBestCards:
    def test_the_objective_of_tricks_takes_most_on_average(self) -> None:
        assert best("tricks", SAFE_OR_MANY) == {"SQ"}

    def test_the_objective_of_score_prefers_the_contract(self) -> None:
        assert best("score", SAFE_OR_MANY) == {"SA"}

    def test_the_objective_of_imps_prefers_the_contract(self) -> None:
        assert best("imps", SAFE_OR_MANY) == {"SA"}

    def test_imps_count_a_rare_disaster_for_less_than_points_do(self) -> None:
        """An overtrick is one IMP of 30 points; 850 points are 13 IMPs."""
        often = {"SA": (9, 9), "SQ": (10, 0)}
        assert best("imps", often, (20, 1)) == {"SQ"}
        assert best("score", often, (20, 1)) == {"SA"}
        assert best("imps", often, (10, 1)) == {"SA"}

    def test_worlds_count_as_often_as_they_were_drawn(self) -> None:
        values = {"SA": (9, 9), "SQ": (10, 8)}
        assert best("tricks", values) == {"SA"}  # by its points
        assert best("tricks", values, (2, 1)) == {"SQ"}
        assert best("tricks", values, (1, 2)) == {"SA"}

    @pytest.mark.parametrize("objective", ["tricks", "score", "imps"])
    def test_equal_cards_are_all_named(self, objective: Objective) -> None:
        values = {"SA": (9, 8), "SK": (9, 8), "S2": (9, 7)}
        assert best(objective, values) == {"SA", "SK"}

    @pytest.mark.parametrize("objective", ["tricks", "score", "imps"])
    def test_the_best_cards_of_defenders_take_most_tricks(self, objective: Objective) -> None:
        """The contract fails when the defenders take their fifth trick."""
        values = {"SA": (4, 4, 4), "SQ": (5, 4, 4)}
        assert best(objective, values, side=Side.EW) == {"SQ"}


def played(cards: str, contract: str = "3NT") -> Play:
    play = Play(Contract.parse(contract, Seat.SOUTH))
    for text in cards.split():
        play.push(Card(text))
    return play


def held(play: Play) -> Hands:
    gone = Hand.of(play.cards)
    north, east, south, west = (hand - gone for hand in DEAL.hands)
    return north, east, south, west


def swapped(world: Hands, one: str, other: str) -> Hands:
    """Return the world in which two cards have changed places."""
    cards = {Card(one): Card(other), Card(other): Card(one)}
    hands = [Hand.of(cards.get(card, card) for card in hand) for hand in world]
    return hands[0], hands[1], hands[2], hands[3]


@pytest.fixture
def solved(monkeypatch: pytest.MonkeyPatch) -> list[Position]:
    """Records the positions that the solver was asked about."""
    positions: list[Position] = []

    def counted(position: Position) -> dict[Card, int]:
        positions.append(position)
        return card_values(position)

    monkeypatch.setattr(card_choice, "card_values", counted)
    return positions


class TestEvaluate:
    play = played(f"{TRICKS} S2 S4")
    here = held(play)
    there = swapped(swapped(here, "SK", "HA"), "S6", "HQ")

    def test_tricks_are_those_of_the_whole_play(self) -> None:
        result = evaluate(self.play, [[self.here, self.there]])
        # The queen loses to East's king, and then all that is left; it wins over West's.
        assert result.counts == (1, 1)
        assert result.tricks == {Card("SA"): (9, 9), Card("SQ"): (8, 10)}

    def test_defenders_count_their_own_tricks(self) -> None:
        play = played(TRICKS[: TRICKS.index("C2")])
        result = evaluate(play, [[held(play)]])
        values = card_values(Position.of(play, DEAL.hands))
        assert result.tricks == {card: (1 + tricks,) for card, tricks in values.items()}

    def test_a_world_drawn_again_is_solved_once(self, solved: list[Position]) -> None:
        batches = [[self.here, self.there, self.here], [self.here], [self.there]]
        result = evaluate(self.play, batches)
        assert result.counts == (3, 2)
        assert len(solved) == 2
        assert result == evaluate(self.play, [[self.here] * 3 + [self.there] * 2])

    def test_the_order_of_the_answers_is_no_matter(self, monkeypatch: pytest.MonkeyPatch) -> None:
        expected = evaluate(self.play, [[self.here, self.there]])
        second = Event()

        def delayed(position: Position) -> dict[Card, int]:
            if position.hands == self.here:
                assert second.wait(PATIENCE)
            else:
                second.set()
            return card_values(position)

        monkeypatch.setattr(parallel, "processors", lambda: 2)
        monkeypatch.setattr(card_choice, "card_values", delayed)
        assert evaluate(self.play, [[self.here, self.there]]) == expected

    def test_no_batch_is_drawn_after_the_time(self, solved: list[Position]) -> None:
        drawn: list[int] = []

        def batches() -> Iterator[list[Hands]]:
            for number in range(3):
                drawn.append(number)
                yield [self.here, self.there]

        evaluate(self.play, batches(), time.monotonic() - 1)
        assert drawn == [0]
        assert len(solved) <= 2

    def test_no_batch_is_drawn_after_enough(self, solved: list[Position]) -> None:
        """It is asked about all batches so far together."""
        asked: list[int] = []

        def is_enough(evaluation: Evaluation) -> bool:
            asked.append(sum(evaluation.counts))
            return len(asked) == 2

        batches = iter([[self.here], [self.here, self.there], [self.here]])
        result = evaluate(self.play, batches, is_enough=is_enough)
        assert asked == [1, 3]
        assert result.counts == (2, 1)
        assert list(batches) == [[self.here]]
        assert len(solved) == 2

    def test_without_an_answer_in_time_the_evaluation_is_empty(self, stick: Stick) -> None:
        stick(card_choice, "card_values")
        result = evaluate(self.play, [[self.here]], time.monotonic() + 0.05)
        assert result.counts == ()
        assert result.tricks == {}


class TestEqualCards:
    @pytest.mark.parametrize(
        ("cards", "legal", "verdict"),
        [
            ("", "SA", "equal"),
            ("", "SK SQ", "equal"),
            ("", "SQ ST", "unequal"),
            ("", "SA HK", "unequal"),
            ("", "S2 S3 S4 S5", "equal"),
            ("", "C2 D2", "unequal"),
            ("", "CA D2", "unequal"),
            # The jack is gone with its trick, or lies there still.
            ("S2 SJ S3 S4", "SQ ST", "equal"),
            ("S2 SJ S3", "SQ ST", "unequal"),
            ("S2 SJ S3 S4", "SQ ST S8", "unequal"),
            ("S2 SJ S3 S4 H2 S9 H3 H4", "SQ ST S8", "equal"),
        ],
    )
    def test_only_cards_that_are_gone_lie_between_equal_cards(
        self, cards: str, legal: str, verdict: str
    ) -> None:
        hand = Hand.of(Card(text) for text in legal.split())
        assert are_equal(played(cards), hand) == (verdict == "equal")


ACE, KING, FIVE = Card("SA"), Card("SK"), Card("D5")


class TestAdvice:
    """A network counts as so many layouts as others were drawn, four."""

    @staticmethod
    def found(merits: Merits, five: tuple[int, int], costs: dict[Card, float]) -> Merits:
        """Return merits in two worlds, of which the first was drawn three times."""
        evaluation = Evaluation((3, 1), {ACE: (4, 5), KING: (4, 5), FIVE: five})
        return advised(merits, evaluation, costs, layouts=4)

    def test_costs_are_in_the_unit_of_the_merits(self) -> None:
        """The five takes a quarter of a trick more on average, which is worth eight IMPs in sum."""
        merits: Merits = {ACE: (-8, 0), KING: (-8, 0), FIVE: (0, 40)}
        found = self.found(merits, (4, 6), {FIVE: 0.1, ACE: 0.02, KING: 0.02})
        assert found[FIVE][0] == pytest.approx(-0.1 * 32)
        assert found[FIVE][1] == 40
        assert found[ACE][0] == pytest.approx(-8 - 0.02 * 32)

    def test_where_more_tricks_are_worth_less_the_network_says_nothing(self) -> None:
        merits: Merits = {ACE: (0, 0), KING: (0, 0), FIVE: (-8, -40)}
        assert self.found(merits, (4, 6), {FIVE: 0.1, ACE: 0.5, KING: 0.5}) == merits

    def test_where_no_card_matters_to_the_solver_the_network_decides(self) -> None:
        """Each layout counts as one IMP then."""
        merits: Merits = {ACE: (0, 0), KING: (0, 0), FIVE: (0, 0)}
        found = self.found(merits, (4, 5), {ACE: 0.5, KING: 0.5, FIVE: 0.25})
        assert {card: merit for card, (merit, _) in found.items()} == {ACE: -2, KING: -2, FIVE: -1}


class TestCosts:
    @staticmethod
    def of(play: Play, hand: str) -> dict[str, float]:
        """Return what the cards of a hand cost if the network says their numbers."""
        costs = np.arange(52, dtype=np.float32)
        return {str(card): cost for card, cost in costs_of(play, Hand.parse(hand), costs).items()}

    def test_touching_cards_cost_the_same(self) -> None:
        found = self.of(play_of("3NT"), "KQJ.5..")
        assert found["SK"] == found["SQ"] == found["SJ"] == Card("SJ")
        assert found["H5"] == Card("H5")

    def test_cards_that_touch_since_others_are_gone_cost_the_same(self) -> None:
        played = play_of("3NT", "S2 SQ S3 S4")
        assert self.of(played, "KJ...") == {"SK": Card("SJ"), "SJ": Card("SJ")}
        assert self.of(play_of("3NT", "S2 SQ"), "KJ...") == {"SK": Card("SK"), "SJ": Card("SJ")}
