"""Measure how many figures of club and pairs files agree with those of `arena analyse`.

    python -m research.field --corpus ../shared/data/pbn/corpus

No solver is used. The files are those with a ScoreTable, or with three or more games of a board and
their results in the field. Their scores, matchpoints, percentages and IMPs are compared with those
recomputed from contracts and tricks.
"""

from __future__ import annotations

import argparse
import os
import re
from collections import Counter
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from bridge_arena.bridge.record import BoardRecord
from bridge_arena.pbn.model import Game
from bridge_arena.pbn.read.field import field_of
from bridge_arena.pbn.read.reader import read_games
from bridge_arena.pbn.read.records import meanings_of
from bridge_arena.pbn.read.results import own_score
from bridge_arena.recorded.field.index import FieldIndex
from bridge_arena.recorded.field.own_figures import Ways, compare
from bridge_arena.recorded.field.tables import FieldBoard, listed, played

_FIGURES = re.compile(rb"^\[(ScoreTable|ScoreIMP|ScoreMP|ScorePercentage)\b", re.M)

DATA = Path(os.environ.get("ARENA_DATA") or "../shared/data")


@dataclass(slots=True)
class Agreements:
    """The counts of one file, `figures` and `agreed` by kind; `differing` boards differ."""

    boards: int = 0
    tables: int = 0
    unusable: int = 0
    figures: Counter[str] = field(default_factory=Counter)
    agreed: Counter[str] = field(default_factory=Counter)
    ways: Counter[str] = field(default_factory=Counter)
    differing: int = 0

    def add(self, board: FieldBoard, ways: Ways) -> None:
        self.boards += 1
        self.tables += len(board.scores)
        compared = compare(board, ways)
        self.differing += any(compared.differences)
        for kind, agreement in compared.agreements.items():
            self.figures[kind] += agreement.figures.total()
            self.agreed[kind] += agreement.agreed.total()
            self.ways.update({way: count for way, count in agreement.agreed.items() if way})


def agreements_of(path: Path) -> Agreements | None:
    """Return the counts of a file; None where it has no figures of a field."""
    if path.suffix.lower() != ".pbn" or not _FIGURES.search(path.read_bytes()):
        return None
    found = Agreements()
    with closing(FieldIndex()) as index:
        boards: list[FieldBoard] = []
        for game, meaning in meanings_of(read_games(path)):
            board = listed(game, meaning.board)
            if board is None:
                _add_game(game, meaning.record, index)
            elif board.results:
                found.unusable += field_of(game).unusable
                boards.append(board)
        boards += (
            board for board in index.boards() if any(result.table.own for result in board.results)
        )
    ways = Ways()
    for board in boards:
        ways.add(board)
    for board in boards:
        found.add(board, ways)
    return found if boards else None


def _add_game(game: Game, record: BoardRecord | None, index: FieldIndex) -> None:
    field = None if record is None else played(game, record, own_score(game, record))
    if field is not None:
        index.add([(game.number, field)])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "--corpus",
        type=Path,
        default=DATA / "pbn" / "corpus",
        help="folder of PBN files; default: %(default)s",
    )
    folder = parser.parse_args().corpus
    print("| file | boards | tables | figures that agree | counted as | boards with a difference |")
    print("| --- | --- | --- | --- | --- | --- |")
    for path in sorted(folder.rglob("*")):
        found = agreements_of(path)
        if found is not None:
            parts = [
                f"{kind} {found.agreed[kind]}/{count}" for kind, count in found.figures.items()
            ]
            ways = ", ".join(f"{way} {count}" for way, count in found.ways.most_common())
            cells = (path.name, found.boards, found.tables, ", ".join(parts), ways)
            print("|", " | ".join(map(str, (*cells, found.differing))), "|")


if __name__ == "__main__":
    main()
