"""The table of questions: who asked what an opponent's call means, and when.

It is an ActionTable (PBN 2.1, section 3.6) with columns of the arena's: the standard's
verifier takes no table whose name it does not know.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bridge_arena.bridge.record import BoardRecord, Question
from bridge_arena.bridge.seats import Seat
from bridge_arena.pbn.deviations import Kind, NoRecordError
from bridge_arena.pbn.model import Game, Section

QUESTIONS = "ActionTable"

_HEADER = "Asker;Action;AskedCall"


def questions_sections(record: BoardRecord) -> Iterator[Section]:
    """The table that reads back as the record's questions; none where nobody asked."""
    if record.questions:
        section = Section(QUESTIONS, _HEADER, 0)
        for question in record.questions:
            section.tokens += [question.seat.letter, str(question.action), str(question.call)]
        yield section


def questions_of(game: Game, record: BoardRecord) -> tuple[Question, ...]:
    """The questions; none where the table is not the arena's. Raises NoRecordError where it
    does not fit the record."""
    section = game.section(QUESTIONS) if QUESTIONS in game.values else None
    if section is None or section.value != _HEADER:
        return ()
    try:
        return tuple(_rows(section.tokens, len(record.calls)))
    except ValueError as error:
        problem = game.problem(f"not a table of questions: {error}", QUESTIONS)
        raise NoRecordError(Kind.QUESTIONS, problem) from None


def _rows(tokens: Sequence[str], calls: int) -> Iterator[Question]:
    """Raises ValueError."""
    if len(tokens) % 3:
        raise ValueError(f"{len(tokens)} cells in 3 columns")
    cells = iter(tokens)
    for seat, action, call in zip(cells, cells, cells, strict=True):
        yield Question(Seat.parse(seat), _place(call, calls), _place(action))


def _place(text: str, limit: int | None = None) -> int:
    """A place among actions or calls, from 0. Raises ValueError."""
    if not (text.isascii() and text.isdigit()):
        raise ValueError(f"'{text}' is not a number")
    if limit is not None and int(text) >= limit:
        raise ValueError(f"there is no call {text}")
    return int(text)
