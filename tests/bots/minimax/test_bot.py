"""The bot as a whole."""

from __future__ import annotations

from random import Random
from typing import Any, Literal

import pytest

import bridge_arena.bots.minimax.bot
from bridge_arena.bots.library import bidding_systems
from bridge_arena.bots.minimax.bot import MinimaxBot
from bridge_arena.bots.registry import UnknownBotError, parse
from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.calls import PASS, Call, Contract
from bridge_arena.bridge.cards import Card, Deal, Hand
from bridge_arena.bridge.play import Play
from bridge_arena.bridge.record import MadeCall
from bridge_arena.bridge.seats import SEATS, Seat, Vulnerability
from bridge_arena.protocol.view import View
from tests.bots.views import at_play, call_made, hold, new_view, turned

DEAL = Deal.parse("N:Q32.A432.K32.654 J54.QJ7.T76.QJT9 AK6.K65.AQJ5.K32 T987.T98.984.A87")

Placement = Literal["random", "bayes", "opt"]


def whole_play(deal: Deal, contract: str, bot: MinimaxBot) -> list[Card]:
    """The cards of a play in which the bot plays all hands, South declaring."""
    play = Play(Contract.parse(contract, Seat.SOUTH))
    while not play.is_over:
        view = at_play(deal, contract, Seat.SOUTH, " ".join(map(str, play.cards)))
        card = bot.play(view)
        assert card in view.legal_cards()
        play.push(card)
    return play.cards


@pytest.mark.slow
@pytest.mark.parametrize("placement", ["random", "bayes", "opt"])
def test_minimax_plays_legal_cards_that_follow_from_the_seed(placement: Placement) -> None:
    deal = Board.dealt(5, 1).deal
    plays = []
    for _ in range(2):
        bot = MinimaxBot(placement=placement)
        bot.rng = Random(1)
        plays.append(whole_play(deal, "4S", bot))
    assert plays[0] == plays[1]


@pytest.mark.parametrize("placement", ["random", "bayes"])
@pytest.mark.parametrize("line", ["", "D9 D2", "S7 S2 SJ SA D5 D4 DK D6"])
def test_cards_that_minimax_cannot_see_change_nothing(placement: Placement, line: str) -> None:
    view = at_play(DEAL, "1NT", Seat.SOUTH, line)
    chosen = set[Card]()
    for shift in (0, 1, 7, 13):
        other = turned(DEAL, view, shift)
        assert shift == 0 or other != DEAL
        bot = MinimaxBot(placement=placement)
        bot.rng = Random(4)
        chosen.add(bot.play(at_play(other, "1NT", Seat.SOUTH, line)))
    assert len(chosen) == 1


@pytest.mark.parametrize("calls", ["", "1C", "1H Pass 2H"])
def test_minimaxs_call_does_not_depend_on_other_hands(calls: str) -> None:
    seat = SEATS[len(calls.split()) % 4]
    view = new_view(seat, Board(1, Seat.NORTH, Vulnerability.NONE, DEAL))
    chosen = set[str]()
    for shift in (0, 1, 20):
        deal = turned(DEAL, view, shift)
        other = new_view(seat, Board(1, Seat.NORTH, Vulnerability.NONE, deal))
        for call in calls.split():
            other.apply(call_made(Seat.NORTH, other.auction, call))
        chosen.add(str(MinimaxBot(bidding="simple").call(other)))
    assert len(chosen) == 1


def test_more_depth_chooses_the_same_of_equal_cards() -> None:
    plays = []
    for depth in (1, 2):
        bot = MinimaxBot(depth)
        bot.rng = Random(3)
        view = at_play(DEAL, "1NT", Seat.SOUTH, "S7 S2 SJ SA D5 D4 DK D6")
        plays.append([bot.play(view) for _ in range(5)])
    assert plays[0] == plays[1]


def test_minimax_takes_the_trick_with_the_cheapest_card() -> None:
    bot = MinimaxBot()
    assert str(bot.play(at_play(DEAL, "1NT", Seat.SOUTH, "D9 D2 DT"))) == "DJ"


# South is to play, or East.
DECLARING, DEFENDING = "D9 D2 DT", "D9 D2"


@pytest.mark.parametrize(
    ("placement", "line", "asked"),
    [
        ("random", DECLARING, "place_at_random"),
        ("random", DEFENDING, "place_at_random"),
        ("bayes", DECLARING, "place_most_probable"),
        ("bayes", DEFENDING, "place_most_probable"),
        ("opt", DECLARING, "place_at_random"),
        ("opt", DEFENDING, "place_most_probable"),
    ],
)
def test_the_placement_says_when_hidden_cards_are_inferred(
    monkeypatch: pytest.MonkeyPatch, placement: Placement, line: str, asked: str
) -> None:
    used = []

    def spy(name: str) -> None:
        placed = getattr(bridge_arena.bots.minimax.bot, name)

        def place(*arguments: Any) -> list[Hand]:
            used.append(name)
            hands: list[Hand] = placed(*arguments)
            return hands

        monkeypatch.setattr(bridge_arena.bots.minimax.bot, name, place)

    spy("place_at_random")
    spy("place_most_probable")
    MinimaxBot(placement=placement).play(at_play(DEAL, "1NT", Seat.SOUTH, line))
    assert used == [asked]


def test_minimax_bids_by_the_system_of_its_option(monkeypatch: pytest.MonkeyPatch) -> None:
    class Preempts:
        def choose(self, hand: Hand, auction: Auction, _: Vulnerability) -> MadeCall:
            assert str(hand) == "AQ3.KJ54.K32.Q32"
            return MadeCall(Call("7NT") if not auction.calls else PASS)

        def options(self, *known: Any) -> list[MadeCall]:
            return [self.choose(*known)]

    asked = []

    def system(name: str) -> Preempts:
        asked.append(name)
        return Preempts()

    monkeypatch.setattr(bidding_systems, "system", system)
    bot = MinimaxBot(bidding="simple")
    assert bot.call(hold("AQ3.KJ54.K32.Q32")).call == Call("7NT")
    assert bot.call(hold("AQ3.KJ54.K32.Q32", "1C Pass")).call == PASS
    assert asked == ["simple"]


def test_before_the_play_there_is_no_card() -> None:
    view: View = hold("AQ3.KJ54.K32.Q32")
    with pytest.raises(ValueError, match="the play has not begun"):
        MinimaxBot().play(view)


class TestOptions:
    @pytest.mark.parametrize("depth", [-1, 0, 14])
    def test_depth_is_1_to_13_tricks(self, depth: int) -> None:
        with pytest.raises(ValueError, match=rf"^depth is {depth}, expected 1 to 13 tricks$"):
            MinimaxBot(depth)

    @pytest.mark.parametrize(
        ("spec", "message"),
        [
            ("minimax:depth=0", "depth is 0, expected 1 to 13 tricks"),
            ("minimax:depth=one", "depth is 'one', expected a whole number"),
            ("minimax:placement=best", "expected one of random, bayes, opt"),
            ("minimax:bidding=none", "expected one of natural, simple"),
        ],
    )
    def test_options_with_other_values_are_refused(self, spec: str, message: str) -> None:
        with pytest.raises(UnknownBotError, match=message):
            parse(spec)

    def test_options_are_taken_by_name(self) -> None:
        assert isinstance(parse("minimax:depth=2,placement=bayes")[1](), MinimaxBot)
