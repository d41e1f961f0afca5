"""The results of the field on a board: the rows of a ScoreTable (PBN 2.1, section 5.9).

Each row is a table where the board was played, or several tables with the same result. Missing
columns and empty cells are unknown values. A row that contradicts itself is left out and reported.
This module does not compare the scores with each other.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal

from bridge_arena.base.recorded_text import Problem
from bridge_arena.bridge.calls import Contract
from bridge_arena.bridge.seats import Seat
from bridge_arena.pbn.model import Game
from bridge_arena.pbn.tables import Row, rows_of
from bridge_arena.pbn.values import (
    is_against_contract,
    is_passed_out,
    parse_card,
    parse_contract,
    parse_declarer,
    parse_tricks,
)

TABLE = "ScoreTable"

FIGURES = ("MP_NS", "MP_EW", "Percentage_NS", "Percentage_EW", "IMP_NS", "IMP_EW")
"""Columns with the value of a score against the others."""

MOST_TABLES = 20_000
"""The most tables of one board: a cell of a file can claim any number of them."""

_HIGHEST = 7600
"""The highest score in points: 13 tricks down in a redoubled contract, vulnerable."""

_FIGURE = re.compile(r"[+-]?\d{1,7}(\.\d{0,4})?")


@dataclass(frozen=True, slots=True)
class FieldTable:
    """A table of the field, or several tables with the same result; unknown texts are empty."""

    line: int  # the line of the row
    section: str = ""
    pair_ns: str = ""  # the number of the North-South pair
    pair_ew: str = ""  # the number of the East-West pair
    names_ns: str = ""  # the names of North and South, divided by a semicolon
    names_ew: str = ""  # the names of East and West, divided by a semicolon
    # The contract; None if it is unknown or the board was passed out.
    contract: Contract | None = None
    is_passed_out: bool = False  # whether the board was passed out
    lead: str = ""  # the opening lead
    # Declarer's tricks; None if they are unknown or the board was passed out.
    tricks: int | None = None
    score: int | None = None  # North-South's points in the file; None if it has none
    multiplicity: int = 1  # the number of tables with this result
    # The file's own values of the score, by the names of FIGURES.
    own: Mapping[str, Decimal] = field(default_factory=dict)

    @property
    def has_result(self) -> bool:
        """Whether contract and tricks are known, or the board was passed out."""
        return self.is_passed_out or (self.contract is not None and self.tricks is not None)


@dataclass(frozen=True, slots=True)
class Field:
    """The tables of a board in the order of the file."""

    tables: tuple[FieldTable, ...] = ()  # the tables that have a score or a result
    # The number of rows with neither a score nor a result, for example with an adjusted score.
    without_score: int = 0
    unusable: int = 0  # the number of rows that contradict themselves
    # The first problem: an unusable row, or a wrong score in a row whose result is used.
    problem: Problem | None = None


def field_of(game: Game) -> Field:
    """Return the field's tables; none if the game has no ScoreTable."""
    tables: list[FieldTable] = []
    odd: list[tuple[int, str]] = []
    unusable = without_score = played = 0
    for row in rows_of(game, TABLE):
        try:
            table = _table(row)
            if played + table.multiplicity > MOST_TABLES:
                raise ValueError(f"more than {MOST_TABLES} tables of one board")  # noqa: TRY301
            table = _with_score(table, row, odd)
        except ValueError as error:
            unusable += 1
            odd.append((row.line, str(error)))
            continue
        if table.score is None and not table.has_result:
            without_score += 1
            continue
        played += table.multiplicity
        tables.append(table)
    problem = None
    if odd:
        line, reason = odd[0]
        more = f", and {len(odd) - 1} more rows" if odd[1:] else ""
        problem = Problem(game.file, line, game.number, reason + more, TABLE)
    return Field(tuple(tables), without_score, unusable, problem)


def _with_score(table: FieldTable, row: Row, odd: list[tuple[int, str]]) -> FieldTable:
    """Return the table with the file's score.

    A wrong score is noted if the row has a result, from which the score follows.
    """
    try:
        return replace(table, score=_score(row))
    except ValueError as error:
        if not table.has_result:
            raise
        odd.append((row.line, str(error)))
        return table


def _table(row: Row) -> FieldTable:
    """Return the table of a row without its score; raise ValueError for a wrong cell."""
    declarer = parse_declarer(row.text("Declarer"))
    value = row.text("Contract")
    contract = parse_contract(value, declarer) if declarer or is_passed_out(value) else None
    passed_out = is_passed_out(value)
    return FieldTable(
        line=row.line,
        section=row.text("Section"),
        pair_ns=_known(row.text("PairId_NS")),
        pair_ew=_known(row.text("PairId_EW")),
        names_ns=_names(row.text("Names_NS")),
        names_ew=_names(row.text("Names_EW")),
        contract=contract,
        is_passed_out=passed_out,
        lead=_lead(row.text("Lead")),
        tricks=None if passed_out else _tricks(row.text("Result"), contract, declarer),
        multiplicity=_multiplicity(row.text("Multiplicity")),
        own=_figures(row),
    )


def _known(text: str) -> str:
    """Return a text, or an empty one for question marks."""
    return text if text.strip("?") else ""


def _names(text: str) -> str:
    """Return both players' names without the spaces that pad columns."""
    return ";".join(" ".join(name.split()) for name in _known(text).split(";") if name.strip())


def _lead(text: str) -> str:
    """Return the opening lead, or an empty text if it is unknown or no card."""
    try:
        return str(parse_card(text.upper())) if text else ""
    except ValueError:
        return ""


def _tricks(text: str, contract: Contract | None, declarer: Seat | None) -> int | None:
    """Return declarer's tricks, also written against the contract: `+1`, `=`, `-2`."""
    if contract is None and is_against_contract(text):
        return None
    return parse_tricks(text, declarer, contract.level if contract else None)


def _score(row: Row) -> int | None:
    """Return North-South's points, from either side's column.

    None for an artificial score, or if the sides' scores do not add up to zero.
    """
    points: list[int] = []
    for side, sign in (("NS", 1), ("EW", -1)):
        text = row.text(f"Score_{side}")
        if text.startswith("^"):
            return None
        if text:
            points.append(sign * _points(text))
    return points[0] if points and len(set(points)) == 1 else None


def _points(text: str) -> int:
    """Return the points of a text; raise ValueError if no contract can be worth them."""
    if not re.fullmatch(r"[+-]?\d{1,5}", text) or abs(int(text)) > _HIGHEST or int(text) % 10:
        raise ValueError(f"{text!r} is not a score")
    return int(text)


def _multiplicity(text: str) -> int:
    if not text:
        return 1
    if not re.fullmatch(r"\d{1,6}", text) or not int(text):
        raise ValueError(f"{text!r} is not a number of tables")
    return int(text)


def _figures(row: Row) -> dict[str, Decimal]:
    """Return the file's own values of the score; an artificial one (`^`) has none."""
    texts = {name: row.text(name) for name in FIGURES}
    return {name: Decimal(text) for name, text in texts.items() if _FIGURE.fullmatch(text)}
