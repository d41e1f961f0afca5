"""The table of faults that the arena writes: see `pbn.write.compose`."""

from __future__ import annotations

from dataclasses import replace

from bridge_arena.bridge.record import Fault, FaultKind
from bridge_arena.bridge.seats import Seat
from bridge_arena.pbn.deviations import Kind, NoRecordError
from bridge_arena.pbn.model import Game
from bridge_arena.pbn.read.lexer import unescape
from bridge_arena.pbn.write.compose import FAULT_COLUMNS, FAULTS


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
