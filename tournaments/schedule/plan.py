"""The plan of an event: its matches, as far as the results so far decide them.

The same event and the same results give the same plan, so it is never stored: anybody can compute
it from the records, whether they are in the store or only in PBN.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import ceil
from typing import NamedTuple

from bridge_arena.bridge.board import Board, by_board
from bridge_arena.bridge.record import BoardRecord, Mode, Room
from bridge_arena.bridge.seats import SEATS, Vulnerability
from bridge_arena.tournaments.events.boards import EXTRA, SUBSTITUTES, in_supply, substitute
from bridge_arena.tournaments.events.event import Event
from bridge_arena.tournaments.formats.pairings import bracket, first_round, next_round, pair_swiss
from bridge_arena.tournaments.formats.rules import Deals, Format
from bridge_arena.tournaments.schedule.early_stop import boards_needed
from bridge_arena.tournaments.schedule.rulings import (
    Adjust,
    Annul,
    Decision,
    Forfeit,
    Penalty,
    Readmit,
    Replay,
    Ruling,
    Waive,
    Withdraw,
    in_force,
    parse_award,
    same_boards,
)
from bridge_arena.tournaments.schedule.scores import (
    Awards,
    Outcome,
    Swing,
    TableScore,
    forfeit,
    outcome,
    ruled_swing,
    swing,
    table_scores,
    walkover,
)
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
    known = _all_known(event) if event.format.is_teams else _movement(event)
    return [results.with_substitutes(one) for one in known]


def last_round(event: Event) -> int:
    """Return the number of the last round that an event can have."""
    match event.format:
        case Format.SWISS:
            return event.rounds or 1
        case Format.KNOCK_OUT:
            return len(bracket(len(event.entries))).bit_length()
        case _:
            return len(plan(event, ()))


def draw_of(event: Event, unit: Unit) -> tuple[int, int]:
    """Return the draw that a unit comes from: its round, and the number of its set of extra boards.

    Anybody who knows that a unit is played may conclude something about the results of all units of
    earlier draws, but of no others.
    """
    if not event.format.is_drawn:
        return 0, 0
    if unit.board > SUBSTITUTES:  # the ruling that has it played is public
        return unit.match.round, 0
    extra_sets = ceil((unit.position - event.boards) / EXTRA_BOARDS)
    return unit.match.round, max(0, extra_sets)


def has_numbers_of_supply(event: Event) -> bool:
    """Return whether the boards have their numbers in the supply on them."""
    return event.boards_from is None and event.mode is not Mode.PLAY


def withdrawn(event: Event, records: Iterable[TableResult]) -> dict[int, int]:
    """Return the entries that lost too many boards, each with the round in which it was withdrawn.

    Raises ValueError.
    """
    return dict(sorted(_losses(event, records), reverse=True))


def _losses(event: Event, records: Iterable[TableResult]) -> set[tuple[int, int]]:
    """Return the entries that lost too many boards, each with a round in which that withdrew it.

    Each has a board that was lost for good, neither finished nor adjusted. Raises ValueError.
    """
    numbers = {entrant.name: number for number, entrant in enumerate(event.entries)}
    lost: set[tuple[int, int]] = set()
    for record in records:
        if not record.is_done and (name := record.last_at_fault) is not None:
            if name not in numbers:
                raise ValueError(f"{name!r} does not take part in {event.name}")
            lost.add((numbers[name], record.round or 1))
    return lost


class Results:
    """The records of an event, by match, and what the director's rulings make of them."""

    def __init__(
        self,
        event: Event,
        records: Iterable[TableResult],
        rulings: Iterable[Ruling] = (),
        *,
        counted: bool = True,
    ) -> None:
        """Apply the rulings; if they are not `counted`, only to the draws of rounds."""
        self.event = event
        self.rulings = tuple(rulings)
        self._counted = counted or not self.rulings
        self._every = list(records)
        effective = in_force(self.rulings if counted else ())
        self._decisions = [ruling.decision for ruling in effective]
        waived = {
            (one.match, one.board, one.room) for one in self._decisions if isinstance(one, Waive)
        }
        self._records: dict[tuple[int, int], list[TableResult]] = {}
        tables = [
            _waived(record) if waived and _place(record) in waived else record
            for record in self._every
        ]
        for record in tables:
            self._records.setdefault((record.round or 1, record.table or 1), []).append(record)
        self._absences = _absences(event, tables, self._decisions)
        self._adjusted: dict[str, dict[int, dict[Room | None, Adjust]]] = {}
        # The boards of matches that are annulled, by the numbers on them but for substitutes; None
        # for all of them.
        self._annulled: dict[str, set[int | None]] = {}
        # Those of them that no table is to begin any more.
        self._given_up: dict[str, set[int]] = {}
        # The substitutes, by their numbers in the supply, and those whose rulings are taken back.
        self._substitutes: dict[str, list[int]] = {}
        self._void: set[int] = set()
        self._forfeited: dict[str, int] = {}
        self.penalties = [0.0] * len(event.entries)
        self._match_penalties: dict[str, dict[int, float]] = {}
        for decision in self._decisions:
            self._apply(decision)
        for ruling in self.rulings:
            if isinstance(ruling.decision, Replay):
                self._substitute(ruling.number, ruling.decision, is_void=ruling not in effective)
        self._swings: dict[tuple[int, int], dict[Board, Swing | None]] = {}
        self._outcomes: dict[Match, Outcome] = {}
        self._drawing: dict[tuple[int, ...], Results] = {}

    def _apply(self, decision: Decision) -> None:
        match decision:
            case Adjust():
                rooms = self._adjusted.setdefault(decision.match, {}).setdefault(decision.board, {})
                # The scores of two rooms stand together, but not beside one of the whole board.
                if decision.room is None:
                    rooms.clear()
                else:
                    rooms.pop(None, None)
                rooms[decision.room] = decision
            case Annul():
                board = None if decision.board is None else in_supply(decision.board)
                self._annulled.setdefault(decision.match, set()).add(board)
            case Forfeit():
                self._forfeited[decision.match] = decision.entry
            case Penalty(match=None):
                self.penalties[decision.entry] += decision.amount
            case Penalty(match=str(match)):
                of_match = self._match_penalties.setdefault(match, {})
                of_match[decision.entry] = of_match.get(decision.entry, 0.0) + decision.amount
            case _:
                pass

    def _substitute(self, ruling: int, decision: Replay, *, is_void: bool) -> None:
        """Apply a ruling that has a substitute played; one that is void stays in the plan.

        So the units of the others stay as they are, and one that a table has begun has its place.
        """
        new = substitute(ruling, decision.board)
        if is_void:
            self._void.add(new)
        without = new if is_void else in_supply(decision.board)
        for match in same_boards(self.event, decision.match):
            self._substitutes.setdefault(match, []).append(new)
            self._annulled.setdefault(match, set()).add(without)
            self._given_up.setdefault(match, set()).add(without)

    @property
    def withdrawn(self) -> Mapping[int, int]:
        """The entries that are withdrawn and not readmitted, each with the round in which."""
        return {entry: spans[0].since for entry in self._absences if (spans := self._open(entry))}

    def last_withdrawal(self, entry: int) -> int | None:
        """Return the last round from which an entry is withdrawn and not readmitted, or None."""
        return max((span.since for span in self._open(entry)), default=None)

    def readmission(self, entry: int, number: int) -> int:
        """Return the last round, up to one, from which an entry is readmitted; 0 for none."""
        spans = self._absences.get(entry, ())
        ends = [span.until for span in spans if span.until is not None and span.until <= number]
        return max(ends, default=0)

    def _open(self, entry: int) -> list[_Absence]:
        return [span for span in self._absences.get(entry, ()) if span.until is None]

    def drawing(self, number: int) -> Results:
        """Return the results by which a round is drawn: without the rulings that came later."""
        then = [ruling for ruling in self.rulings if ruling.after < number]
        if self._counted and len(then) == len(self.rulings):
            return self
        key = tuple(ruling.number for ruling in then)
        if key not in self._drawing:
            self._drawing[key] = Results(self.event, self._every, then)
        return self._drawing[key]

    def deciding(self, match: Match) -> Results:
        """Return the results that decide who goes on from a match of a knock-out."""
        return self.drawing(match.round + 1) if match.round < last_round(self.event) else self

    def with_ruling(self, ruling: Ruling) -> Results:
        """Return the results with one more ruling."""
        return Results(self.event, self._every, (*self.rulings, ruling))

    def records_of(self, match: str, board: int) -> list[TableResult]:
        """Return what was recorded of a board of a match, by the number on it."""
        return [record for record in self._every if _place(record)[:2] == (match, board)]

    def takes_part(self, entry: int, number: int) -> bool:
        """Return whether an entry takes part in the draw of a round."""
        return not any(span.is_out_of_draw(number) for span in self._absences.get(entry, ()))

    def is_absent(self, entry: int, number: int) -> bool:
        """Return whether an entry plays no more boards of a round."""
        return self._since(entry, number) is not None

    def is_played(self, match: Match) -> bool:
        """Return whether what is left of a match is still to be played."""
        return not (
            None in self._annulled.get(match.id, ())
            or match.id in self._forfeited
            or any(self.is_absent(entry, match.round) for entry in match.entries)
        )

    def is_due(self, unit: Unit) -> bool:
        """Return whether a unit is to be played, if it was not."""
        if not self.is_played(unit.match):
            return False
        given_up = self._given_up.get(unit.match.id, ())
        return unit.board not in given_up or not (
            unit.board > SUBSTITUTES or has_numbers_of_supply(self.event)
        )

    def may_be_due(self, unit: Unit) -> bool:
        """Return whether a unit is to be played, or would be without some rulings."""
        return unit.board not in self._void and not any(
            span.is_lost and span.holds_in(unit.match.round)
            for entry in unit.match.entries
            for span in self._absences.get(entry, ())
        )

    def left(self, match: Match) -> int:
        """Return how many tables are left to play of a match."""
        if not self.is_played(match):
            return 0
        given_up = self._given_up.get(match.id, ())
        played = sum(in_supply(one.board.number) not in given_up for one in self.of(match))
        return max(0, (len(match.boards) - len(given_up)) * len(match.rooms) - played)

    def added(self, match: Match) -> int:
        """Return how many tables came to those of a match, or fell away: below 0."""
        return len(self.of(match)) + self.left(match) - len(match.rooms) * self.event.boards

    def with_substitutes(self, planned: Round) -> Round:
        """Return a round with the boards that a director has played instead of others."""
        if not self._substitutes:
            return planned
        matches = [
            replace(match, boards=(*match.boards, *self._substitutes.get(match.id, ())))
            for match in planned.matches
        ]
        return replace(planned, matches=tuple(matches))

    def of(self, match: Match) -> Sequence[TableResult]:
        return self._records.get((match.round, match.number), ())

    def swings(self, match: Match) -> Mapping[Board, Swing | None]:
        """Return the result of each board of a match of two teams that was begun."""
        key = (match.round, match.number)
        if key not in self._swings:
            boards = by_board(self.of(match))
            self._swings[key] = {
                board: self._swing(match.id, board, tables) for board, tables in boards.items()
            }
        return self._swings[key]

    def _swing(self, match: str, board: Board, tables: Sequence[TableResult]) -> Swing | None:
        if match in self._forfeited or self.is_annulled(match, board.number):
            return None
        rooms = self._adjusted.get(match, {}).get(board.number)
        if rooms is None:
            return swing(tables)
        return ruled_swing(
            tables, {room: awards_of(one, board.vulnerability) for room, one in rooms.items()}
        )

    def outcome(self, match: Match) -> Outcome:
        """Return the outcome of a match of two teams."""
        if match not in self._outcomes:
            counted = self._outcome(match)
            if penalties := self._match_penalties.get(match.id):
                home, visitors = (penalties.get(entry, 0.0) for entry in match.entries)
                counted = replace(counted, penalties=(home, visitors))
            self._outcomes[match] = counted
        return self._outcomes[match]

    def _outcome(self, match: Match) -> Outcome:
        annulled = self._annulled.get(match.id, set())
        if None in annulled:
            return outcome(match, (), {}, len(match.boards))
        if match.id in self._forfeited:
            if self._forfeited[match.id] not in match.entries:
                raise ValueError(f"a ruling has another entry forfeit match {match.id}")
            return forfeit(match, match.entries.index(self._forfeited[match.id]))
        gone = {
            entry: since
            for entry in match.entries
            if (since := self._since(entry, match.round)) is not None
        }
        return outcome(match, self.swings(match).values(), gone, len(annulled))

    def is_annulled(self, match: str, board: int) -> bool:
        """Return whether a board of a match, by the number on it, counts for nobody."""
        annulled = self._annulled.get(match, ())
        return None in annulled or in_supply(board) in annulled

    def table_scores(self, records: Sequence[TableResult], tables: int) -> list[TableScore | None]:
        """Return the scores of a board of a pairs or individual event, as `table_scores` does."""
        if not self._adjusted and not self._annulled:
            return table_scores(self.event, records, tables)
        counted: list[TableResult] = []
        awards: dict[int, Awards] = {}
        places: list[int | None] = []
        for record in records:
            match, number, _ = _place(record)
            if self.is_annulled(match, number):
                places.append(None)
                continue
            if (ruled := self._adjusted.get(match, {}).get(number, {}).get(None)) is not None:
                awards[len(counted)] = awards_of(ruled, record.board.vulnerability)
            places.append(len(counted))
            counted.append(record)
        scores = table_scores(self.event, counted, tables, awards)
        return [None if place is None else scores[place] for place in places]

    def countable(self, match: Match) -> int:
        """Return how many boards of a match count, or will once they are played."""
        annulled = self._annulled.get(match.id, set())
        return 0 if None in annulled else len(match.boards) - len(annulled)

    def unplayed(self, match: Match) -> int:
        """Return how many boards of a table's match count for nobody yet, but may do."""
        adjusted = self._adjusted.get(match.id, {})
        done = sum(
            not self.is_annulled(match.id, record.board.number)
            and (record.is_done or record.board.number in adjusted)
            for record in self.of(match)
        )
        return self.countable(match) - done

    def _since(self, entry: int, number: int) -> int | None:
        """Return the round since which an entry is absent from a round; None if it is not."""
        spans = self._absences.get(entry, ())
        return next((span.since for span in spans if span.holds_in(number)), None)


