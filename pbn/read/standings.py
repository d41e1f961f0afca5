"""What a file says of the pairs of an event: TotalScoreTable (PBN 2.1, section 5.10), and the
lists of pairs or teams that other programs write."""

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
"""Columns with a pair's result, `TotalPercentage` as `Percentage`; the first that is there
counts."""

_NAMES = ("Names", "Name", "Players", "Player")

_NUMBER = re.compile(r"[+-]?\d{1,7}(\.\d{0,4})?")


@dataclass(frozen=True, slots=True)
class Standing:
    """A row. Texts are empty, and the others None, where they are not known. `figure`: the column
    that `score` stands in."""

    line: int
    section: str
    pair: str
    names: str
    rank: str
    score: Decimal | None
    figure: str


def standings_of(game: Game) -> Iterator[Standing]:
    """The rows that name a pair, by a number or by players."""
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
