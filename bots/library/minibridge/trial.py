"""The test of a declarer: MiniBridge deals that no training uses, played out."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count, islice
from random import Random

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bots.library.minibridge import Defence
from bridge_arena.bots.library.minibridge.contracts import MiniDeal, random_deal
from bridge_arena.bots.library.minibridge.defence import DEFENCES
from bridge_arena.bots.library.minibridge.game import Game, Player, play_out
from bridge_arena.bots.library.minibridge.games import stream

TESTED = 500
"""The test deals on which the curve of a training is measured."""

_TEST = 2**32 - 1
"""The seed of the test deals, which no training can have."""


def play_stream(seed: int, number: int) -> Random:
    """Return the random numbers of the play of a test deal, apart from those of all deals."""
    return stream(2**31 + seed % (2**31 - 1), number)


def deals_to_test(number: int, start: int = 0) -> list[MiniDeal]:
    """Return test deals from number `start` on; they are always the same ones."""
    return [random_deal(stream(_TEST, each)) for each in islice(count(start), number)]


def margins(
    deals: Iterable[MiniDeal], declarer: Player, defence: Defence, seed: int
) -> NDArray[np.int64]:
    """Return the tricks above the contract on each deal, negative if it is lost.

    Args:
        deals: The deals, in their order from test deal 0 on.
        declarer: The player of declarer's and dummy's cards.
        defence: How the defenders play.
        seed: The seed of the random choices in the play, 0 to 2**31 - 1.

    Returns:
        One number for each deal.
    """
    defend = DEFENCES[defence]
    return np.array(
        [
            play_out(Game(deal.hands), declarer, defend, play_stream(seed, number)) - deal.target
            for number, deal in enumerate(deals)
        ],
        np.int64,
    )
