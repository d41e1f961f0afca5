"""Prorok's learning, as he describes it (Large Scale Q-tables, section 3), compiled.

The tables hold whole numbers of 16 bits, ten times the points: for all situations they take
286 MB, which with his 700,000 deals makes the 348 MB that he states. A step of learning adds
rate × (score - value), shifted right by ten bits: it rounds down, so that a value falls by 1
at the least when the score is lower, and stays when it is not higher by 1024 / rate. The same
tables may hold floats, which do not round.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

from bridge_arena.bots.qtable.calls import FIRST, SITUATIONS, STEPS, TOP, TURNS
from bridge_arena.bots.qtable.classes import STATES
from bridge_arena.bots.qtable.examples import SCALE
from bridge_arena.bots.qtable.randomness import State, below

Values = NDArray[np.int16] | NDArray[np.float32]
"""Of each situation, state and step."""


@dataclass(frozen=True, slots=True)
class Settings:
    """`rate`: of learning, in 1/1024. `exploration`: the chance of a random call, in
    thousandths. `east`, `west`: the values before anything is learned, in points."""

    rate: int = 20
    exploration: int = 50
    east: int = -100
    west: int = -200


def new_values(settings: Settings) -> Values:
    """The tables before learning."""
    values = np.full((SITUATIONS, STATES, STEPS), settings.west * SCALE, np.int16)
    values[FIRST[2] : FIRST[3]] = settings.east * SCALE
    return values


@njit(cache=True)
def best(row: Values, count: int, state: State) -> int:
    """A step of the highest value, among the first `count`; of equals, one at random."""
    most = row[0]
    for step in range(1, count):
        most = max(most, row[step])
    last = 0
    equal = 0
    for step in range(count):
        if row[step] == most:
            equal += 1
            last = step
    if equal > 1:
        skipped = below(state, equal)
        for step in range(count):
            if row[step] == most:
                if skipped == 0:
                    return step
                skipped -= 1
    return last


@njit(cache=True)
def learn(
    values: Values,
    opening: NDArray[np.int8],
    east: NDArray[np.int16],
    west: NDArray[np.int16],
    scores: NDArray[np.int16],
    number: int,
    rate: int,
    exploration: int,
    rounding: bool,  # noqa: FBT001
    state: State,
) -> float:
    """Learn from `number` examples, taken at random; the mean of their points, with the
    exploration.

    `opening`: the step of each state. `east`, `west`: the states of the examples; `scores`:
    see `Examples`. `rate`, `exploration`: see `Settings`. `rounding`: as whole numbers do;
    without it the values must be floats.
    """
    total = 0
    size = len(east)
    situations = np.zeros(TURNS, np.int64)
    states = np.zeros(TURNS, np.int64)
    steps = np.zeros(TURNS, np.int64)
    for _ in range(number):
        example = below(state, size)
        contract = int(opening[east[example]])
        place = contract
        turn = 1
        while True:
            situations[turn] = FIRST[turn] + place
            states[turn] = east[example] if turn == 2 else west[example]
            count = min(STEPS, TOP - contract + 1)
            if below(state, 1000) < exploration:
                step = below(state, count)
            else:
                step = best(values[situations[turn], states[turn]], count, state)
            steps[turn] = step
            contract += step
            turn += 1
            if step == 0 or turn == TURNS or contract == TOP:
                break
            place = place * STEPS + step
        score = int(scores[example, contract])
        total += score
        for made in range(1, turn):
            row = values[situations[made], states[made]]
            value = row[steps[made]]
            if rounding:
                row[steps[made]] = value + ((rate * (score - int(value))) >> 10)
            else:
                row[steps[made]] = value + rate * (score - value) / 1024
    return total / (SCALE * number)


@njit(cache=True)
def bid(
    values: Values,
    opening: NDArray[np.int8],
    east: NDArray[np.int16],
    west: NDArray[np.int16],
    state: State,
) -> NDArray[np.int8]:
    """The steps of each auction without exploration, n×4, -1 where none is made."""
    made = np.full((len(east), TURNS), -1, np.int8)
    for example in range(len(east)):
        contract = int(opening[east[example]])
        made[example, 0] = contract
        place = contract
        for turn in range(1, TURNS):
            hand = east[example] if turn == 2 else west[example]
            count = min(STEPS, TOP - contract + 1)
            step = best(values[FIRST[turn] + place, hand], count, state)
            made[example, turn] = step
            contract += step
            if step == 0 or contract == TOP:
                break
            place = place * STEPS + step
    return made
