"""The figures of a leaderboard, over one event or many, from which all its forms are made.

Entries are identified by name: the same name in two events is the same entry, and
`reports.common.same_names` tells or mends where another bot has it. The figures depend on the
format. In two-room matches, one observation is a board played in both rooms, and its IMPs are
the entry's own; a board that a room could not finish counts with the three IMPs it was adjusted to.
In pairs and individual events an entry's score depends on the other tables of the board: one
observation is a table, with the mean of its IMPs against each other table. The two are never mixed.
All standard errors are clustered by deal, as the results of one deal at several tables belong
together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from math import inf
from typing import Annotated

import numpy as np
from pydantic import model_serializer

from bridge_arena.reports.common.figures import EntryFigures
from bridge_arena.reports.common.meetings import Meeting, controlled
from bridge_arena.reports.common.same_names import SharedName, renamed, shared_names
from bridge_arena.reports.common.sums import Sums
from bridge_arena.reports.common.values import Hidden, Json, shown_by
from bridge_arena.reports.leaderboard.event_figures import EventFigures, event_figures
from bridge_arena.reports.leaderboard.lines import cross_imps_of, score_of
from bridge_arena.tournaments import HOME, EventResults
from bridge_arena.tournaments.schedule.standings import Standing
from bridge_arena.tournaments.statistics.means import Mean
from bridge_arena.tournaments.statistics.ratings import Estimate, Observation, rate


@dataclass(frozen=True, slots=True)
class GroupRating:
    """A rating against the mean of the entries that matches connect.

    Entries of different groups cannot be compared.
    """

    estimate: Estimate  # in IMPs per board
    group: int
    size: int
    # The difference to the next entry of the group, from all boards of both; None for the last. The
    # same deals of both are taken together, so it is a paired test where they played the same
    # deals.
    ahead: Estimate | None


def _rating_values(rating: GroupRating | None) -> Json | None:
    """Return the values of a rating for JSON files."""
    if rating is None:
        return None
    low, high = rating.estimate.interval or (None, None)
    return {
        "imps_per_board": rating.estimate.value,
        "standard_error": rating.estimate.standard_error,
        "low": low,
        "high": high,
        "ahead_of_next": rating.ahead
        and {
            "imps_per_board": rating.ahead.value,
            "standard_error": rating.ahead.standard_error,
            "p_value": rating.ahead.p_value,
        },
        "group": rating.group,
        "group_size": rating.size,
    }


@dataclass(frozen=True, slots=True)
class EntryStanding:
    """An entry's standing in one event."""

    event: int  # the event's number in the leaderboard, from 0
    unit: str
    standing: Hidden[Standing]
    standard_error: float | None  # that of its score, if it is a mean over boards

    @model_serializer
    def values(self) -> Json:
        own = {"event": self.event, "unit": self.unit, "standard_error": self.standard_error}
        return own | {
            name: value for name, value in asdict(self.standing).items() if name != "entry"
        }


@dataclass(frozen=True, slots=True)
class Matches:
    """The matches that are over, by the event's own scoring."""

    won: int
    drawn: int
    lost: int

    @property
    def over(self) -> int:
        return self.won + self.drawn + self.lost


@dataclass(frozen=True, slots=True)
class RankedEntry(EntryFigures):
    # None if it played no two-room board.
    rating: Annotated[GroupRating | None, shown_by(_rating_values)]
    cross_imps: Mean  # the mean per table of pairs and individual events
    # The mean per match, on the WBF's continuous scale whatever the event's scoring.
    victory_points: Annotated[Mean, shown_by(lambda m: asdict(m) | {"total": m.total})]
    matches: Matches
    standings: tuple[EntryStanding, ...]
    # Its IMPs after each two-room board, in the order of the matches.
    running: Hidden[tuple[int, ...]]

    @property
    def withdrawn(self) -> bool:
        return any(place.standing.withdrawn for place in self.standings)

    @property
    def met_teams(self) -> bool:
        """Whether it played in two rooms, even if no board was finished."""
        return bool(self.imps_per_board.n or self.matches.over)


