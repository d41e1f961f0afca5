"""The turns at which `natural`'s card leaves a choice, and what can be known of them.

A choice is between calls that say nothing wrong of the hand. So whichever is made, partner and
opponents read it as the card says.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bots.library.learning.arrays import Rows
from bridge_arena.bots.library.learning.hands import Hands, hands_array
from bridge_arena.bots.library.many_auctions.auctions import Calls, Turns
from bridge_arena.bots.natural.facts import Facts, facts
from bridge_arena.bots.natural.reading import State
from bridge_arena.bots.natural.system import Menu, menu_at
from bridge_arena.bots.neural.net import public
from bridge_arena.bridge.calls import CALLS, DENOMINATIONS, DOUBLE, PASS, Call

READ = 4 * 10 + 1 + 5
"""What `natural` reads in an auction.

For each seat from the caller on these are the least and the most points, and cards in each suit;
then whether the caller is forced, and the trump suit: none, clubs, diamonds, hearts or spades.
"""


@dataclass(frozen=True, slots=True)
class Choices(Rows):
    """n turns at which there is a choice."""

    hands: Hands  # the hands of the players whose turn it is, n×52
    known: NDArray[np.uint8]  # what they know without their cards (`neural.net.public`), n×`PUBLIC`
    read: NDArray[np.uint8]  # what `natural` reads in the auction, n×`READ`
    fitting: NDArray[np.bool_]  # the calls to choose from, n×38
    natural: NDArray[np.int8]  # the call that `natural` makes, n


class Turn(NamedTuple):
    """One turn."""

    menu: Menu
    hand: Facts
    calls: list[Call]  # natural's call, then the others that fit

    @classmethod
    def of(cls, menu: Menu, hand: Facts) -> Turn:
        return cls(menu, hand, fitting(menu, hand))


def choices_of(turns: Turns) -> tuple[Calls, NDArray[np.int64], Choices]:
    """Return natural's calls, n; and the rows at which there is a choice, with the choices."""
    natural = np.empty(len(turns), np.int64)
    rows: list[int] = []
    chosen: list[Turn] = []
    for row, hand, auction, vulnerability in turns.in_order():
        turn = Turn.of(menu_at(auction, vulnerability), facts(hand))
        natural[row] = turn.calls[0]
        if len(turn.calls) > 1:
            rows.append(row)
            chosen.append(turn)
    at = np.array(rows, np.int64)
    known = public(turns.auctions.rows(at), turns.vulnerable[at], turns.auctions.turn)
    return natural, at, of_turns(chosen, known)


def of_turns(turns: Iterable[Turn], known: NDArray[np.uint8]) -> Choices:
    """Return turns as arrays, with what is public at each."""
    every = list(turns)
    fits = np.zeros((len(every), len(CALLS)), np.bool_)
    for row, turn in enumerate(every):
        fits[row, turn.calls] = True
    return Choices(
        hands_array(turn.hand.hand for turn in every),
        known,
        np.array([_reading(turn.menu.state) for turn in every], np.uint8).reshape(-1, READ),
        fits,
        np.array([turn.calls[0] for turn in every], np.int8),
    )


def fitting(menu: Menu, hand: Facts) -> list[Call]:
    """Return natural's call, then the others that say nothing wrong of the hand.

    A first bid or double, and any artificial call, is one that some rule makes with the hand
    counted at most a point stronger or weaker. While the last bid is not theirs, a first call is a
    pass only if the rules pass with a hand up to two points weaker, or one stronger. Partner's
    sign-off is left as the rules leave it.
    """
    state, choice = menu.state, menu.choose(hand)
    partner = state.last_by_partner
    if state.ours and partner is not None and partner.signoff:
        return [choice]
    is_first = all(call == PASS for call in state.calls[state.turn :: 4])
    others = [*menu.ruled()] if is_first else [*menu.ruled(), *_unruled(menu)]
    if state.forced:
        others = [call for call in others if call != PASS or menu.meaning(PASS).stands]
    elif not is_first or state.theirs or _nearly_passes(menu, hand):
        others.append(PASS)
    near: set[Call] | None = None
    fits = [choice]
    for call in dict.fromkeys(others):
        meaning = menu.meaning(call)
        if call == choice or not meaning.ranges.holds(hand.hand):
            continue
        if call != PASS and (is_first or meaning.artificial):
            near = near or menu.made_with([hand, hand.with_more(1), hand.with_more(-1)])
            if call not in near:
                continue
        fits.append(call)
    return fits


def _nearly_passes(menu: Menu, hand: Facts) -> bool:
    return any(menu.choose(hand.with_more(points)) == PASS for points in (1, -1, -2))


def _unruled(menu: Menu) -> list[Call]:
    """Return a double, and the bids up to game of each denomination, for which there is no rule."""
    state = menu.state
    calls = [DOUBLE] if state.theirs and state.doubled == PASS else []
    for denomination in DENOMINATIONS:
        game = 3 if denomination.trump is None else 4 if denomination.trump in (2, 3) else 5
        levels = range(state.cheapest(denomination), game + 1)
        calls += [Call.bid(level, denomination) for level in levels]
    return [call for call in calls if call not in menu.ruled()]


def _reading(state: State) -> list[int]:
    """Return what the state of an auction tells, `READ` numbers."""
    numbers: list[int] = []
    for seat in range(4):
        ranges = state.promises[(state.turn + seat) % 4]
        for low, high in (ranges.hcp, *ranges.lengths):
            numbers += low, high
    trumps = [0] * 5
    trumps[0 if state.trump is None else 1 + state.trump] = 1
    return [*numbers, state.forced, *trumps]
