"""Open by three human systems, with which table V of Yeh, Hsieh and Lin couples the networks.

Weak openings are left out. The paper gives the names of the systems, not their rules; these are the
usual ones.

SAYC           five-card majors, the better minor from three cards, 1NT 15-17, 2NT 20-21,
               2C from 22 points
natural-5542   the same with four diamonds and two clubs: what has neither major nor
               diamonds opens 1C
precision      1C any hand from 16 points; limited to 11-15: five-card majors, 1NT 13-15,
               2C six clubs or five with a four-card major, 2D short in diamonds with
               both majors, else 1D; 2NT 22-23
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bots.library.learning.hands import Hands, lengths, points

Bids = NDArray[np.int64]

PASS, CLUB, DIAMOND, HEART, SPADE, NO_TRUMP = range(6)
TWO_CLUBS, TWO_DIAMONDS, TWO_NO_TRUMP = 6, 7, 10

SAYC, NATURAL, PRECISION = "sayc", "natural-5542", "precision"
SYSTEMS = (SAYC, NATURAL, PRECISION)


def openings(system: str, hands: Hands) -> Bids:
    """Return the first bids of hands, n×52 with the clubs first: 0 for Pass, then 1C to 7NT."""
    if system == PRECISION:
        return _precision(hands)
    return _strong_no_trump(hands, diamonds=4 if system == NATURAL else 3)


def _balanced(held: Bids) -> NDArray[np.bool_]:
    """Return which hands are 4-3-3-3, 4-4-3-2 or 5-3-3-2."""
    no_shortness = (held.min(axis=1) >= 2) & ((held == 2).sum(axis=1) <= 1)
    balanced: NDArray[np.bool_] = no_shortness & (held.max(axis=1) <= 5)
    return balanced


def _longest(held: Bids) -> Bids:
    """Return a bid of one in the longest suit of each hand, the highest of equals."""
    suits: Bids = 4 - held[:, ::-1].argmax(axis=1)
    return suits


def _strong_no_trump(hands: Hands, diamonds: int) -> Bids:
    """Return the first bids with a strong 1NT; 1D promises at least so many `diamonds`."""
    strength, held = points(hands), lengths(hands)
    balanced = _balanced(held)
    minor = np.where(
        (held[:, 1] > held[:, 0]) | ((held[:, 1] == held[:, 0]) & (held[:, 1] >= 4)),
        DIAMOND,
        CLUB,
    )
    minor = np.where(held[:, 1] < diamonds, CLUB, minor)
    suit = np.where(held.max(axis=1) >= 5, _longest(held), minor)
    return np.select(
        [
            strength >= 22,
            balanced & (strength >= 20),
            balanced & (strength >= 15) & (strength <= 17),
            strength >= 12,
        ],
        [TWO_CLUBS, TWO_NO_TRUMP, NO_TRUMP, suit],
        PASS,
    )


def _precision(hands: Hands) -> Bids:
    strength, held = points(hands), lengths(hands)
    clubs, diamonds, hearts, spades = held.T
    balanced, longest = _balanced(held), _longest(held)
    return np.select(
        [
            balanced & (strength >= 22) & (strength <= 23),
            strength >= 16,
            strength < 11,
            (longest >= HEART) & (held.max(axis=1) >= 5),
            balanced & (strength >= 13),
            (diamonds <= 1) & (hearts >= 3) & (spades >= 3),
            (clubs > diamonds)
            & ((clubs >= 6) | ((clubs == 5) & (np.maximum(hearts, spades) == 4))),
            (hearts >= 5) | (spades >= 5),
        ],
        [
            TWO_NO_TRUMP,
            CLUB,
            PASS,
            longest,
            NO_TRUMP,
            TWO_DIAMONDS,
            TWO_CLUBS,
            np.where(spades >= 5, SPADE, HEART),
        ],
        DIAMOND,
    )
