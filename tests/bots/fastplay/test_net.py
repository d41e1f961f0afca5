"""What the net reads, and the net in numpy."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bridge_arena.bots.fastplay.lessons import promises_of
from bridge_arena.bots.fastplay.net import (
    INPUTS,
    PlayNet,
    Positions,
    features,
    numbers_of,
    position_of,
)
from bridge_arena.bots.fastplay.plays import UNKNOWN
from bridge_arena.bots.library.hand_ranges import ANY, HandRanges
from bridge_arena.bots.library.learning.arrays import ArraysError
from bridge_arena.bots.library.learning.layers import mixing, trunk
from bridge_arena.bots.library.sampling.beliefs import beliefs
from bridge_arena.bots.natural.system import Natural
from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.cards import Deal
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.protocol.messages import CallMade
from tests.bots.fastplay.boards import random_play, random_plays
from tests.bots.views import at_play, new_view

NOTHING_TOLD = (ANY, ANY, ANY, ANY)

DEAL = Deal.parse("N:AK32.AK32.432.32 QJT9.QJT9.QJT.QJ 8765.8765.A98.AT 4.4.K765.K987654")

# Where the numbers of a suit begin, and those of the whole position.
SUIT, ALL = 117, 127


@pytest.mark.parametrize("seed", range(8))
def test_a_view_and_a_recorded_board_show_the_same(seed: int) -> None:
    plays, views = random_play(seed)
    for place in range(52):
        by_board = features(plays.positions(np.array([place])))
        by_view = features(position_of(views[place], NOTHING_TOLD))
        assert by_board.suits.shape == (1, 4, INPUTS)
        assert (by_board.suits == by_view.suits).all()
        assert (by_board.ranks == by_view.ranks).all()


def test_cards_that_the_player_cannot_see_are_not_shown() -> None:
    rng = np.random.default_rng(1)
    for seed in range(8):
        plays, views = random_play(seed)
        for place in range(0, 52, 3):
            position = plays.positions(np.array([place]))
            view = views[place]
            hidden = np.array([list(view.unseen)], np.int64)
            owner = plays.owner.copy()
            owner[0, hidden] = owner[0, rng.permutation(hidden[0])]
            other = Positions(
                owner,
                position.trump,
                position.promised,
                position.cards,
                position.place,
                position.turn,
            )
            assert (features(position).suits == features(other).suits).all()


def test_many_positions_are_shown_as_each_alone() -> None:
    plays = random_plays(6)
    place = np.array([0, 3, 17, 26, 40, 51])
    together = features(plays.positions(place))
    for row in range(6):
        alone = features(plays.rows(slice(row, row + 1)).positions(place[row : row + 1]))
        assert (together.suits[row] == alone.suits[0]).all()


def test_costs_are_those_of_the_cards_that_could_be_played() -> None:
    plays = random_plays(5)
    place = np.array([0, 9, 18, 27, 45])
    found = plays.costs(place)
    for row in range(5):
        _, views = random_play(row)
        legal = views[place[row]].legal_cards()
        assert sorted(np.flatnonzero(found[row] >= 0)) == sorted(legal)
        assert all(found[row, card] == card % 4 for card in legal)
        assert (found[row][found[row] < 0] == UNKNOWN).all()


def test_places_from_the_top_are_those_of_cards_that_are_left() -> None:
    plays = random_plays(4)
    place = np.array([0, 13, 30, 44])
    shown = features(plays.positions(place))
    cards = np.random.default_rng(1).random((4, 52)).astype(np.float32)
    assert (shown.by_card(shown.by_place(cards)) == cards).all()
    for row in range(4):
        # Those of completed tricks are behind all others.
        completed = set(plays.cards[row, : place[row] - place[row] % 4].tolist())
        for suit in range(4):
            in_order = [13 * suit + 12 - int(rank) for rank in shown.ranks[row, suit]]
            gone = [card in completed for card in in_order]
            assert gone == sorted(gone)
            here = [card for card in in_order if card not in completed]
            assert here == sorted(here, reverse=True)


def test_what_was_promised_is_shown_as_far_as_it_is_left() -> None:
    """West leads S4 against South's 3NT, and shows out of spades on the second round."""
    west = HandRanges((6, 9), ((6, 8), (0, 4), (0, 2), (0, 3)))
    believed = (ANY, ANY, ANY, west)
    lead = features(position_of(at_play(DEAL, "3NT", Seat.SOUTH, "S4"), believed)).suits[0]
    # Dummy is to play, for whom South chooses: West is to dummy's right.
    right = slice(SUIT + 4, SUIT + 6)
    assert (lead[:, right] * 4).tolist() == [[6, 8], [0, 4], [0, 2], [0, 2]]
    assert lead[0, ALL + 4 : ALL + 6] * 10 == pytest.approx([6, 9])
    # South's cards are seen, East's are not.
    assert (lead[:, SUIT + 2 : SUIT + 4] * 4).tolist() == [[2, 2], [3, 3], [4, 4], [4, 4]]
    assert lead[0, ALL + 2 : ALL + 4] * 10 == pytest.approx([8, 8])
    later = at_play(DEAL, "3NT", Seat.SOUTH, "S4 SA S9 S5 SK ST S6 C4")
    shown_out = features(position_of(later, believed)).suits[0]
    assert (shown_out[:, right] * 4).tolist() == [[5, 7], [0, 4], [0, 2], [0, 0]]


