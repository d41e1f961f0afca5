"""The scorecard of a person: the boards that are over, with what each was worth."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby
from typing import NotRequired, TypedDict, cast

from bridge_arena.base.wording import plural
from bridge_arena.bridge.record import BoardRecord
from bridge_arena.bridge.seats import Seat, Side
from bridge_arena.reports.common.wording import signed
from bridge_arena.tournaments import (
    Event,
    Format,
    Match,
    Scoring,
    Swing,
    Unit,
    plan,
    team_at,
)
from bridge_arena.tournaments.schedule.plan import Results
from bridge_arena.tournaments.schedule.rulings import Ruling
from bridge_arena.tournaments.schedule.scores import BOARD_UNITS
from bridge_arena.tournaments.schedule.units import VISITORS, in_schedule_order, tables_of
from bridge_arena.web.board.document import SeatLetter, Table
from bridge_arena.web.board.of_records import LETTERS, summary_of
from bridge_arena.web.live.score import UNITS, match_text

SeatedUnit = tuple[Unit, Seat]
"""A unit that a person played, and the seat."""


class Line(TypedDict):
    """A board of the scorecard; `worth` and `total` are those of the person's side."""

    board: int
    seat: SeatLetter
    table: Table  # the result at the own table
    other: NotRequired[Table]  # that in the other room; absent if there is none to be shown
    worth: NotRequired[float]  # in the section's unit; absent until the board counts
    total: NotRequired[float]  # of the section so far: the sum, or the mean of percentages
    href: NotRequired[str]  # the address of the board's replay, if there is one


class Section(TypedDict):
    """The boards of a match of teams, or all boards of a pair or an individual."""

    title: str  # the round and the entries; "" where an event has one section only
    scope: str  # what the total is of: "match", "round 3"; or which total it is: "total", "mean"
    unit: str
    lines: list[Line]
    result: str  # in a sentence
    total: NotRequired[float]  # the last line's
    against: NotRequired[str]  # what boards are compared with, if not with another table


@dataclass(frozen=True)
class Scorecards:
    """The scorecards of an event, by the records that may be known (`played`) and by rulings."""

    event: Event
    names: Sequence[str]  # of the entries
    played: Mapping[str, BoardRecord]
    rulings: Sequence[Ruling] = ()

    @cached_property
    def _results(self) -> Results:
        in_order = sorted(self.played, key=in_schedule_order)
        return Results(self.event, [self.played[unit] for unit in in_order], self.rulings)

    def sections(self, seated: Sequence[SeatedUnit], *, is_over: bool) -> list[Section]:
        """Return the scorecard of a person who played some units, in the order of play.

        `is_over` says whether the event is.
        """
        if not self.event.format.is_teams:
            return [self._alone(seated)] if seated else []
        return [
            self._of_match(list(units), is_over=is_over)
            for _, units in groupby(seated, key=lambda place: place[0].match.id)
        ]

    # A match of teams.

    def _of_match(self, seated: Sequence[SeatedUnit], *, is_over: bool) -> Section:
        scoring = self.event.scoring
        match = seated[-1][0].match  # with the boards that a knock-out has added
        swings = self._results.swings(match)
        lines: list[Line] = []
        for unit, seat in seated:
            line = self._line(unit, seat)
            for room in match.rooms:
                record = self.played.get(replace(unit, room=room).id)
                if record is not None and room is not unit.room:
                    line["other"] = _summary(record, f"{room} room")
            if (counted := swings.get(self.played[unit.id].board)) is not None:
                line["worth"] = _worth(counted, scoring, team_at(seat.side, unit.room))
            lines.append(line)
        unit, seat = seated[-1]
        own = team_at(seat.side, unit.room)
        teams = [self.names[entry] for entry in match.entries]
        result = match_text(self._results.outcome(match), scoring, teams, own, is_over=is_over)
        scope, title = scope_of(self.event, match), ""
        if self.event.format is not Format.MATCH:
            title = f"{scope.capitalize()}: {' – '.join(teams)}"
        return _section(title, scope, UNITS.get(scoring, "IMPs"), lines, result)

    # Pairs and individuals.

    def _alone(self, seated: Sequence[SeatedUnit]) -> Section:
        """Return the scorecard where a board is compared with all its other tables."""
        scoring = self.event.scoring
        planned = plan(self.event, self._results)
        matches = [match for round_ in planned for match in round_.matches]
        units_of: dict[int, list[str]] = {}
        for match in matches:
            for unit in match.units():
                if unit.id in self.played:
                    units_of.setdefault(unit.board, []).append(unit.id)
        lines: list[Line] = []
        for unit, seat in seated:
            ids = units_of[unit.board]
            records = [self.played[table] for table in ids]
            scores = self._results.table_scores(records, tables_of(matches, unit.match))
            score = scores[ids.index(unit.id)]
            line = self._line(unit, seat)
            if score is not None:
                line["worth"] = score.north_south if seat.side is Side.NS else score.east_west
            lines.append(line)
        scope = scope_of(self.event, seated[-1][0].match)
        section = _section("", scope, BOARD_UNITS[scoring], lines, "")
        if "total" in section:
            is_mean = scope == "mean"
            total = f"{section['total']:.2f}" if is_mean else signed(section["total"], 2)
            boards = plural(sum("worth" in line for line in lines), "board")
            unit, seat = seated[-1]
            penalty = self._results.penalties[unit.lineup[seat]]
            less = f", and a penalty of {penalty:g} comes off it" if penalty else ""
            section["result"] = f"{total} {section['unit']} on {boards}{less}."
        return section

    def _line(self, unit: Unit, seat: Seat) -> Line:
        record = self.played[unit.id]
        return Line(
            board=record.board.number, seat=LETTERS[seat], table=_summary(record, "Your table")
        )


def _worth(counted: Swing, scoring: Scoring, own: int) -> float:
    """Return what a board was worth to HOME or VISITORS."""
    if own == VISITORS and counted.visitors is not None:
        counted = counted.visitors
    if scoring is Scoring.BOARD_A_MATCH:
        return float(1 - counted.won if own else counted.won)
    value = counted.points if scoring is Scoring.TOTAL_POINTS else counted.imps
    return float(-value if own else value)


def _summary(record: BoardRecord, name: str) -> Table:
    """Return the contract and the result of a table."""
    summary = summary_of(record, 1, name)
    return cast("Table", {key: value for key, value in summary.items() if key in RESULT})


RESULT = ("name", "contract", "declarer", "result", "score", "imps")
"""The keys of a table that players are told of another one; thoughts are not among them."""


def scope_of(event: Event, match: Match) -> str:
    """Return what a total of a person who plays a match is of, or which total it is."""
    if not event.format.is_teams:
        return "mean" if event.scoring is Scoring.MATCHPOINTS else "total"
    return "match" if event.format is Format.MATCH else f"round {match.round}"


def _section(title: str, scope: str, unit: str, lines: list[Line], result: str) -> Section:
    """Return a section, and write the totals into its lines."""
    section = Section(title=title, scope=scope, unit=unit, lines=lines, result=result)
    for line, total in _totals(lines, is_mean=scope == "mean"):
        line["total"] = section["total"] = total
    return section


def _totals(lines: Sequence[Line], *, is_mean: bool) -> Iterator[tuple[Line, float]]:
    counted = [line for line in lines if "worth" in line]
    total = 0.0
    for number, line in enumerate(counted, start=1):
        total += line["worth"]
        yield line, round(total / number if is_mean else total, 2)
