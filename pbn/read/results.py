"""Results that a file states: standings, double-dummy results and the scores of a game.

Standings are in TotalScoreTable (PBN 2.1, section 5.10), or in lists that other programs write.
Double-dummy results are in OptimumResultTable, DoubleDummyTricks and OptimumScore. Scores are Score
itself, and the values of the score (section 3.5). The results of the field are in `pbn.read.field`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal

from bridge_arena.base.recorded_text import Problem
from bridge_arena.bridge.calls import Denomination
from bridge_arena.bridge.record import BoardRecord
from bridge_arena.bridge.seats import Seat, Side
from bridge_arena.pbn.model import Game
from bridge_arena.pbn.tables import rows_of
from bridge_arena.pbn.values import UNKNOWN, parse_score, parse_tricks

OPTIMUM, DIGITS, SCORE = "OptimumResultTable", "DoubleDummyTricks", "OptimumScore"

OPTIMUM_TAGS = (OPTIMUM, DIGITS, SCORE)

_ORDER = [
    (denomination, seat)
    for seat in (Seat.NORTH, Seat.SOUTH, Seat.EAST, Seat.WEST)
    for denomination in reversed(Denomination)
]
"""The order of the 20 digits."""

_DENOMINATIONS = {str(denomination): denomination for denomination in Denomination}

Tricks = dict[tuple[Denomination, Seat], int]

TOTALS = "TotalScoreTable"
STANDINGS = (TOTALS, "PairList", "TeamList")
FIGURES = ("MeanPercentage", "MeanMP", "MeanIMP", "MeanScore", "Percentage", "MP", "IMP", "Score")
"""Columns with a pair's result; `TotalPercentage` counts as `Percentage`. The first that the
table has is used."""

_NAMES = ("Names", "Name", "Players", "Player")
_NUMBER = re.compile(r"[+-]?\d{1,7}(\.\d{0,4})?")
SCORE_TAGS = {"ScoreMP": "MP", "ScorePercentage": "Percentage", "ScoreIMP": "IMP"}
"""Tags with one number, and the columns of a ScoreTable with the same number."""

RUBBER = "ScoreRubber"
_SCORE = r"[+-]?\d{1,7}(?:\.\d{0,4})?"
_POINTS = r"\d{1,5} ?/ ?\d{1,5}"
Rubber = dict[Side, tuple[int, int]]
"""Each side's points above and below the line, if it has any."""


@dataclass(frozen=True, slots=True)
class Optimum:
    """The double-dummy results of a game."""

    # The tricks by the OptimumResultTable, as far as given.
    table: Tricks = field(default_factory=dict)
    # The tricks by the digits of DoubleDummyTricks, as far as given.
    digits: Tricks = field(default_factory=dict)
    score: int | None = None  # North-South's par score in points; None if there is none
    problems: tuple[Problem, ...] = ()  # the cells and values that could not be read


def optimum_of(game: Game) -> Optimum:
    """Return the double-dummy results of a game, with a problem for each unreadable cell."""
    problems: list[Problem] = []
    table: Tricks = {}
    for row in rows_of(game, OPTIMUM):
        try:
            seat = Seat.parse(row.text("Declarer"))
            tricks = parse_tricks(row.text("Result"), seat)
            if tricks is not None:
                table[_denomination(row.text("Denomination")), seat] = tricks
        except ValueError as error:
            problems.append(game.problem(str(error), OPTIMUM, row.line))
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
    denomination = _DENOMINATIONS.get("NT" if word == "N" else word)
    if denomination is None:
        raise ValueError(f"{text!r} is not a denomination")
    return denomination


@dataclass(frozen=True, slots=True)
class Standing:
    """A row of the standings; unknown texts are empty."""

    line: int
    section: str  # the section of the field
    pair: str  # the number of the pair or team
    names: str  # the players' names, divided by semicolons
    rank: str
    score: Decimal | None  # the pair's result; None if it is unknown
    figure: str  # the column of the result


def standings_of(game: Game) -> Iterator[Standing]:
    """Yield the rows that name a pair, by a number or by players."""
    for name in STANDINGS:
        for row in rows_of(game, name):
            names = next((text for column in _NAMES if (text := row.text(column))), "")
            standing = Standing(
                row.line,
                row.text("Section"),
                row.text("PairId") or row.text("TeamId"),
                ";".join(" ".join(player.split()) for player in names.split(";") if player.strip()),
                row.text("Rank"),
                *_score({column.removeprefix("Total"): row.text(column) for column in row.cells}),
            )
            if standing.pair or standing.names:
                yield standing


def _score(cells: dict[str, str]) -> tuple[Decimal | None, str]:
    for figure in FIGURES:
        text = cells.get(figure, "")
        if _NUMBER.fullmatch(text):
            return Decimal(text), figure
    return None, ""


def own_scores(game: Game, declarer: Seat | None) -> tuple[dict[str, Decimal], list[Problem]]:
    """Return the values of the score by side, for example `MP_NS`, and problems with other values.

    A number without a side is declarer's.
    """
    values: dict[str, Decimal] = {}
    problems: list[Problem] = []
    for tag, figure in SCORE_TAGS.items():
        try:
            numbers = _by_side(game, tag, _SCORE, declarer)
        except ValueError as error:
            problems.append(game.problem(f"{error} is not a score", tag))
        else:
            values |= {f"{figure}_{side}": Decimal(number) for side, number in numbers.items()}
    return values, problems


def own_score(game: Game, record: BoardRecord) -> int | None:
    """Return North-South's points by the game's Score tag; None if it does not give them."""
    declarer = record.contract.declarer if record.contract else None
    try:
        return parse_score(game.get("Score"), declarer)
    except ValueError:
        return None


def rubber_score(game: Game, declarer: Seat | None) -> Rubber:
    """Return the points of rubber bridge by side; empty if the game has none.

    Points without a side are declarer's. ValueError is raised for any other value.
    """
    try:
        points = _by_side(game, RUBBER, _POINTS, declarer)
    except ValueError as error:
        raise ValueError(f"{error} is not a score of rubber bridge") from None
    parts = {side: text.split("/") for side, text in points.items()}
    return {side: (int(above), int(below)) for side, (above, below) in parts.items()}


def _by_side(game: Game, tag: str, number: str, declarer: Seat | None) -> dict[Side, str]:
    """Return the numbers in the value of a tag, of the form of a pattern, by side.

    A first number without a side is declarer's, and is left out if there is no declarer. The text
    of ValueError is any other value.
    """
    text = " ".join(game.get(tag).upper().split())
    if text in UNKNOWN:
        return {}
    match = re.fullmatch(f"(?:(NS|EW) ?)?({number})(?: (NS|EW) ?({number}))?", text)
    if match is None:
        raise ValueError(repr(text))
    first, given, second, other = match.groups()
    side = Side[first] if first else declarer.side if declarer else None
    numbers = {} if side is None else {side: given}
    if second:
        numbers[Side[second]] = other
    return numbers
