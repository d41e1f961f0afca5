"""Observations and actions: what a seat sees and may do, as numbers."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bridge_arena.bots.library.portable_random import pick, shuffled
from bridge_arena.bots.library.spaces import (
    ACTIONS,
    AUCTION_SIZE,
    FIRST_CARD,
    LAYOUT,
    SIZE,
    SLICES,
    Observation,
    action_of,
    chosen_by,
    legal_actions,
    observation,
    part_of,
)
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.calls import Call
from bridge_arena.bridge.cards import PACK, Card, Deal, Hand
from bridge_arena.bridge.seats import SEATS, Seat, Vulnerability
from bridge_arena.envs.episode import Episode, Sitting
from bridge_arena.protocol.decision import answer_to
from bridge_arena.protocol.view import View


def test_every_action_is_one_call_or_card() -> None:
    assert [action_of(chosen_by(action)) for action in range(ACTIONS)] == list(range(ACTIONS))
    assert chosen_by(0) == Call("Pass")
    assert isinstance(chosen_by(FIRST_CARD - 1), Call)
    assert str(chosen_by(FIRST_CARD)) == "C2"
    assert action_of(Card("SA")) == ACTIONS - 1


@pytest.mark.parametrize("action", [-1, ACTIONS])
def test_a_number_beyond_the_actions_is_refused(action: int) -> None:
    with pytest.raises(ValueError, match=f"no action {action}: they are 0 to 89"):
        chosen_by(action)


BOARD = Board(1, Seat.SOUTH, Vulnerability.EW, Board.dealt(3, 1).deal)


def act(sitting: Sitting, *texts: str) -> None:
    for text in texts:
        assert sitting.turn is not None
        chosen = Card(text) if text[0] in "CDHS" and len(text) == 2 else Call(text)
        sitting.answer(answer_to(sitting.turn, chosen))


def ones(seen: Observation, name: str) -> list[list[int]]:
    return np.argwhere(part_of(seen, name)).tolist()


def test_the_layout_has_no_gaps() -> None:
    assert [SLICES[part.name].start for part in LAYOUT] == [
        0,
        *(SLICES[part.name].stop for part in LAYOUT[:-1]),
    ]
    assert (AUCTION_SIZE, SIZE) == (524, 1032)


def test_each_part_of_an_auction_has_its_place() -> None:
    sitting = Sitting(Episode(BOARD))
    act(sitting, "Pass", "1C", "X", "XX", "Pass")  # South, West, North, East, South
    seen = observation(sitting.views[Seat.WEST])
    assert ones(seen, "hand") == sorted([card] for card in BOARD.deal[Seat.WEST])
    assert ones(seen, "calls") == [[0, 0, 0], [1, 1, 0], [2, 2, 0]]
    assert ones(seen, "passed") == [[3]]
    assert ones(seen, "last_bid") == [[0]]
    assert ones(seen, "last_side") == [[0]]
    assert ones(seen, "risk") == [[1]]
    assert ones(seen, "passes") == [[0]]
    assert ones(seen, "vulnerable") == [[0]]
    assert ones(seen, "dealer") == [[3]]
    assert not seen[AUCTION_SIZE:].any()


def test_each_part_of_the_play_has_its_place() -> None:
    sitting = Sitting(Episode(BOARD))
    act(sitting, "1NT", "Pass", "Pass", "Pass")
    lead = max(BOARD.deal[Seat.WEST])
    before = observation(sitting.views[Seat.EAST])
    assert ones(before, "dummy") == []
    assert ones(before, "turn") == [[2]]
    act(sitting, str(lead))
    seen = observation(sitting.views[Seat.EAST])
    assert ones(seen, "declarer") == [[1]]
    assert ones(seen, "dummy") == sorted([card] for card in BOARD.deal[Seat.NORTH])
    assert ones(seen, "played") == ones(seen, "trick") == [[2, lead]]
    assert ones(seen, "leader") == [[2]]
    assert ones(seen, "turn") == [[3]]
    assert ones(seen, "won") == [[0, 0], [1, 0]]
    # Declarer chooses dummy's card.
    assert not legal_actions(sitting.views[Seat.NORTH]).any()
    assert legal_actions(sitting.views[Seat.SOUTH]).any()


def redealt(rng: Random, view: View, deal: Deal) -> Deal:
    """Another deal that the seat cannot tell from this one by what it sees now."""
    fixed = {view.seat}
    if view.play is not None and view.dummy_hand is not None:
        fixed.add(view.play.dummy)
    others = [seat for seat in SEATS if seat not in fixed]
    hands = {seat: deal[seat].mask for seat in fixed}
    left = PACK.mask & ~sum(hands.values())
    played = {seat: view.played[seat].mask for seat in others}
    if any(view.play is not None and view.voids(seat) for seat in others):
        return deal  # only some other deals would do
    free = shuffled(rng, list(Hand(left & ~sum(played.values()))))
    for seat in others:
        own = [free.pop() for _ in range(13 - played[seat].bit_count())]
        hands[seat] = played[seat] | Hand.of(own).mask
    north, east, south, west = (Hand(hands[seat]) for seat in SEATS)
    return Deal((north, east, south, west))


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10**6), steps=st.integers(0, 60))
def test_the_observation_tells_nothing_of_the_hidden_hands(seed: int, steps: int) -> None:
    """The same calls and cards with the hidden hands dealt anew look the same."""
    rng = Random(seed)
    board = Board.dealt(seed, 1)
    sitting, chosen = Sitting(Episode(board)), []
    for _ in range(steps):
        turn = sitting.turn
        if turn is None:
            break
        text = "Pass" if "Pass" in turn.legal and rng.random() < 0.6 else pick(rng, turn.legal)
        chosen.append(text)
        act(sitting, text)
    for seat, view in sitting.views.items():
        other = Board(1, board.dealer, board.vulnerability, redealt(rng, view, board.deal))
        again = Sitting(Episode(other))
        act(again, *chosen)
        assert np.array_equal(observation(again.views[seat]), observation(view))
        assert np.array_equal(legal_actions(again.views[seat]), legal_actions(view))
