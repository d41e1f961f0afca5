"""The standings of an event: the score of every entry so far."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

from bridge_arena.bridge.board import Board, by_board
from bridge_arena.bridge.seats import SEATS, Side
from bridge_arena.tournaments.events.event import Event
from bridge_arena.tournaments.formats.rules import Format, Scoring
from bridge_arena.tournaments.schedule.plan import Results, knock_out_winner, plan
from bridge_arena.tournaments.schedule.rulings import Artificial
from bridge_arena.tournaments.schedule.scores import average, walkover
from bridge_arena.tournaments.schedule.table_results import TableResult
from bridge_arena.tournaments.schedule.units import Match, Round, tables_of


@dataclass(frozen=True, slots=True)
class Standing:
    """The place of one entry."""

    entry: int  # its number in the event, from 0
    rank: int  # its rank, from 1; equal entries share one
    score: float  # in `Standings.unit`
    matches: int  # matches that were begun or forfeited
    won: int  # matches that it won; always 0 in pairs and individual events
    drawn: int  # matches that it drew; always 0 in pairs and individual events
    byes: int  # rounds of a knock-out or Swiss without an opponent, which its score counts
    boards: int  # boards that count for it
    # The sum of IMPs over them: of its team or, in pairs and individual events, cross-IMPs.
    imps: float
    withdrawn: bool  # whether it is withdrawn


@dataclass(frozen=True, slots=True)
class Standings:
    """The standings."""

    unit: str  # the unit of the scores, as the heading of their column
    entries: tuple[Standing, ...]  # all entries, the best first

    @property
    def decimals(self) -> int:
        """The decimals of the scores: none if all are whole."""
        return 0 if all(standing.score == round(standing.score) for standing in self.entries) else 2


UNITS = {
    Scoring.IMPS: "IMPs",
    Scoring.VP: "VP",
    Scoring.VP_DISCRETE: "VP",
    Scoring.BOARD_A_MATCH: "boards",
    Scoring.TOTAL_POINTS: "points",
    Scoring.MATCHPOINTS: "%",
    Scoring.BUTLER: "IMPs/board",
    Scoring.CROSS_IMPS: "IMPs/board",
}


@dataclass(slots=True)
class _Tally:
    """The sums of an entry."""

    # The score of each match or, in pairs and individual events, of each board.
    scores: list[float] = field(default_factory=list)
    matches: int = 0  # matches that were begun or forfeited
    won: int = 0  # matches won
    drawn: int = 0  # matches drawn
    byes: int = 0  # rounds without an opponent
    boards: int = 0  # boards that count
    imps: float = 0.0
    rounds: int = 0  # the rounds of a knock-out that it passed, by a bye too


@dataclass(frozen=True, slots=True)
class _Table:
    """A board at a table of a match."""

    match: Match
    record: TableResult

    @property
    def board(self) -> Board:
        return self.record.board


def standings(event: Event, results: Results) -> Standings:
    """Return the standings of an event. Raises ValueError."""
    rounds = plan(event, results)
    tallies = [_Tally() for _ in event.entries]
    if event.format.is_teams:
        _count_matches(event, rounds, results, tallies)
    else:
        _count_tables(event, rounds, results, tallies)
    unit = UNITS[event.scoring]
    if event.format is Format.KNOCK_OUT:
        unit = "rounds won"
    elif event.format.rules.is_averaged:
        unit = f"{unit} a match"
    scores = [
        _score(event, tally, penalty)
        for tally, penalty in zip(tallies, results.penalties, strict=True)
    ]
    # An entry that will be withdrawn from a round that is not known yet is still in the event.
    goes_on = event.format.is_drawn and not all(
        results.outcome(match).is_over for known in rounds for match in known.matches
    )
    withdrawn = {
        entry
        for entry, since in results.withdrawn.items()
        if not goes_on or since <= rounds[-1].number
    }
    return Standings(unit, tuple(_ranked(tallies, scores, withdrawn)))


def _score(event: Event, tally: _Tally, penalty: float) -> float:
    if event.format is Format.KNOCK_OUT:
        return tally.rounds
    total = sum(tally.scores) - penalty if penalty else sum(tally.scores)
    if event.format.is_teams and not event.format.rules.is_averaged:
        return total
    return total / len(tally.scores) if tally.scores else 0.0


def _ranked(
    tallies: Sequence[_Tally], scores: Sequence[float], withdrawn: Collection[int]
) -> Iterable[Standing]:
    """Yield the best entry first, withdrawn ones last, and equals in the order of entry."""
    keys = [(entry in withdrawn, -round(score, 9)) for entry, score in enumerate(scores)]
    for entry in sorted(range(len(tallies)), key=lambda entry: (keys[entry], entry)):
        tally = tallies[entry]
        yield Standing(
            entry=entry,
            rank=1 + sum(key < keys[entry] for key in keys),
            score=scores[entry],
            matches=tally.matches,
            won=tally.won,
            drawn=tally.drawn,
            byes=tally.byes,
            boards=tally.boards,
            imps=tally.imps,
            withdrawn=entry in withdrawn,
        )


def _count_matches(
    event: Event, rounds: Iterable[Round], results: Results, tallies: Sequence[_Tally]
) -> None:
    for round_ in rounds:
        for match in round_.matches:
            result = results.outcome(match)
            if not result.boards and not result.forfeited:
                continue
            winner = result.winner(event.scoring) if result.is_over else None
            scores = result.scores(event.scoring)
            for at, entry in enumerate(match.entries):
                tally = tallies[entry]
                tally.scores.append(scores[at])
                tally.matches += 1
                tally.won += winner == at
                tally.drawn += result.is_over and winner is None and not result.forfeited
                tally.boards += result.boards
                tally.imps += result.imps_of(at)
            if event.format is Format.KNOCK_OUT and results.deciding(match).outcome(match).is_over:
                tallies[knock_out_winner(event, match, results)].rounds += 1
        if event.format.is_drawn:
            for entry in round_.byes:
                tallies[entry].byes += 1
                tallies[entry].scores.append(walkover(event))
                tallies[entry].rounds += 1


def _count_tables(
    event: Event, rounds: Iterable[Round], results: Results, tallies: Sequence[_Tally]
) -> None:
    """Score every board against the other tables that played it."""
    tables: list[_Table] = []
    matches = [match for round_ in rounds for match in round_.matches]
    for match in matches:
        records = results.of(match)
        tables += (_Table(match, record) for record in records)
        for entry in match.entries if records else ():
            tallies[entry].matches += 1
        missing = results.unplayed(match)
        absent = {entry for entry in match.entries if results.is_absent(entry, match.round)}
        if missing and absent:
            # The opponents, and in an individual event the partner, of the withdrawn entry.
            for entry in set(match.entries) - absent:
                tallies[entry].scores += [average(event.scoring, Artificial.PLUS)] * missing
    for played in by_board(tables).values():
        _count_board(results, played, tables_of(matches, played[0].match), tallies)


def _count_board(
    results: Results, played: Sequence[_Table], tables: int, tallies: Sequence[_Tally]
) -> None:
    """Score one board, which `tables` tables are to play."""
    scores = results.table_scores([table.record for table in played], tables)
    for table, score in zip(played, scores, strict=True):
        if score is None:
            continue
        lineup = table.match.lineup(None)
        for side, points in ((Side.NS, score.north_south), (Side.EW, score.east_west)):
            for entry in {lineup[seat] for seat in SEATS if seat.side is side}:
                tallies[entry].scores.append(points)
                tallies[entry].boards += 1
                tallies[entry].imps += score.imps_of(side)
