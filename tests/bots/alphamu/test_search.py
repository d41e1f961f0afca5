"""The fronts, the search as the paper defines it and its purpose, and what declarer plays for."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge_arena.bots.alphamu.search import Search, choose_card, insert, is_within, meet
from bridge_arena.bots.library.sampling.sampler import Hands
from bridge_arena.bridge.cards import Card, Hand, Suit
from bridge_arena.bridge.seats import Seat
from bridge_arena.oracle.position import Position
from bridge_arena.oracle.solver import card_values
from tests.bots.alphamu.endings import Ending, random_ending
from tests.bots.alphamu.plain import Vector, plain_fronts

vectors = st.lists(st.integers(0, 63), min_size=1, max_size=8)


def front_of(given: list[int]) -> list[int]:
    front: list[int] = []
    for vector in given:
        insert(front, vector)
    return front


def maximal(given: set[int]) -> set[int]:
    return {one for one in given if not any(one | other == other != one for other in given)}


@given(vectors)
def test_a_front_keeps_what_nothing_else_contains(given: list[int]) -> None:
    front = front_of(given)
    assert set(front) == maximal(set(given))
    assert len(front) == len(set(front))


@given(vectors, vectors)
def test_fronts_meet_in_what_both_reach(given: list[int], others: list[int]) -> None:
    met = meet(front_of(given), front_of(others))
    assert set(met) == maximal({one & other for one in given for other in others})
    assert len(met) == len(set(met))


def test_a_front_knows_a_plan_as_good_in_every_world() -> None:
    assert is_within(0b0101, [0b1000, 0b1101])
    assert is_within(0b0101, [0b0101])
    assert not is_within(0b0101, [0b0100, 0b0001, 0b1010])
    assert not is_within(0, [])


def test_nothing_is_reached_where_there_is_no_plan() -> None:
    assert meet([], [1]) == []


def worlds_in(vector: int) -> Vector:
    return frozenset(world for world in range(vector.bit_length()) if vector >> world & 1)


def check(ending: Ending, depth: int) -> None:
    """Check that every front and every answer of the search equals that of the plain algorithm."""
    expected = plain_fronts(ending, depth)
    worlds, state = ending.worlds, ending.state
    reached = worlds.reached(state, worlds.all)
    search = Search(worlds)
    for card, where in reached.items():
        after = state.after(card, ending.trump, worlds.side)
        front = search.front(after, depth - 1, where)
        assert {worlds_in(vector) for vector in front} == expected[card]
        everywhere = frozenset(range(len(ending.layouts)))
        safe = where == worlds.all and Search(worlds).is_safe(state, depth, card)
        assert safe == (everywhere in expected[card])
    card, vector = Search(worlds).best(state, depth, reached)
    most = max(len(vector) for front in expected.values() for vector in front)
    assert vector.bit_count() == most
    assert worlds_in(vector) in expected[card]


@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize("seed", range(25))
def test_the_search_is_the_algorithm_of_the_paper(seed: int, depth: int) -> None:
    rng = Random(seed)
    check(random_ending(rng, cards=3 + seed % 2, worlds=3 + seed % 4), depth)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 160))
def test_the_search_is_the_algorithm_of_the_paper_in_longer_endings(seed: int) -> None:
    rng = Random(seed)
    check(random_ending(rng, cards=5, worlds=3 + seed % 6), depth=2 + seed % 2)


@pytest.mark.parametrize("seed", range(20))
def test_depth_1_is_monte_carlo(seed: int) -> None:
    """Return the first card that makes the contract double dummy in the most worlds."""
    ending = random_ending(Random(seed), 5, 6)
    worlds = ending.worlds
    reached = worlds.reached(ending.state, worlds.all)
    best = max(reached, key=lambda card: reached[card].bit_count())
    assert Search(worlds).best(ending.state, 1, reached) == (best, reached[best])


@pytest.mark.parametrize("seed", range(20))
def test_no_depth_reaches_more_than_the_one_before(seed: int) -> None:
    ending = random_ending(Random(seed), 5, 6)
    worlds = ending.worlds
    reached = worlds.reached(ending.state, worlds.all)
    counts = [
        Search(worlds).best(ending.state, depth, reached)[1].bit_count() for depth in range(1, 6)
    ]
    assert counts == sorted(counts, reverse=True)


def hands(*texts: str) -> Hands:
    north, east, south, west = map(Hand.parse, texts)
    return north, east, south, west


def guess(*, exits: int, blocked: int) -> Ending:
    """Notrump, South to lead, one trick needed. Towards king and jack, North guesses who
    has ace and queen; double dummy it is no guess. The diamond instead puts East in, who
    must lead spades to North's last hand; but where the other diamond is East's too, the
    spades are all West's and the trick is lost. `exits` and `blocked`: how often each of
    the layouts of the two kinds occurs; there are four and two."""
    layouts: list[Hands] = []
    for low, other in ("98", "89"):
        for honour, behind in ("AQ", "QA"):
            layout = hands("KJ..2.", f"{honour}{low}..A.", "32..3.", f"{behind}{other}..4.")
            layouts += [layout] * exits
        layouts += [hands("KJ..2.", f"{low}..A4.", "32..3.", f"AQ{other}...")] * blocked
    return Ending(tuple(layouts), None, Seat.SOUTH, (), 1)


class TestStrategyFusion:
    def test_monte_carlo_relies_on_a_guess_and_the_search_does_not(self) -> None:
        ending = guess(exits=2, blocked=1)
        worlds = ending.worlds
        reached = worlds.reached(ending.state, worlds.all)
        low, exit_card = Card("S2"), Card("D3")
        assert {card: where.bit_count() for card, where in reached.items()} == {
            low: 10,
            exit_card: 8,
        }
        assert Search(worlds).best(ending.state, 1, reached)[0] == low
        for depth in (2, 3, 4):
            card, vector = Search(worlds).best(ending.state, depth, reached)
            assert (card, vector.bit_count()) == (exit_card, 8)

    def test_the_guess_is_right_where_its_layout_is_as_good(self) -> None:
        """In blocked layouts jack and king are equally good, so the spade is better."""
        ending = guess(exits=1, blocked=3)
        worlds = ending.worlds
        reached = worlds.reached(ending.state, worlds.all)
        card, vector = Search(worlds).best(ending.state, 3, reached)
        assert (card, vector.bit_count()) == (Card("S2"), 8)

    def test_the_plans_for_the_guess_are_a_front(self) -> None:
        """The king or the jack, after West's eight and after its nine."""
        ending = guess(exits=1, blocked=1)
        worlds = ending.worlds
        after = ending.state.after(Card("S2"), None, worlds.side)
        front = Search(worlds).front(after, 1, worlds.all)
        assert {worlds_in(vector) for vector in front} == {
            frozenset({2, 5, one, other}) for one in (0, 1) for other in (3, 4)
        }
        check(ending, 2)

    @pytest.mark.parametrize(("depth", "made"), [(1, 8), (2, 4), (6, 4)])
    def test_a_two_way_finesse_is_a_guess(self, depth: int, made: int) -> None:
        """Either hand can finesse the queen, which is as often East's as West's."""
        layouts: list[Hands] = []
        for held in ("Q98", "Q76", "Q85", "Q65"):
            rest = "".join(card for card in "Q98765" if card not in held)
            for east, west in ((held, rest), (rest, held)):
                layouts.append(hands("AJ3...", f"{east}...", "KT2...", f"{west}..."))
        ending = Ending(tuple(layouts), None, Seat.SOUTH, (), 3)
        worlds = ending.worlds
        reached = worlds.reached(ending.state, worlds.all)
        assert Search(worlds).best(ending.state, depth, reached)[1].bit_count() == made


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
