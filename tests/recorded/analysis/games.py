"""One board in two rooms, with the real oracle's answers worked out beforehand."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

from bridge_arena.board_files.formats import Format
from bridge_arena.board_files.games import GamesOfText
from bridge_arena.board_files.texts import BoardText
from bridge_arena.recorded.analysis.answers import Outcome
from bridge_arena.recorded.analysis.games import Entry, entry_with
from bridge_arena.recorded.analysis.units import play_unit
from tests.oracle.vectors import KNOWN_DEAL, KNOWN_TABLE

TABLE = "".join(f"{tricks:x}" for tricks in KNOWN_TABLE.results)

HEAD = f"""\
[Event "Test"]
[Site "?"]
[Board "1"]
[West "w"]
[North "n"]
[East "e"]
[South "s"]
[Dealer "N"]
[Vulnerable "None"]
[Deal "{KNOWN_DEAL}"]
[HomeTeam "Iceland"]
[VisitTeam "Sweden"]
"""

# East makes eleven tricks double dummy. A heart lead costs nothing, and the claim one.
OPEN = f"""{HEAD}[Room "Open"]
[Declarer "E"]
[Contract "4H"]
[Result "10"]
[Play "S"]
D3 {{lead}} DA D4 DT
*
"""

# Six of North's and East's eleven: hearts again, but only a part score.
CLOSED = f"""{HEAD}[Room "Closed"]
[Declarer "E"]
[Contract "2H"]
[Result "11"]
[Play "S"]
D3 DA - -
*
"""


def entry_of(text: str) -> Entry:
    boards = BoardText("test.pbn", Format.PBN, lambda: BytesIO(text.encode()))
    (read,) = GamesOfText(boards)
    return entry_with(read, lambda _problem: None)


def outcomes(*answers: tuple[Entry, str]) -> dict[str, Outcome]:
    """The known deal's table, and what is given for the play of some games."""
    found = {str(KNOWN_DEAL): Outcome(TABLE)}
    for entry, values in answers:
        assert entry.record is not None
        unit = play_unit(entry.record)
        assert unit is not None
        found[unit] = Outcome(values)
    return found


def write(folder: Path, name: str, *games: str) -> Path:
    path = folder / name
    path.write_text("\n".join(games))
    return path
