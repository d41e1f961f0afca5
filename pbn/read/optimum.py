"""What a file says of perfect play: OptimumResultTable, DoubleDummyTricks, OptimumScore."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from bridge_arena.bridge.calls import Denomination
from bridge_arena.bridge.seats import Seat
from bridge_arena.pbn.model import Game, Problem
from bridge_arena.pbn.read.table_rows import rows_of
from bridge_arena.pbn.values import parse_score, parse_tricks

TABLE, DIGITS, SCORE = "OptimumResultTable", "DoubleDummyTricks", "OptimumScore"

TAGS = (TABLE, DIGITS, SCORE)

_ORDER = [
    (denomination, seat)
    for seat in (Seat.NORTH, Seat.SOUTH, Seat.EAST, Seat.WEST)
    for denomination in reversed(Denomination)
]
"""Of the 20 digits."""

_DENOMINATIONS = {str(each): each for each in Denomination}

Tricks = dict[tuple[Denomination, Seat], int]


@dataclass(frozen=True, slots=True)
class Optimum:
    """Double-dummy tricks by the table and by the digits, as far as they are given, and
    North-South's par score; None where there is none."""

    table: Tricks = field(default_factory=dict)
    digits: Tricks = field(default_factory=dict)
    score: int | None = None
    problems: tuple[Problem, ...] = ()


def optimum_of(game: Game) -> Optimum:
    """What there is; cells and values that say nothing of the kind are problems."""
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