class _Absence(NamedTuple):
    """The rounds that an entry does not play."""

    since: int
    until: int | None  # the round from which it is readmitted; None if it is not
    # Whether it lost too many boards: it then plays nothing more of earlier rounds either, but was
    # drawn for the round in which it was withdrawn.
    is_lost: bool

    def holds_in(self, number: int) -> bool:
        return (self.is_lost or number >= self.since) and (
            self.until is None or number < self.until
        )

    def is_out_of_draw(self, number: int) -> bool:
        return number >= self.since + self.is_lost and (self.until is None or number < self.until)


def _absences(
    event: Event, records: Sequence[TableResult], decisions: Iterable[Decision]
) -> dict[int, list[_Absence]]:
    """Return the absences of entries in their order. Raises ValueError."""
    absences: dict[int, list[_Absence]] = {}
    readmitted: dict[int, list[int]] = {}
    for decision in decisions:
        if isinstance(decision, Withdraw):
            absences.setdefault(decision.entry, []).append(
                _Absence(decision.round, None, is_lost=False)
            )
        elif isinstance(decision, Readmit):
            readmitted.setdefault(decision.entry, []).append(decision.round)
    for entry, number in _losses(event, records):
        absences.setdefault(entry, []).append(_Absence(number, None, is_lost=True))
    for entry, spans in absences.items():
        rounds = sorted(readmitted.get(entry, ()))
        spans[:] = [
            span._replace(until=next((number for number in rounds if number > span.since), None))
            for span in sorted(spans)
        ]
    return absences


