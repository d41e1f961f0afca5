"""Learn as Prorok describes it (Large Scale Q-tables, section 3), in compiled code.

The tables hold whole numbers of 16 bits. For all situations they take 286 MB, which with his
700,000 deals makes the 348 MB that he states. A step of learning adds rate × (score - value),
shifted right by ten bits. It rounds down: a value falls by at least 1 when the score is lower, and
stays when the score is higher by less than 1024 / rate. The same tables may hold floats, which do
not round.

He says that scores were scaled by ten (section 2.3), but his table 4 has 1024 / rate as the
difference in points that is lost: so the tables held whole points. `Settings.scale` is 10 or 1.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

from bridge_arena.bots.qtable.calls import FIRST, SITUATIONS, STEPS, TOP, TURNS
from bridge_arena.bots.qtable.cells import STATES
from bridge_arena.bots.qtable.tiles import State, below

Values = NDArray[np.int16] | NDArray[np.float32]
"""The value of each situation, state and step."""

AHEAD = 16
"""Examples that are drawn together, so that the memory is asked for all of them at once."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of the learning."""

    rate: int = 20
    exploration: int = 50  # the probability of a random call, in thousandths
    east: int = -100  # East's values before anything is learned, in points
    west: int = -200  # West's values before anything is learned, in points
    scale: int = 1  # the number that stands for a point in the tables


def new_values(settings: Settings) -> Values:
    """Return the tables before learning."""
    values = np.full((SITUATIONS, STATES, STEPS), settings.west * settings.scale, np.int16)
    values[FIRST[2] : FIRST[3]] = settings.east * settings.scale
    return values


@njit(cache=True)
def best(row: Values, count: int, state: State) -> int:
    """Return the step of the highest value among the first `count`, or a random one of equals."""
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
    """Learn from random examples, and return the mean of their scores with exploration."""
    total = 0
    size = len(east)
    situations = np.zeros(TURNS, np.int64)
    states = np.zeros(TURNS, np.int64)
    steps = np.zeros(TURNS, np.int64)
    drawn = np.zeros(AHEAD, np.int64)
    read = 0
    for done in range(0, number, AHEAD):
        examples = drawn[: min(AHEAD, number - done)]
        for place in range(len(examples)):
            examples[place] = below(state, size)
        for example in examples:
            row = values[FIRST[1] + opening[east[example]], west[example]]
            read += int(row[0]) + scores[example, 0] + scores[example, TOP]
        for example in examples:
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
    total += abs(read) >> 62  # adds 0, which the compiler does not know: else it reads nothing
    return total / number


@njit(cache=True)
def bid(
    values: Values,
    opening: NDArray[np.int8],
    east: NDArray[np.int16],
    west: NDArray[np.int16],
    state: State,
) -> NDArray[np.int8]:
    """Return the steps of each auction without exploration, n×4, -1 where none is made."""
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
