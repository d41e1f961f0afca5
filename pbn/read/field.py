"""What the field made of a board: the rows of a ScoreTable (PBN 2.1, section 5.9).

Each row is a table where the board was played, or several with the same result. Columns that
are not there, and cells that say nothing, are unknown; a row that contradicts itself is left out
and named. What the scores are worth against each other is left to whoever reads them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal

from bridge_arena.bridge.calls import Contract
from bridge_arena.bridge.seats import Seat
from bridge_arena.pbn.model import Game, Problem
from bridge_arena.pbn.read.table_rows import Row, rows_of
from bridge_arena.pbn.sections import parse_card
from bridge_arena.pbn.values import is_passed_out, parse_contract, parse_declarer, parse_tricks

TABLE = "ScoreTable"

FIGURES = ("MP_NS", "MP_EW", "Percentage_NS", "Percentage_EW", "IMP_NS", "IMP_EW")
"""Columns that say what a score is worth."""

MOST_TABLES = 20_000
"""Tables of one board at most: a file can name any number of them in a cell."""

_HIGHEST = 7600
"""Points: 13 tricks down in a redoubled contract, vulnerable."""

_FIGURE = re.compile(r"[+-]?\d{1,7}(\.\d{0,4})?")


@dataclass(frozen=True, slots=True)
class FieldTable:
    """A table of the field, or `multiplicity` of them with the same result.

    `contract` is None where it is unknown, and where `is_passed_out`. `score`: North-South's
    points by the file, None where it has none. `own`: what the file says that they are worth, by
    the names of FIGURES. Other texts are empty where unknown.
    """

    line: int
    section: str = ""
    pair_ns: str = ""
    pair_ew: str = ""
    names_ns: str = ""
    names_ew: str = ""
    contract: Contract | None = None
    is_passed_out: bool = False
    lead: str = ""
    tricks: int | None = None
    score: int | None = None
    multiplicity: int = 1
    own: Mapping[str, Decimal] = field(default_factory=dict)

    @property
    def has_result(self) -> bool:
        return self.is_passed_out or (self.contract is not None and self.tricks is not None)


@dataclass(frozen=True, slots=True)
class Field:
    """The tables of a board in the order of the file.

    `without_score`: how many rows have neither a score nor a result, an adjusted score for
    example. `unusable`: how many say what cannot be. `problem` names the first of these, or of
    the scores that are none in a row whose result stands.
    """

    tables: tuple[FieldTable, ...] = ()
    without_score: int = 0
    unusable: int = 0
    problem: Problem | None = None


def field_of(game: Game) -> Field:
    """The field's tables; none where the game has no ScoreTable."""
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
    """With the file's score. One that is none is noted where the result says what it should be;
    else raises ValueError."""
    try:
        return replace(table, score=_score(row))
    except ValueError as error:
        if not table.has_result:
            raise
        odd.append((row.line, str(error)))
        return table


def _table(row: Row) -> FieldTable:
    """Raises ValueError."""
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
    """A text; empty for question marks."""
    return text if text.strip("?") else ""


def _names(text: str) -> str:
    """Both players' names without the blanks that fill columns up."""
    return ";".join(" ".join(name.split()) for name in _known(text).split(";") if name.strip())


def _lead(text: str) -> str:
    """The opening lead; empty where it is unknown or no card."""
    try:
        return str(parse_card(text.upper())) if text else ""
    except ValueError:
        return ""


def _tricks(text: str, contract: Contract | None, declarer: Seat | None) -> int | None:
    """Declarer's tricks, also as players write them: `+1`, `=`, `-2`."""
    if contract is not None and text[:1] in ("+", "-", "="):
        over = text.strip("=") or "0"
        if re.fullmatch(r"[+-]?\d{1,2}", over):
            text = str(contract.tricks_needed + int(over))
    return parse_tricks(text, declarer)


def _score(row: Row) -> int | None:
    """North-South's points, from either side's column; None for an artificial score, and where
    the sides' do not add up to zero."""
    points: list[int] = []
    for side, sign in (("NS", 1), ("EW", -1)):
        text = row.text(f"Score_{side}")
        if text.startswith("^"):
            return None
        if text:
            points.append(sign * _points(text))
    return points[0] if points and len(set(points)) == 1 else None


def _points(text: str) -> int:
    """Points that a contract can be worth. Raises ValueError."""
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
    """What the file says of the score's worth; an artificial one (`^`) says nothing."""
    texts = {name: row.text(name) for name in FIGURES}
    return {name: Decimal(text) for name, text in texts.items() if _FIGURE.fullmatch(text)}
