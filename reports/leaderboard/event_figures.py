"""One event of a leaderboard: its sums, a summary, and its tables where they are shown.

A leaderboard of many events needs only sums and summary, which a store keeps (`packed_figures`) for
as long as nothing is added to the event. Tables, matches and boards are worked out from the records
when a page asks for them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from math import isfinite
from typing import Any

from pydantic import TypeAdapter

from bridge_arena.reports.common.meetings import PlayedEvent
from bridge_arena.reports.common.rulings import ShownRuling, shown_rulings
from bridge_arena.reports.common.sums import Score, Sums
from bridge_arena.reports.common.tables import (
    Result,
    SeatedTable,
    TablesOfBoard,
    TeamMatch,
    compared_boards,
    planned_matches,
    seated_tables,
    team_matches,
)
from bridge_arena.reports.common.tallies import Tallies, broken
from bridge_arena.reports.leaderboard.lines import Line, lines_of
from bridge_arena.tournaments import EventResults, Match, Provenance, Standings, standings
from bridge_arena.tournaments.schedule.plan import Results

FORM = 1
"""Grows with every change of what is kept of an event, or of how it is worked out."""


@dataclass(frozen=True)
class EventTables:
    """The tables of an event. Raises ValueError if a record is not of it."""

    results: EventResults

    @cached_property
    def tables(self) -> Sequence[SeatedTable]:
        return seated_tables(self.results, self._planned)

    @cached_property
    def matches(self) -> Sequence[TeamMatch]:
        """The matches of an event of teams."""
        is_teams = self.results.event.format.is_teams
        return team_matches(self.results, self._planned, self.tables) if is_teams else ()

    @cached_property
    def boards(self) -> Sequence[TablesOfBoard]:
        """The boards of a pairs or individual event."""
        is_teams = self.results.event.format.is_teams
        so_far = self.results.so_far
        return () if is_teams else compared_boards(so_far, self._planned, self.tables)

    @cached_property
    def lines(self) -> Mapping[str, Sequence[Line]]:
        """The boards of each entry that have a score, in a pairs or individual event."""
        return lines_of(self.results.event, self.boards)

    @cached_property
    def _planned(self) -> Sequence[Match]:
        return planned_matches(self.results)

    def sums(self) -> Sums:
        """Return the sums, whose first names are those of the entries."""
        return Sums.of(
            self.tables,
            self.matches,
            self._scores(),
            (entrant.name for entrant in self.results.event.entries),
        )

    def _scores(self) -> Iterator[Score]:
        for name, lines in self.lines.items():
            for line in lines:
                yield name, line.board.board.deal, line.score, line.imps


@dataclass(frozen=True, slots=True)
class EntrySummary:
    """The matches of an entry that are over, by the event's own scoring."""

    won: int
    drawn: int
    lost: int
    victory_points: tuple[float, ...]  # of the matches that have some, on the WBF's scale


@dataclass(frozen=True, slots=True)
class Summary:
    """What a leaderboard says of an event beside the figures of its entries."""

    programs: Mapping[str, tuple[str, ...]]  # those that played, by the names of entries
    standings: Standings
    entries: tuple[EntrySummary, ...]  # by their numbers
    rulings: tuple[ShownRuling, ...]  # those of its director
    matches: int
    boards: int  # those in two rooms that count
    tables: int  # those of pairs and individual play
    # Without those of which a ruling says what counts.
    adjusted: int  # boards in two rooms, or tables of pairs and individual play
    uncounted: int  # boards that were not finished in both rooms

    @classmethod
    def of(cls, tables: EventTables) -> Summary:
        """Return the summary of an event. Raises ValueError."""
        results, matches = tables.results, tables.matches
        boards = [board for match in matches for board in match.boards if not board.is_ruled]
        compared = [table for board in tables.boards for table in board.tables]
        adjusted = [table.played.result.adjusted for table in compared if not table.rulings]
        return cls(
            {name: tuple(programs) for name, programs in results.programs.items()},
            standings(results.event, results.so_far),
            tuple(_entry(entrant.name, tables) for entrant in results.event.entries),
            shown_rulings(results),
            len(matches),
            sum(match.outcome.boards for match in matches),
            len(compared),
            sum(board.adjusted for board in boards) + len(adjusted) - adjusted.count(None),
            sum(board.imps is None for board in boards),
        )


def _entry(name: str, tables: EventTables) -> EntrySummary:
    own = [match for match in tables.matches if name in match.names]
    ended = Counter(match.result(name, tables.results.event.scoring) for match in own)
    return EntrySummary(
        ended[Result.WON],
        ended[Result.DRAWN],
        ended[Result.LOST],
        # A walkover counts too.
        tuple(
            points[match.names.index(name)]
            for match in own
            if (points := match.victory_points) is not None
        ),
    )


