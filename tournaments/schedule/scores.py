"""The scores of matches and tables, and those that no table made: of adjusted boards and byes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from math import floor, prod
from types import MappingProxyType

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
from bridge_arena.tournaments.schedule.rulings import Artificial, Award
from bridge_arena.tournaments.schedule.table_results import TableResult
from bridge_arena.tournaments.schedule.units import HOME, VISITORS, Match, team_at

AVERAGE_PLUS_IMPS = 3
"""The IMPs of the side not at fault for an adjusted board (Law 12C2), and for each board of a
forfeited match that was not played."""

AVERAGE_PLUS = Fraction(3, 5)
"""The same score as a share of a board."""

WALKOVER_VP = 12.0
"""Victory points for a bye, and the least for a match that the opponents forfeit; they get none."""


def average(scoring: Scoring, score: Artificial) -> float:
    """Return an artificial score for a board (Law 12C2): percent by matchpoints, else IMPs."""
    if scoring is Scoring.MATCHPOINTS:
        return 100 * float(Fraction(1, 2) + score * (AVERAGE_PLUS - Fraction(1, 2)))
    return float(AVERAGE_PLUS_IMPS * score)


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
    # The outcome by the visitors' own results, where a ruling gave the teams different ones.
    visitors: Outcome | None = None
    # Taken off the scores of home and visitors in the event's scoring, in a knock-out.
    penalties: tuple[float, float] = (0.0, 0.0)

    @property
    def is_over(self) -> bool:
        """Whether no board is left to play."""
        return not self.left or bool(self.forfeited)

    def imps_of(self, team: int) -> int:
        """Return the IMPs of HOME or VISITORS."""
        return self.imps if team == HOME else -(self.visitors or self).imps

    def scores(self, scoring: Scoring) -> tuple[float, float]:
        """Return the scores of home and visitors."""
        home, visitors = self._scores(scoring)
        if self.visitors is not None:
            visitors = self.visitors.scores(scoring)[VISITORS]
        if not any(self.penalties) or scoring in (Scoring.VP, Scoring.VP_DISCRETE):
            return home, visitors
        of_home, of_visitors = self.penalties
        if scoring is Scoring.BOARD_A_MATCH:
            return home - of_home, visitors - of_visitors
        # The score is a margin: what one team loses, the other gains.
        lost = of_home - of_visitors
        return home - lost, visitors + lost

    def _scores(self, scoring: Scoring) -> tuple[float, float]:
        """Return the scores by the home team's results, without penalties."""
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
    # The visitors' own result, seen from the home team too, where a ruling gave them another one.
    visitors: Swing | None = None


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
        return _artificial((VISITORS in at_fault) - (HOME in at_fault))
    difference = (in_open.score or 0) - (in_closed.score or 0)
    return Swing(imps(difference), difference, board_a_match(difference))


MOST_COMBINATIONS = 1000
"""The most combinations of the weighted outcomes at the tables of one board."""

Awards = tuple[Award, Award]
"""The scores of North-South and East-West at a table by a ruling."""


def ruled_swing(
    tables: Sequence[TableResult], awards: Mapping[Room | None, Awards]
) -> Swing | None:
    """Return the result of a board by rulings, as `swing` does without them.

    Args:
        tables: The board's records.
        awards: The scores that rooms were given or, without room, the board itself.
    """
    begun = {record.room for record in tables}
    # Until a table has begun the board, it is still to be played there.
    if not begun.issuperset(Room):
        return None
    if (of_board := awards.get(None)) is not None:
        home, visitors = of_board
        return _of_both(_team_swing(HOME, [home]), _team_swing(VISITORS, [visitors]))
    at_tables = {
        **{record.room: _awards(record) for record in tables if record.is_done},
        **awards,
    }
    in_open, in_closed = at_tables.get(Room.OPEN), at_tables.get(Room.CLOSED)
    if in_open is None or in_closed is None:
        return None
    return _of_both(
        _team_swing(HOME, [in_open[HOME], in_closed[VISITORS]]),
        _team_swing(VISITORS, [in_open[VISITORS], in_closed[HOME]]),
    )


def _awards(record: TableResult) -> Awards:
    """Return what a table that is done made of its board, for either side."""
    if record.adjusted is not None:
        plus = record.adjusted is Side.EW
        own = Artificial.PLUS if plus else Artificial.MINUS
        return own, Artificial(-own)
    return ((Fraction(1), record.score or 0),), ((Fraction(1), record.score or 0),)


def _of_both(home: Swing, visitors: Swing) -> Swing:
    return home if home == visitors else replace(home, visitors=visitors)


def _team_swing(team: int, awards: Sequence[Award]) -> Swing:
    """Return the result of a team by what it was given in the open and in the closed room."""
    artificial = [award for award in awards if isinstance(award, Artificial)]
    if artificial:
        gain = max(-1, min(1, sum(artificial)))
        return _artificial(gain if team == HOME else -gain)
    in_open, in_closed = (award for award in awards if not isinstance(award, Artificial))
    differences = [
        (weight * other, points - theirs)
        for (weight, points), (other, theirs) in product(in_open, in_closed)
    ]
    return Swing(
        _whole(weight * imps(points) for weight, points in differences),
        _whole(weight * points for weight, points in differences),
        sum((weight * board_a_match(points) for weight, points in differences), Fraction(0)),
        adjusted=True,
    )


