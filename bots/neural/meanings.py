"""What calls told of the hands that made them, by the second network: ranges, and a few words."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bots.library.learning.layers import rounded
from bridge_arena.bots.library.many_auctions.auctions import BIDS, MARKS
from bridge_arena.bots.neural.net import LAST_BID, LENGTHS, POINTS, Nets
from bridge_arena.bridge.calls import DENOMINATIONS, DOUBLE, FIRST_BID, PASS, REDOUBLE, Call
from bridge_arena.bridge.cards import SUITS
from bridge_arena.bridge.explanation import Explanation, Range

SELDOM = 0.005
"""The share of hands at either end that a range leaves out: with five ranges, 5 % in all."""

_LIKELY = 0.9
"""The probability from which the text of a call says something of the hand."""

_SUIT = 3
"""The fewest cards of a suit that a natural bid shows: some open a minor suit with three."""

FORCING = 0.02
"""The probability of partner's pass below which a call is told to be forcing."""

_STRONG, _WEAK = 15, 10
"""The fewest points of a strong hand, and the most of a weak one."""

Odds = NDArray[np.float64]
"""The odds of each number of points, or of cards in a suit, n×values; they sum to 1."""


def explanations(nets: Nets, calls: list[Call], known: NDArray[np.uint8]) -> list[Explanation]:
    """Return the explanations of some calls."""
    logits = nets.shown(known)
    points = _odds(logits[:, :POINTS])
    suits = [
        _odds(logits[:, start : start + LENGTHS])
        for start in range(POINTS, logits.shape[1], LENGTHS)
    ]
    promised = _ranges(points)
    lengths = [_ranges(odds) for odds in suits]
    passed = nets.passed(known)
    explained: list[Explanation] = []
    for row, call in enumerate(calls):
        trump = call.denomination.trump if call >= FIRST_BID else None
        artificial = trump is not None and bool(suits[trump][row, :_SUIT].sum() > 1 - _LIKELY)
        explained.append(
            Explanation(
                _text(
                    call,
                    points[row],
                    [odds[row] for odds in suits],
                    known[row],
                    artificial=artificial,
                ),
                hcp=promised[row],
                lengths={suit: lengths[suit][row] for suit in SUITS},
                forcing=bool(call != PASS and passed[row] < FORCING),
                artificial=artificial,
            )
        )
    return explained


def _text(
    call: Call, points: Odds, suits: list[Odds], known: NDArray[np.uint8], *, artificial: bool
) -> str:
    """Return what a call says, in words."""
    strength = ""
    if points[_STRONG:].sum() >= _LIKELY:
        strength = "strong"
    elif points[: _WEAK + 1].sum() >= _LIKELY:
        strength = "weak"
    return ", ".join(filter(None, [_kind(call, suits, known, artificial=artificial), strength]))


def _kind(call: Call, suits: list[Odds], known: NDArray[np.uint8], *, artificial: bool) -> str:
    """Return the kind of a call; empty for a pass."""
    if call in (DOUBLE, REDOUBLE):
        (last,) = np.flatnonzero(known[LAST_BID : LAST_BID + BIDS])[:1]
        trump = DENOMINATIONS[last % 5].trump
        short = trump is not None and suits[trump][:_SUIT].sum() >= _LIKELY
        return "takeout" if short and call == DOUBLE else "values"
    if call == PASS:
        return ""
    if artificial:
        return "artificial"
    if call.denomination.trump is None:
        return "notrump"
    named = slice(int(call.denomination), BIDS, 5)
    partner, own = known[2 * MARKS :][named], known[named]
    if partner.any():
        return "raise"
    return "rebid" if own.sum() > 1 else "natural"


def _odds(logits: NDArray[np.float32]) -> Odds:
    odds = rounded(np.exp((logits - logits.max(axis=1, keepdims=True)).astype(np.float64)))
    normal: Odds = odds / odds.sum(axis=1, keepdims=True)
    return normal


def _ranges(odds: Odds) -> list[Range]:
    """Return the range of values, from 0 on, that is left when both ends are cut off."""
    below = np.cumsum(odds, axis=1)
    low = (below < SELDOM).sum(axis=1)
    high = (below < 1 - SELDOM).sum(axis=1).clip(max=odds.shape[1] - 1)
    return [(int(least), int(most)) for least, most in zip(low, high, strict=True)]
