"""Tables of the arena's own: the questions about calls, the faults at the table, and the times.

They are standard tables (PBN 2.1, section 3.6) with columns of the arena's, as the standard's
verifier accepts no table whose name it does not know. ActionTable has the questions, and columns
for faults if there are any. AuctionTimeTable and PlayTimeTable have a row for each call, and for
each card in the order of the Play section. The standard's own columns count whole seconds, so these
have a column in milliseconds, with `-` where nothing was measured. A table that is damaged, or does
not fit the record, raises NoRecordError.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from bridge_arena.base.recorded_text import whole_number
from bridge_arena.bridge.deviations import Kind, NoRecordError
from bridge_arena.bridge.play import Play
from bridge_arena.bridge.record import BoardRecord, Fault, FaultKind, Mode, Question
from bridge_arena.bridge.seats import Seat
from bridge_arena.pbn.annotations import portable
from bridge_arena.pbn.model import Game, Section
from bridge_arena.pbn.read.lexer import escape, unescape

ACTIONS = "ActionTable"

_QUESTIONS = "Asker;Action;AskedCall"

FAULTS_TOO = "Seat;Action;AskedCall;Fault;Detail"
"""The columns of a table that has faults: a row is a question, a fault, or continues the
detail of the fault above it."""

NOTHING = "-"
_LONGEST_DETAIL = 200
_EARLIER = "ArenaFaults"
AUCTION, PLAY = "AuctionTimeTable", "PlayTimeTable"
_COLUMN = "Milliseconds"
_MILLISECONDS = re.compile(r"[0-9]{1,12}(\.[0-9]{1,9})?")
Times = tuple[tuple[float, ...], ...]
"""Milliseconds of the actions of N, E, S and W; empty where they were not measured."""


def action_sections(record: BoardRecord) -> Iterator[Section]:
    """Yield the table that reads back as the record's questions and faults, if it has any."""
    if record.faults or record.questions:
        section = Section(ACTIONS, FAULTS_TOO if record.faults else _QUESTIONS, 0)
        no_fault = [NOTHING, NOTHING] if record.faults else []
        for question in record.questions:
            place = str(question.action), str(question.call)
            section.tokens += [question.seat.letter, *place, *no_fault]
        for fault in record.faults:
            section.tokens += _fault(fault)
        yield section


