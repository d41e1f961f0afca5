"""The opening bids: a text file in Prorok's format (section 3.1), and its reader.

Columns are separated by tabs. The first line is `Shape` and the fewest points of each of the
sixteen strengths. Then there is a line for each of the 128 shapes, in any order: its four digits,
spades first, and the call of each strength, `P` or a bid from 1C to 3N. An empty or missing cell
has the same call as the one before it. Lines that begin with # are notes.
"""

from __future__ import annotations

from importlib import resources
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bots.qtable.calls import STEPS, call_of
from bridge_arena.bots.qtable.cells import SHAPES, STARTS, STATES, STRENGTHS
from bridge_arena.bridge.calls import CALL_TEXTS

SHIPPED = "openings.txt"

_STEP_OF = {"P": 0} | {
    CALL_TEXTS[call_of(step)].removesuffix("T"): step for step in range(1, STEPS)
}


class OpeningTableError(ValueError):
    """The error of a file that is no table of opening bids."""


def shipped_openings() -> NDArray[np.int8]:
    """Return the table that ships."""
    file = resources.files("bridge_arena.bots.qtable").joinpath("tables", SHIPPED)
    return parse_openings(file.read_text(encoding="utf-8"), SHIPPED)


def read_openings(path: Path) -> NDArray[np.int8]:
    """Read the opening step of each state from a file."""
    return parse_openings(path.read_text(encoding="utf-8", errors="replace"), str(path))


def parse_openings(text: str, name: str) -> NDArray[np.int8]:
    """Return the opening step of each state."""
    lines = [
        (number, line.split("\t"))
        for number, line in enumerate(text.splitlines(), start=1)
        if line.strip() and not line.startswith("#")
    ]
    heading = ["Shape", *map(str, STARTS)]
    if not lines or [cell.strip() for cell in lines[0][1]] != heading:
        where = f", line {lines[0][0]}" if lines else ""
        raise OpeningTableError(f"{name}{where}: the columns are not {' '.join(heading)}")
    shapes = {"".join(map(str, shape)): number for number, shape in enumerate(SHAPES)}
    table = np.full((len(SHAPES), STRENGTHS), -1, np.int8)
    for number, (shape, *cells) in lines[1:]:
        where = f"{name}, line {number}"
        if shape.strip() not in shapes:
            raise OpeningTableError(f"{where}: {shape.strip()!r} is none of the 128 shapes")
        row = table[shapes[shape.strip()]]
        if row[0] >= 0:
            raise OpeningTableError(f"{where}: the shape {shape.strip()} is there twice")
        if len(cells) > STRENGTHS:
            raise OpeningTableError(f"{where}: {len(cells)} calls, expected {STRENGTHS}")
        row[:] = _row(cells, where)
    missing = [shape for shape, place in shapes.items() if table[place, 0] < 0]
    if missing:
        raise OpeningTableError(f"{name}: there is no line of the shape {missing[0]}")
    return table.reshape(STATES)


def _row(cells: list[str], where: str) -> list[int]:
    steps: list[int] = []
    for column in range(STRENGTHS):
        text = cells[column].strip() if column < len(cells) else ""
        place = f"{where}, column {STARTS[column]}"
        if text:
            if text not in _STEP_OF:
                raise OpeningTableError(f"{place}: {text!r} is not P or a bid from 1C to 3N")
            steps.append(_STEP_OF[text])
        elif steps:
            steps.append(steps[-1])
        else:
            raise OpeningTableError(f"{place}: the first call of a shape must be said")
    return steps
