"""Measure the speed of `arena analyse` against the bare solver calls on the same boards.

    python -m benchmarks.analyse [FILE.pbn] [--boards 15] [--rounds 12]

The bare calls are one table and one analysis of the play for each board, in this process on one
thread. The engine is all that `arena analyse --workers 1` does until everything is solved: it
reads the file, lists the work, runs a solver process, and keeps every answer. Both are started
before the measurement. They take turns in short rounds, and each is first in half of them, as
other programs slow the machine. The figure to quote is the median over the rounds of the ratio of
boards per second.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from functools import partial
from itertools import islice
from pathlib import Path
from statistics import median

from bridge_arena.base.recorded_text import Problem
from bridge_arena.bridge.record import BoardRecord
from bridge_arena.oracle import solver
from bridge_arena.oracle.table_store import TableStore
from bridge_arena.pbn.read.reader import read_games
from bridge_arena.pbn.read.records import record_of
from bridge_arena.recorded.analysis.analysis_files import survey
from bridge_arena.recorded.analysis.answers import Answers
from bridge_arena.recorded.analysis.solvers import LocalSolvers, Solvers, answer_all
from bridge_arena.recorded.analysis.units import table_unit
from bridge_arena.recorded.field.index import FieldIndex

DATA = Path(os.environ.get("ARENA_DATA") or "../shared/data")


def bare(records: list[BoardRecord]) -> None:
    for record in records:
        assert record.contract is not None
        solver.tables([record.board.deal])
        solver.play_values(record.board.deal, record.contract, record.cards)


def engine(path: Path, folder: Path, solvers: Solvers) -> None:
    answers = Answers(folder / "answers.sqlite")
    with closing(answers), closing(FieldIndex()) as index:
        survey([path], answers, index, _fail, _fail, _ignore)
        answer_all(answers, solvers, _ignore)


def _fail(problem: Problem) -> None:
    raise ValueError(str(problem))


def _ignore(_count: int) -> None:
    pass


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    default = DATA / "wbridge5" / "games-1-8000.pbn"
    parser.add_argument(
        "file",
        type=Path,
        nargs="?",
        default=default,
        help="recorded games, PBN; default: %(default)s",
    )
    parser.add_argument(
        "--boards", type=int, default=15, help="boards in each round; default: %(default)s"
    )
    parser.add_argument(
        "--rounds", type=int, default=12, help="rounds of measurements; default: %(default)s"
    )
    arguments = parser.parse_args()

    played = (
        (game, record)
        for game in read_games(arguments.file)
        if (record := record_of(game)).contract is not None and record.cards
    )
    solver.limit_threads(1)
    unknown = TableStore(None)
    with LocalSolvers(1, store=unknown) as solvers, tempfile.TemporaryDirectory() as name:
        chosen = list(islice(played, 1))
        bare([record for _, record in chosen])
        solvers.submit(table_unit(chosen[0][1].board.deal)).result()
        spent: list[tuple[float, float]] = []
        for number in range(arguments.rounds):
            chosen = list(islice(played, arguments.boards))
            folder = Path(name) / str(number)
            folder.mkdir()
            path = folder / "boards.pbn"
            path.write_bytes(b"".join(game.source + b"\n" for game, _ in chosen))
            records = [record for _, record in chosen]
            contest = (partial(bare, records), partial(engine, path, folder, solvers))
            order = (0, 1) if number % 2 else (1, 0)
            seconds = {which: timed(contest[which]) for which in order}
            spent.append((seconds[0], seconds[1]))
    totals = [sum(seconds) for seconds in zip(*spent, strict=True)]
    boards = arguments.boards * arguments.rounds
    for what, total in zip(("bare", "engine"), totals, strict=True):
        print(f"{what:8} {boards / total:6.2f} boards/s over {boards} boards")
    ratios = sorted(own / others for own, others in spent)
    print(f"ratio    {median(ratios):6.1%} (median of rounds, {ratios[0]:.1%} to {ratios[-1]:.1%})")


def timed(work: Callable[[], None]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
