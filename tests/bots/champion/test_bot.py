"""The flagship at the table, its look ahead and its opening leads."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from bridge_arena.bots import registry
from bridge_arena.bots.champion import bot
from bridge_arena.bots.champion.bot import ChampionBot, gains, with_costs
from bridge_arena.bots.fastplay.bot import FastPlayBot
from bridge_arena.bots.library.bidding_systems import SystemName
from bridge_arena.bots.library.learning.layers import Array
from bridge_arena.bots.library.many_auctions.auctions import Auctions
from bridge_arena.bots.library.many_auctions.boards import Boards
from bridge_arena.bots.montecarlo import card_choice
from bridge_arena.bots.montecarlo.card_choice import Evaluation, Merits
from bridge_arena.bots.neural.system import Neural
from bridge_arena.bots.random.bot import RandomBot
from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.board import Board, random_deal
from bridge_arena.bridge.calls import PASS, Call
from bridge_arena.bridge.cards import Card, Deal
from bridge_arena.bridge.record import MadeCall
from bridge_arena.bridge.seats import SEATS, Seat, Side, Vulnerability
from bridge_arena.protocol.view import View
from bridge_arena.protocol.visibility import Viewer
from bridge_arena.server.driver import play_board
from bridge_arena.server.players import LocalPlayer
from tests.bots.conftest import Stick
from tests.bots.montecarlo.endings import at_finesse
from tests.bots.views import at_play, call_made, new_view, turned
from tests.patience import PATIENCE
from tests.server.tables import in_no_time, new_table


class Passes:
    def calls(self, boards: Boards, auctions: Auctions) -> NDArray[np.integer]:
        assert len(boards) == len(auctions)
        return np.zeros(len(boards), np.int64)


class Certain:
    """Says that everybody takes nine tricks in every denomination, but in the first world eight."""

    def chances(self, hands: NDArray[np.bool_]) -> NDArray[np.float32]:
        odds = np.zeros((len(hands), 5, 4, 14), np.float32)
        odds[:, :, :, 9] = 1
        odds[0] = np.roll(odds[0], -1, axis=2)
        return odds


def gained(auction: Auction, *calls: str) -> list[list[float]]:
    nets: Any = Passes()
    tables: Any = Certain()
    boards = Boards.random(np.random.default_rng(1), 2)
    level = Boards(boards.hands, np.array([[False, True], [False, True]]))
    options = [Call(call) for call in calls]
    found: list[list[float]] = gains(
        nets, tables, level, auction, options, np.random.default_rng(2)
    ).tolist()
    return found


def test_a_game_gains_where_it_makes() -> None:
    """Beside a pass: 400 and 50 lost, and for a partial 150 and 120."""
    assert gained(Auction(Seat.EAST), "Pass", "3NT", "1NT") == [[0, 0], [-2, 9], [3, 4]]


def test_points_are_those_of_the_caller() -> None:
    """The dealer's opponent is vulnerable: 600, or 100 lost, beside 3NT one off or made."""
    auction = Auction(Seat.SOUTH, [PASS])
    assert gained(auction, "Pass", "3NT") == [[0, 0], [-3, 12]]


def test_the_look_ahead_goes_on_from_the_auction_as_it_is() -> None:
    """Opposite 3NT, a pass is the contract, and a double by the opponents too."""
    auction = Auction(Seat.SOUTH, [Call("3NT")])
    assert gained(auction, "Pass", "X") == [[0, 0], [2, -4]]


ACE, KING, FIVE = Card("SA"), Card("SK"), Card("D5")


def costs(**given: float) -> Array:
    found = np.zeros(52, np.float32)
    for card, cost in given.items():
        found[Card(card)] = cost
    return found


def evaluation(five: tuple[int, int]) -> Evaluation:
    """Two worlds, of which the first was drawn three times."""
    return Evaluation((3, 1), {ACE: (4, 5), KING: (4, 5), FIVE: five})


def test_costs_are_in_the_unit_of_the_merits() -> None:
    """The five takes a quarter of a trick more on average, which is worth eight IMPs in sum."""
    merits: Merits = {ACE: (-8, 0), KING: (-8, 0), FIVE: (0, 40)}
    found = with_costs(merits, evaluation((4, 6)), costs(D5=0.1, SA=0.02, SK=0.02))
    assert found[FIVE][0] == pytest.approx(-2 * 0.1 * 32)
    assert found[FIVE][1] == 40
    assert found[ACE][0] == pytest.approx(-8 - 2 * 0.02 * 32)


