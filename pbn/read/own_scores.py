"""The scores in a file: Score itself, and the values of the score (PBN 2.1, section 3.5)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from bridge_arena.base.recorded_text import Problem
from bridge_arena.bridge.record import BoardRecord
from bridge_arena.bridge.seats import Seat, Side
from bridge_arena.pbn.model import Game
from bridge_arena.pbn.values import UNKNOWN, parse_score

TAGS = {"ScoreMP": "MP", "ScorePercentage": "Percentage", "ScoreIMP": "IMP"}
"""Tags with one number, and the columns of a ScoreTable with the same number."""

RUBBER = "ScoreRubber"

_NUMBER = r"[+-]?\d{1,7}(?:\.\d{0,4})?"

_ONE = re.compile(rf"(?:(NS|EW) ?)?({_NUMBER})(?: (NS|EW) ?({_NUMBER}))?")

_POINTS = re.compile(r"(?:(NS|EW) ?)?(\d{1,5}) ?/ ?(\d{1,5})(?: (NS|EW) ?(\d{1,5}) ?/ ?(\d{1,5}))?")

Rubber = dict[Side, tuple[int, int]]
"""Each side's points above and below the line, if it has any."""


def own_scores(game: Game, declarer: Seat | None) -> tuple[dict[str, Decimal], list[Problem]]:
    """Return the values of the score by side, for example `MP_NS`.

    Args:
        game: The game.
        declarer: Declarer's seat; a number without a side is declarer's.

    Returns:
        The values, and the problems with values that are no numbers.
    """
    found: dict[str, Decimal] = {}
    problems: list[Problem] = []
    for tag, figure in TAGS.items():
        text = _text(game, tag)
        if text in UNKNOWN:
            continue
        match = _ONE.fullmatch(text)
        if match is None:
            problems.append(game.problem(f"{text!r} is not a score", tag))
            continue
        for side, number in _by_side(match[1], match[2], match[3], match[4], declarer):
            found[f"{figure}_{side}"] = Decimal(number)
    return found, problems


def own_score(game: Game, record: BoardRecord) -> int | None:
    """Return North-South's points by the game's Score tag; None if it does not give them."""
    declarer = record.contract.declarer if record.contract else None
    try:
        return parse_score(game.get("Score"), declarer)
    except ValueError:
        return None


def rubber_score(game: Game, declarer: Seat | None) -> Rubber:
    """Return the points of rubber bridge.

    Args:
        game: The game.
        declarer: Declarer's seat; points without a side are declarer's.

    Returns:
        The points of each side; empty if the game has none.

    Raises:
        ValueError: The value is no score of rubber bridge.
    """
    text = _text(game, RUBBER)
    if text in UNKNOWN:
        return {}
    match = _POINTS.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} is not a score of rubber bridge")
    first, above, below, second, above_too, below_too = match.groups()
    points = {_side(first, declarer): (int(above), int(below))}
    if second:
        points[Side[second]] = (int(above_too), int(below_too))
    return {side: each for side, each in points.items() if side is not None}


def _text(game: Game, tag: str) -> str:
    return " ".join(game.get(tag).upper().split())


def _by_side(
    first: str | None,
    number: str,
    second: str | None,
    number_too: str | None,
    declarer: Seat | None,
) -> Iterator[tuple[str, str]]:
    side = _side(first, declarer)
    if side is not None:
        yield side.name, number
    if second and number_too:
        yield second, number_too


def _side(name: str | None, declarer: Seat | None) -> Side | None:
    if name:
        return Side[name]
    return None if declarer is None else declarer.side