@dataclass(frozen=True, slots=True)
class Leaderboard:
    events: tuple[EventFigures, ...]
    # The best first: by rating within the connected groups, the largest group first; then those
    # without a rating, by cross-IMPs.
    entries: tuple[RankedEntry, ...]
    # The meetings by the names of first and second, in both orders.
    meetings: Mapping[tuple[str, str], Meeting]
    shared: tuple[SharedName, ...] = ()  # the names that more than one bot has

    @property
    def has_teams(self) -> bool:
        """Whether anything was played in two rooms."""
        return any(entry.imps_per_board.n for entry in self.entries)

    @property
    def has_comparisons(self) -> bool:
        """Whether anything was compared across tables."""
        return bool(self.compared)

    @property
    def met(self) -> list[Meeting]:
        """Each pair that met, once, in the order of the entries."""
        order = [entry.name for entry in self.entries]
        return [
            self.meetings[first, second]
            for place, first in enumerate(order)
            for second in order[place + 1 :]
            if (first, second) in self.meetings
        ]

    @property
    def compared(self) -> list[RankedEntry]:
        """The entries that were compared across tables, the best first."""
        compared = [entry for entry in self.entries if entry.cross_imps.n]
        return sorted(compared, key=lambda entry: -(entry.cross_imps.mean or 0.0))

    @property
    def has_tricks(self) -> bool:
        """Whether any play could be compared with double dummy."""
        return any(entry.tricks_vs_dd.declarer.n for entry in self.entries)

    @property
    def has_ledger(self) -> bool:
        """Whether the swing of any board could be split."""
        return any(entry.ledger.boards for entry in self.entries)

    @property
    def has_calls(self) -> bool:
        """Whether any entry bid."""
        return any(entry.explanations.calls for entry in self.entries)


def leaderboard(results: Sequence[EventResults], *, apart: bool = False) -> Leaderboard:
    """Return the figures of all entries of the events.

    Different bots of one name may be kept `apart`, under names of their own. Raises ValueError if a
    record is not of its event.
    """
    shared = shared_names(results, apart=apart)
    if apart:
        results = renamed(results, shared)
    events = tuple(event_figures(of_event) for of_event in results)
    sums = Sums.joined([event.sums for event in events])
    ratings = _ratings(sums)
    entries = [_entry(name, sums, ratings.get(name), events) for name in sums.names]
    entries.sort(key=_merit)
    return Leaderboard(events, tuple(entries), _meetings(sums, events), tuple(shared))


def _entry(
    name: str,
    sums: Sums,
    rating: GroupRating | None,
    events: Sequence[EventFigures],
) -> RankedEntry:
    places = [
        (number, event, place)
        for number, event in enumerate(events)
        for place, entrant in enumerate(event.event.entries)
        if entrant.name == name
    ]
    own = [event.summary.entries[place] for _, event, place in places]
    boards = sums.boards[(sums.boards["teams"] == sums.entry(name)).any(axis=1)]
    imps = np.where(boards["teams"][:, HOME] == sums.entry(name), 1, -1) * boards["imps"]
    return RankedEntry.of(
        name,
        sums,
        rating=rating,
        cross_imps=cross_imps_of(sums, sums.entry(name)),
        victory_points=Mean.of([points for entry in own for points in entry.victory_points]),
        matches=Matches(
            sum(entry.won for entry in own),
            sum(entry.drawn for entry in own),
            sum(entry.lost for entry in own),
        ),
        standings=tuple(
            EntryStanding(
                number,
                event.standings.unit,
                standing,
                score_of(event.sums, standing).standard_error,
            )
            for number, event, place in places
            for standing in event.standings.entries
            if standing.entry == place
        ),
        running=tuple(imps.cumsum().tolist()),
    )


def _ratings(sums: Sums) -> dict[str, GroupRating]:
    fields = rate(
        Observation(sums.names[home], sums.names[visitors], deal, imps)
        for (home, visitors), deal, imps in zip(*sums.swings, strict=True)
    )
    ratings: dict[str, GroupRating] = {}
    for group, rated in enumerate(fields, start=1):
        names = [rating.entry for rating in rated.ratings]
        ahead = [*(rated.difference(*pair) for pair in pairwise(names)), None]
        for rating, lead in zip(rated.ratings, ahead, strict=True):
            ratings[rating.entry] = GroupRating(rating.estimate, group, len(names), lead)
    return ratings


def _merit(entry: RankedEntry) -> tuple[float, float, float, str]:
    """Return the sort key of an entry, the best first."""
    rating, compared = entry.rating, entry.cross_imps.mean
    return (
        rating.group if rating else inf,
        -rating.estimate.value if rating else 0.0,
        inf if compared is None else -compared,
        entry.name,
    )


def _meetings(sums: Sums, events: Sequence[EventFigures]) -> dict[tuple[str, str], Meeting]:
    """Return the meetings of all who met, in both orders."""
    met: dict[tuple[str, str], list[tuple[int, int]]] = {}
    for teams, deal, imps in zip(*sums.swings, strict=True):
        home, visitors = (sums.names[team] for team in teams)
        if home < visitors:
            met.setdefault((home, visitors), []).append((deal, imps))
        else:
            met.setdefault((visitors, home), []).append((deal, -imps))
    meetings = [
        Meeting.of(*pair, swings, controlled(*pair, events)) for pair, swings in met.items()
    ]
    both = [view for meeting in meetings for view in (meeting, meeting.reversed())]
    return {(view.first, view.second): view for view in both}
