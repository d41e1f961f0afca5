"""How well somebody declares: MiniBridge deals that nobody learns from, played out."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count, islice
from random import Random

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bots.library.minibridge.contracts import MiniDeal, random_deal
from bridge_arena.bots.library.minibridge.defence import DEFENCES, Defence
from bridge_arena.bots.library.minibridge.game import Game, Player, play_out
from bridge_arena.bots.library.minibridge.games import stream

TESTED = 500
"""Test deals that the curve of a training is measured on."""

_TEST = 2**32 - 1
"""The seed of the test deals, which no training can have."""


def play_stream(seed: int, number: int) -> Random:
    """The random choices in the play of a test deal, whose seeds are no others' nor `_TEST`."""
    return stream(2**31 + seed % (2**31 - 1), number)


def deals_to_test(number: int, start: int = 0) -> list[MiniDeal]:
    """So many of the test deals, from number `start` on: always the same ones."""
    return [random_deal(stream(_TEST, each)) for each in islice(count(start), number)]


def margins(
    deals: Iterable[MiniDeal], declarer: Player, defence: Defence, seed: int
) -> NDArray[np.int64]:
    """The tricks above the contract on each deal, negative where it is lost. `seed`: of the
    random choices in the play, 0..2**31-1."""
    defend = DEFENCES[defence]
    return np.array(
        [
            play_out(Game(deal.hands), declarer, defend, play_stream(seed, number)) - deal.target
            for number, deal in enumerate(deals)
        ],
        np.int64,
    )
