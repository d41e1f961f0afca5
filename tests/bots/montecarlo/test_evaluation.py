"""Values of cards over worlds."""

from __future__ import annotations

import time
from collections.abc import Iterator
from threading import Event

import pytest

from bridge_arena.bots.library.sampling.sampler import Hands
from bridge_arena.bots.montecarlo import evaluation, parallel
from bridge_arena.bots.montecarlo.evaluation import are_equal, evaluate
from bridge_arena.bridge.calls import Contract
from bridge_arena.bridge.cards import Card, Hand
from bridge_arena.bridge.play import Play
from bridge_arena.bridge.seats import Seat
from bridge_arena.oracle.position import Position
from bridge_arena.oracle.solver import card_values
from tests.bots.conftest import Stick
from tests.bots.montecarlo.endings import DEAL, TRICKS
from tests.patience import PATIENCE


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

    monkeypatch.setattr(evaluation, "card_values", counted)
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
        monkeypatch.setattr(evaluation, "card_values", delayed)
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

    def test_without_an_answer_in_time_the_evaluation_is_empty(self, stick: Stick) -> None:
        stick(evaluation, "card_values")
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
