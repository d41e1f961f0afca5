"""Close calls, decided by bidding them out."""

from __future__ import annotations

import time
from collections.abc import Sequence

import pytest

from bridge_arena.bots.library.bidding_systems import System
from bridge_arena.bots.library.sampling.sampler import Hands
from bridge_arena.bots.montecarlo import bidding
from bridge_arena.bots.montecarlo.bidding import (
    LEAST_WORLDS,
    LONGEST,
    best_call,
    gains_of,
    is_clear,
    project,
)
from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.calls import CALLS, DOUBLE, FIRST_BID, PASS, REDOUBLE, Call
from bridge_arena.bridge.cards import SUITS, Deal, Hand
from bridge_arena.bridge.explanation import Explanation
from bridge_arena.bridge.record import MadeCall
from bridge_arena.bridge.seats import Seat, Vulnerability
from bridge_arena.oracle.position import Position
from bridge_arena.oracle.solver import best_tricks
from tests.bots.conftest import Stick

FOUR_SPADES = Deal.parse(
    "N:KQ32.A32.32.5432 54.KQ4.KQ54.QJ76 AJT98.765.A76.AK 76.JT98.JT98.T98"
).hands
"""Five spades, two red aces and two clubs are nine tricks; in spades dummy ruffs a tenth."""


class Fixed(System):
    """A system whose seats each make the calls they were given, then pass."""

    def __init__(self, plan: dict[Seat, str] | None = None) -> None:
        self._plan = {seat: calls.split() for seat, calls in (plan or {}).items()}

    def choose(self, hand: Hand, auction: Auction, vulnerability: Vulnerability) -> MadeCall:
        del hand, vulnerability
        own = auction.calls[(auction.turn - auction.dealer) % 4 :: 4]
        plan = self._plan.get(auction.turn, [])
        return MadeCall(Call(plan[len(own)]) if len(own) < len(plan) else PASS)

    def options(self, hand: Hand, auction: Auction, vulnerability: Vulnerability) -> list[MadeCall]:
        return [self.choose(hand, auction, vulnerability)]

    def explain(self, auction: Auction, vulnerability: Vulnerability) -> list[Explanation]:
        del vulnerability
        return [Explanation() for _ in auction.calls]


class Endless(Fixed):
    """Doubles, redoubles and bids on at every turn."""

    def choose(self, hand: Hand, auction: Auction, vulnerability: Vulnerability) -> MadeCall:
        del hand, vulnerability
        return MadeCall(
            next(call for call in (REDOUBLE, DOUBLE, *CALLS[FIRST_BID:]) if auction.is_legal(call))
        )


def worlds(count: int) -> list[Hands]:
    """At most twelve tricks can be made: East and West have exchanged a club."""
    north, east, south, west = FOUR_SPADES
    clubs = [(one, other) for one in east.suit(SUITS[0]) for other in west.suit(SUITS[0])]
    return [
        (north, east.without(one) | Hand.of([other]), south, west.without(other) | Hand.of([one]))
        for one, other in clubs[:count]
    ]


def choice(
    options: str,
    *,
    calls: str = "",
    system: Fixed | None = None,
    batches: Sequence[Sequence[Hands]] | None = None,
    until: float | None = None,
) -> str:
    auction = Auction(Seat.SOUTH, [Call(text) for text in calls.split()])
    candidates = [MadeCall(Call(text), explanation=Explanation(text)) for text in options.split()]
    drawn = [worlds(LEAST_WORLDS)] if batches is None else batches
    gains = gains_of(system or Fixed(), auction, Vulnerability.NONE, candidates, drawn, until)
    made = best_call(candidates, gains)
    assert made in candidates
    return str(made.call)


