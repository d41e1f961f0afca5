"""Learning by tiles, the improved tables, compiled, with random numbers of its own.

The value of a step in a situation is a sum over five tables (tile coding: Sutton and Barto,
Reinforcement Learning, 9.5.4). One is indexed by the strength of the hand, one by its shape, one by
its strength and major suits, one by its strength and minor suits, one by its strength and pattern.
So what is learned from a hand also counts for similar ones.

The points of every contract of an example are known. So an example teaches every step, in each
situation of its auction, what the step would have led to, when the auction is continued by the
current values. The rate and the exploration fall in the course of learning.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

from bridge_arena.bots.qtable.calls import FIRST, SITUATIONS, STEPS, TOP, TURNS
from bridge_arena.bots.qtable.cells import ALL_SHAPES, CELLS, LEVELS
from bridge_arena.bots.qtable.examples import SCALE

State = NDArray[np.uint64]
"""One number that is not 0; every draw changes it."""

_FACTOR = np.uint64(2685821657736338717)

Values = NDArray[np.float32]
"""Ten times the points, by row of the five tables, situation and step."""


def new_state(rng: np.random.Generator) -> State:
    """Return the state from which a sequence of random numbers begins."""
    return rng.integers(1, 2**63, size=1, dtype=np.uint64)


@njit(cache=True)
def below(state: State, size: int) -> int:
    """Return a number from 0 to size - 1, by xorshift64* (Vigna, 2016); `size` is at most 2**31."""
    x = state[0]
    x ^= x >> np.uint64(12)
    x ^= x << np.uint64(25)
    x ^= x >> np.uint64(27)
    state[0] = x
    high = (x * _FACTOR) >> np.uint64(32)
    return int(np.int64((high * np.uint64(size)) >> np.uint64(32)))


@dataclass(frozen=True, slots=True)
class TileSettings:
    """The settings at the beginning of learning."""

    rate: float = 0.3
    exploration: float = 0.3  # the probability of a random call


def tiles_of_cells() -> tuple[NDArray[np.int32], int]:
    """Return the rows of each cell in the five tables, which stand one after the other."""
    shape = np.repeat(np.array(ALL_SHAPES), LEVELS, axis=0)
    level = np.tile(np.arange(LEVELS), len(ALL_SHAPES))
    number = np.repeat(np.arange(len(ALL_SHAPES)), LEVELS)
    spades, hearts, diamonds, clubs = np.minimum(shape, 7).T
    patterns = np.unique(np.sort(shape, axis=1), axis=0, return_inverse=True)[1].ravel()
    tables = (
        level,
        number,
        (level // 2 * 8 + spades) * 8 + hearts,
        (level // 2 * 8 + diamonds) * 8 + clubs,
        level // 3 * (patterns.max() + 1) + patterns,
    )
    rows = np.zeros((CELLS, len(tables)), np.int32)
    first = 0
    for place, table in enumerate(tables):
        rows[:, place] = first + table
        first += int(table.max()) + 1
    return rows, first


def new_values(rows: int) -> Values:
    """Return the tables before learning; memory is used only as they fill, 0.8 GB at most."""
    return np.zeros((rows, SITUATIONS, STEPS), np.float32)


@njit(cache=True, fastmath=True)
def _sum(
    values: Values, situation: int, tiles: NDArray[np.int32], total: NDArray[np.float32]
) -> None:
    for step in range(STEPS):
        total[step] = 0
    for tile in tiles:
        row = values[tile, situation]
        for step in range(STEPS):
            total[step] += row[step]


@njit(cache=True)
def _best(total: NDArray[np.float32], count: int) -> int:
    best = 0
    for step in range(1, count):
        if total[step] > total[best]:
            best = step
    return best


@njit(cache=True, fastmath=True)
def _teach(
    values: Values,
    situation: int,
    tiles: NDArray[np.int32],
    missed: NDArray[np.float32],
    count: int,
    rate: float,
) -> None:
    for tile in tiles:
        row = values[tile, situation]
        for step in range(count):
            row[step] += np.float32(rate) * missed[step]


@njit(cache=True)
def learn(
    values: Values,
    tiles_of: NDArray[np.int32],
    opened: NDArray[np.int8],
    east: NDArray[np.int32],
    west: NDArray[np.int32],
    scores: NDArray[np.int16],
    number: int,
    begin: tuple[float, float],
    end: tuple[float, float],
    state: State,
) -> float:
    """Learn from `number` examples taken at random, and change `values`.

    `begin` and `end` are the rate and the exploration at the first example and after the last. The
    mean points of the examples, with the exploration of the response, are returned.
    """
    reached = 0.0
    here = np.zeros(STEPS, np.float32)
    after = np.zeros(STEPS, np.float32)
    last = np.zeros(STEPS, np.float32)
    missed = np.zeros(STEPS, np.float32)
    for done in range(number):
        share = done / number
        rate = (begin[0] + (end[0] - begin[0]) * share) / tiles_of.shape[1]
        exploring = int(2**20 * (begin[1] + (end[1] - begin[1]) * share))
        example = below(state, len(east))
        score = scores[example]
        opener = tiles_of[east[example]]
        responder = tiles_of[west[example]]

        # The response.
        contract = int(opened[example])
        place = contract
        count = min(STEPS, TOP - contract + 1)
        _sum(values, FIRST[1] + place, responder, here)
        missed[0] = score[contract] - here[0]
        for step in range(1, count):
            bid = contract + step
            _sum(values, FIRST[2] + place * STEPS + step, opener, after)
            rebid = _best(after, min(STEPS, TOP - bid + 1))
            final = bid + rebid
            if rebid > 0:
                _sum(values, FIRST[3] + (place * STEPS + step) * STEPS + rebid, responder, last)
                final += _best(last, min(STEPS, TOP - final + 1))
            missed[step] = score[final] - here[step]
        step = below(state, count) if below(state, 2**20) < exploring else _best(here, count)
        reached += here[step] + missed[step]
        _teach(values, FIRST[1] + place, responder, missed, count, rate)
        contract += step
        if step == 0 or contract == TOP:
            continue

        # The rebid.
        place = place * STEPS + step
        count = min(STEPS, TOP - contract + 1)
        _sum(values, FIRST[2] + place, opener, here)
        missed[0] = score[contract] - here[0]
        for step in range(1, count):
            bid = contract + step
            _sum(values, FIRST[3] + place * STEPS + step, responder, last)
            missed[step] = score[bid + _best(last, min(STEPS, TOP - bid + 1))] - here[step]
        step = below(state, count) if below(state, 2**20) < exploring else _best(here, count)
        _teach(values, FIRST[2] + place, opener, missed, count, rate)
        contract += step
        if step == 0 or contract == TOP:
            continue

        # The last call.
        place = place * STEPS + step
        count = min(STEPS, TOP - contract + 1)
        _sum(values, FIRST[3] + place, responder, here)
        for step in range(count):
            missed[step] = score[contract + step] - here[step]
        _teach(values, FIRST[3] + place, responder, missed, count, rate)
    return reached / (SCALE * number)


@njit(cache=True)
def bid(
    values: Values,
    tiles_of: NDArray[np.int32],
    opened: NDArray[np.int8],
    east: NDArray[np.int32],
    west: NDArray[np.int32],
) -> NDArray[np.int8]:
    """Return the contract of each example without exploration, n."""
    contracts = np.zeros(len(east), np.int8)
    total = np.zeros(STEPS, np.float32)
    for example in range(len(east)):
        contract = int(opened[example])
        place = contract
        for turn in range(1, TURNS):
            cell = east[example] if turn == 2 else west[example]
            _sum(values, FIRST[turn] + place, tiles_of[cell], total)
            step = _best(total, min(STEPS, TOP - contract + 1))
            contract += step
            if step == 0 or contract == TOP:
                break
            place = place * STEPS + step
        contracts[example] = contract
    return contracts


@njit(cache=True)
def best_steps(
    values: Values, tiles_of: NDArray[np.int32], situation: int, contract: int
) -> NDArray[np.uint8]:
    """Return the step of the highest value of each cell in a situation."""
    count = min(STEPS, TOP - contract + 1)
    steps = np.empty(len(tiles_of), np.uint8)
    total = np.empty(STEPS, np.float32)
    for cell in range(len(tiles_of)):
        _sum(values, situation, tiles_of[cell], total)
        steps[cell] = _best(total, count)
    return steps
