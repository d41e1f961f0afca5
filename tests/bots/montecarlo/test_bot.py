"""The Monte Carlo bot at the table."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from random import Random
from typing import NoReturn

import pytest

from bridge_arena.bots import registry
from bridge_arena.bots.baseline.bidding import Simple
from bridge_arena.bots.fastplay.bot import FastPlayBot
from bridge_arena.bots.library import bidding_systems
from bridge_arena.bots.library.bidding_systems import System
from bridge_arena.bots.montecarlo import bidding, bot, card_choice, parallel
from bridge_arena.bots.montecarlo.bot import MonteCarloBot
from bridge_arena.bots.montecarlo.card_choice import Evaluation, Objective, advised, merits_of
from bridge_arena.bots.random.bot import RandomBot
from bridge_arena.bots.sdk.client import Bot
from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.board import Board, random_deal
from bridge_arena.bridge.calls import PASS, Call
from bridge_arena.bridge.cards import Card, Deal, Hand
from bridge_arena.bridge.explanation import Explanation
from bridge_arena.bridge.record import MadeCall
from bridge_arena.bridge.seats import SEATS, Seat, Side, Vulnerability
from bridge_arena.oracle.position import Position
from bridge_arena.oracle.solver import best_tricks, card_values
from bridge_arena.protocol.visibility import Viewer
from bridge_arena.server.driver import play_board
from bridge_arena.server.players import LocalPlayer
from tests.bots.conftest import Stick
from tests.bots.montecarlo.endings import DEAL, at_finesse
from tests.bots.views import at_play, hold, new_view, turned
from tests.patience import PATIENCE
from tests.server.tables import in_no_time, new_table

PLAIN = Deal.parse("N:K654.KJ4.543.QJ4 987.9862.62.T987 AQJ.AQ3.J87.AK65 T32.T75.AKQT9.32")
"""West has five diamonds to run."""

EVEN = Deal.parse("N:Q32.A432.K32.654 J54.QJ7.T76.QJT9 AK6.K65.AQJ5.K32 T987.T98.984.A87")

POWERFUL = "AKQJT987.AK.A.32"


def simple(worlds: int = 50, objective: Objective = "imps", budget: float = 0.0) -> MonteCarloBot:
    return MonteCarloBot(worlds, objective, budget, bidding="simple")


def refuse(*given: object) -> NoReturn:
    raise AssertionError(f"there was no need to ask: {given}")


class TestPlay:
    @pytest.mark.parametrize("objective", ["score", "imps"])
    @pytest.mark.parametrize(("contract", "card"), [("3NT", "SA"), ("4NT", "SQ")])
    def test_declarer_finesses_only_where_the_contract_needs_it(
        self, contract: str, card: str, objective: Objective
    ) -> None:
        assert str(simple(400, objective).play(at_finesse(contract))) == card

    def test_defenders_count_to_the_setting_trick(self) -> None:
        """West's five diamonds beat 3NT."""
        lead = simple(20).play(at_play(PLAIN, "3NT", Seat.SOUTH))
        assert str(lead) in {"DA", "DK", "DQ"}

    @pytest.mark.parametrize(
        ("cards", "card"),
        [
            ("DA D4 D3", "D2"),  # one card
            ("DA D4 D3 D2 C2 C3 C4", "C7"),  # eight that are equal
            ("DA D4 D3 D2 C2 C3 C4 CA CK", "C5"),
        ],
    )
    def test_forced_cards_cost_nothing(
        self, cards: str, card: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(bot, "Sampler", refuse)
        monkeypatch.setattr(card_choice, "card_values", refuse)
        assert str(simple().play(at_play(DEAL, "3NT", Seat.SOUTH, cards))) == card

    def test_before_the_play_there_is_no_card(self) -> None:
        with pytest.raises(ValueError, match="the play has not begun"):
            simple().play(hold("AKQ2.AKQ.AKQ.432"))

    def test_the_same_seed_plays_the_same_with_any_number_of_threads(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        chosen = set[str]()
        for threads in (1, 2, 4):
            monkeypatch.setattr(parallel, "processors", lambda threads=threads: threads)
            player = simple(5)
            player.rng = Random(5)
            views = (at_play(PLAIN, "2S", Seat.SOUTH), at_play(PLAIN, "2S", Seat.SOUTH, "H5"))
            chosen.add(" ".join(str(player.play(view)) for view in views))
        assert len(chosen) == 1


class TestRace:
    def test_a_clear_lead_takes_few_layouts(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """West's five diamonds beat 3NT, in most layouts."""
        solved: list[Position] = []

        def noted(position: Position) -> dict[Card, int]:
            solved.append(position)
            return card_values(position)

        monkeypatch.setattr(card_choice, "card_values", noted)
        view = at_play(PLAIN, "3NT", Seat.SOUTH)
        player = simple(40)
        player.rng = Random(1)
        raced = player.play(view)
        assert 0 < len(solved) < 40
        solved.clear()
        player.raced_tricks = 0
        player.rng = Random(1)
        assert player.play(view) == raced
        assert len(solved) == 40

    def test_the_race_does_not_depend_on_the_threads(self, monkeypatch: pytest.MonkeyPatch) -> None:
        view = at_play(PLAIN, "2S", Seat.SOUTH, "H5")
        chosen = set[tuple[str, int | None]]()
        for threads in (1, 2, 4):
            monkeypatch.setattr(parallel, "processors", lambda threads=threads: threads)
            player = simple(24)
            player.rng = Random(5)
            card = player.play(view)
            (thought,) = player.thoughts
            chosen.add((str(card), thought.layouts))
        assert len(chosen) == 1


class TestSecrecy:
    @pytest.mark.parametrize("line", ["", "D9 D2", "S7 S2 SJ SA D5 D4 DK D6"])
    def test_cards_that_the_seat_cannot_see_change_no_card(self, line: str) -> None:
        view = at_play(EVEN, "1NT", Seat.SOUTH, line)
        chosen = set[Card]()
        for shift in (0, 1, 7, 13):
            other = turned(EVEN, view, shift)
            assert shift == 0 or other != EVEN
            player = simple(6)
            player.rng = Random(4)
            chosen.add(player.play(at_play(other, "1NT", Seat.SOUTH, line)))
        assert len(chosen) == 1

    def test_other_hands_change_no_call(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """The call is one that is chosen by bidding out the same worlds."""
        solved: list[Position] = []

        def noted(position: Position) -> int:
            solved.append(position)
            return best_tricks(position)

        monkeypatch.setattr(bidding, "best_tricks", noted)
        monkeypatch.setattr(bidding_systems, "system", lambda _: Torn())
        deal = Deal.parse(f"N:{POWERFUL} 65.QJT9.KQJT.AKQ 43.8765.9876.JT9 2.432.5432.87654")
        view = new_view(Seat.NORTH, Board(1, Seat.NORTH, Vulnerability.NONE, deal))
        chosen: list[tuple[MadeCall, set[Position]]] = []
        for shift in (0, 1, 20):
            board = Board(1, Seat.NORTH, Vulnerability.NONE, turned(deal, view, shift))
            player = MonteCarloBot(10)
            player.rng = Random(4)
            made = player.call(new_view(Seat.NORTH, board))
            chosen.append((made, set(solved)))
            solved.clear()
        assert chosen[0][1]
        assert chosen[1:] == chosen[:1] * 2


class TestAdvice:
    def test_the_network_decides_if_it_counts_as_enough_layouts(self) -> None:
        view = at_finesse("3NT")
        expected = FastPlayBot(bidding="simple").play(view)
        assert str(expected) != "SA"  # which the layouts would choose
        assert MonteCarloBot(20, bidding="simple", advice=1000).play(view) == expected

    def test_by_default_it_counts_as_ten_layouts(self) -> None:
        view = at_finesse("3NT")
        player = MonteCarloBot(bidding="simple")
        cards: dict[Card, tuple[int, ...]] = dict.fromkeys(view.legal_cards(), (9, 9))
        evaluation = Evaluation((1, 1), cards | {Card("SA"): (9, 10)})
        contract, side = view.playing.contract, view.playing.turn.side
        solved = merits_of(evaluation, "imps", contract, side, view.vulnerability)
        expected = advised(solved, evaluation, player.costs(view), 10)
        assert player.weighing(view)(evaluation) == expected != solved

    def test_without_advice_the_network_is_not_asked(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(bot, "shipped", refuse)
        assert str(MonteCarloBot(20, bidding="simple", advice=0).play(at_finesse("3NT"))) == "SA"


class TestBudget:
    def test_the_card_is_decided_on_the_worlds_solved_in_time(self, stick: Stick) -> None:
        card_values(Position(DEAL.hands, None, Seat.WEST))  # The first answer takes longer.
        stick(card_choice, "card_values", answers=8)
        view = at_finesse("3NT")
        player = MonteCarloBot(20, budget=1.0, bidding="simple", advice=0)
        assert str(player.play(view)) == "SA"

    def test_without_a_solved_world_the_network_chooses_the_card(self, stick: Stick) -> None:
        stick(card_choice, "card_values")
        view = at_finesse("3NT")
        expected = FastPlayBot(bidding="simple").play(view)
        assert simple(20, budget=0.05).play(view) == expected

    def test_enough_time_changes_nothing_in_kind(self) -> None:
        assert str(simple(40, "score", budget=PATIENCE).play(at_finesse("3NT"))) == "SA"

    def test_a_call_is_made_in_time(self, stick: Stick, monkeypatch: pytest.MonkeyPatch) -> None:
        stick(bidding, "best_tricks")
        monkeypatch.setattr(bidding_systems, "system", lambda _: Torn())
        assert str(MonteCarloBot(budget=0.05).call(hold(POWERFUL)).call) == "2S"

    def test_bidding_out_stops_in_time(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """With a system that takes a second a call, and three calls to a passed-out bid:
        in four seconds the second option of the first world is the last."""
        clock = Clock()
        slow = Slow(clock)
        monkeypatch.setattr(time, "monotonic", clock.read)
        monkeypatch.setattr(bidding_systems, "system", lambda _: slow)
        monkeypatch.setattr(bidding, "best_tricks", refuse)
        assert str(MonteCarloBot(budget=4.0).call(hold(POWERFUL)).call) == "2S"
        assert clock.now == 6.0
        assert str(MonteCarloBot(budget=2.0).call(hold(POWERFUL)).call) == "2S"
        assert clock.now == 9.0


class Torn(System):
    """A system that opens 2S, and finds 4S close; everybody else passes."""

    def choose(self, hand: Hand, auction: Auction, vulnerability: Vulnerability) -> MadeCall:
        return self.options(hand, auction, vulnerability)[0]

    def options(self, hand: Hand, auction: Auction, vulnerability: Vulnerability) -> list[MadeCall]:
        del hand, vulnerability
        if auction.calls:
            return [MadeCall(PASS)]
        return [MadeCall(Call(text), explanation=Explanation(text)) for text in ("2S", "4S")]

    def explain(self, auction: Auction, vulnerability: Vulnerability) -> list[Explanation]:
        del vulnerability
        return [Explanation() for _ in auction.calls]


class Clock:
    """A clock that stands still; the test sets `now`, in seconds."""

    def __init__(self) -> None:
        self.now = 0.0

    def read(self) -> float:
        return self.now


class Slow(Torn):
    """Takes a second of the clock for each call that it chooses."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock

    def choose(self, hand: Hand, auction: Auction, vulnerability: Vulnerability) -> MadeCall:
        self._clock.now += 1.0
        return super().choose(hand, auction, vulnerability)


class TestCall:
    def test_a_close_call_is_bid_out(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """With eleven tricks in hand, and the explanation of the call that is made."""
        monkeypatch.setattr(bidding_systems, "system", lambda _: Torn())
        made = MonteCarloBot().call(hold(POWERFUL))
        assert made == MadeCall(Call("4S"), explanation=Explanation("4S"))

    def test_a_clear_call_is_the_systems_and_costs_nothing(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(bot, "Sampler", refuse)
        for hand, calls in [("AQ3.KJ54.K32.Q32", ""), ("AQ3.KJ54.K32.Q32", "1S Pass Pass")]:
            view = hold(hand, calls)
            expected = Simple().choose(view.hand, view.auction, view.vulnerability)
            assert simple().call(view) == expected


class TestOptions:
    @pytest.mark.parametrize("worlds", [0, -1])
    def test_an_option_of_no_worlds_is_refused(self, worlds: int) -> None:
        with pytest.raises(ValueError, match=f"{worlds} worlds decide nothing"):
            simple(worlds)

    @pytest.mark.parametrize("budget", [-1.0, float("nan"), float("inf")])
    def test_impossible_budgets_are_refused(self, budget: float) -> None:
        with pytest.raises(ValueError, match=f"0 for no limit, or more seconds, not {budget}"):
            simple(budget=budget)

    @pytest.mark.parametrize("advice", [-1, 1001])
    def test_impossible_advice_is_refused(self, advice: int) -> None:
        with pytest.raises(ValueError, match=f"counts as 0 to 1000 layouts, not {advice}"):
            MonteCarloBot(advice=advice)

    def test_options_are_named_as_they_are_written(self) -> None:
        taken = registry.options(MonteCarloBot)
        assert list(taken) == ["worlds", "objective", "budget", "bidding", "advice"]


def play_boards(numbers: Sequence[int], ours: Callable[[], Bot], theirs: Callable[[], Bot]) -> None:
    """Play boards, North and South against East and West, who all keep to the rules."""
    for number in numbers:
        table = new_table(random_deal(11, number), number=number)
        players = {
            seat: LocalPlayer(Viewer(seat), ours() if seat.side == Side.NS else theirs())
            for seat in SEATS
        }
        in_no_time(play_board(table, players))
        record = table.record(("n", "e", "s", "w"))
        assert record.is_finished
        assert record.faults == ()


class TestBoards:
    def test_boards_in_sensible_contracts_are_played(self) -> None:
        play_boards([1, 2], partial(simple, 3), partial(simple, 2, "tricks"))

    def test_boards_in_senseless_contracts_are_played(self) -> None:
        play_boards([3, 4], partial(simple, 2, "score"), RandomBot)

    @pytest.mark.slow
    def test_many_boards_are_played(self) -> None:
        play_boards(range(5, 9), partial(simple, 4), RandomBot)
        play_boards(range(20, 22), partial(simple, 5), partial(simple, 5, "tricks", 0.5))

    @pytest.mark.slow
    def test_boards_with_close_calls_are_played(self) -> None:
        play_boards(range(24, 27), partial(MonteCarloBot, 12), partial(MonteCarloBot, 3))