class TestBestCall:
    def test_the_better_contract_is_bid(self) -> None:
        tricks = 13 - best_tricks(Position(FOUR_SPADES, SUITS[3], Seat.WEST))
        assert tricks == 10
        assert choice("2S 4S") == "4S"
        assert choice("2S 4S 3S") == choice("2S 3S 4S") == "4S"

    def test_the_choice_stays_where_it_is_best(self) -> None:
        assert choice("4S 2S 3NT") == "4S"

    def test_the_choice_stays_where_the_gain_is_small(self) -> None:
        """The alternative is a partscore one trick apart, or an equal contract."""
        assert choice("2S 1S") == "2S"
        assert choice("1S 2S 3S") == "1S"

    def test_few_worlds_change_nothing(self) -> None:
        assert choice("2S 4S", batches=[worlds(LEAST_WORLDS - 1)]) == "2S"
        assert choice("2S 4S", batches=[worlds(5), worlds(10)[5:]]) == "4S"

    def test_calls_that_follow_decide_which_call_is_best(self) -> None:
        """Partner raises 3S to 4S but passes 2S."""
        system = Fixed({Seat.NORTH: "4S"})
        assert choice("2S 3S", system=Fixed()) == "2S"
        assert choice("Pass 3S", system=system) == "Pass"  # North bids 4S over either
        assert choice("Pass 3S", system=Fixed()) == "3S"

    def test_opponents_score_is_a_loss(self) -> None:
        """West may leave South in 4S, or save for more than that is worth."""
        doubled = Fixed({Seat.NORTH: "X"})
        assert choice("Pass 5C", calls="4S", system=doubled) == "Pass"
        assert choice("5C Pass", calls="4S", system=doubled) == "Pass"
        assert choice("Pass 5C", calls="4S") == "5C"

    def test_equal_contracts_are_not_solved(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def refuse(position: Position) -> int:
            raise AssertionError(position)

        monkeypatch.setattr(bidding, "best_tricks", refuse)
        assert choice("1S 2S", system=Fixed({Seat.NORTH: "4S"})) == "1S"

    def test_each_denomination_is_solved_once_a_world(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        asked: list[Position] = []

        def counted(position: Position) -> int:
            asked.append(position)
            return best_tricks(position)

        monkeypatch.setattr(bidding, "best_tricks", counted)
        choice("2S 3S 4S 3NT")
        assert len(asked) == len(set(asked)) == 2 * LEAST_WORLDS

    def test_without_time_the_choice_stays(self, stick: Stick) -> None:
        stick(bidding, "best_tricks")
        assert choice("2S 4S", until=time.monotonic() + 0.05) == "2S"


class TestProjection:
    def test_the_auction_is_bid_out_to_the_contract(self) -> None:
        system = Fixed({Seat.NORTH: "2S", Seat.SOUTH: "1S 4S"})
        auction = Auction(Seat.SOUTH)
        contract = project(system, auction, Vulnerability.NONE, FOUR_SPADES, Call("1S"))
        assert contract is not None
        assert f"{contract} {contract.declarer}" == "4S S"
        assert auction.calls == []

    def test_an_auction_may_be_bid_out_to_four_passes(self) -> None:
        auction = Auction(Seat.WEST, [PASS, PASS, PASS])
        assert project(Fixed(), auction, Vulnerability.NONE, FOUR_SPADES, PASS) is None

    def test_an_illegal_call_is_taken_for_a_pass(self) -> None:
        system = Fixed({Seat.NORTH: "1C"})
        contract = project(system, Auction(Seat.SOUTH), Vulnerability.NONE, FOUR_SPADES, Call("1S"))
        assert str(contract) == "1S"

    def test_no_auction_is_endless(self) -> None:
        asked: list[int] = []

        class Counted(Endless):
            def choose(
                self, hand: Hand, auction: Auction, vulnerability: Vulnerability
            ) -> MadeCall:
                asked.append(len(auction.calls))
                return super().choose(hand, auction, vulnerability)

        project(Counted(), Auction(Seat.SOUTH), Vulnerability.NONE, FOUR_SPADES, PASS)
        assert max(asked) == LONGEST - 1


@pytest.mark.parametrize(
    ("gains", "clear"),
    [
        ([2] * 9, "no"),
        ([2] * 10, "yes"),
        ([1] * 24, "no"),
        ([0] * 12 + [6] * 12, "yes"),
        ([-10] * 10 + [13] * 14, "no"),
        ([-5] * 20, "no"),
    ],
)
def test_a_gain_is_clear_where_it_is_not_by_chance(gains: list[int], clear: str) -> None:
    assert is_clear(gains) == (clear == "yes")


def test_a_bot_may_ask_for_a_smaller_gain() -> None:
    """Three quarters of an IMP in each of many worlds: too little, unless half an IMP is enough."""
    options = [MadeCall(Call(text)) for text in ("1NT", "3NT")]
    gains = [[0.0] * 40, [0.75] * 40]
    assert best_call(options, gains) == options[0]
    assert best_call(options, gains, least=0.5) == options[1]