def _fault(fault: Fault) -> Iterator[str]:
    """Yield the cells of a fault; a detail too long for one line continues in rows of its own."""
    detail = portable(fault.detail)
    cells = [fault.seat.letter, str(fault.action), NOTHING, fault.kind.value]
    for start in range(0, max(1, len(detail)), _LONGEST_DETAIL // 2):
        part = escape(detail[start : start + _LONGEST_DETAIL // 2])
        yield from [*cells, f'"{part}"']
        cells = [NOTHING] * 4


def questions_of(game: Game, record: BoardRecord) -> tuple[Question, ...]:
    """Return the questions of a game; none if its table is not the arena's."""
    section = game.section(ACTIONS)
    if section is None or section.value not in (_QUESTIONS, FAULTS_TOO):
        return ()
    width = section.value.count(";") + 1
    try:
        return tuple(_questions(section.tokens, width, len(record.calls)))
    except ValueError as error:
        problem = game.problem(f"not a table of questions: {error}", ACTIONS)
        raise NoRecordError(Kind.QUESTIONS, problem) from None


def _questions(tokens: Sequence[str], width: int, calls: int) -> Iterator[Question]:
    """Yield the questions of a table; raise ValueError for a wrong cell."""
    if len(tokens) % width:
        raise ValueError(f"{len(tokens)} cells in {width} columns")
    for seat, action, call, *_ in _rows(tokens, width):
        if width == 3 or call != NOTHING:
            asker, place = Seat.parse(seat), _place(call)
            if place >= calls:
                raise ValueError(f"there is no call {call}")
            yield Question(asker, place, _place(action))


def _place(text: str) -> int:
    """Return an index among actions or calls, from 0."""
    place = whole_number(text)
    if place is None:
        raise ValueError(f"'{text[:40]}' is not a number")
    return place


def faults_of(game: Game) -> tuple[Fault, ...]:
    """Return the faults of a game; none if it has no table of the arena's."""
    actions = game.section(ACTIONS)
    earlier = game.section(_EARLIER)
    try:
        if actions is not None and actions.value == FAULTS_TOO:
            name = ACTIONS
            return _faults(
                (seat, kind, action, detail)
                for seat, action, call, kind, detail in _rows(actions.tokens, 5)
                if call == NOTHING
            )
        if earlier is not None:
            name = _EARLIER
            return _faults(_rows(earlier.tokens, 4))
    except (ValueError, IndexError) as error:
        problem = game.problem(f"not a table of faults: {error}", name)
        raise NoRecordError(Kind.FAULTS, problem) from None
    return ()


def _rows(tokens: Sequence[str], width: int) -> Iterator[Sequence[str]]:
    """Yield the rows of a table, of which the last may be incomplete."""
    return (tokens[start : start + width] for start in range(0, len(tokens), width))


def _faults(rows: Iterable[Sequence[str]]) -> tuple[Fault, ...]:
    """Return the faults of rows of seat, kind, action and detail.

    ValueError is raised for a wrong or incomplete row. A row without seat
    continues the detail of the fault above it.
    """
    faults: list[Fault] = []
    for seat, kind, action, cell in rows:
        detail = unescape(cell[1:-1]) if cell[0] == '"' else cell
        if seat == NOTHING:
            last = faults.pop()
            faults.append(replace(last, detail=last.detail + detail))
        else:
            faults.append(Fault(Seat.parse(seat), FaultKind(kind), _place(action), detail))
    return tuple(faults)


def times_sections(record: BoardRecord) -> Iterator[Section]:
    """Yield the tables that read back as the record's times, to a tenth of a millisecond."""
    if not any(record.times):
        return
    clocks = [iter(times) for times in record.times]
    if record.calls and record.mode is not Mode.PLAY:
        callers = map(record.caller, range(len(record.calls)))
        yield _section(AUCTION, [next(clocks[seat], None) for seat in callers])
    if record.cards:
        play = record.play()
        by_card = [next(clocks[seat], None) for seat in play.players]
        rows = [None if card is None else by_card[card] for card in cards_in_rows(play)]
        yield _section(PLAY, rows)


def times_of(game: Game, record: BoardRecord) -> Times:
    """Return the times of a game, whose record has none yet; empty if the game has none."""
    if AUCTION not in game.values and PLAY not in game.values:
        return ()
    columns: list[list[float]] = [[], [], [], []]
    calls = _time_rows(game, AUCTION, len(record.calls))
    for call, time in enumerate(calls):
        if time is not None:
            columns[record.caller(call)].append(time)
    if record.cards:
        play = record.play()
        tokens = cards_in_rows(play)
        rows = _time_rows(game, PLAY, len(tokens))
        by_card = dict(zip(tokens, rows, strict=False))
        for card, seat in enumerate(play.players):
            time = by_card.get(card)
            if time is not None:
                columns[seat].append(time)
    return tuple(map(tuple, columns)) if any(columns) else ()


def cards_in_rows(play: Play) -> list[int | None]:
    """Return the index of each card, None for one that was not played, as a section has them.

    There is a row for each trick, with columns clockwise from the opening leader.
    """
    first = play.declarer.next
    cards: list[int | None] = []
    for trick, leader in enumerate(play.seats[::4]):
        row = [4 * trick + (column + first - leader) % 4 for column in range(4)]
        cards += [card if card < len(play.cards) else None for card in row]
    return cards


def _section(name: str, rows: Sequence[float | None]) -> Section:
    section = Section(name, _COLUMN, 0)
    section.tokens += ["-" if time is None else f"{time:.1f}" for time in rows]
    return section


def _time_rows(game: Game, name: str, count: int) -> list[float | None]:
    """Return the milliseconds in a table with so many rows; none if there is no such table."""
    section = game.section(name)
    if section is None or section.value != _COLUMN:
        return []
    tokens = section.tokens
    wrong = [cell for cell in tokens if cell != "-" and not _MILLISECONDS.fullmatch(cell)]
    reason = f"{wrong[0]!r} is no number of milliseconds" if wrong else ""
    if len(tokens) != count:
        reason = f"{len(tokens)} rows for {count} actions"
    if reason:
        problem = game.problem(f"not a table of times: {reason}", name)
        raise NoRecordError(Kind.TIMES, problem)
    return [None if cell == "-" else float(cell) for cell in tokens]