def awards_of(decision: Adjust, vulnerability: Vulnerability) -> Awards:
    """Return the scores that a ruling gives to North-South and East-West. Raises ValueError."""
    return parse_award(decision.ns, vulnerability), parse_award(decision.ew, vulnerability)


def _place(record: TableResult) -> tuple[str, int, Room | None]:
    """Return what names a table in rulings: its match, the number on the board, and its room."""
    return f"{record.round or 1}/{record.table or 1}", record.board.number, record.room


def _waived(record: TableResult) -> TableResult:
    """Return a record of a board that was lost for good as adjusted."""
    if record.is_done or record.last_at_fault is None:
        return record
    side = SEATS[record.players.index(record.last_at_fault)].side
    if isinstance(record, BoardRecord):
        return replace(record, adjusted=side)
    return record._replace(adjusted=side)


def _match(event: Event, results: Results) -> Iterator[Round]:
    """Yield the only round of a match, with the boards until its sequential test ends."""
    match = Match(1, 1, (HOME, VISITORS), ())
    boards = boards_needed(event, results.of(match))
    whole = replace(match, boards=tuple(range(1, boards + 1)))
    yield results.with_substitutes(Round(1, (whole,)))


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
    before: list[Round] = []
    for number in range(1, (event.rounds or 1) + 1):
        then = results.drawing(number)
        if not all(then.outcome(match).is_over for known in before for match in known.matches):
            return
        active = [entry for entry in range(count) if then.takes_part(entry, number)]
        if len(active) < 2:
            return
        if number == 1 and len(active) == count:
            drawn = first_round(count)
        else:
            # By score, then IMPs, then seed.
            scores = _swiss_scores(event, before, then)
            active.sort(key=lambda entry: (-round(scores[entry][0], 9), -scores[entry][1], entry))
            drawn = pair_swiss(active, met, had_bye)
        byes = () if drawn.bye is None else (drawn.bye,)
        pairs = _round(event, number, drawn.pairs, (number - 1) * (count // 2), 0, byes)
        current = results.with_substitutes(pairs)
        yield current
        before.append(current)
        met.update(frozenset(pair) for pair in drawn.pairs)
        had_bye += byes


def _swiss_scores(
    event: Event, rounds: Iterable[Round], results: Results
) -> dict[int, tuple[float, int]]:
    """Return the score and the IMPs of each entry after some rounds."""
    scores = {entry: (-penalty, 0) for entry, penalty in enumerate(results.penalties)}
    for known in rounds:
        for entry in known.byes:
            scores[entry] = (scores[entry][0] + walkover(event), scores[entry][1])
        for match in known.matches:
            result = results.outcome(match)
            for team, score in enumerate(result.scores(event.scoring)):
                total, imps = scores[match.entries[team]]
                scores[match.entries[team]] = (total + score, imps + result.imps_of(team))
    return scores


def _knock_out(event: Event, results: Results) -> Iterator[Round]:
    pairs: Sequence[tuple[int, int | None]] = bracket(len(event.entries))
    number = serial = 0
    while True:
        number += 1
        real = [(home, visitors) for home, visitors in pairs if visitors is not None]
        planned = results.with_substitutes(_round(event, number, real, serial, 0, ()))
        serial += len(real)
        then = results.drawing(number + 1)
        matches = [_with_extra_boards(event, match, then) for match in planned.matches]
        byes = tuple(home for home, visitors in pairs if visitors is None)
        yield Round(number, tuple(matches), byes)
        if not all(then.outcome(match).is_over for match in matches):
            return
        winners = {match.entries[:2]: knock_out_winner(event, match, then) for match in matches}
        through = [
            home if visitors is None else winners[home, visitors] for home, visitors in pairs
        ]
        if len(through) == 1:
            return
        pairs = next_round(through)


def bracket_places(event: Event) -> dict[int, int]:
    """Return the place of each entry in the bracket of a knock-out, from the top.

    The two of a match of the first round share one.
    """
    pairs = enumerate(bracket(len(event.entries)))
    return {entry: place for place, pair in pairs for entry in pair if entry is not None}


def knock_out_winner(event: Event, match: Match, results: Results) -> int:
    """Return the entry that goes on; after a tie, or if both forfeited, the better seed."""
    won = results.deciding(match).outcome(match).winner(event.scoring)
    return min(match.entries) if won is None else match.entries[won]


def _with_extra_boards(event: Event, match: Match, results: Results) -> Match:
    """Return the match with a set of extra boards for each time that it was tied."""
    # Every round has extra boards of its own, the same for all its matches.
    first = EXTRA + 1 + (match.round - 1) * EXTRA_SETS * EXTRA_BOARDS
    own = sum(board <= SUBSTITUTES for board in match.boards)
    substitutes = match.boards[own:]
    begun = sum(board.number <= SUBSTITUTES for board in by_board(results.of(match)))
    for number in range(EXTRA_SETS):
        result = results.outcome(match)
        # If more boards than these were begun, the match was tied after these.
        if begun <= own and (result.left > 0 or result.winner(event.scoring) is not None):
            break
        start = first + number * EXTRA_BOARDS
        extra = tuple(range(start, start + EXTRA_BOARDS))
        match = replace(match, boards=match.boards[:own] + extra + substitutes)
        own += EXTRA_BOARDS
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
