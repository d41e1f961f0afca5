"""The faults of a board, read from its game.

They are in the arena's ActionTable (`pbn.questions`); earlier versions wrote a table of their own,
ArenaFaults.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from bridge_arena.bridge.deviations import Kind, NoRecordError
from bridge_arena.bridge.record import Fault, FaultKind
from bridge_arena.bridge.seats import Seat
from bridge_arena.pbn.model import Game
from bridge_arena.pbn.questions import ACTIONS, FAULTS_TOO, NOTHING, place_of
from bridge_arena.pbn.read.lexer import unescape

_EARLIER = "ArenaFaults"

_Row = tuple[str, str, str, str]
"""Seat, kind, action and detail."""


def faults_of(game: Game) -> tuple[Fault, ...]:
    """Return the faults of a game; none if it has no table of the arena's.

    Raises:
        NoRecordError: The table is damaged.
    """
    actions = game.section(ACTIONS) if ACTIONS in game.values else None
    earlier = game.section(_EARLIER) if _EARLIER in game.values else None
    try:
        if actions is not None and actions.value == FAULTS_TOO:
            name = ACTIONS
            return _faults(_rows(actions.tokens))
        if earlier is not None:
            name = _EARLIER
            return _faults(_earlier_rows(earlier.tokens))
    except (ValueError, IndexError) as error:
        problem = game.problem(f"not a table of faults: {error}", name)
        raise NoRecordError(Kind.FAULTS, problem) from None
    return ()


def _rows(tokens: Sequence[str]) -> Iterator[_Row]:
    """Yield the faults of an ActionTable; raise ValueError for an incomplete row."""
    for start in range(0, len(tokens), 5):
        seat, action, asked, kind, detail = tokens[start : start + 5]
        if asked == NOTHING:
            yield seat, kind, action, detail


def _earlier_rows(tokens: Sequence[str]) -> Iterator[_Row]:
    """Yield the faults of the earlier table; raise ValueError for an incomplete row."""
    for start in range(0, len(tokens), 4):
        seat, kind, action, detail = tokens[start : start + 4]
        yield seat, kind, action, detail


def _faults(rows: Iterator[_Row]) -> tuple[Fault, ...]:
    """Return the faults; a row without seat continues the detail of the fault above it.

    Raises:
        ValueError: A cell is wrong.
        IndexError: A row continues a detail before there is a fault.
    """
    faults: list[Fault] = []
    for seat, kind, action, cell in rows:
        detail = unescape(cell[1:-1]) if cell[0] == '"' else cell
        if seat == NOTHING:
            last = faults.pop()
            faults.append(replace(last, detail=last.detail + detail))
        else:
            faults.append(Fault(Seat.parse(seat), FaultKind(kind), place_of(action), detail))
    return tuple(faults)
