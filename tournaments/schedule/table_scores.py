"""The scores of the tables that played a board of a pairs or individual event."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bridge_arena.bridge.field_scoring import butler, cross_imps
from bridge_arena.bridge.record import BoardRecord
from bridge_arena.bridge.scoring import matchpoints
from bridge_arena.bridge.seats import Side
from bridge_arena.tournaments.events.event import Event, Scoring
from bridge_arena.tournaments.schedule.artificial_scores import AVERAGE_PLUS_IMPS, average

BOARD_UNITS = {
    Scoring.MATCHPOINTS: "%",
    Scoring.BUTLER: "Butler IMPs",
    Scoring.CROSS_IMPS: "IMPs",
}
"""The unit of the score of a board."""


@dataclass(frozen=True, slots=True)
class TableScore:
    """The score of a board at one table.

    Attributes:
        north_south: By the event's scoring.
        east_west: By the event's scoring.
        imps: North-South's cross-IMPs; None if no other table finished the board.
    """

    north_south: float
    east_west: float
    imps: float | None


def table_scores(
    event: Event, records: Sequence[BoardRecord], tables: int
) -> list[TableScore | None]:
    """Return the score at each table of one board.

    Args:
        event: The event.
        records: The records of the board.
        tables: The number of tables that are to play it.

    Returns:
        The scores, in the order of the records; None for a table that neither finished the board
        nor has it adjusted.
    """
    finished = [record.score for record in records if record.score is not None]
    compared = iter(_compared(event, finished, tables))
    crossed = iter(cross_imps(finished))
    scores: list[TableScore | None] = []
    for record in records:
        if record.score is not None:
            own, theirs = next(compared)
            imps = float(next(crossed))
            scores.append(TableScore(own, theirs, imps if len(finished) > 1 else None))
        elif record.adjusted is not None:
            plus = record.adjusted is Side.EW
            own, theirs = (average(event.scoring, plus=each) for each in (plus, not plus))
            imps = float(AVERAGE_PLUS_IMPS if plus else -AVERAGE_PLUS_IMPS)
            scores.append(TableScore(own, theirs, imps))
        else:
            scores.append(None)
    return scores


def _compared(event: Event, scores: Sequence[int], tables: int) -> list[tuple[float, float]]:
    """Return the scores of both sides of a board from the points of North-South.

    If fewer than `tables` tables have played it, matchpoints are factored (Neuberg's formula): to
    beat one other of five is not worth a top. A lone score is worth the average.

    Returns:
        Pairs of North-South's and East-West's score.
    """
    if not scores:
        return []
    if event.scoring is Scoring.MATCHPOINTS:
        top = 2 * (tables - 1)
        factor = tables / len(scores)
        own = [
            100 * (factor * (points + 1) - 1) / top if top else 50.0
            for points in matchpoints(scores)
        ]
        return [(percent, 100 - percent) for percent in own]
    if event.scoring is Scoring.BUTLER:
        return [(float(each), float(-each)) for each in butler(scores, event.trim)]
    return [(float(each), float(-each)) for each in cross_imps(scores)]
