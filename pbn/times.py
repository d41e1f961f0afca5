"""The table of how long the players took, a supplemental section of the arena's.

A row for each turn of the round of seats, a column for each seat: milliseconds, `-` where
a seat acted less often than another.
"""

from __future__ import annotations

from itertools import zip_longest

from pbn.deviations import Kind, NoRecordError
from pbn.model import Game, Section

TIMES = "ArenaTimes"

_COLUMNS = "North;East;South;West"

Times = tuple[tuple[float, ...], ...]
"""Milliseconds of the actions of N, E, S and W; empty where they were not measured."""


def times_section(times: Times) -> Section:
    """The section that reads back as `times`, to a tenth of a millisecond."""
    section = Section(TIMES, _COLUMNS, 0)
    for row in zip_longest(*times):
        section.tokens += ["-" if cell is None else f"{cell:.1f}" for cell in row]
    return section


def times_of(game: Game) -> Times:
    """The times of a game; empty where it has none. Raises NoRecordError where they are
    no such table."""
    section = game.section(TIMES) if TIMES in game.values else None
    if section is None:
        return ()
    try:
        columns = [
            tuple(float(cell) for cell in section.tokens[seat::4] if cell != "-")
            for seat in range(4)
        ]
    except ValueError as error:
        problem = game.problem(f"not a table of times: {error}", TIMES)
        raise NoRecordError(Kind.TIMES, problem) from None
    return tuple(columns)
