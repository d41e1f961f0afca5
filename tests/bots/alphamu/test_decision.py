"""How many tricks declarer plays for."""

from __future__ import annotations

from random import Random

import pytest

from bridge_arena.bots.alphamu.search import choose_card
from bridge_arena.bots.library.sampling.sampler import Hands
from bridge_arena.bridge.cards import Card, Hand, Suit
from bridge_arena.bridge.seats import Seat
from bridge_arena.oracle.position import Position
from bridge_arena.oracle.solver import card_values
from tests.bots.alphamu.endings import Ending, random_ending


def hands(*texts: str) -> Hands:
    north, east, south, west = map(Hand.parse, texts)
    return north, east, south, west


def chosen(layouts: list[Hands], need: int) -> str:
    ending = Ending(tuple(layouts), None, Seat.SOUTH, (), need)
    return str(choose_card(ending.worlds, ending.state, 2))


class TestTarget:
    """Clubs are trumps. South has led towards ace and queen, and West followed low. In the
    first layout West has the king: the queen takes a second trick. In the other the queen
    loses to it, and West ruffs the ace."""

    @pytest.fixture
    def ending(self) -> Ending:
        wins = hands("AQ.2..", "5.A6..", "2.3..", "K...2")
        loses = hands("AQ.2..", "K5.A..", "2.3..", ".6..2")
        trick = (Card("S3"), Card("S4"))
        return Ending((wins, loses, wins), Suit.CLUBS, Seat.SOUTH, trick, need=1)

    def test_the_queen_takes_more_tricks_on_average(self, ending: Ending) -> None:
        tricks = ending.worlds.tricks(ending.state)
        assert [each[Card("SQ")] for each in tricks] == [2, 0, 2]
        assert [each[Card("SA")] for each in tricks] == [1, 1, 1]

    @pytest.mark.parametrize("depth", [1, 2, 3])
    def test_the_contract_comes_first(self, ending: Ending, depth: int) -> None:
        assert str(choose_card(ending.worlds, ending.state, depth)) == "SA"

    @pytest.mark.parametrize("need", [0, -1])
    def test_a_contract_that_is_made_is_played_for_overtricks(
        self, ending: Ending, need: int
    ) -> None:
        assert str(choose_card(ending.worlds, ending.state._replace(need=need), 2)) == "SQ"

    def test_a_contract_that_may_be_made_is_played_for(self, ending: Ending) -> None:
        assert str(choose_card(ending.worlds, ending.state._replace(need=2), 2)) == "SQ"

    @pytest.mark.parametrize("need", [3, 13])
    def test_a_contract_that_is_lost_is_played_for_fewer_tricks(
        self, ending: Ending, need: int
    ) -> None:
        assert str(choose_card(ending.worlds, ending.state._replace(need=need), 2)) == "SQ"


def test_nothing_to_choose_is_not_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("bridge_arena.bots.alphamu.worlds.card_values")
    monkeypatch.delattr("bridge_arena.bots.alphamu.worlds.cards_taking")
    assert chosen([hands("A...", "2...", "K...", "3...")], need=1) == "SK"


def test_where_nothing_can_be_taken_the_lowest_card() -> None:
    assert chosen([hands("5.2..", "A.A..", "4.3..", "K.K..")], need=1) == "H3"


@pytest.mark.parametrize("seed", range(30))
def test_in_one_world_declarer_plays_double_dummy(seed: int) -> None:
    """It plays for the tricks that it needs, or for all tricks if fewer are left."""
    ending = random_ending(Random(seed), 5, 1)
    (layout,) = ending.layouts
    values = card_values(Position(layout, ending.trump, ending.leader, ending.trick))
    for need in (1, max(values.values()), max(values.values()) + 1):
        state = ending.state._replace(need=need)
        card = choose_card(ending.worlds, state, 2)
        assert values[card] == max(values.values())


@pytest.mark.parametrize("seed", range(20))
def test_the_same_worlds_give_the_same_card(seed: int) -> None:
    ending = random_ending(Random(seed), 5, 6)
    cards = {choose_card(ending.worlds, ending.state, 3) for _ in range(3)}
    assert len(cards) == 1
