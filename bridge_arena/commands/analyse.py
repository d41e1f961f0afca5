"""`arena analyse`: the double-dummy analysis of recorded boards."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bridge_arena.commands.common.errors import (
    FailedError,
    UnusableError,
    complain,
    unusable,
)
from bridge_arena.commands.common.options import (
    BOARD_FILES,
    DaskSolvers,
    SolverProcesses,
    given_words,
)
from bridge_arena.oracle import DEADLINE
from bridge_arena.recorded.frames import Format

if TYPE_CHECKING:
    from bridge_arena.base.recorded_text import Problem
    from bridge_arena.board_files.texts import Source
    from bridge_arena.oracle.table_store import TableStore
    from bridge_arena.recorded.analysis.answers import Answers
    from bridge_arena.recorded.analysis.solvers import Solvers


def analyse(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help=BOARD_FILES)],
    out: Annotated[
        Path | None,
        typer.Option(
            help="folder for the results; default: runs/analysis-FILE[-ID]", metavar="DIR"
        ),
    ] = None,
    workers: SolverProcesses = None,
    dask: DaskSolvers = "",
    formats: Annotated[
        list[Format],
        typer.Option("--format", help="format of the tables of results; repeatable"),
    ] = [Format.CSV],  # noqa: B006  it is not changed
    calls: Annotated[  # noqa: FBT002
        bool, typer.Option("--calls", help="also find what each call cost: 1 to 2 seconds a board")
    ] = False,
    deadline: Annotated[
        float,
        typer.Option(min=0.1, help="seconds of processor time for one deal or one play"),
    ] = DEADLINE,
) -> None:
    """Compare recorded play with the double-dummy oracle.

    The results give the double-dummy tricks and par of each board, the cards that lost a trick,
    and what each result was worth in its field. If the command is interrupted, the same command
    goes on where it stopped.

    Examples:
        arena analyse club.lin
        arena analyse games.pbn --calls --out runs/games
    """
    from bridge_arena.board_files.problems import BoardFileError
    from bridge_arena.commands.common.folders import alone
    from bridge_arena.commands.common.signals import going_on_with
    from bridge_arena.oracle.errors import SolverError
    from bridge_arena.recorded.analysis.analysis_files import ANSWERS
    from bridge_arena.recorded.analysis.answers import Answers, AnswersError
    from bridge_arena.recorded.field.index import FieldIndexError
    from bridge_arena.recorded.frames import load_libraries
    from bridge_arena.tournaments import STORE
    from bridge_arena.tournaments.play.cluster import ClusterError

    if dask and workers is not None:
        raise UnusableError("--workers is for this machine, --dask for a cluster: give one")
    formats = list(dict.fromkeys(formats))
    for kind in formats:
        load_libraries(kind)
    folder = out or analysis_folder(files)
    if (folder / STORE).exists():
        raise UnusableError(f"{folder} holds the results of an event: choose another --out")
    again = ["arena", "analyse", *map(str, files), "--out", str(folder)]
    again += given_words({"--workers": (workers, None), "--dask": (dask, "")})
    if formats != [Format.CSV]:
        again += [word for kind in formats for word in ("--format", kind)]
    again += ["--calls"] * calls
    again += given_words({"--deadline": (f"{deadline:g}", f"{DEADLINE:g}")})
    with (
        going_on_with(again, ClusterError),
        unusable(AnswersError, BoardFileError, FieldIndexError, SolverError),
    ):
        files = _distinct(files)
        _check_files(files)
        solvers = partial(solvers_at, workers, dask, deadline)
        with alone(folder), closing(Answers(folder / ANSWERS)) as answers:
            failed = _analyse(files, folder, formats, answers, solvers, calls=calls)
    print(f"results in {folder}")
    if failed:
        raise FailedError(f"{failed} of the games and files have errors, see above")


def analysis_folder(files: Sequence[Source]) -> Path:
    """Return the folder for the analysis of files where no other folder is named."""
    from bridge_arena.board_files.texts import title_of
    from bridge_arena.commands.common.folders import folder_of_inputs

    return folder_of_inputs(f"analysis-{title_of(files[0])}", files)


def _distinct(files: Sequence[Path]) -> list[Path]:
    """Return each file once. Raises BoardFileError for one that cannot be read again."""
    from bridge_arena.board_files.texts import check_can_be_read_again, without_copies

    for file in files:
        check_can_be_read_again(file)
    return without_copies(files, complain)


def _check_files(files: Sequence[Path]) -> None:
    """Raise UnusableError where the files have no record or field, before a folder is made."""
    from bridge_arena.recorded.analysis.games import read_entries
    from bridge_arena.recorded.field.tables import listed

    entries = read_entries(files, lambda _problem: None)
    if any(entry.record or listed(entry.game, entry.board) for entry in entries):
        return
    for _ in read_entries(files, complain):
        pass
    raise UnusableError("nothing to analyse: no game could be read")


def solvers_at(
    workers: int | None, dask: str, deadline: float | None, store: TableStore | None = None
) -> Solvers:
    """Return the solvers of this machine, or of a cluster. Raises UnusableError.

    Args:
        store: The store of answers on this machine; None for the one that all share.
    """
    from bridge_arena.recorded.analysis.solvers import LocalSolvers
    from bridge_arena.tournaments.play.cluster import ClusterError

    if not dask:
        return LocalSolvers(workers, deadline, store)
    from bridge_arena.recorded.analysis.solvers import DaskSolvers

    with unusable(ClusterError):
        return DaskSolvers(dask, deadline)


def _analyse(
    files: Sequence[Path],
    folder: Path,
    formats: Sequence[Format],
    answers: Answers,
    solvers: Callable[[], Solvers],
    *,
    calls: bool,
) -> int:
    """Do what is left to do, and return the number of games and files that cannot be used."""
    from rich.console import Console
    from rich.text import Text

    from bridge_arena.commands.common.console import output_console
    from bridge_arena.commands.common.progress import LongWork
    from bridge_arena.recorded.analysis.analysis_files import survey, write_files
    from bridge_arena.recorded.analysis.solvers import answer_all
    from bridge_arena.recorded.analysis.terminal import print_overview
    from bridge_arena.recorded.field.index import FieldIndex

    failed = 0

    def report(problem: Problem) -> None:
        nonlocal failed
        failed += 1
        remark(problem)

    def remark(problem: Problem) -> None:
        console.print(Text(f"arena: {problem}"), soft_wrap=True)

    console = Console(stderr=True)
    with closing(FieldIndex()) as index, LongWork(console) as work:
        reading = work.begin("reading", unit="games")
        survey(files, answers, index, report, remark, reading.advance, calls=calls)
        reading.end()
        every, done = answers.count()
        solving = work.begin("solving", every, "questions", done)
        if done < every:
            with solvers() as at_work:
                answer_all(answers, at_work, solving.advance)
        solving.end()
        writing = work.begin("writing", unit="games")
        with unusable(writing=folder):
            overview = write_files(
                files,
                answers,
                index,
                folder,
                formats,
                writing.advance,
                calls=calls,
            )
    print_overview(overview, output_console(), folder / f"analysis.{formats[0]}")
    return failed
