"""The figures of a leaderboard, over one event or many, from which all its forms are made.

Entries are told apart by name: the same name in two events is the same entry. What can be
counted depends on the format. Of two-room matches, one observation is a board played in
both rooms, and its IMPs are the entry's own; a board that a room could not finish counts
with the three IMPs it was adjusted to. In pairs and individual events an entry's score
depends on the other tables of the board: one observation is a table, with the mean of its
IMPs against each other table. The two are never mixed. All standard errors are clustered
by deal, as the results of one deal at several tables belong together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from math import inf

from bridge_arena.bridge.cards import Deal
from bridge_arena.bridge.seats import SEATS
from bridge_arena.reports.common.explanations import ExplanationFigures, explanation_figures
from bridge_arena.reports.leaderboard.comparisons import compared_imps
from bridge_arena.reports.leaderboard.conduct import Conduct, Timing, conduct, timing
from bridge_arena.reports.leaderboard.matches import (
    Result,
    SeatedTable,
    TablesOfBoard,
    TeamMatch,
    compared_boards,
    planned_matches,
    seated_tables,
    team_matches,
)
from bridge_arena.reports.leaderboard.play import (
    LedgerFigures,
    TricksVsDd,
    ledger_figures,
    tricks_vs_dd,
)
from bridge_arena.tournaments.events.event import Event
from bridge_arena.tournaments.events.sealing.provenance import Provenance
from bridge_arena.tournaments.schedule.standings import Standing, Standings, standings
from bridge_arena.tournaments.statistics.clustered import clustered_mean
from bridge_arena.tournaments.statistics.means import Mean
from bridge_arena.tournaments.statistics.ratings import FEWEST_DEALS, Estimate, Observation, rate
from bridge_arena.tournaments.statistics.sign_flip import sign_flip_p_value
from bridge_arena.tournaments.store.played import EventResults


@dataclass(frozen=True, slots=True)
class _Swing:
    """A board that counts: its IMPs as the first entry, the home team, sees them."""

    first: str
    second: str
    deal: Deal
    imps: int
    adjusted: bool

    def seen_by(self, name: str) -> int:
        return self.imps if name == self.first else -self.imps


@dataclass(frozen=True, slots=True)
class GroupRating:
    """IMPs per board against the mean of the entries that matches connect it with.
    `group`: which they are, from 1, the largest first; of `size` entries. Those of
    different groups cannot be compared. `ahead`: of the next one of the group, from all
    boards of both; as the same deals of both are taken together, it is a paired test where
    they played the same. None for the last."""

    estimate: Estimate
    group: int
    size: int
    ahead: Estimate | None


@dataclass(frozen=True, slots=True)
class Meeting:
    """What two entries made of the boards they played against each other, seen from the
    first. `p_value`: of the sign-flip test, the swings of one deal flipped together.
    `deals`: with a swing."""

    first: str
    second: str
    imps: Mean
    total: int
    deals: int
    p_value: float | None

    @property
    def is_too_small(self) -> bool:
        """Whether no result of so few deals could tell the two apart."""
        return self.deals < FEWEST_DEALS

    def reversed(self) -> Meeting:
        """The same, seen from the second."""
        mean = None if self.imps.mean is None else -self.imps.mean
        imps = Mean(self.imps.n, mean, self.imps.standard_error)
        return Meeting(self.second, self.first, imps, -self.total, self.deals, self.p_value)


@dataclass(frozen=True, slots=True)
class Place:
    """An entry's standing in one event. `event`: its number in the leaderboard, from 0."""

    event: int
    unit: str
    standing: Standing


@dataclass(frozen=True, slots=True)
class EntryFigures:
    """All about one entry. `rating`: None where it played no two-room board. `imps`: per
    two-room board, of which `adjusted` were adjusted. `cross_imps`: per table of pairs and
    individual events. `victory_points`: per match, on the WBF's continuous scale whatever
    the event was scored by. `won`, `drawn`, `lost`: matches that are over. `running`: its
    IMPs after each two-room board, in the order of the matches.
    """

    name: str
    rating: GroupRating | None
    imps: Mean
    adjusted: int
    cross_imps: Mean
    victory_points: Mean
    won: int
    drawn: int
    lost: int
    places: tuple[Place, ...]
    tricks: TricksVsDd
    ledger: LedgerFigures
    explanations: ExplanationFigures
    timing: Timing
    conduct: Conduct
    running: tuple[int, ...]

    @property
    def matches(self) -> int:
        return self.won + self.drawn + self.lost

    @property
    def withdrawn(self) -> bool:
        """Whether it was withdrawn from an event."""
        return any(place.standing.withdrawn for place in self.places)


@dataclass(frozen=True, slots=True)
class EventFigures:
    """One event. `provenance`: where its boards came from. `matches`: of two rooms; `boards`: of
    pairs and individual events; one of the two is empty."""

    event: Event
    provenance: Provenance
    standings: Standings
    tables: tuple[SeatedTable, ...]
    matches: tuple[TeamMatch, ...]
    boards: tuple[TablesOfBoard, ...]


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """Entries, the best first: by rating within the connected groups, the largest first;
    then those without, by cross-IMPs. `meetings`: by the names of first and second, in
    both orders."""

    events: tuple[EventFigures, ...]
    entries: tuple[EntryFigures, ...]
    meetings: Mapping[tuple[str, str], Meeting]

    @property
    def has_teams(self) -> bool:
        """Whether anything was played in two rooms."""
        return any(entry.imps.n for entry in self.entries)

    @property
    def has_comparisons(self) -> bool:
        """Whether anything was compared across tables."""
        return bool(self.compared)

    @property
    def compared(self) -> list[EntryFigures]:
        """The entries that were compared across tables, the best first."""
        compared = [entry for entry in self.entries if entry.cross_imps.n]
        return sorted(compared, key=lambda entry: -(entry.cross_imps.mean or 0.0))

    @property
    def has_tricks(self) -> bool:
        """Whether any play could be compared with double dummy."""
        return any(entry.tricks.declarer.n for entry in self.entries)

    @property
    def has_ledger(self) -> bool:
        """Whether the swing of any board could be split."""
        return any(entry.ledger.boards for entry in self.entries)

    @property
    def has_calls(self) -> bool:
        """Whether any entry bid."""
        return any(entry.explanations.calls for entry in self.entries)

    @property
    def has_explanations(self) -> bool:
        """Whether any entry explained a call."""
        return any(entry.explanations.explained for entry in self.entries)