@dataclass(frozen=True)
class EventFigures(PlayedEvent):
    """One event. Either `matches` or `boards` is empty."""

    provenance: Provenance
    summary: Summary
    detail: EventTables = field(compare=False)

    @property
    def standings(self) -> Standings:
        return self.summary.standings

    @property
    def rulings(self) -> Sequence[ShownRuling]:
        return self.summary.rulings

    @property
    def matches(self) -> Sequence[TeamMatch]:
        return self.detail.matches

    @property
    def boards(self) -> Sequence[TablesOfBoard]:
        return self.detail.boards

    @property
    def lines(self) -> Mapping[str, Sequence[Line]]:
        return self.detail.lines

    @property
    def so_far(self) -> Results:
        return self.detail.results.so_far

    def has_scorecard(self, entry: int) -> bool:
        """Return whether an entry, by its number in the event, has boards to show."""
        name = self.event.entries[entry].name
        in_matches = any(match.boards for match in self.matches if name in match.names)
        return in_matches or bool(self.lines[name])


@dataclass(frozen=True)
class KeptResults(EventResults):
    """The results of an event with its figures."""

    figures: EventFigures = field(kw_only=True)  # with the rulings

    @classmethod
    def of(cls, results: EventResults, figures: EventFigures) -> KeptResults:
        """Return results with their figures."""
        parts = {part.name: getattr(results, part.name) for part in fields(EventResults)}
        return cls(**parts, figures=figures)

    @property
    def known(self) -> EventFigures | None:
        """The figures; None if the event or the rulings have been replaced."""
        then = self.figures.detail.results
        is_same = self.event is then.event and self.counted_rulings == then.counted_rulings
        return self.figures if is_same else None

    @cached_property
    def programs(self) -> Mapping[str, tuple[str, ...]]:
        return self.known.summary.programs if self.known else super().programs


def event_figures(results: EventResults) -> EventFigures:
    """Return the figures of one event. Raises ValueError if a record is not of it."""
    if isinstance(results, KeptResults) and results.known is not None:
        return results.known
    tables = EventTables(results)
    return _figures(tables, tables.sums(), Summary.of(tables))


def _figures(tables: EventTables, sums: Sums, summary: Summary) -> EventFigures:
    results = tables.results
    own = results.event, sums, results.control, results.provenance
    return EventFigures(*own, summary, tables)


_SUMMARY = TypeAdapter(Summary)


def packed_figures(figures: EventFigures) -> dict[str, Any]:
    """Return the columns by which a store keeps the sums and the summary of an event."""
    return {
        "records": len(figures.sums.tables),
        "rulings": len(figures.detail.results.rulings),
        "form": FORM,
        "summary": _SUMMARY.dump_python(figures.summary, mode="json"),
        **figures.sums.packed(),
    }


def unpacked_figures(
    columns: Mapping[str, Any], results: EventResults, kept: Sequence[Mapping[str, Any]]
) -> EventFigures | None:
    """Return the figures of results by the columns that `packed_figures` returned of them.

    They are None if the columns are of other rulings, other tallies than those that are `kept`, or
    another form. Raises ValueError if they are of no event, as a store may come from anybody.
    """
    if (columns["form"], columns["rulings"]) != (FORM, len(results.rulings)):
        return None
    names = [entrant.name for entrant in results.event.entries]
    tables = EventTables(results)
    try:
        tallies = Tallies.joined([Tallies.made(()), *map(Tallies.unpacked, kept)])
        if len(tallies.tables) != columns["records"]:
            return None
        summary = _SUMMARY.validate_python(columns["summary"])
        sums = Sums.unpacked(columns, names, tallies, lambda row: tables.tables[row].played)
    except (KeyError, TypeError, ValueError) as error:
        raise broken(str(error)) from None
    if not _is_of(summary, len(names)):
        raise broken("they have standings that no event has")
    return _figures(tables, sums, summary)


def _is_of(summary: Summary, entries: int) -> bool:
    """Return whether a summary is of so many entries, and has numbers that can be shown."""
    ranked = summary.standings.entries
    numbers = [number for one in ranked for number in (one.score, one.imps)]
    numbers += [points for entry in summary.entries for points in entry.victory_points]
    return (
        sorted(one.entry for one in ranked) == list(range(entries))
        and len(summary.entries) == entries
        and all(map(isfinite, numbers))
    )
