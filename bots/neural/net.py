"""The networks in numpy: the value of each call, what a call told of the hand, and their input.

The first network rates the calls of the player who holds a hand; the differences of ratings are
IMPs. It also estimates how many IMPs the hand will win against the other room. The second network
reads an auction without any hand. It estimates how likely the player who made the last call holds
each number of points and of cards in each suit, and how likely his partner will pass.

The features of the auction are, for each seat clockwise from the viewer, the bids that it made,
doubled and redoubled, and whether it passed before the first bid; then the last bid, the side that
made it, its risk, the passes after it, and the vulnerability. They are those of OpenSpiel's bridge,
with the last bid and what follows it added, which the others imply.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bots.library.learning.arrays import Arrays, read_shipped
from bridge_arena.bots.library.learning.hands import FEATURES, Hands, features
from bridge_arena.bots.library.learning.layers import Exact, Shapes, hidden, layers, linear, rounded
from bridge_arena.bots.library.many_auctions.auctions import BIDS, MARKS, ArrayAuctions, Auctions
from bridge_arena.bots.library.many_auctions.boards import Boards
from bridge_arena.bridge.calls import CALLS

Array = NDArray[np.float32]

FORBIDDEN = np.float32(-1e9)
"""The rating of an illegal call."""

POINTS = 38
"""The numbers of high-card points that a hand may have, from 0."""

LENGTHS = 14
"""The numbers of cards in a suit, from 0."""

SHOWN = POINTS + 4 * LENGTHS
"""The outputs of the second network: logits of the points, then of the length of each suit."""

LAST_BID = 4 * MARKS + 4
"""Where the features of the last bid begin."""

PUBLIC = LAST_BID + BIDS + 2 + 2 + 3 + 2
"""The number of features of an auction.

They are the seats' marks, the passes before the first bid, the last bid, its side (the viewer's,
the other), doubled and redoubled, 1 to 3 passes, and vulnerable (the viewer's side, the other).
"""


_Array = TypeVar("_Array", bound=Any)


def public(auctions: ArrayAuctions[_Array], vulnerable: Any, viewer: int) -> _Array:
    """Return what a seat knows without its cards, n×`PUBLIC` of 0 and 1, uint8.

    `vulnerable` is whether the dealer's side and the other side are, n×2, of the auctions' library.
    """
    library = auctions.library
    clockwise = [(viewer + seat) % 4 for seat in range(4)]
    bid, ours = auctions.last > 0, (auctions.bidder + viewer) % 2 == 0
    passes = library.where(auctions.passes > 3, 3, auctions.passes)
    ends = [
        *(bid & ours, bid & ~ours, auctions.risk == 1, auctions.risk == 2),
        *(passes == number for number in (1, 2, 3)),
        *(vulnerable[:, viewer % 2], vulnerable[:, (viewer + 1) % 2]),
    ]
    parts = [
        auctions.marks[:, clockwise].reshape(-1, 4 * MARKS),
        auctions.opening_passes[:, None] > library.asarray(clockwise),
        library.arange(1, BIDS + 1) == auctions.last[:, None],
        library.stack(ends, 1),
    ]
    features = [library.asarray(part, dtype=library.uint8) for part in parts]
    known: _Array = library.concatenate(features, 1)
    return known


class Nets:
    """Both networks."""

    def __init__(self, weights: Mapping[str, Array]) -> None:
        self.weights = weights
        self._layers = layers(weights)

    @classmethod
    def read(cls, path: Path) -> Nets:
        """Read the networks from a file of weights."""
        arrays = Arrays(path)
        calls = len(arrays.weights("calls.hand.weight", None, FEATURES))
        meanings = len(arrays.weights("meanings.seen.weight", None, PUBLIC))
        shapes: Shapes = {"calls.seen.weight": (calls, PUBLIC)}
        shapes |= linear("calls.hand", FEATURES, calls) | linear("calls.out", calls, len(CALLS))
        shapes |= linear("calls.value", calls, 1) | hidden("calls.hidden", calls, arrays.names)
        shapes |= linear("meanings.seen", PUBLIC, meanings) | linear(
            "meanings.out", meanings, SHOWN
        )
        shapes |= hidden("meanings.hidden", meanings, arrays.names)
        if "passed.weight" in arrays.names:
            shapes |= linear("passed", meanings + PUBLIC, 1)
        return cls({name: arrays.weights(name, *shape) for name, shape in shapes.items()})

    def ratings(self, hands: Hands, known: NDArray[np.uint8]) -> Array:
        """Return the ratings in IMPs of all calls, legal or not, n×38; only differences count."""
        return self._layers["calls.out"](self._torso(hands, known)).astype(np.float32)

    def value(self, hands: Hands, known: NDArray[np.uint8]) -> Array:
        """Return the IMPs that the hands are expected to win, n."""
        value = self._layers["calls.value"](self._torso(hands, known))
        return value[:, 0].astype(np.float32)

    def shown(self, known: NDArray[np.uint8]) -> Array:
        """Return logits of what the hands hold that made the last calls."""
        return self._layers["meanings.out"](self._meant(known)).astype(np.float32)

    def passed(self, known: NDArray[np.uint8]) -> Array:
        """Return how likely partner passes the last call after a pass in between, n."""
        # Networks that have not learned it say that he may always pass.
        if "passed" not in self._layers:
            return np.ones(len(known), np.float32)
        logits = rounded(self._layers["passed"](self.understood(known))[:, 0])
        return (1 / (1 + rounded(np.exp(-logits.clip(-30, 30))))).astype(np.float32)

    def understood(self, known: NDArray[np.uint8]) -> Exact:
        """Return the last layer of the second network and what it saw, n×(width + `PUBLIC`)."""
        return np.hstack([self._meant(known), known])

    def calls(self, boards: Boards, auctions: Auctions) -> NDArray[np.integer]:
        """Return the legal calls that are rated highest (`many_auctions.boards.Caller`)."""
        seat = auctions.turn
        known = public(auctions, boards.vulnerable, seat)
        return self.best(boards.hands[:, seat], known, auctions)

    def best(
        self, hands: Hands, known: NDArray[np.uint8], auctions: Auctions
    ) -> NDArray[np.integer]:
        """Return the legal calls that are rated highest."""
        ratings = self.ratings(hands, known)
        best: NDArray[np.integer] = np.where(auctions.legal(), ratings, FORBIDDEN).argmax(axis=1)
        return best

    def _torso(self, hands: Hands, known: NDArray[np.uint8]) -> Exact:
        x = self._layers["calls.hand"](features(hands)) + self._layers["calls.seen"](known)
        return self._deep("calls", np.maximum(x, 0))

    def _meant(self, known: NDArray[np.uint8]) -> Exact:
        return self._deep("meanings", np.maximum(self._layers["meanings.seen"](known), 0))

    def _deep(self, name: str, x: Exact) -> Exact:
        layer = 0
        while hidden := self._layers.get(f"{name}.hidden.{layer}"):
            x = x + np.maximum(hidden(x), 0)
            layer += 1
        return x


@lru_cache(maxsize=1)
def shipped() -> Nets:
    """Return the networks that ship."""
    return read_shipped("bridge_arena.bots.neural", Nets.read)
