"""Boards played out by the net."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from bridge_arena.bots.fastplay.net import PlayNet, Positions, position_of
from bridge_arena.bots.fastplay.playing import Playing, evaluate, play_out
from bridge_arena.bots.library.double_dummy import lowest_of_equals
from bridge_arena.bots.library.hand_ranges import ANY
from bridge_arena.bridge.calls import DENOMINATIONS, Contract, Risk
from bridge_arena.bridge.cards import CARDS, Hand
from bridge_arena.bridge.play import Play
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.protocol.view import View
from tests.bots.fastplay.boards import random_play, random_plays
from tests.bots.fastplay.test_net import arrays


@pytest.fixture
def net(tmp_path: Path) -> PlayNet:
    np.savez(tmp_path / "weights.npz", **arrays(8))
    return PlayNet.read(tmp_path / "weights.npz")


@pytest.mark.parametrize("place", [0, 1, 4, 18, 35, 47, 51])
def test_the_players_keep_the_rules_and_choose_what_the_net_says(net: PlayNet, place: int) -> None:
    plays = random_plays(12)
    places = np.full(12, place)
    found = play_out(net, plays.positions(places))
    for row in range(12):
        alone = plays.rows(slice(row, row + 1))
        denomination = DENOMINATIONS[alone.trump[0]]
        play = Play(Contract(1, denomination, Risk.UNDOUBLED, Seat.NORTH))
        hands = [Hand.of(CARDS[c] for c in np.flatnonzero(alone.owner[0] == s)) for s in SEATS]
        cards = alone.cards.copy()
        for number in range(52):
            legal = play.legal_cards(hands[play.turn] - Hand.of(play.cards))
            if number >= place:
                may = np.zeros((1, 52), np.bool_)
                may[0, list(legal)] = True
                position = Positions(
                    alone.owner,
                    alone.trump,
                    alone.promised,
                    cards,
                    np.array([number]),
                    np.array([int(play.turn)]),
                )
                cards[0, number] = net.cheapest(position, may)[0]
            play.push(CARDS[cards[0, number]])
        assert found[row] == play.declarer_tricks


def test_of_equal_cards_the_lowest_is_told() -> None:
    plays = random_plays(12)
    views = [random_play(row)[1] for row in range(12)]
    for place in range(52):
        distinct = Playing(plays.positions(np.full(12, place))).distinct()
        for row in range(12):
            view = views[row][place]
            legal = view.legal_cards().mask
            completed = Hand.of(view.playing.cards[: place - place % 4]).mask
            found = np.flatnonzero(distinct[row]).tolist()
            assert found == sorted(lowest_of_equals(legal, ~(legal | completed)))


def test_each_card_is_played_out_in_each_world(net: PlayNet) -> None:
    _, views = random_play(5)
    for place in (1, 22, 39):
        view = views[place]
        world = hands_of(view)
        cards = sorted(view.legal_cards())
        told = (ANY, ANY, ANY, ANY)
        found = evaluate(net, view, position_of(view, told), cards, [world, world])
        assert found.counts == (2,)
        assert sorted(found.tricks) == cards
        plays, _ = random_play(5)
        known = plays.positions(np.array([place]))
        for card, tricks in found.tricks.items():
            taken = int(play_out(net, known, np.array([card]))[0])
            is_declarers = view.playing.turn.side == view.playing.declarer.side
            assert tricks == (taken if is_declarers else 13 - taken,)


def hands_of(view: View) -> tuple[Hand, Hand, Hand, Hand]:
    """Return the hands without the cards that were played."""
    plays, _ = random_play(5)
    left = [
        Hand.of(CARDS[card] for card in np.flatnonzero(plays.owner[0] == player))
        - Hand.of(view.playing.cards)
        for player in range(4)
    ]
    north, east, south, west = (left[(seat - view.playing.declarer) % 4] for seat in SEATS)
    return north, east, south, west
