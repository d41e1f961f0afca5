"""How well worlds fit the cards of the others, and which are kept."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

from bridge_arena.bots.fastplay.fit import CARDS, RECENT, cards_fit, thinned
from bridge_arena.bots.fastplay.net import Positions, promised_to
from bridge_arena.bots.library.hand_ranges import ANY
from bridge_arena.bots.library.learning.layers import Array
from bridge_arena.bots.library.sampling.sampler import Hands, Sampler
from bridge_arena.bridge.cards import Deal, Hand, Suit
from bridge_arena.bridge.seats import Seat
from bridge_arena.protocol.view import View
from tests.bots.views import at_play

DEAL = Deal.parse("N:Q32.A432.K32.654 J54.QJ7.T76.QJT9 AK6.K65.AQJ5.K32 T987.T98.984.A87")


def worlds_of(view: View, number: int = 12) -> list[Hands]:
    return Sampler(view, (ANY, ANY, ANY, ANY)).draw(number, Random(3))


class HighestFirst:
    """Says that a card costs so many tricks for each rank above it in its suit."""

    def __init__(self, tricks: float) -> None:
        self.asked: list[tuple[int, int]] = []
        self._tricks = tricks

    def costs(self, positions: Positions) -> Array:
        self.asked = list(zip(positions.place.tolist(), positions.turn.tolist(), strict=True))
        costs = self._tricks * (12 - np.arange(52) % 13)
        return np.broadcast_to(costs, (len(positions.turn), 52)).astype(np.float32)


def fit_of(
    view: View, worlds: list[Hands], tricks: float = 1.0
) -> tuple[list[float], list[tuple[int, int]]]:
    net: Any = HighestFirst(tricks)
    promised = promised_to(view, (ANY, ANY, ANY, ANY))
    found = cards_fit(net, worlds, view, promised)
    return found.tolist(), net.asked


def spades(hand: Hand) -> list[int]:
    return [int(card) % 13 for card in hand.suit(Suit.SPADES)]


def test_cards_fit_worlds_in_which_they_were_the_cheapest() -> None:
    """West led the ten of spades, and East has played the four: higher ones cost less."""
    view = at_play(DEAL, "3NT", Seat.SOUTH, "ST S2 S4")
    worlds = worlds_of(view)
    found, _ = fit_of(view, worlds)
    for world, weight in zip(worlds, found, strict=True):
        led = [int(card) % 13 for card in world[Seat.WEST]] + [8]
        followed = [*spades(world[Seat.EAST]), 2]
        expected = 1.0
        for rank, ranks in ((8, led), (2, followed)):
            chances = np.exp((np.array([rank, *ranks]) - max(ranks)) / CARDS.scale)
            expected *= CARDS.otherwise + chances[0] / chances[1:].sum()
        assert weight == pytest.approx(expected, rel=1e-3)


def test_cards_fit_worlds_in_which_few_others_would_have_served() -> None:
    """Restricted choice: East is the likelier to have followed with his only spade."""
    view = at_play(DEAL, "3NT", Seat.SOUTH, "ST S2 S4")
    worlds = worlds_of(view, 300)
    found, asked = fit_of(view, worlds, 0.0)
    numbers = [len(spades(world[Seat.EAST])) + 1 for world in worlds]
    led = CARDS.otherwise + 1 / 13
    assert found == pytest.approx([led * (CARDS.otherwise + 1 / each) for each in numbers])
    # Where he had no choice, the network need not say so.
    assert 1 in numbers
    assert asked.count((2, 3)) == sum(each > 1 for each in numbers)


def test_only_cards_of_players_with_hidden_hands_are_judged() -> None:
    """Declarer knows why he played his and dummy's; a defender judges his choice of both."""
    line = "ST S2 S4 SA H5 H8 HA H7"
    declaring = at_play(DEAL, "3NT", Seat.SOUTH, line)
    assert {place for place, _ in fit_of(declaring, worlds_of(declaring))[1]} == {0, 2, 5, 7}
    defending = at_play(DEAL, "3NT", Seat.SOUTH, "ST S2 S4 SA H5 H8 HA")
    assert defending.seat == Seat.EAST
    assert {place for place, _ in fit_of(defending, worlds_of(defending))[1]} == {0, 1, 3, 4, 5, 6}


def test_of_cards_long_ago_only_leads_are_judged() -> None:
    line = "ST S2 S4 SA H5 H8 HA H7 H2 HJ HK H9 C2 C7 C4 C9"
    view = at_play(DEAL, "3NT", Seat.SOUTH, line)
    assert view.seat == Seat.EAST
    asked = {place for place, _ in fit_of(view, worlds_of(view))[1]}
    assert asked == {0, 4, *(place for place in range(16 - RECENT, 16) if place not in {9, 15})}


def test_before_the_lead_no_card_tells_anything() -> None:
    view = at_play(DEAL, "3NT", Seat.SOUTH)
    assert fit_of(view, worlds_of(view, 3)) == ([1.0, 1.0, 1.0], [])


def test_worlds_are_chosen_by_their_weights() -> None:
    worlds = worlds_of(at_play(DEAL, "3NT", Seat.SOUTH), 3)
    kept = thinned(worlds, np.array([0.0, 1.0, 3.0]), 4, Random(1))
    assert kept == [worlds[1], *[worlds[2]] * 3]
    assert thinned(worlds, np.array([1.0, 1.0, 1.0]), 3, Random(1)) == worlds