def test_an_auction_tells_the_table_what_it_tells_the_boards_to_learn_from() -> None:
    system = Natural()
    for number in range(1, 31):
        board = Board.dealt(7, number)
        views = [new_view(seat, board) for seat in SEATS]
        auction = Auction(board.dealer)
        while not auction.is_over:
            seat = auction.turn
            made = system.choose(board.deal[seat], auction, board.vulnerability)
            auction.push(made.call)
            for view in views:
                view.apply(
                    CallMade(
                        table="t",
                        board=number,
                        seq=1,
                        seat=seat,
                        call=made.call,
                        explanation=made.explanation,
                    )
                )
        believed = promises_of(system, auction, board.vulnerability)
        for view in views:
            thought = beliefs(view, system)
            hidden = [seat for seat in SEATS if seat != view.seat]
            for seat in hidden:
                assert numbers_of(thought[seat]) == numbers_of(believed[seat])


def test_who_is_winning_the_trick_is_shown() -> None:
    for cards, shown in (("", (0, 0)), ("S4", (0, 1)), ("S4 SA", (0, 1)), ("S4 SA S9", (1, 0))):
        suits = features(position_of(at_play(DEAL, "3NT", Seat.SOUTH, cards), NOTHING_TOLD)).suits
        assert (suits[0, :, ALL + 14 : ALL + 16] == shown).all()


def test_trumps_are_shown() -> None:
    for contract, row in (("4S", 3), ("5C", 0)):
        view = at_play(DEAL, contract, Seat.SOUTH, "D5")
        suits = features(position_of(view, NOTHING_TOLD)).suits[0]
        assert suits[:, SUIT + 8].tolist() == [suit == row for suit in range(4)]
        assert suits[:, SUIT + 9].tolist() == [0, 1, 0, 0]
        assert not suits[:, ALL + 16].any()


def arrays(width: int, seed: int = 1) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    shapes = trunk(INPUTS, width, ["steps.0.mix.own.bias"]) | mixing("cards", width, 13)
    return {name: rng.normal(size=shape) / 5 for name, shape in shapes.items()}


def of(path: Path, **changes: Any) -> PlayNet:
    kept = {name: each for name, each in (arrays(8) | changes).items() if each is not None}
    np.savez(path, **kept)
    return PlayNet.read(path)


def test_the_cheapest_of_the_cards_that_may_be_played(tmp_path: Path) -> None:
    net = of(tmp_path / "weights.npz")
    plays = random_plays(5)
    positions = plays.positions(np.array([0, 7, 22, 31, 40]))
    found = net.costs(positions)
    assert found.shape == (5, 52)
    legal = np.random.default_rng(2).random((5, 52)) < 0.2
    for row, card in enumerate(net.cheapest(positions, legal)):
        assert legal[row, card]
        assert found[row, card] == found[row, legal[row]].min()


def test_suits_that_change_places_change_nothing_else(tmp_path: Path) -> None:
    net = of(tmp_path / "weights.npz")
    plays = random_plays(4)
    place = np.array([0, 15, 26, 37])
    order = np.array([2, 0, 3, 1])
    cards = (13 * order[:, None] + np.arange(13)).reshape(-1)  # what each card becomes
    becomes = np.argsort(cards)
    positions = plays.positions(place)
    promised = positions.promised.copy()
    promised[:, :, 1:] = promised[:, :, 1 + order]
    trump = np.append(np.argsort(order), 4)[positions.trump]
    other = Positions(
        positions.owner[:, cards],
        trump,
        promised,
        becomes[positions.cards],
        positions.place,
        positions.turn,
    )
    assert np.allclose(net.costs(other), net.costs(positions)[:, cards], atol=1e-4)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"cards.own.bias": np.zeros(12)}, "cards.own.bias is 12, expected 13"),
        ({"first.own.weight": np.zeros((8, 3))}, "first.own.weight is 8 × 3, expected n × 146"),
        ({"cards.all.weight": None}, "there is no array cards.all.weight"),
        ({"more": np.zeros(1)}, "more is no part of such a net"),
        ({"cards.own.bias": np.full(13, np.inf)}, "cards.own.bias holds something"),
    ],
)
def test_a_file_of_other_arrays_is_refused_as_a_net(
    tmp_path: Path, changes: dict[str, Any], said: str
) -> None:
    with pytest.raises(ArraysError, match=rf"weights\.npz: {said}"):
        of(tmp_path / "weights.npz", **changes)
