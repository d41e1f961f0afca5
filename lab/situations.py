"""What came before the call at which auctions part, in the words of bridge players."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bridge.calls import CALLS, DOUBLE, FIRST_BID, PASS, Call
from bridge_arena.lab.facets import Facet
from bridge_arena.lab.partings import Partings

Truth = NDArray[np.bool_]

_OPENINGS = ("1m", "1M", "1NT", "2C", "2D/2H/2S", "2NT", "3C+")

_LOWEST = [Call(text) for text in ("1C", "1H", "1NT", "2C", "2D", "2NT", "3C")]
"""The lowest bid of each kind of opening."""

_NOTRUMP = np.array([bid.is_bid and bid.denomination.trump is None for bid in CALLS])


def situations(partings: Partings) -> Facet:
    """Return the situation of the player whose call differs."""
    every, calls = np.arange(len(partings)), partings.own.calls
    before = np.arange(calls.shape[1]) < partings.turns[:, None]
    bids = before & (calls >= FIRST_BID)
    opened: Truth = np.asarray(bids.any(axis=1))
    at = bids.argmax(axis=1)  # the place of the opening bid, if there is one
    cases = dict(_cases(partings, opened, at))
    case = np.argmax(list(cases.values()), axis=0)
    kind = np.searchsorted(_LOWEST, calls[every, at], side="right") - 1
    texts = [text.format(opening) for text in cases for opening in _OPENINGS]
    return Facet("After what", len(_OPENINGS) * case + np.where(opened, kind, 0), texts)


def _cases(partings: Partings, opened: Truth, at: NDArray[np.int64]) -> Iterator[tuple[str, Truth]]:
    """Yield situations and where they are; the first that fits counts, and one always fits.

    In the texts, {} stands for the opening bid.
    """
    calls, turns, every = partings.own.calls, partings.turns, np.arange(len(partings))
    # Without meaning where there are not so many calls.
    right, partner, opening = calls[every, turns - 1], calls[every, turns - 2], calls[every, at]
    since = turns - at  # 1 at the first call after the opening
    yield "a call of the opponents", ~partings.is_own
    for place, seat in enumerate(("1st", "2nd", "3rd", "4th")):
        yield f"opening in {seat} seat", ~opened & (turns == place)

    ours = since % 2 == 0
    response = since == 2
    yield "response to {}", response & (right == PASS)
    yield "response to {}, doubled", response & (right == DOUBLE)
    yield "response to {}, overcalled", response
    rebid = since == 4
    yield "opener's rebid after {} and no response", rebid & (partner == PASS)
    yield "opener's rebid after {} and a double", rebid & (partner < FIRST_BID)
    yield "opener's rebid after {} and a raise", rebid & ((partner - opening) % 5 == 0)
    yield "opener's rebid after {} and notrump", rebid & _NOTRUMP[partner]
    yield "opener's rebid after {} and a new suit", rebid
    yield "responder's rebid after {}", since == 6
    yield "later, after our {}", ours

    places = np.arange(calls.shape[1])
    since_opened = (places > at[:, None]) & (places < turns[:, None])
    acts = since_opened & (calls > PASS) & ((turns[:, None] - places) % 2 == 0)
    silent = ~acts.any(axis=1)
    yield "over their {}", silent & (since == 1)
    yield "balancing over their {}", silent & (right == PASS) & (partner == PASS)
    yield "over their {} and a response", silent & (since == 3)
    yield "over their {} and a rebid", silent
    first = turns - acts.argmax(axis=1) == 2
    yield "after partner's double of their {}", first & (partner == DOUBLE)
    yield "after partner's overcall of their {}", first
    yield "later, after their {}", np.ones(len(every), np.bool_)
