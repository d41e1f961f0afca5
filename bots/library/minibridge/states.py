"""The state of a game as Hadjur's agents see it (2018, section 5.1), as one int.

Bits 0-23 are the cards of the trick in progress: six bits for each place, from declarer on, each
holding card + 1. Bits 24-35 are the aces, kings and queens of the earlier tricks, three bits a
suit. Bits 36-43 are the aces and kings that declarer and dummy hold, two bits a suit; they are left
out if the hands are unknown. As in the paper, the state does not say which of the two is to lead.
Places are counted from declarer (the paper's are compass points).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bots.library.minibridge import Seen
from bridge_arena.bots.library.minibridge.contracts import DECLARER, DUMMY
from bridge_arena.bots.library.minibridge.game import Game
from bridge_arena.bridge.play import Play

BITS = 44

_WITHOUT_HANDS = (1 << 36) - 1


def state_of(game: Game) -> int:
    """Return the state of a game, with the hands."""
    return packed(game.shown, game.past, game.hands[DECLARER] | game.hands[DUMMY])


def packed(shown: int, past: int, hands: int) -> int:
    """Return the state of the cards shown in the trick, the cards past, and the hands.

    Args:
        shown: The trick in progress, as in `Game.shown`.
        past: The set of cards of the earlier tricks.
        hands: The set of cards that declarer and dummy hold.

    Returns:
        The state with the hands.
    """
    tops = past >> 10 & 0o7 | past >> 20 & 0o70 | past >> 30 & 0o700 | past >> 40 & 0o7000
    honours = hands >> 11 & 0x3 | hands >> 22 & 0xC | hands >> 33 & 0x30 | hands >> 44 & 0xC0
    return shown | tops << 24 | honours << 36


def as_seen(state: int, seen: Seen) -> int:
    """Return the state, without the hands if they are unknown."""
    return state if seen == "known" else state & _WITHOUT_HANDS


def all_as_seen(states: NDArray[np.uint64], seen: Seen) -> NDArray[np.uint64]:
    """Return an array of states, without the hands if they are unknown."""
    return states if seen == "known" else states & np.uint64(_WITHOUT_HANDS)


def state_at_table(play: Play, hands: int) -> int:
    """Return the state, with the hands, of a play at notrump.

    Args:
        play: The play.
        hands: The set of cards that declarer and dummy hold.

    Returns:
        The state.
    """
    shown = past = 0
    for turn, card in enumerate(play.trick):
        shown |= card + 1 << 6 * ((play.leader + turn - play.declarer) % 4)
    for trick in play.tricks:
        for card in trick.cards:
            past |= 1 << card
    return packed(shown, past, hands)