def _whole(parts: Iterable[Fraction]) -> int:
    """Return a sum rounded, a half away from zero."""
    value = sum(parts, Fraction(0))
    size = floor(abs(value) + Fraction(1, 2))
    return size if value >= 0 else -size


def _artificial(gain: int) -> Swing:
    """Return the result of a board with an artificial score: average plus for 1, minus for -1."""
    share = AVERAGE_PLUS - Fraction(1, 2)
    return Swing(gain * AVERAGE_PLUS_IMPS, 0, Fraction(1, 2) + gain * share, adjusted=True)


def outcome(
    match: Match,
    results: Iterable[Swing | None],
    withdrawn: Mapping[int, int],
    annulled: int = 0,
) -> Outcome:
    """Return the outcome of a match by the results of the boards that were played.

    Args:
        match: The match.
        results: The results of its boards.
        withdrawn: The entries that are withdrawn, each with the round in which it was.
        annulled: The number of boards that are annulled.
    """
    swings = [result for result in results if result is not None]
    left = len(match.boards) - annulled - len(swings)
    gone = [at for at in (HOME, VISITORS) if match.entries[at] in withdrawn] if left else []
    # If one team was withdrawn by this round, the other's withdrawal in a later round does not
    # count here.
    by_then = [at for at in gone if withdrawn[match.entries[at]] <= match.round]
    own = _sum(swings, left, tuple(by_then or gone))
    if all(board.visitors is None for board in swings):
        return own
    theirs = [board.visitors or board for board in swings]
    return replace(own, visitors=_sum(theirs, left, own.forfeited))


def _sum(swings: Sequence[Swing], left: int, forfeited: tuple[int, ...]) -> Outcome:
    return Outcome(
        boards=len(swings),
        imps=sum(board.imps for board in swings),
        points=sum(board.points for board in swings),
        won=sum((board.won for board in swings), Fraction(0)),
        left=left,
        forfeited=forfeited,
    )


def forfeit(match: Match, team: int) -> Outcome:
    """Return the outcome of a match that HOME or VISITORS forfeits, whatever was played."""
    return _sum((), len(match.boards), (team,))


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
    # East-West's cross-IMPs, seen from North-South too; others where a ruling gave the sides
    # different scores.
    imps_of_east_west: float | None

    def imps_of(self, side: Side) -> float:
        """Return the cross-IMPs of a side; 0 if there are none."""
        return (self.imps if side is Side.NS else -(self.imps_of_east_west or 0.0)) or 0.0


def table_scores(
    event: Event,
    records: Sequence[TableResult],
    tables: int,
    awards: Mapping[int, Awards] = MappingProxyType({}),
) -> list[TableScore | None]:
    """Return the scores of one board, in the order of its records.

    A table that neither finished the board nor has it adjusted has None.

    Args:
        event: The event.
        records: The records of the board.
        tables: The number of tables that are to play it.
        awards: The scores by rulings of some records, by their places. Other tables are compared
            with each outcome of an assigned score in proportion to its weight.
    """
    given: list[Awards | None] = [
        awards.get(place) or (_awards(record) if record.is_done else None)
        for place, record in enumerate(records)
    ]
    north_south = _of_side(event, [None if one is None else one[0] for one in given], tables)
    east_west = north_south
    if any(own != theirs for own, theirs in awards.values()):
        opposite = [None if one is None else _opposite(one[1]) for one in given]
        east_west = _of_side(event, opposite, tables)
    scores: list[TableScore | None] = []
    for own, theirs in zip(north_south, east_west, strict=True):
        if own is None or theirs is None:
            scores.append(None)
        else:
            scores.append(TableScore(own[0], theirs[1], own[2], theirs[2]))
    return scores


def _opposite(award: Award) -> Award:
    """Return an artificial score of East-West as North-South's."""
    return Artificial(-award) if isinstance(award, Artificial) else award


def _of_side(
    event: Event, awards: Sequence[Award | None], tables: int
) -> list[tuple[float, float, float | None] | None]:
    """Return the scores of both sides and North-South's cross-IMPs, by North-South's awards."""
    assigned = [
        award for award in awards if award is not None and not isinstance(award, Artificial)
    ]
    if prod(map(len, assigned)) > MOST_COMBINATIONS:
        raise ValueError("too many tables of one board have weighted scores")
    worth = [(0.0, 0.0, 0.0)] * len(assigned)
    for outcomes in product(*assigned):
        weight = float(prod(one[0] for one in outcomes))
        points = [one[1] for one in outcomes]
        compared = zip(_compared(event, points, tables), cross_imps(points), strict=True)
        worth = [
            (before[0] + weight * own, before[1] + weight * theirs, before[2] + weight * crossed)
            for before, ((own, theirs), crossed) in zip(worth, compared, strict=True)
        ]
    of_assigned = iter(worth)
    scores: list[tuple[float, float, float | None] | None] = []
    for award in awards:
        if isinstance(award, Artificial):
            own, theirs = (average(event.scoring, Artificial(sign * award)) for sign in (1, -1))
            scores.append((own, theirs, float(AVERAGE_PLUS_IMPS * award)))
        elif award is None:
            scores.append(None)
        else:
            own, theirs, crossed = next(of_assigned)
            scores.append((own, theirs, crossed if len(assigned) > 1 else None))
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
