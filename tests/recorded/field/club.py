"""A club's file of two boards without play, made for the tests; figures counted by hand.

Board 1, nobody vulnerable, North-South's scores 420, 420, -50, 0: matchpoints 5, 5, 0, 2 of 6.
Board 2 is the same deal with North-South vulnerable.
"""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

from bridge_arena.pbn.model import Game
from bridge_arena.pbn.read.meaning import board_of
from bridge_arena.pbn.read.reader import read_games
from bridge_arena.recorded.field.tables import FieldBoard, listed
from tests.oracle.vectors import KNOWN_DEAL

HEADER = (
    r"Section;PairId_NS\2R;PairId_EW\2R;Contract\3L;Declarer;Lead;Result\2R;Score_NS\4R;"
    r"Score_EW\3R;MP_NS\3R;MP_EW\3R;Names_NS;Names_EW"
)


def board(number: int, vulnerable: str, *rows: str) -> str:
    lines = "\n".join(rows)
    return f"""[Event "Club night"]
[Board "{number}"]
[Dealer "N"]
[Vulnerable "{vulnerable}"]
[Deal "{KNOWN_DEAL}"]
[Scoring "MatchPoints"]
[Contract ""]
[Result ""]
[ScoreTable "{HEADER}"]
{lines}

"""


FIRST = board(
    1,
    "None",
    "A 1 1 4S   S D9 10 420   -   5   1 Ann-Bo   Cy-Di",
    "A 2 2 4S   S CK 10 420   -   5   1 Ed-Flo   Gus-Hal",
    "A 3 3 1NT  N -   6  -   50   0   6 Ian-Jo   Kim-Lee",
    "A 4 4 PASS - -   -  -    -   3   4 Mo-Ned   Ona-Pam",
)
"""The fourth row's own matchpoints are wrong, and its scores are blank."""

SECOND = board(
    2,
    "NS",
    "A 1 2 4S   S D9 10 620   -   5   1 Ann-Bo   Gus-Hal",
    "A 2 3 4S   S CK 10 620   -   5   1 Ed-Flo   Kim-Lee",
    "A 3 4 3NT  N H2  8  -  100   0   6 Ian-Jo   Ona-Pam",
    "A 4 1 2H   E S4  8  -  110   2   4 Mo-Ned   Cy-Di",
)
"""In the last row East made 2H: -110, which is worse than -100, so 0 and 2 stand the wrong way."""


def game_of(text: str) -> Game:
    *_, game = read_games(BytesIO(text.encode()), "club.pbn")
    return game


def field_of(text: str) -> FieldBoard:
    """The field of the last game of a text."""
    game = game_of(text)
    field = listed(game, board_of(game))
    assert field is not None
    return field


def write(folder: Path, *more: str) -> Path:
    path = folder / "club.pbn"
    path.write_text("".join((FIRST, SECOND, *more)))
    return path
