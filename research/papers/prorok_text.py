"""Print a learned bidding system as Prorok does: shapes down, high-card points across.

`?` stands where nothing was learned, and `.` for hands that do not come there, as they make another
opening.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bots.library.learning.hands import hand_of, points
from bridge_arena.bots.qtable.calls import (
    FIRST,
    STEPS,
    TOP,
    TURNS,
    call_of,
    calls_of,
    contract_after,
)
from bridge_arena.bots.qtable.cells import SHAPES, STARTS, STATES, STRENGTHS
from bridge_arena.bots.qtable.examples import SCALE, Examples
from research.papers.prorok_learning import Values

UNKNOWN, ELSEWHERE = -1, -2
"""The values of `?` and `.` in a block."""


def text_of(contract: int) -> str:
    """Return a bid in two characters; P for 0."""
    return str(call_of(contract)).removesuffix("T") if contract else "P"


def learned_steps(values: Values, situation: int, contract: int, first: int) -> NDArray[np.int64]:
    """Return the best step of each state in a situation.

    It is `UNKNOWN` where all values are still `first`, in the numbers of the tables.
    """
    count = min(STEPS, TOP - contract + 1)
    rows = values[situation, :, :count]
    untouched = (rows == first).all(axis=1)
    return np.where(untouched, UNKNOWN, rows.argmax(axis=1))


def block(heading: str, steps: NDArray[np.int64], contract: int) -> Iterator[str]:
    """Yield the lines of a situation in which the last bid is `contract`."""
    yield heading
    yield "       " + " ".join(f"{start:>2}" for start in STARTS)
    for shape, row in zip(SHAPES, steps.reshape(len(SHAPES), STRENGTHS), strict=True):
        if (row != ELSEWHERE).any():
            texts = (
                "?"
                if step == UNKNOWN
                else "."
                if step == ELSEWHERE
                else text_of(contract + step)
                if step
                else "P"
                for step in row
            )
            yield f"{''.join(map(str, shape))} : " + " ".join(f"{text:>2}" for text in texts)
    yield ""


def responses(values: Values, openings: NDArray[np.int8], first: int) -> Iterator[str]:
    """Yield the responses to every opening that there is."""
    for opening in map(int, np.unique(openings)):
        steps = learned_steps(values, FIRST[1] + opening, opening, first)
        yield from block(f"Response to {text_of(opening)}", steps, opening)


def rebids(values: Values, openings: NDArray[np.int8], first: tuple[int, int]) -> Iterator[str]:
    """Yield the opener's rebids after every response that some hand makes.

    `first` has the values before anything was learned, of the opener and of the responder.
    """
    for opening in map(int, np.unique(openings)):
        given = learned_steps(values, FIRST[1] + opening, opening, first[1])
        for response in map(int, np.unique(given[given > 0])):
            contract = opening + response
            situation = FIRST[2] + opening * STEPS + response
            steps = learned_steps(values, situation, contract, first[0])
            steps[openings[:STATES] != opening] = ELSEWHERE
            heading = f"Rebid after {text_of(opening)} {text_of(contract)}"
            yield from block(heading, steps, contract)


def auctions(examples: Examples, made: NDArray[np.integer]) -> Iterator[str]:
    """Yield examples with their auctions, a line each."""
    yield f"{'East':<18}{'hcp':>4}  {'West':<18}{'hcp':>4}  {'E':<3}{'W':<3}{'E':<3}{'W':<3} points"
    east, west = points(examples.east), points(examples.west)
    for number, row in enumerate(made):
        steps = [int(step) for step in row if step >= 0]
        score = examples.scores[number, contract_after(steps)] / SCALE
        hands = [
            f"{hand_of(hands[number])!s:<18}{held[number]:>4}"
            for hands, held in ((examples.east, east), (examples.west, west))
        ]
        yield f"{'  '.join(hands)}  {_calls(steps)} {score:>6.0f}"


def _calls(steps: Sequence[int]) -> str:
    texts = [str(call).replace("Pass", "P").removesuffix("T") for call in calls_of(steps)]
    return "".join(f"{text:<3}" for text in [*texts, *[""] * (TURNS - len(texts))])
