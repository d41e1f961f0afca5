"""The scores of matches and tables, and those that no table made: of adjusted boards and byes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from bridge_arena.bridge.record import Room
from bridge_arena.bridge.scoring import (
    board_a_match,
    butler,
    cross_imps,
    discrete_victory_points,
    imps,
    matchpoints,
    victory_points,
)
from bridge_arena.bridge.seats import Side
from bridge_arena.tournaments.events.event import Event
from bridge_arena.tournaments.formats.rules import Scoring
from bridge_arena.tournaments.schedule.table_results import TableResult
from bridge_arena.tournaments.schedule.units import HOME, VISITORS, Match, team_at

AVERAGE_PLUS_IMPS = 3
"""The IMPs of the side not at fault for an adjusted board (Law 12C2), and for each board of a
forfeited match that was not played."""

AVERAGE_PLUS = Fraction(3, 5)
"""The same score as a share of a board."""

WALKOVER_VP = 12.0
"""Victory points for a bye, and the least for a match that the opponents forfeit; they get none."""


def average(scoring: Scoring, *, plus: bool) -> float:
    """Return an artificial score for a board (Law 12C2): percent by matchpoints, else IMPs."""
    if scoring is Scoring.MATCHPOINTS:
        return 100 * float(AVERAGE_PLUS if plus else 1 - AVERAGE_PLUS)
    return float(AVERAGE_PLUS_IMPS if plus else -AVERAGE_PLUS_IMPS)


def walkover(event: Event) -> float:
    """Return the score of a bye."""
    if event.scoring in (Scoring.VP, Scoring.VP_DISCRETE):
        return WALKOVER_VP
    if event.scoring is Scoring.BOARD_A_MATCH:
        return float(AVERAGE_PLUS * event.boards)
    return 0.0 if event.scoring is Scoring.TOTAL_POINTS else AVERAGE_PLUS_IMPS * event.boards


@dataclass(frozen=True, slots=True)
class Outcome:
    """A team match as far as it was played, seen from the home team."""

    boards: int  # the boards that count, some of which may be adjusted
    imps: int  # the sum of the IMPs
    points: int  # the sum of the differences in points; an adjusted board has none
    won: Fraction  # boards won; a tied board counts a half
    left: int  # the boards still to be played, or given up
    # The teams, HOME or VISITORS, that are withdrawn from the event and left boards unplayed.
    forfeited: tuple[int, ...]

    @property
    def is_over(self) -> bool:
        """Whether no board is left to play."""
        return not self.left or bool(self.forfeited)

    def scores(self, scoring: Scoring) -> tuple[float, float]:
        """Return the scores of home and visitors."""
        given_up = self.left if len(self.forfeited) == 1 else 0
        sign = 1 if self.forfeited == (VISITORS,) else -1
        if scoring in (Scoring.VP, Scoring.VP_DISCRETE):
            scale = victory_points if scoring is Scoring.VP else discrete_victory_points
            home, visitors = map(float, scale(self.imps, self.boards) if self.boards else (0, 0))
            if self.forfeited:
                home = 0.0 if HOME in self.forfeited else max(WALKOVER_VP, home)
                visitors = 0.0 if VISITORS in self.forfeited else max(WALKOVER_VP, visitors)
            return home, visitors
        if scoring is Scoring.BOARD_A_MATCH:
            share = AVERAGE_PLUS if sign > 0 else 1 - AVERAGE_PLUS
            won = self.won + given_up * share
            return float(won), float(self.boards + given_up - won)
        if scoring is Scoring.TOTAL_POINTS:
            return float(self.points), float(-self.points)
        margin = self.imps + sign * AVERAGE_PLUS_IMPS * given_up
        return float(margin), float(-margin)

    def winner(self, scoring: Scoring) -> int | None:
        """Return the winner, HOME or VISITORS; None for a tie, or if both forfeited."""
        if self.forfeited:
            return 1 - self.forfeited[0] if len(self.forfeited) == 1 else None
        home, visitors = self.scores(scoring)
        if home == visitors:
            return None
        return HOME if home > visitors else VISITORS


@dataclass(frozen=True, slots=True)
class Swing:
    """The result of a board of a team match, seen from the home team."""

    imps: int
    points: int  # the difference in points; 0 if the board is adjusted
    # The share of the board that home won: 0, 1/2 or 1, or a share of an adjusted board.
    won: Fraction
    adjusted: bool = False  # whether the board is adjusted


def swing(tables: Iterable[TableResult]) -> Swing | None:
    """Return the result of a board from its records in the two rooms; None until both are done.

    A board adjusted at both tables costs each team at fault the same, once.
    """
    done = {record.room: record for record in tables if record.is_done}
    in_open, in_closed = done.get(Room.OPEN), done.get(Room.CLOSED)
    if in_open is None or in_closed is None:
        return None
    at_fault = {
        team_at(record.adjusted, record.room)
        for record in (in_open, in_closed)
        if record.adjusted is not None
    }
    if at_fault:
        gain = (VISITORS in at_fault) - (HOME in at_fault)
        share = AVERAGE_PLUS - Fraction(1, 2)
        return Swing(gain * AVERAGE_PLUS_IMPS, 0, Fraction(1, 2) + gain * share, adjusted=True)
    difference = (in_open.score or 0) - (in_closed.score or 0)
    return Swing(imps(difference), difference, board_a_match(difference))


def outcome(match: Match, results: Iterable[Swing | None], withdrawn: Mapping[int, int]) -> Outcome:
    """Return the outcome of a match by the results of the boards that were played."""
    swings = [result for result in results if result is not None]
    left = len(match.boards) - len(swings)
    gone = [at for at in (HOME, VISITORS) if match.entries[at] in withdrawn] if left else []
    # If one team was withdrawn by this round, the other's withdrawal in a later round does not
    # count here.
    by_then = [at for at in gone if withdrawn[match.entries[at]] <= match.round]
    return Outcome(
        boards=len(swings),
        imps=sum(board.imps for board in swings),
        points=sum(board.points for board in swings),
        won=sum((board.won for board in swings), Fraction(0)),
        left=left,
        forfeited=tuple(by_then or gone),
    )


BOARD_UNITS = {
    Scoring.MATCHPOINTS: "%",
    Scoring.BUTLER: "Butler IMPs",
    Scoring.CROSS_IMPS: "IMPs",
}
"""The unit of the score of a board."""


@dataclass(frozen=True, slots=True)
class TableScore:
    """The score of a board at one table."""

    north_south: float  # by the event's scoring
    east_west: float  # by the event's scoring
    imps: float | None  # North-South's cross-IMPs; None if no other table finished the board


def table_scores(
    event: Event, records: Sequence[TableResult], tables: int
) -> list[TableScore | None]:
    """Return the scores of one board, in the order of its records.

    `tables` are to play it. A table that neither finished the board nor has it adjusted has None.
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
            own, theirs = (average(event.scoring, plus=is_plus) for is_plus in (plus, not plus))
            imps = float(AVERAGE_PLUS_IMPS if plus else -AVERAGE_PLUS_IMPS)
            scores.append(TableScore(own, theirs, imps))
        else:
            scores.append(None)
    return scores


def _compared(event: Event, scores: Sequence[int], tables: int) -> list[tuple[float, float]]:
    """Return the scores of both sides of a board from the points of North-South.

    If fewer than `tables` tables have played it, matchpoints are factored (Neuberg's formula): to
    beat one other of five is not worth a top. A lone score is worth the average.
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
        return [(float(imps), float(-imps)) for imps in butler(scores, event.trim)]
    return [(float(imps), float(-imps)) for imps in cross_imps(scores)]
