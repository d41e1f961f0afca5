"""The standings of an event in a file: TotalScoreTable (PBN 2.1, section 5.10) and others.

Other programs write lists of pairs or teams.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from bridge_arena.pbn.model import Game
from bridge_arena.pbn.read.table_rows import rows_of

TOTALS = "TotalScoreTable"

TABLES = (TOTALS, "PairList", "TeamList")

FIGURES = ("MeanPercentage", "MeanMP", "MeanIMP", "MeanScore", "Percentage", "MP", "IMP", "Score")
"""Columns with a pair's result; `TotalPercentage` counts as `Percentage`. The first that the
table has is used."""

_NAMES = ("Names", "Name", "Players", "Player")

_NUMBER = re.compile(r"[+-]?\d{1,7}(\.\d{0,4})?")


@dataclass(frozen=True, slots=True)
class Standing:
    """A row of the standings; unknown texts are empty.

    Attributes:
        line: The line of the row.
        section: The section of the field.
        pair: The number of the pair or team.
        names: The players' names, divided by semicolons.
        rank: The rank.
        score: The pair's result; None if it is unknown.
        figure: The column of the result.
    """

    line: int
    section: str
    pair: str
    names: str
    rank: str
    score: Decimal | None
    figure: str


def standings_of(game: Game) -> Iterator[Standing]:
    """Yield the rows that name a pair, by a number or by players."""
    for name in TABLES:
        for row in rows_of(game, name):
            names = next((text for column in _NAMES if (text := row.text(column))), "")
            standing = Standing(
                row.line,
                row.text("Section"),
                row.text("PairId") or row.text("TeamId"),
                ";".join(" ".join(each.split()) for each in names.split(";") if each.strip()),
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