def leaderboard(results: Sequence[EventResults]) -> Leaderboard:
    """The figures of all entries of the events.

    Raises ValueError for records that are not of their event.
    """
    events = tuple(_event_figures(each) for each in results)
    names = dict.fromkeys(entrant.name for each in results for entrant in each.event.entries)
    swings = [swing for event in events for swing in _swings(event.matches)]
    ratings = _ratings(swings)
    compared = [each for event in events for each in compared_imps(event.boards)]
    entries: list[EntryFigures] = []
    for name in names:
        matches = [match for event in events for match in event.matches if name in match.names]
        own = [swing for swing in swings if name in (swing.first, swing.second)]
        tables = [table for event in events for table in event.tables if name in table.names]
        ended = Counter(
            match.result(name, event.event.scoring)
            for event in events
            for match in event.matches
            if name in match.names
        )
        entries.append(
            EntryFigures(
                name=name,
                rating=ratings.get(name),
                imps=clustered_mean((swing.deal, swing.seen_by(name)) for swing in own),
                adjusted=sum(swing.adjusted for swing in own),
                cross_imps=clustered_mean(
                    (deal, value) for whose, deal, value in compared if whose == name
                ),
                victory_points=Mean.of(list(_victory_points(matches, name))),
                won=ended[Result.WON],
                drawn=ended[Result.DRAWN],
                lost=ended[Result.LOST],
                places=tuple(_places(events, name)),
                tricks=tricks_vs_dd(tables, name),
                ledger=ledger_figures(matches, name),
                explanations=explanation_figures(
                    (table.record, [seat for seat in SEATS if table.names[seat] == name])
                    for table in tables
                ),
                timing=timing(tables, name),
                conduct=conduct(tables, name),
                running=tuple(accumulate(swing.seen_by(name) for swing in own)),
            )
        )
    entries.sort(key=_merit)
    return Leaderboard(events, tuple(entries), _meetings(swings))


def _event_figures(results: EventResults) -> EventFigures:
    is_teams = results.event.format.is_teams
    planned = planned_matches(results)
    tables = tuple(seated_tables(results, planned))
    return EventFigures(
        results.event,
        results.provenance,
        standings(results.event, results.played),
        tables,
        tuple(team_matches(results.event, planned, tables) if is_teams else ()),
        tuple(() if is_teams else compared_boards(results.event, planned, tables)),
    )


def _swings(matches: Iterable[TeamMatch]) -> Iterator[_Swing]:
    for match in matches:
        for board in match.boards:
            if board.imps is not None:
                yield _Swing(*match.names, board.board.deal, board.imps, board.adjusted)


def _ratings(swings: Iterable[_Swing]) -> dict[str, GroupRating]:
    fields = rate(
        Observation(swing.first, swing.second, swing.deal, swing.imps) for swing in swings
    )
    ratings: dict[str, GroupRating] = {}
    for group, field in enumerate(fields, start=1):
        names = [rating.entry for rating in field.ratings]
        ahead = [*(field.difference(*pair) for pair in pairwise(names)), None]
        for rating, lead in zip(field.ratings, ahead, strict=True):
            ratings[rating.entry] = GroupRating(rating.estimate, group, len(names), lead)
    return ratings


def _places(events: Iterable[EventFigures], name: str) -> Iterator[Place]:
    for number, figures in enumerate(events):
        for standing in figures.standings.entries:
            if figures.event.entries[standing.entry].name == name:
                yield Place(number, figures.standings.unit, standing)


def _victory_points(matches: Iterable[TeamMatch], name: str) -> Iterator[float]:
    """Of every match that counts; a forfeited one has the walkover's."""
    for match in matches:
        if match.victory_points is not None:
            yield match.victory_points[match.names.index(name)]


def _merit(entry: EntryFigures) -> tuple[float, float, float, str]:
    """What puts one entry before another, smallest first."""
    rating, compared = entry.rating, entry.cross_imps.mean
    return (
        rating.group if rating else inf,
        -rating.estimate.value if rating else 0.0,
        inf if compared is None else -compared,
        entry.name,
    )


def _meetings(swings: Iterable[_Swing]) -> dict[tuple[str, str], Meeting]:
    """Of all who met, in both orders."""
    met: dict[tuple[str, str], list[_Swing]] = {}
    for swing in swings:
        first, second = sorted((swing.first, swing.second))
        met.setdefault((first, second), []).append(swing)
    meetings: dict[tuple[str, str], Meeting] = {}
    for (first, second), boards in met.items():
        by_deal: Counter[Deal] = Counter()
        for swing in boards:
            by_deal[swing.deal] += swing.seen_by(first)
        meeting = Meeting(
            first,
            second,
            clustered_mean((swing.deal, swing.seen_by(first)) for swing in boards),
            sum(by_deal.values()),
            sum(total != 0 for total in by_deal.values()),
            sign_flip_p_value(list(by_deal.values())),
        )
        meetings[first, second] = meeting
        meetings[second, first] = meeting.reversed()
    return meetings
