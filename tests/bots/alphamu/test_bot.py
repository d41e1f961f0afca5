"""Tests of the bot: its cards as declarer come from the search, all else from Monte Carlo."""

from __future__ import annotations

from random import Random

import pytest

from bridge_arena.bots.alphamu.bot import AlphaMuBot
from bridge_arena.bots.baseline.play import choose_card
from bridge_arena.bots.montecarlo.bot import MonteCarloBot
from bridge_arena.bots.registry import UnknownBotError, parse
from bridge_arena.bridge.board import random_deal
from bridge_arena.bridge.cards import Card, Deal
from bridge_arena.bridge.seats import Seat
from bridge_arena.protocol.view import View
from tests.bots.views import at_play, hold, turned


def small(depth: int = 2, worlds: int = 6) -> AlphaMuBot:
    return AlphaMuBot(depth=depth, worlds=worlds, bidding="simple")


def played(deal: Deal, contract: str, cards: list[str]) -> View:
    return at_play(deal, contract, Seat.SOUTH, " ".join(cards))


@pytest.mark.parametrize(("number", "contract"), [(1, "1NT"), (2, "2S"), (3, "3NT"), (4, "7H")])
def test_every_card_of_a_board_is_legal(number: int, contract: str) -> None:
    deal = random_deal(3, number)
    bot = small(worlds=4)
    cards: list[str] = []
    while len(cards) < 52:
        view = played(deal, contract, cards)
        assert view.play is not None
        if view.play.player == Seat.SOUTH:
            card = bot.play(view)
            assert card in view.legal_cards()
        else:
            card = choose_card(view, Random(number))
        cards.append(str(card))


def after_tricks(tricks: int) -> tuple[Deal, list[str]]:
    """Play up to a position in which declarer's side is to play and has a choice."""
    deal = random_deal(5, 1)
    cards: list[str] = []
    while True:
        view = played(deal, "3NT", cards)
        assert view.play is not None
        ours = view.play.player == Seat.SOUTH
        if len(cards) >= 4 * tricks and ours and len(view.legal_cards()) > 2:
            return deal, cards
        cards.append(str(choose_card(view, Random(1))))


@pytest.mark.parametrize("tricks", [0, 4, 8])
class TestDeclarer:
    def test_the_same_seed_plays_the_same(self, tricks: int) -> None:
        deal, cards = after_tricks(tricks)
        chosen: list[Card] = []
        for _ in range(2):
            bot = small()
            bot.rng = Random(9)
            chosen.append(bot.play(played(deal, "3NT", cards)))
        assert chosen[0] == chosen[1]

    def test_cards_that_declarer_cannot_see_change_nothing(self, tricks: int) -> None:
        deal, cards = after_tricks(tricks)
        chosen = set[Card]()
        for shift in (0, 1, 3):
            other = turned(deal, played(deal, "3NT", cards), shift)
            assert shift == 0 or other != deal
            bot = small()
            bot.rng = Random(9)
            chosen.add(bot.play(played(other, "3NT", cards)))
        assert len(chosen) == 1


def test_a_forced_card_costs_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("bridge_arena.bots.alphamu.bot.Sampler")
    deal = Deal.parse("N:K32.AK2.AK32.A32 54.QJT9.QJT.KQJT A.876543.98.9876 QJT9876..7654.54")
    assert str(small().play(played(deal, "1NT", ["SQ", "S2", "S4"]))) == "SA"


@pytest.mark.parametrize("cards", [["D9", "D2"], "D9 D2 D7 D5 ST S2".split()])
def test_alphamu_defends_as_monte_carlo_does_without_advice(
    cards: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr("bridge_arena.bots.montecarlo.bot.shipped")
    deal = Deal.parse("N:Q32.A432.K32.654 J54.QJ7.T76.QJT9 AK6.K65.AQJ5.K32 T987.T98.984.A87")
    view = played(deal, "1NT", cards)
    bots = [AlphaMuBot(bidding="simple"), MonteCarloBot(bidding="simple", advice=0)]
    for bot in bots:
        bot.rng = Random(2)
    assert bots[0].play(view) == bots[1].play(view)


def test_alphamu_bids_by_the_system_of_its_option() -> None:
    assert str(small().call(hold("AQ3.KJ54.K32.Q32")).call) == "1NT"


@pytest.mark.parametrize("option", ["depth=0", "worlds=0", "depth=-1"])
def test_options_that_decide_nothing_are_refused(option: str) -> None:
    with pytest.raises(UnknownBotError, match=r"bot 'alphamu': .* at least 1 is needed"):
        parse(f"alphamu:bidding=simple,{option}")