def test_touching_cards_stay_equal() -> None:
    merits: Merits = {ACE: (0, 0), KING: (0, 0), FIVE: (0, 0)}
    found = with_costs(merits, evaluation((4, 5)), costs(SA=0.5, SK=0.1, D5=0.2))
    assert found[ACE] == found[KING] > found[FIVE]


def test_where_no_lead_matters_to_the_solver_the_network_decides() -> None:
    """Each layout counts as one IMP then."""
    merits: Merits = {ACE: (0, 0), KING: (0, 0), FIVE: (0, 0)}
    found = with_costs(merits, evaluation((4, 5)), costs(SA=0.5, SK=0.5, D5=0.25))
    assert {card: merit for card, (merit, _) in found.items()} == {ACE: -4, KING: -4, FIVE: -2}


DEAL = Deal.parse("N:Q32.A432.K32.654 J54.QJ7.T76.QJT9 AK6.K65.AQJ5.K32 T987.T98.984.A87")


def seeded(worlds: int = 4, budget: float = 0.0) -> ChampionBot:
    player = ChampionBot(budget, worlds)
    player.rng = Random(4)
    return player


class Torn(Neural):
    """Finds all its calls close."""

    def options(self, *known: object) -> list[MadeCall]:
        return self._made(list(self.weigh(*known))[:3], *known[1:])  # type: ignore[arg-type]


def rebidding(deal: Deal = DEAL, calls: str = "1C Pass 1H Pass") -> View:
    """North, who deals, has opened and heard an answer."""
    view = new_view(Seat.NORTH, Board(1, Seat.NORTH, Vulnerability.NONE, deal))
    for call in calls.split():
        view.apply(call_made(Seat.NORTH, view.auction, call))
    return view


@pytest.mark.parametrize(("bidding", "changes"), [("neural", "yes"), ("natural", "no")])
def test_half_an_imp_is_gain_enough_for_the_networks_alone(
    bidding: SystemName, changes: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    player = ChampionBot(0.0, 4, bidding)
    options = [MadeCall(Call(text)) for text in ("Pass", "1NT")]
    monkeypatch.setattr(player, "options", lambda _: options)
    monkeypatch.setattr(player, "gains", lambda *_: [[0.0] * 40, [0.75] * 40])
    made = player.call(rebidding())
    assert (made == options[1]) == (changes == "yes")


class TestSecrecy:
    @pytest.mark.parametrize("line", ["", "D9 D2", "S7 S2 SJ SA D5 D4 DK D6"])
    def test_cards_that_champion_cannot_see_change_no_card(self, line: str) -> None:
        view = at_play(DEAL, "1NT", Seat.SOUTH, line)
        chosen = set[Card]()
        for shift in (0, 1, 7, 13):
            other = turned(DEAL, view, shift)
            assert shift == 0 or other != DEAL
            chosen.add(seeded().play(at_play(other, "1NT", Seat.SOUTH, line)))
        assert len(chosen) == 1

    def test_other_hands_change_no_call(self) -> None:
        made: list[tuple[MadeCall, object]] = []
        for shift in (0, 20):
            player = seeded(2)
            player.system = Torn()
            call = player.call(rebidding(turned(DEAL, rebidding(), shift)))
            assert len(player.thoughts[-1].candidates) == 3
            made.append((call, player.thoughts))
        assert made[0] == made[1]


class TestBudget:
    def test_if_the_solver_sticks_the_network_chooses_the_card(self, stick: Stick) -> None:
        stick(card_choice, "card_values")
        view = at_finesse("3NT")
        expected = FastPlayBot(bidding="neural").play(view)
        assert seeded(20, budget=0.05).play(view) == expected

    def test_a_look_ahead_stops_when_the_time_is_up(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(bot, "is_up", lambda _: True)
        player = seeded(budget=PATIENCE)
        player.system = Torn()
        player.call(rebidding())
        assert player.thoughts[-1].layouts == 16


def test_in_the_first_round_champion_bids_as_neural_does(monkeypatch: pytest.MonkeyPatch) -> None:
    """What follows is too long to be foreseen."""
    monkeypatch.delattr(bot, "gains")
    player = seeded()
    player.system = Torn()
    made = player.call(rebidding(calls=""))
    assert made == Neural().choose(
        DEAL[Seat.NORTH], rebidding(calls="").auction, Vulnerability.NONE
    )


class TestOtherSystems:
    def test_other_systems_look_ahead_without_the_networks(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The networks of `neural` would misunderstand them."""
        monkeypatch.delattr(bot, "gains")
        for number in range(1, 9):
            player = ChampionBot(0.0, 1, "simple")
            player.call(rebidding(Board.dealt(1, number).deal))


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
