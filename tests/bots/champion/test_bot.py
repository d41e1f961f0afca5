"""The flagship at the table, and its opening leads."""

from __future__ import annotations

from random import Random

import pytest

from bridge_arena.bots import registry
from bridge_arena.bots.champion.bot import ChampionBot
from bridge_arena.bots.fastplay.bot import FastPlayBot
from bridge_arena.bots.library.bidding_systems import SystemName, system
from bridge_arena.bots.montecarlo import card_choice
from bridge_arena.bots.montecarlo.card_choice import Evaluation, advised, merits_of
from bridge_arena.bots.random.bot import RandomBot
from bridge_arena.bridge.board import Board, random_deal
from bridge_arena.bridge.cards import Card, Deal
from bridge_arena.bridge.seats import SEATS, Seat, Side, Vulnerability
from bridge_arena.protocol.view import View
from bridge_arena.protocol.visibility import Viewer
from bridge_arena.server.driver import play_board
from bridge_arena.server.players import LocalPlayer
from tests.bots.conftest import Stick
from tests.bots.montecarlo.endings import at_finesse
from tests.bots.views import at_play, call_made, new_view, turned
from tests.server.tables import in_no_time, new_table

DEAL = Deal.parse("N:Q32.A432.K32.654 J54.QJ7.T76.QJT9 AK6.K65.AQJ5.K32 T987.T98.984.A87")


def seeded(worlds: int = 4, budget: float = 0.0) -> ChampionBot:
    player = ChampionBot(budget, worlds)
    player.rng = Random(4)
    return player


def rebidding(deal: Deal = DEAL, calls: str = "1C Pass 1H Pass") -> View:
    """North, who deals, has opened and heard an answer."""
    view = new_view(Seat.NORTH, Board(1, Seat.NORTH, Vulnerability.NONE, deal))
    for call in calls.split():
        view.apply(call_made(Seat.NORTH, view.auction, call))
    return view


class TestSecrecy:
    @pytest.mark.slow
    @pytest.mark.parametrize("line", ["", "D9 D2", "S7 S2 SJ SA D5 D4 DK D6"])
    def test_cards_that_champion_cannot_see_change_no_card(self, line: str) -> None:
        view = at_play(DEAL, "1NT", Seat.SOUTH, line)
        chosen = set[Card]()
        for shift in (0, 1, 7, 13):
            other = turned(DEAL, view, shift)
            assert shift == 0 or other != DEAL
            chosen.add(seeded().play(at_play(other, "1NT", Seat.SOUTH, line)))
        assert len(chosen) == 1


class TestAdvice:
    """Of two layouts, the first was drawn three times; a club lead takes a trick more in one."""

    @staticmethod
    def evaluation(view: View) -> Evaluation:
        return Evaluation((3, 1), {card: (4, 4 + (card < 13)) for card in view.legal_cards()})

    def test_at_an_opening_lead_the_network_counts_twice_as_much_as_the_layouts(self) -> None:
        view = at_play(DEAL, "1NT", Seat.SOUTH)
        found = self.evaluation(view)
        player = seeded()
        solved = merits_of(found, "imps", view.playing.contract, Side.EW, view.vulnerability)
        expected = advised(solved, found, player.costs(view), 2 * 4)
        assert player.weighing(view)(found) == expected != solved

    def test_later_the_network_is_not_asked(self, monkeypatch: pytest.MonkeyPatch) -> None:
        view = at_play(DEAL, "1NT", Seat.SOUTH, "D9 D2")
        found = self.evaluation(view)
        monkeypatch.delattr("bridge_arena.bots.montecarlo.bot.shipped")
        solved = merits_of(found, "imps", view.playing.contract, Side.EW, view.vulnerability)
        assert seeded().weighing(view)(found) == solved


class TestBudget:
    def test_if_the_solver_sticks_the_network_chooses_the_card(self, stick: Stick) -> None:
        stick(card_choice, "card_values")
        view = at_finesse("3NT")
        expected = FastPlayBot(bidding="neural").play(view)
        assert seeded(20, budget=0.05).play(view) == expected


@pytest.mark.parametrize("bidding", ["neural", "natural"])
def test_champion_bids_as_its_system_does(bidding: SystemName) -> None:
    view = rebidding()
    expected = system(bidding).choose(view.hand, view.auction, view.vulnerability)
    assert ChampionBot(0.0, 4, bidding).call(view) == expected


def test_the_options_of_champion_begin_with_the_budget() -> None:
    taken = registry.options(ChampionBot)
    assert list(taken) == ["budget", "worlds", "bidding"]
    assert taken["budget"].default == 1.0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("budget", "boards"),
    [(0.2, 1), pytest.param(0.0, 2, marks=pytest.mark.weekly(part="champion"))],
)
def test_whole_boards_are_played_by_the_rules(budget: float, boards: int) -> None:
    for number in range(1, boards + 1):
        table = new_table(random_deal(11, number), number=number)
        players = {
            seat: LocalPlayer(
                Viewer(seat), ChampionBot(budget, 3) if seat.side == Side.NS else RandomBot()
            )
            for seat in SEATS
        }
        in_no_time(play_board(table, players))
        record = table.record(("n", "e", "s", "w"))
        assert record.is_finished
        assert record.faults == ()
