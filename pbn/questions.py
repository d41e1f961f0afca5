"""The arena's ActionTable: the questions about calls, and the faults at the table.

It is a standard table (PBN 2.1, section 3.6) with columns of the arena's, as the standard's
verifier accepts no table whose name it does not know. A table without faults has no columns for
them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bridge_arena.base.recorded_text import whole_number
from bridge_arena.bridge.deviations import Kind, NoRecordError
from bridge_arena.bridge.record import BoardRecord, Fault, Question
from bridge_arena.bridge.seats import Seat
from bridge_arena.pbn.annotations import portable
from bridge_arena.pbn.model import Game, Section
from bridge_arena.pbn.read.lexer import escape

ACTIONS = "ActionTable"

_QUESTIONS = "Asker;Action;AskedCall"

FAULTS_TOO = "Seat;Action;AskedCall;Fault;Detail"
"""The columns of a table that has faults: a row is a question, a fault, or continues the
detail of the fault above it."""

NOTHING = "-"

_LONGEST_DETAIL = 200


def action_sections(record: BoardRecord) -> Iterator[Section]:
    """Yield the table that reads back as the record's questions and faults, if it has any."""
    if record.faults:
        section = Section(ACTIONS, FAULTS_TOO, 0)
        for asked in record.questions:
            section.tokens += [*_question(asked), NOTHING, NOTHING]
        for fault in record.faults:
            section.tokens += _fault(fault)
        yield section
    elif record.questions:
        section = Section(ACTIONS, _QUESTIONS, 0)
        for asked in record.questions:
            section.tokens += _question(asked)
        yield section


def _question(asked: Question) -> list[str]:
    return [asked.seat.letter, str(asked.action), str(asked.call)]


def _fault(fault: Fault) -> Iterator[str]:
    """Yield the cells of a fault; a detail too long for one line continues in rows of its own."""
    detail = portable(fault.detail)
    cells = [fault.seat.letter, str(fault.action), NOTHING, fault.kind.value]
    for start in range(0, max(1, len(detail)), _LONGEST_DETAIL // 2):
        part = escape(detail[start : start + _LONGEST_DETAIL // 2])
        yield from [*cells, f'"{part}"']
        cells = [NOTHING] * 4


def questions_of(game: Game, record: BoardRecord) -> tuple[Question, ...]:
    """Return the questions of a game; none if its table is not the arena's.

    Raises:
        NoRecordError: The table does not fit the record.
    """
    section = game.section(ACTIONS) if ACTIONS in game.values else None
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
    for start in range(0, len(tokens), width):
        seat, action, call = tokens[start : start + 3]
        if width == 3 or call != NOTHING:
            yield Question(Seat.parse(seat), place_of(call, calls), place_of(action))


def place_of(text: str, limit: int | None = None) -> int:
    """Return an index among actions or calls, from 0.

    Returns:
        The index.

    Raises:
        ValueError: The text is no number, or not below `limit`.
    """
    place = whole_number(text)
    if place is None:
        raise ValueError(f"'{text[:40]}' is not a number")
    if limit is not None and place >= limit:
        raise ValueError(f"there is no call {text}")
    return place
