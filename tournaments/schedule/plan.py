"""The plan of an event: its matches, as far as the results so far decide them.

The same event and the same results give the same plan, so it is never stored: anybody can compute
it from the records, whether they are in the store or only in PBN.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import ceil

from bridge_arena.bridge.board import Board, by_board
from bridge_arena.tournaments.events.boards import EXTRA
from bridge_arena.tournaments.events.event import Event
from bridge_arena.tournaments.formats.pairings import bracket, first_round, next_round, pair_swiss
from bridge_arena.tournaments.formats.rules import Deals, Format
from bridge_arena.tournaments.schedule.early_stop import boards_needed
from bridge_arena.tournaments.schedule.scores import Outcome, Swing, outcome, swing, walkover
from bridge_arena.tournaments.schedule.table_results import TableResult
from bridge_arena.tournaments.schedule.units import HOME, VISITORS, Match, Round, Unit

EXTRA_BOARDS = 4
"""The size of a set of boards that is played to break a tie in a knock-out."""

EXTRA_SETS = 4
"""The most sets of extra boards; after them the better seed goes on."""


def plan(event: Event, records: Iterable[TableResult] | Results) -> list[Round]:
    """Return the rounds that are known, in order, by the records in schedule order.

    Those of a Swiss event or a knock-out become known when the round before is over. Raises
    ValueError for a record of a player who is not in the event.
    """
    results = records if isinstance(records, Results) else Results(event, records)
    if (draw := _DRAWS.get(event.format)) is not None:
        return list(draw(event, results))
    return list(_all_known(event) if event.format.is_teams else _movement(event))


def draw_of(event: Event, unit: Unit) -> tuple[int, int]:
    """Return the draw that a unit comes from: its round, and the number of its set of extra boards.

    Anybody who knows that a unit is played may conclude something about the results of all units of
    earlier draws, but of no others.
    """
    if not event.format.is_drawn:
        return 0, 0
    extra_sets = ceil((unit.position - event.boards) / EXTRA_BOARDS)
    return unit.match.round, max(0, extra_sets)


def withdrawn(event: Event, records: Iterable[TableResult]) -> dict[int, int]:
    """Return the entries that are withdrawn, each with the round in which it was.

    They lost more boards than the event's policies allow. Each has a board that was lost for good,
    neither finished nor adjusted. Raises ValueError.
    """
    numbers = {entrant.name: number for number, entrant in enumerate(event.entries)}
    gone: dict[int, int] = {}
    for record in records:
        if not record.is_done and (name := record.last_at_fault) is not None:
            if name not in numbers:
                raise ValueError(f"{name!r} does not take part in {event.name}")
            number = record.round or 1
            gone[numbers[name]] = min(number, gone.get(numbers[name], number))
    return gone


class Results:
    """The records of an event, by match, and its `withdrawn` entries."""

    def __init__(self, event: Event, records: Iterable[TableResult]) -> None:
        self._records: dict[tuple[int, int], list[TableResult]] = {}
        every = list(records)
        for record in every:
            key = (record.round or 1, record.table or 1)
            self._records.setdefault(key, []).append(record)
        self.withdrawn = withdrawn(event, every)
        self._swings: dict[tuple[int, int], dict[Board, Swing | None]] = {}

    def of(self, match: Match) -> Sequence[TableResult]:
        return self._records.get((match.round, match.number), ())

    def swings(self, match: Match) -> Mapping[Board, Swing | None]:
        """Return the result of each board of a match of two teams that was begun."""
        key = (match.round, match.number)
        if key not in self._swings:
            boards = by_board(self.of(match))
            self._swings[key] = {board: swing(tables) for board, tables in boards.items()}
        return self._swings[key]

    def outcome(self, match: Match) -> Outcome:
        return outcome(match, self.swings(match).values(), self.withdrawn)


def _match(event: Event, results: Results) -> Iterator[Round]:
    """Yield the only round of a match, with the boards until its sequential test ends."""
    match = Match(1, 1, (HOME, VISITORS), ())
    boards = boards_needed(event, results.of(match))
    yield Round(1, (replace(match, boards=tuple(range(1, boards + 1))),))


def _all_known(event: Event) -> Iterator[Round]:
    """Yield the rounds of formats that do not depend on results."""
    count = len(event.entries)
    assert event.format.rules.rounds is not None
    rounds = event.format.rules.rounds(count)
    for leg in range(event.legs):
        for number, pairs in enumerate(rounds, start=1 + leg * len(rounds)):
            # The second leg exchanges home and visitors and has other boards: on the same boards
            # it would repeat the tables of the first leg.
            sides = [pair[::-1] for pair in pairs] if leg else pairs
            serial = (number - 1) * len(pairs)
            yield _round(event, number, sides, serial, leg, _absent(count, pairs))


def _swiss(event: Event, results: Results) -> Iterator[Round]:
    count = len(event.entries)
    met = set[frozenset[int]]()
    had_bye: list[int] = []
    scores = dict.fromkeys(range(count), (0.0, 0))
    for number in range(1, (event.rounds or 1) + 1):
        active = [entry for entry in scores if results.withdrawn.get(entry, number) >= number]
        if len(active) < 2:
            return
        if number == 1:
            drawn = first_round(count)
        else:
            # By score, then IMPs, then seed.
            active.sort(key=lambda entry: (-round(scores[entry][0], 9), -scores[entry][1], entry))
            drawn = pair_swiss(active, met, had_bye)
        byes = () if drawn.bye is None else (drawn.bye,)
        current = _round(event, number, drawn.pairs, (number - 1) * (count // 2), 0, byes)
        yield current
        met.update(frozenset(pair) for pair in drawn.pairs)
        had_bye += byes
        for entry in byes:
            scores[entry] = (scores[entry][0] + walkover(event), scores[entry][1])
        for match in current.matches:
            result = results.outcome(match)
            if not result.is_over:
                return
            for at, score in zip(match.entries, result.scores(event.scoring), strict=True):
                total, imps = scores[at]
                sign = 1 if at == match.entries[HOME] else -1
                scores[at] = (total + score, imps + sign * result.imps)


def _knock_out(event: Event, results: Results) -> Iterator[Round]:
    pairs: Sequence[tuple[int, int | None]] = bracket(len(event.entries))
    number = serial = 0
    while True:
        number += 1
        real = [(home, visitors) for home, visitors in pairs if visitors is not None]
        planned = _round(event, number, real, serial, 0, ())
        serial += len(real)
        matches = [_with_extra_boards(event, match, results) for match in planned.matches]
        byes = tuple(home for home, visitors in pairs if visitors is None)
        yield Round(number, tuple(matches), byes)
        if not all(results.outcome(match).is_over for match in matches):
            return
        winners = {match.entries[:2]: knock_out_winner(event, match, results) for match in matches}
        through = [
            home if visitors is None else winners[home, visitors] for home, visitors in pairs
        ]
        if len(through) == 1:
            return
        pairs = next_round(through)


def knock_out_winner(event: Event, match: Match, results: Results) -> int:
    """Return the entry that goes on; after a tie, or if both forfeited, the better seed."""
    won = results.outcome(match).winner(event.scoring)
    return min(match.entries) if won is None else match.entries[won]


def _with_extra_boards(event: Event, match: Match, results: Results) -> Match:
    """Return the match with a set of extra boards for each time that it was tied."""
    # Every round has extra boards of its own, the same for all its matches.
    first = EXTRA + 1 + (match.round - 1) * EXTRA_SETS * EXTRA_BOARDS
    for number in range(EXTRA_SETS):
        result = results.outcome(match)
        # If more boards than these were played, the match was tied after these.
        if result.left > 0 or (result.left == 0 and result.winner(event.scoring) is not None):
            break
        start = first + number * EXTRA_BOARDS
        extra = tuple(range(start, start + EXTRA_BOARDS))
        match = Match(match.round, match.number, match.entries, match.boards + extra)
    return match


_DRAWS: Mapping[Format, Callable[[Event, Results], Iterator[Round]]] = {
    Format.MATCH: _match,
    Format.SWISS: _swiss,
    Format.KNOCK_OUT: _knock_out,
}
"""The formats whose results so far decide what is played, each with what yields its rounds."""


def _movement(event: Event) -> Iterator[Round]:
    count = len(event.entries)
    assert event.format.rules.tables is not None
    rounds = event.format.rules.tables(count, event.movement)
    for number, tables in enumerate(rounds, start=1):
        matches = [
            Match(number, table.table, table.entries, _numbers(event, table.boards), (None,))
            for table in tables
        ]
        sitting = [match.entries for match in matches]
        yield Round(number, tuple(matches), _absent(count, sitting))


def _round(
    event: Event,
    number: int,
    pairs: Sequence[tuple[int, int]],
    serial: int,
    leg: int,
    byes: tuple[int, ...],
) -> Round:
    """Return a round of team matches; `serial` is the number of matches in the rounds before."""
    matches = []
    for index, pair in enumerate(pairs):
        blocks = {Deals.SAME: leg, Deals.BAROMETER: number - 1, Deals.FRESH: serial + index}
        matches.append(Match(number, index + 1, pair, _numbers(event, blocks[event.deals])))
    return Round(number, tuple(matches), byes)


def _numbers(event: Event, block: int) -> tuple[int, ...]:
    """Return the boards of a block of the supply; blocks are numbered from 0."""
    return tuple(range(1 + block * event.boards, 1 + (block + 1) * event.boards))


def _absent(count: int, sitting: Iterable[Collection[int]]) -> tuple[int, ...]:
    playing = {entry for entries in sitting for entry in entries}
    return tuple(entry for entry in range(count) if entry not in playing)
