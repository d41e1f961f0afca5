"""What a seat sees and may do, as learning libraries want it: arrays and numbers.

An observation is an array of 0 and 1, made from the seat's view and from nothing else. `LAYOUT`
names the parts and their order. Seats are counted clockwise from the viewer, sides from the
viewer's own. The parts of the auction come first, so that the observation of one who only bids is
the beginning of the whole.

All actions of the game have one numbering. Actions 0 to 37 are the calls as `bridge.calls` numbers
them: Pass, X, XX, 1C to 7NT. Actions 38 to 89 are the cards as `bridge.cards` numbers them: C2 to
CA, D2 to DA, H2 to HA, S2 to SA.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from math import prod

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bridge.calls import CALLS, FIRST_BID, PASS, Call
from bridge_arena.bridge.cards import CARDS, Card, Hand
from bridge_arena.bridge.seats import SEATS
from bridge_arena.protocol.view import View

Observation = NDArray[np.uint8]  # an observation: `AUCTION_SIZE` or `SIZE` numbers, each 0 or 1


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the observation."""

    name: str
    shape: tuple[int, ...]
    meaning: str  # what a 1 says


AUCTION_LAYOUT = (
    Part("hand", (52,), "the card is in the own hand"),
    Part("calls", (4, 3, 35), "the seat bid, doubled or redoubled this bid, 1C to 7NT"),
    Part("passed", (4,), "the seat passed before the first bid"),
    Part("last_bid", (35,), "the last bid"),
    Part("last_side", (2,), "the side that made it"),
    Part("risk", (2,), "it is doubled; it is redoubled"),
    Part("passes", (3,), "1, 2, or 3 and more passes came after the last other call"),
    Part("vulnerable", (2,), "the side is vulnerable"),
    Part("dealer", (4,), "the dealer"),
)
"""The parts that there are in the auction already."""

PLAY_LAYOUT = (
    Part("declarer", (4,), "declarer, once the auction is over"),
    Part("dummy", (52,), "the card is in dummy's hand, which has been faced"),
    Part("played", (4, 52), "the seat has played the card"),
    Part("trick", (4, 52), "the seat has played the card to the trick in progress"),
    Part("leader", (4,), "who led or leads to this trick"),
    Part("turn", (4,), "the hand from which the next card comes"),
    Part("won", (2, 14), "the tricks that the side has won, 0 to 13"),
)
"""The parts that are all 0 until the play begins."""

LAYOUT = (*AUCTION_LAYOUT, *PLAY_LAYOUT)  # all parts, in order

_ENDS = list(accumulate(prod(part.shape) for part in LAYOUT))

SIZE = _ENDS[-1]  # the length of a whole observation
AUCTION_SIZE = _ENDS[len(AUCTION_LAYOUT) - 1]  # the length of its parts of the auction

SLICES = {
    part.name: slice(end - prod(part.shape), end) for part, end in zip(LAYOUT, _ENDS, strict=True)
}
"""Where each part is, by its name."""

_AT = {name: where.start for name, where in SLICES.items()}


def observation(view: View, size: int = SIZE) -> Observation:
    """Return what a seat sees: `SIZE` numbers, or `AUCTION_SIZE` for the auction alone."""
    ones = np.zeros(size, np.uint8)
    ones[[*_auction(view), *(_play(view) if size > AUCTION_SIZE else ())]] = 1
    return ones


def part_of(observed: Observation, name: str) -> Observation:
    """Return a part, ...×`shape`, of observations, ...×`size`: a view where numpy can make one."""
    shape = next(part.shape for part in LAYOUT if part.name == name)
    return observed[..., SLICES[name]].reshape(*observed.shape[:-1], *shape)


def _auction(view: View) -> Iterator[int]:
    """Yield the places of the ones in the parts of the auction."""
    viewer = view.seat
    yield from _cards("hand", view.held(viewer))
    bid, side, risk, passes = -1, 0, 0, 0
    for place, made in enumerate(view.calls):
        seat, call = (view.dealer + place - viewer) % 4, int(made.call)
        if call == PASS:
            passes += 1
            if bid < 0:
                yield _AT["passed"] + seat
            continue
        if call >= FIRST_BID:
            bid, side, risk = call - FIRST_BID, seat % 2, 0
        else:
            risk = call
        passes = 0
        yield _AT["calls"] + 105 * seat + 35 * risk + bid
    if bid >= 0:
        yield _AT["last_bid"] + bid
        yield _AT["last_side"] + side
    if risk:
        yield _AT["risk"] + risk - 1
    if passes:
        yield _AT["passes"] + min(passes, 3) - 1
    for place, of_side in enumerate((viewer.side, viewer.side.other)):
        if view.vulnerability.includes(of_side):
            yield _AT["vulnerable"] + place
    yield _AT["dealer"] + (view.dealer - viewer) % 4


def _play(view: View) -> Iterator[int]:
    """Yield the places of the ones in the parts of the play."""
    viewer, play = view.seat, view.play
    if play is None:
        return
    yield _AT["declarer"] + (play.declarer - viewer) % 4
    if view.dummy_hand is not None:
        yield from _cards("dummy", view.dummy_hand - view.played[play.dummy])
    for seat in SEATS:
        yield from _cards("played", view.played[seat], (seat - viewer) % 4)
    for place, card in enumerate(play.trick):
        yield _AT["trick"] + 52 * ((play.leader + place - viewer) % 4) + card
    yield _AT["leader"] + (play.leader - viewer) % 4
    if not play.is_over:
        yield _AT["turn"] + (play.turn - viewer) % 4
    for place, side in enumerate((viewer.side, viewer.side.other)):
        yield _AT["won"] + 14 * place + play.won[side]


def _cards(name: str, hand: Hand | None, row: int = 0) -> Iterator[int]:
    first = _AT[name] + 52 * row
    return (first + card for card in hand or ())


FIRST_CARD = len(CALLS)  # the action of the lowest card; all calls come before it
ACTIONS = FIRST_CARD + len(CARDS)  # the number of actions


def action_of(chosen: Call | Card) -> int:
    """Return the action of a call or card, 0 to 89."""
    return int(chosen) + (FIRST_CARD if isinstance(chosen, Card) else 0)


def chosen_by(action: int) -> Call | Card:
    """Return the call or card of an action, 0 to 89. Raises ValueError if there is none."""
    if not 0 <= action < ACTIONS:
        raise ValueError(f"there is no action {action}: they are 0 to {ACTIONS - 1}")
    return CALLS[action] if action < FIRST_CARD else CARDS[action - FIRST_CARD]


def legal_actions(view: View, actions: int = ACTIONS) -> NDArray[np.int8]:
    """Return 1 for each of the first `actions` that a seat may choose now, else 0.

    All are 0 if it is not the seat's turn, or it has a claim to answer.
    """
    mask = np.zeros(actions, np.int8)
    turn = view.turn
    if turn is None or turn.claim:
        return mask
    if view.play is None:
        mask[view.legal_calls()] = 1
    else:
        mask[[FIRST_CARD + card for card in view.legal_cards()]] = 1
    return mask
