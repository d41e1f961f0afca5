"""What Hadjur's agents see of a game (2018, section 5.1), as one int.

Bits 0-23 are the cards of the trick in progress, six bits a place from declarer on, each card + 1;
bits 24-35 the aces, kings and queens of the tricks before, three bits a suit; bits 36-43 the
aces and kings that declarer and dummy hold, two bits a suit. The last are left out where hands
are unknown. Which of the two is to lead is not told, as in the paper; places are seen from
declarer (the paper's are compass points).
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bots.library.minibridge.contracts import DECLARER, DUMMY
from bridge_arena.bots.library.minibridge.game import Game
from bridge_arena.bridge.play import Play

Seen = Literal["known", "unknown"]
"""Whether the hands are seen."""

BITS = 44

FEATURES = 228
"""Of a state as a network sees it: hands 8, the trick 4×52, the tricks before 12."""

_WITHOUT_HANDS = (1 << 36) - 1


def state_of(game: Game) -> int:
    """The state, with the hands."""
    return packed(game.shown, game.past, game.hands[DECLARER] | game.hands[DUMMY])


def packed(shown: int, past: int, hands: int) -> int:
    """The state of cards shown in the trick (`Game.shown`), and of two sets of cards."""
    tops = past >> 10 & 0o7 | past >> 20 & 0o70 | past >> 30 & 0o700 | past >> 40 & 0o7000
    honours = hands >> 11 & 0x3 | hands >> 22 & 0xC | hands >> 33 & 0x30 | hands >> 44 & 0xC0
    return shown | tops << 24 | honours << 36


def as_seen(state: int, seen: Seen) -> int:
    """The state, without the hands where they are unknown."""
    return state if seen == "known" else state & _WITHOUT_HANDS


def all_as_seen(states: NDArray[np.uint64], seen: Seen) -> NDArray[np.uint64]:
    """Likewise of an array."""
    return states if seen == "known" else states & np.uint64(_WITHOUT_HANDS)


def state_at_table(play: Play, hands: int) -> int:
    """The state, with the hands, of a play at notrump. `hands`: what declarer and dummy hold."""
    shown = past = 0
    for turn, card in enumerate(play.trick):
        shown |= card + 1 << 6 * ((play.leader + turn - play.declarer) % 4)
    for trick in play.tricks:
        for card in trick.cards:
            past |= 1 << card
    return packed(shown, past, hands)


def features(states: NDArray[np.uint64]) -> NDArray[np.float32]:
    """States as a network sees them, n×`FEATURES` of 0 and 1."""
    found = np.zeros((len(states), FEATURES), np.float32)
    for bit in range(8):
        found[:, bit] = states >> np.uint64(36 + bit) & np.uint64(1)
    for bit in range(12):
        found[:, 216 + bit] = states >> np.uint64(24 + bit) & np.uint64(1)
    for place in range(4):
        cards = (states >> np.uint64(6 * place) & np.uint64(63)).astype(np.int64)
        rows = np.flatnonzero(cards)
        found[rows, 8 + 52 * place + cards[rows] - 1] = 1
    return found
