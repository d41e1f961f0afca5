"""`arena audit`: a check whether bots see more than they should."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bridge_arena.base.masking import without_password
from bridge_arena.base.wording import plural
from bridge_arena.commands.common.errors import (
    FailedError,
    UnusableError,
    unusable,
)
from bridge_arena.commands.common.options import SolverProcesses, given_words
from bridge_arena.recorded.audit import LAYOUTS, Kind

if TYPE_CHECKING:
    from bridge_arena.base.recorded_text import Problem
    from bridge_arena.bridge.record import BoardRecord
    from bridge_arena.recorded.audit.engine import Question
    from bridge_arena.recorded.audit.figures import AuditFigures
    from bridge_arena.reports.common.tables import SeatedTable
    from bridge_arena.tournaments import EventResults


def audit(
    sources: Annotated[
        list[str],
        typer.Argument(metavar="SOURCE...", help="folders of events, PBN files, or database URLs"),
    ],
    only: Annotated[
        list[Kind] | None,
        typer.Option(help="judge only these decisions; leads are quickest; repeatable"),
    ] = None,
    layouts: Annotated[
        int, typer.Option(min=4, max=1000, help="layouts of the hidden cards for each decision")
    ] = LAYOUTS,
    out: Annotated[
        Path | None,
        typer.Option(
            help="folder for the results; default: the event's, or runs/audit-SOURCE[-ID]",
            metavar="DIR",
        ),
    ] = None,
    workers: SolverProcesses = None,
) -> None:
    """Check whether a bot sees more than it should.

    Each call and card is judged on the actual deal, and on other layouts of the hidden cards
    that agree with all that the player could know. If the command is interrupted, the same
    command goes on where it stopped.

    Examples:
        arena audit runs/cup --only leads
        arena audit runs/cup --layouts 64
    """
    from bridge_arena.commands.common.console import output_console
    from bridge_arena.commands.common.folders import alone
    from bridge_arena.commands.common.loading import Extent, load_once
    from bridge_arena.commands.common.signals import going_on_with
    from bridge_arena.oracle.errors import SolverError
    from bridge_arena.recorded.audit.report import RESULT, print_figures, write_figures
    from bridge_arena.recorded.checkpoint import CheckpointError
    from bridge_arena.reports.leaderboard.figures import leaderboard
    from bridge_arena.reports.leaderboard.links import Links
    from bridge_arena.reports.leaderboard.wording import shared_names_text

    folder = out or _folder(sources)
    again = ["arena", "audit", *sources, "--layouts", str(layouts), "--out", str(folder)]
    again += [word for kind in only or [] for word in ("--only", kind.value)]
    again += given_words({"--workers": (workers, None)})
    problems: list[Problem] = []
    results = load_once(sources, problems, Extent.RECORDS)
    with (
        going_on_with(again),
        unusable(ValueError, CheckpointError, SolverError, writing=folder),
        alone(folder),
    ):
        kinds = [kind for kind in Kind if not only or kind in only]
        figures = _audit(results, folder, kinds, layouts, workers)
        board = leaderboard(results)
        links = Links(board)
        played = {id(table.record): table for event in results for table in event.played}

        def replay_of(record: BoardRecord) -> str:
            return links.of_table(played[id(record)])[1]

        write_figures(folder, figures, replay_of)
    print_figures(figures, replay_of, output_console())
    for text in shared_names_text(board):
        print(text)
    pages = shlex.join(["arena", "leaderboard", *sources, "--out", "pages"])
    print(f"replays: {without_password(pages)}")
    print(f"results in {folder / RESULT}")
    if problems:
        raise FailedError(f"{plural(len(problems), 'game')} could not be read, see above")


def _folder(sources: Sequence[str]) -> Path:
    """Return the folder for the results where none is named: that of the one event."""
    from bridge_arena.commands.common.folders import folder_of_inputs

    first = Path(sources[0])
    is_folder = len(sources) == 1 and first.is_dir()
    return first if is_folder else folder_of_inputs(f"audit-{first.stem}", sources)


def _audit(
    results: Sequence[EventResults],
    folder: Path,
    kinds: Sequence[Kind],
    layouts: int,
    workers: int | None,
) -> AuditFigures:
    """Judge the decisions that are left, and sum up.

    Raises:
        ValueError: A table is not as its event has it, or a record breaks the rules.
        CheckpointError: The checkpoint cannot be used.
        SolverError: Decisions are left, and there is no solver.
    """
    from bridge_arena.commands.common.progress import LongWork
    from bridge_arena.oracle import DEADLINE
    from bridge_arena.oracle.dds import source
    from bridge_arena.oracle.pool import Oracle
    from bridge_arena.recorded.audit.engine import fair_kinds, judge_all, judged, questions_at
    from bridge_arena.recorded.audit.figures import audit_figures, shipped
    from bridge_arena.recorded.audit.report import CHECKPOINT
    from bridge_arena.recorded.checkpoint import Checkpoint
    from bridge_arena.reports.common.tables import planned_matches, seated_tables

    tables: list[SeatedTable] = []
    questions: list[Question] = []
    for event_results in results:
        seated = seated_tables(event_results, planned_matches(event_results))
        tables += seated
        questions += questions_at(seated, fair_kinds(event_results.event, kinds))
    if not questions:
        raise UnusableError("nothing to audit: no such decision is recorded")
    setup = {"layouts": str(layouts)}
    with (
        Checkpoint(folder / CHECKPOINT, setup) as checkpoint,
        Oracle(workers, DEADLINE) as oracle,
        LongWork() as work,
    ):
        done = sum(checkpoint.get(question.unit) is not None for question in questions)
        if done < len(questions):
            source()
        judging = work.begin("judging", len(questions), "decisions", done)
        judge_all(questions, layouts, oracle, checkpoint, judging.advance)
        unsolved = sum(checkpoint.get(question.unit) is None for question in questions)
        decided = judged(questions, checkpoint)
        return audit_figures(tables, decided, kinds, shipped(), layouts, unsolved)
