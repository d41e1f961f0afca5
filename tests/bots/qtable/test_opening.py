"""Tests of tables of opening bids, and of the errors about wrong ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from bridge_arena.bots.qtable.calls import call_of
from bridge_arena.bots.qtable.cells import SHAPES, STARTS, STRENGTHS
from bridge_arena.bots.qtable.opening import (
    OpeningTableError,
    parse_openings,
    read_openings,
    shipped_openings,
)

HEADING = "\t".join(["Shape", *map(str, STARTS)])
ROWS = ["".join(map(str, shape)) + "\tP\t\t\t\t1C" for shape in SHAPES]
TEXT = "\n".join([HEADING, *ROWS])


def shown(shape: str, points: int) -> str:
    """Return the opening of the table that ships."""
    number = SHAPES.index((int(shape[0]), int(shape[1]), int(shape[2]), int(shape[3])))
    strength = max(place for place, start in enumerate(STARTS) if start <= points)
    return str(call_of(int(shipped_openings()[number * STRENGTHS + strength])))


@pytest.mark.parametrize(
    ("shape", "points", "call"),
    [
        # Prorok's own rows.
        ("6421", 9, "Pass"),
        ("6421", 10, "1S"),
        ("6331", 5, "3S"),
        ("6322", 8, "2D"),
        ("6322", 20, "1S"),
        ("6322", 22, "2S"),
        ("5422", 11, "Pass"),
        ("5332", 16, "1NT"),
        ("5332", 19, "1S"),
        ("5332", 21, "2C"),
        ("5332", 23, "2NT"),
        # Made after them.
        ("3622", 12, "1H"),
        ("2362", 5, "3D"),
        ("3433", 14, "1C"),
        ("4333", 12, "Pass"),
        ("3343", 17, "1NT"),
    ],
)
def test_the_shipped_table_opens_as_the_paper_says(shape: str, points: int, call: str) -> None:
    assert shown(shape, points) == call


def test_five_cards_in_a_major_are_promised() -> None:
    steps = shipped_openings().reshape(len(SHAPES), STRENGTHS)
    for shape, row in zip(SHAPES, steps, strict=True):
        assert 4 not in row or shape[0] >= 5
        assert 3 not in row or shape[1] >= 5


def test_an_empty_cell_is_as_the_one_before(tmp_path: Path) -> None:
    path = tmp_path / "openings.txt"
    path.write_text(f"# a note\n\n{TEXT}\n")
    table = read_openings(path).reshape(len(SHAPES), STRENGTHS)
    assert table.tolist() == [[0] * 4 + [1] * 12] * 128


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "mine.txt: the columns are not Shape 0 4 7"),
        (TEXT.replace("Shape", "Form"), "mine.txt, line 1: the columns are not"),
        (TEXT.replace("\t28", ""), "mine.txt, line 1: the columns are not"),
        (TEXT.replace("6421\tP", "6421\tQ"), "line 2, column 0: 'Q' is not P or a bid from 1C"),
        (TEXT.replace("6412\tP\t", "6412\tP\t4C"), "line 3, column 4: '4C' is not P or a bid"),
        (TEXT.replace("6421\tP", "6421\t"), "line 2, column 0: the first call of a shape must"),
        (TEXT.replace("6421", "7321"), "mine.txt, line 2: '7321' is none of the 128 shapes"),
        (TEXT.replace("6412", "6421"), "mine.txt, line 3: the shape 6421 is there twice"),
        ("\n".join([HEADING, *ROWS[:-1]]), "mine.txt: there is no line of the shape 1246"),
        (TEXT.replace("6421\t", "6421" + 17 * "\tP", 1), "line 2: 21 calls, expected 16"),
    ],
)
def test_errors_name_the_place(text: str, problem: str) -> None:
    with pytest.raises(OpeningTableError) as caught:
        parse_openings(text, "mine.txt")
    assert problem in str(caught.value)
