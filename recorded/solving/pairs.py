"""North's and South's hands of solved deals, with the costs of contracts over the layouts."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bots.library.learning.hands import spades_first
from bridge_arena.bots.library.learning.pairs import Pairs
from bridge_arena.bots.library.learning.scores import costs_of
from bridge_arena.bridge.seats import Seat
from bridge_arena.oracle.solved_deals import SolvedDealsError, read

_PARTNERS = (Seat.NORTH, Seat.SOUTH)


def pairs_of(paths: Iterable[Path], layouts: int = 1, deals: int | None = None) -> Pairs:
    """Return the pairs of the first deals of files that hold whole deals.

    Args:
        deals: The number of deals; all of them if None.

    Raises:
        SolvedDealsError: A file is damaged or empty, or its deals have another number of layouts.
        OSError: A file cannot be read.
    """
    hands: list[np.ndarray] = []
    costs: list[np.ndarray] = []
    for path in paths:
        parts = list(read([path]))
        if not parts:
            raise SolvedDealsError(f"there are no solved deals in {path}")
        seats = np.concatenate([part.seats for part in parts])
        held = np.stack([spades_first(seats == int(seat)) for seat in _PARTNERS], axis=1)
        if not _are_in_groups(held, layouts):
            raise SolvedDealsError(f"{path}: not every deal has {layouts} layouts")
        hands.append(held[::layouts])
        tricks = np.concatenate([part.tricks for part in parts]).reshape(-1, layouts, 5, 4)
        costs.append(costs_of(tricks[..., _PARTNERS]))
    return Pairs(
        np.concatenate(hands)[:deals].astype(np.uint8),
        np.concatenate(costs)[:deals].astype(np.float32),
    )


def _are_in_groups(held: NDArray[np.bool_], size: int) -> bool:
    """Return whether rows come in groups of some size: alike in a group, not in the next."""
    same = (held[1:] == held[:-1]).all(axis=(1, 2))
    return len(held) % size == 0 and bool((same == (np.arange(1, len(held)) % size != 0)).all())
