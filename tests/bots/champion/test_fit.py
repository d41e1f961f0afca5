"""How well worlds fit the calls and cards of the others."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

from bridge_arena.bots.champion.fit import (
    CARDS,
    Errors,
    Judge,
    boards_of,
    calls_fit,
    cards_fit,
    like_us,
    strangers,
    thinned,
)
from bridge_arena.bots.fastplay.net import Positions, promised_to
from bridge_arena.bots.library.hand_ranges import ANY
from bridge_arena.bots.library.learning.layers import Array
from bridge_arena.bots.library.many_auctions.auctions import Auctions
from bridge_arena.bots.library.many_auctions.boards import Boards, SystemCaller
from bridge_arena.bots.library.sampling.sampler import Hands, Sampler
from bridge_arena.bots.neural.net import public
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.cards import Deal, Hand, Suit
from bridge_arena.bridge.seats import SEATS, Seat, Vulnerability
from bridge_arena.protocol.view import View
from tests.bots.neural.nets import nets
from tests.bots.views import at_play, call_made, new_view

DEAL = Deal.parse("N:Q32.A432.K32.654 J54.QJ7.T76.QJT9 AK6.K65.AQJ5.K32 T987.T98.984.A87")


def worlds_of(view: View, number: int = 12) -> list[Hands]:
    return Sampler(view, (ANY, ANY, ANY, ANY)).draw(number, Random(3))


def after(*calls: str) -> View:
    """What the seat knows whose turn it is; North deals."""
    seat = SEATS[len(calls) % 4]
    view = new_view(seat, Board(1, Seat.NORTH, Vulnerability.EW, DEAL))
    for call in calls:
        view.apply(call_made(Seat.NORTH, view.auction, call))
    return view


def test_worlds_are_boards_as_dealt() -> None:
    view = at_play(DEAL, "3NT", Seat.SOUTH, "ST S2 S4 SA H5 H8")
    (world,) = worlds_of(view, 1)
    boards = boards_of([world], view)
    assert (boards.hands.sum(axis=2) == 13).all()
    north = boards.hands[0, (Seat.NORTH - view.dealer) % 4]
    assert set(np.flatnonzero(north)) == {int(card) for card in DEAL[Seat.NORTH]}


def test_vulnerability_is_told_from_the_dealer() -> None:
    assert boards_of(worlds_of(after("1C")), after("1C")).vulnerable[0].tolist() == [False, True]


@pytest.mark.parametrize("calls", [("1C", "1D"), ("Pass", "1S", "X")])
def test_calls_fit_worlds_in_which_the_network_rates_them_high(calls: tuple[str, ...]) -> None:
    """Weights are as the products over the others' calls, whatever the order of the worlds."""
    view = after(*calls)
    judges = Judge(nets(3), Errors(0.3, 0.02)), Judge(nets(4), Errors(2.0, 0.05))
    boards = boards_of(worlds_of(view), view)
    found = calls_fit(boards, view, *judges)
    expected = np.ones(len(boards))
    state = Auctions(1)
    for place, call in enumerate(view.auction.calls):
        assert place != view.seat
        net, errors = judges[place != view.seat.partner]
        for row in range(len(boards)):
            seen = public(state, boards.vulnerable[:1], place)
            ratings = net.ratings(boards.hands[row : row + 1, place], seen)[0]
            lost = float(ratings[state.legal()[0]].max() - ratings[call])
            expected[row] *= errors.otherwise + np.exp(-lost / errors.scale)
        state.push(np.array([call]))
    assert found == pytest.approx(expected / expected.max(), rel=1e-4)
    assert len(set(found.tolist())) > 1


def test_weights_of_the_longest_auction_are_told_apart() -> None:
    calls = ["Pass"] * 3
    for level in range(1, 8):
        for strain in ("C", "D", "H", "S", "NT"):
            calls += [f"{level}{strain}", "Pass", "Pass", "X", "Pass", "Pass", "XX", "Pass", "Pass"]
    view = after(*calls)
    surprised = Judge(nets(3), Errors(1e-3, 1e-3))
    found = calls_fit(boards_of(worlds_of(view), view), view, surprised, surprised)
    assert found.max() == 1
    assert (found > 0).all()


def test_without_calls_of_others_all_worlds_are_equal() -> None:
    view = after()
    found = calls_fit(boards_of(worlds_of(view, 3), view), view, strangers(), strangers())
    assert found.tolist() == [1.0] * 3


def test_strangers_are_judged_by_networks_that_understand_natural() -> None:
    """What `natural` calls costs less in their eyes than in those of the networks that bid best."""
    lost = {}
    for name, judge in (("own", like_us()), ("strangers", strangers())):
        boards = Boards.random(np.random.default_rng(8), 200)
        state = Auctions(len(boards))
        made = SystemCaller("natural").calls(boards, state)
        ratings = judge.nets.ratings(boards.hands[:, 0], public(state, boards.vulnerable, 0))
        best = np.where(state.legal(), ratings, -np.inf).max(axis=1)
        lost[name] = float((best - ratings[np.arange(len(made)), made]).mean())
    assert lost["strangers"] < lost["own"]


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
    found = cards_fit(net, boards_of(worlds, view), view, promised)
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


def test_before_the_lead_no_card_tells_anything() -> None:
    view = at_play(DEAL, "3NT", Seat.SOUTH)
    assert fit_of(view, worlds_of(view, 3)) == ([1.0, 1.0, 1.0], [])


def test_worlds_are_chosen_by_their_weights() -> None:
    worlds = worlds_of(after(), 3)
    kept = thinned(worlds, np.array([0.0, 1.0, 3.0]), 4, Random(1))
    assert kept == [worlds[1], *[worlds[2]] * 3]
    assert thinned(worlds, np.array([1.0, 1.0, 1.0]), 3, Random(1)) == worlds
