"""The step from learned values to the table that ships: its calls and their meanings."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bots.library.learning.hands import Hands, points_and_lengths, random_pairs
from bridge_arena.bots.qtable.bidding_table import BiddingTable
from bridge_arena.bots.qtable.calls import FIRST, STEPS, TURNS, contract_after, steps_of
from bridge_arena.bots.qtable.cells import CELLS, cells, opening_steps
from bridge_arena.bots.qtable.tiles import Values, best_steps, tiles_of_cells

AUCTIONS = 1_000_000
"""Pairs of hands that are bid to see what the calls mean."""

OUTSIDE = 1 / 400
"""The share of hands that a range leaves out at either end."""

_RARE = 20
"""The number of times that a situation must occur to be kept."""


def table_of(
    values: Values, openings: NDArray[np.int8], rng: np.random.Generator, pairs: int
) -> BiddingTable:
    """Return the table of the steps with the highest values.

    It has the situations that random pairs of hands reach often enough.

    Args:
        values: The learned values.
        openings: The opening step of each of Prorok's states.
        rng: The generator that deals the pairs.
        pairs: How many pairs are bid.

    Returns:
        The table.
    """
    east, west = random_pairs(rng, pairs)
    held = (cells(west), cells(east))
    tiles_of, _ = tiles_of_cells()
    place = opening_steps(east, openings)
    made = np.full((pairs, TURNS), -1, np.int64)
    made[:, 0] = place
    going = np.arange(pairs)
    known: list[int] = []
    steps: list[NDArray[np.uint8]] = []
    for turn in range(1, TURNS):
        numbers, which, often = np.unique(
            FIRST[turn] + place[going], return_inverse=True, return_counts=True
        )
        kept = often >= _RARE
        found = np.zeros((len(numbers), CELLS), np.uint8)
        for row in np.flatnonzero(kept):
            contract = contract_after(steps_of(int(numbers[row])))
            found[row] = best_steps(values, tiles_of, int(numbers[row]), contract)
            known.append(int(numbers[row]))
            steps.append(found[row])
        chosen = found[which, held[turn == 2][going]].astype(np.int64)
        chosen = np.where(kept[which], chosen, 0)
        made[going, turn] = np.where(kept[which], chosen, -1)
        place[going] = place[going] * STEPS + chosen
        going = going[chosen > 0]
    number = len(known) + 1
    table = BiddingTable(
        openings,
        np.array(known, np.int16),
        np.array(steps),
        np.zeros((number, STEPS), np.int32),
        np.zeros((number, STEPS, 5, 2), np.uint8),
        np.zeros((number, STEPS), np.float32),
    )
    seen, ranges, passed = meanings(east, west, made, table)
    return replace(table, seen=seen, ranges=ranges, passed=passed)


def meanings(
    east: Hands, west: Hands, made: NDArray[np.int64], table: BiddingTable
) -> tuple[NDArray[np.int32], NDArray[np.uint8], NDArray[np.float32]]:
    """Return `seen`, `ranges` and `passed` of a table, from auctions.

    Args:
        east: The openers' hands, n×52.
        west: The responders' hands, n×52.
        made: The steps of their auctions, n×4; -1 if none is made or the situation is not known.
        table: The table, with its situations.

    Returns:
        The three arrays.
    """
    rows = table.rows() + 1
    seen, ranges = np.zeros_like(table.seen), np.zeros_like(table.ranges)
    passed = np.zeros_like(table.passed)
    of_east, of_west = points_and_lengths(east), points_and_lengths(west)
    place = np.zeros(len(made), np.int64)
    for turn in range(TURNS):
        row = rows[FIRST[turn] + place] if turn else np.zeros(len(made), np.int64)
        here = (made[:, turn] >= 0) & ((row > 0) if turn else True)
        if not here.any():
            break
        measured = of_west if turn % 2 else of_east
        key = (row * STEPS + made[:, turn])[here]
        order = np.argsort(key, kind="stable")
        held = measured[here][order]
        starts = np.flatnonzero(np.diff(key[order], prepend=-1))
        following = made[here][order, turn + 1] if turn + 1 < TURNS else np.zeros(len(key))
        for first, last in zip(starts, [*starts[1:], len(key)], strict=True):
            at = divmod(int(key[order[first]]), STEPS)
            seen[at] = last - first
            ends = np.sort(held[first:last], axis=0)
            outside = int((last - first) * OUTSIDE)
            ranges[at] = np.stack([ends[outside], ends[-1 - outside]], axis=1)
            passed[at] = (following[first:last] <= 0).mean()
        place = place * STEPS + np.maximum(made[:, turn], 0)
    return seen, ranges, passed
