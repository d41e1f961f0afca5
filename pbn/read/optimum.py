"""The double-dummy results in a file: OptimumResultTable, DoubleDummyTricks, OptimumScore."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from bridge_arena.base.recorded_text import Problem
from bridge_arena.bridge.calls import Denomination
from bridge_arena.bridge.seats import Seat
from bridge_arena.pbn.model import Game
from bridge_arena.pbn.read.table_rows import rows_of
from bridge_arena.pbn.values import parse_score, parse_tricks

TABLE, DIGITS, SCORE = "OptimumResultTable", "DoubleDummyTricks", "OptimumScore"

TAGS = (TABLE, DIGITS, SCORE)

_ORDER = [
    (denomination, seat)
    for seat in (Seat.NORTH, Seat.SOUTH, Seat.EAST, Seat.WEST)
    for denomination in reversed(Denomination)
]
"""The order of the 20 digits."""

_DENOMINATIONS = {str(each): each for each in Denomination}

Tricks = dict[tuple[Denomination, Seat], int]


@dataclass(frozen=True, slots=True)
class Optimum:
    """The double-dummy results of a game.

    Attributes:
        table: The tricks by the OptimumResultTable, as far as given.
        digits: The tricks by the digits of DoubleDummyTricks, as far as given.
        score: North-South's par score in points; None if there is none.
        problems: The cells and values that could not be read.
    """

    table: Tricks = field(default_factory=dict)
    digits: Tricks = field(default_factory=dict)
    score: int | None = None
    problems: tuple[Problem, ...] = ()


def optimum_of(game: Game) -> Optimum:
    """Return the double-dummy results of a game, with a problem for each unreadable cell."""
    problems: list[Problem] = []
    table: Tricks = {}
    for row in rows_of(game, TABLE):
        try:
            seat = Seat.parse(row.text("Declarer"))
            tricks = parse_tricks(row.text("Result"), seat)
            if tricks is not None:
                table[_denomination(row.text("Denomination")), seat] = tricks
        except ValueError as error:
            problems.append(game.problem(str(error), TABLE, row.line))
    digits: Tricks = {}
    text = game.get(DIGITS).strip().lower()
    if re.fullmatch("[0-9a-d]{20}", text):
        digits = dict(zip(_ORDER, (int(digit, 16) for digit in text), strict=True))
    elif text not in ("", "?"):
        problems.append(game.problem(f"{text[:40]!r} is not 20 numbers of tricks", DIGITS))
    score = None
    try:
        score = parse_score(game.get(SCORE), None)
    except ValueError as error:
        problems.append(game.problem(str(error), SCORE))
    return Optimum(table, digits, score, tuple(problems))


def _denomination(text: str) -> Denomination:
    word = text.upper()
    found = _DENOMINATIONS.get("NT" if word == "N" else word)
    if found is None:
        raise ValueError(f"{text!r} is not a denomination")
    return found
