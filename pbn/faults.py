"""The table of faults that the arena writes: see `pbn.compose`."""

from __future__ import annotations

from dataclasses import replace

from bridge.record import Fault, FaultKind
from bridge.seats import Seat
from pbn.compose import FAULT_COLUMNS, FAULTS
from pbn.deviations import Kind, NoRecordError
from pbn.lexer import unescape
from pbn.model import Game


def faults_of(game: Game) -> tuple[Fault, ...]:
    """The faults: the rows of the ArenaFaults table; none where it is not the arena's."""
    section = game.section(FAULTS) if FAULTS in game.values else None
    if section is None:
        return ()
    faults: list[Fault] = []
    cells = [unescape(token[1:-1]) if token[0] == '"' else token for token in section.tokens]
    width = len(FAULT_COLUMNS)
    try:
        for start in range(0, len(cells), width):
            seat, kind, action, detail = cells[start : start + width]
            if seat == "-":
                last = faults.pop()
                faults.append(replace(last, detail=last.detail + detail))
            else:
                faults.append(Fault(Seat.parse(seat), FaultKind(kind), int(action), detail))
    except (ValueError, IndexError) as error:
        problem = game.problem(f"not a table of faults: {error}", FAULTS)
        raise NoRecordError(Kind.FAULTS, problem) from None
    return tuple(faults)
