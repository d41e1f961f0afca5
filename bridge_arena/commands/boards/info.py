"""`arena boards info`: a summary of the contents of files of boards."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from bridge_arena.base.wording import plural
from bridge_arena.commands.boards.files import Files, Workers, map_files
from bridge_arena.commands.common.errors import FailedError, UnusableError, complain
from bridge_arena.commands.common.options import Json, print_json

if TYPE_CHECKING:
    from bridge_arena.board_files.survey import Survey


def info(
    files: Files,
    *,
    problems: Annotated[bool, typer.Option(help="also print every problem")] = False,
    workers: Workers = 1,
    as_json: Json = False,
) -> None:
    """Sum up what is in files: games, deals, events, players, auctions, plays, problems.

    Exit status: 1 if a game has errors or a file cannot be read, 2 if none can be read.

    Examples:
        arena boards info archive.zip
        arena boards info --json final.pbn
    """
    from bridge_arena.board_files.survey import Survey
    from bridge_arena.commands.common.progress import LongWork

    survey = Survey()
    with LongWork() as long_work:
        reading = long_work.begin("reading", unit="games")
        # Another process cannot move the progress bar while it reads.
        on_game = reading.advance if workers == 1 else None
        work = partial(_survey, problems=problems, on_game=on_game)
        for of_file, lines in map_files(work, files, workers):
            for line in lines:
                print(line, file=sys.stderr if as_json else sys.stdout)
            for problem in of_file.broken:
                complain(problem)
            survey.add(of_file)
            if on_game is None:
                reading.advance(of_file.games)
    if not survey.files:
        raise UnusableError("no file could be read")
    if as_json:
        counts = {name.strip().replace(" ", "_"): value for name, value in _counts(survey)}
        print_json({**counts, "problems": dict(survey.by_kind())})
    else:
        kinds = [(f"  {kind}", count) for kind, count in survey.by_kind()]
        for name, value in (*_counts(survey), *kinds):
            print(f"{name:<26}{value:>10,}")
    if survey.broken or survey.errors:
        bad, missing = plural(survey.errors, "game"), plural(len(survey.broken), "file")
        raise FailedError(f"{bad} with errors, {missing} not read")


def _survey(
    file: str, *, problems: bool, on_game: Callable[[], None] | None
) -> tuple[Survey, list[str]]:
    """Return the survey of a file, and the problems to print."""
    from bridge_arena.board_files.problems import BoardFileError
    from bridge_arena.board_files.survey import Survey

    survey = Survey()
    lines: list[str] = []
    try:
        lines.extend(str(problem) for problem in survey.add_file(file, on_game) if problems)
    except BoardFileError as error:
        survey.broken.append(error.problem)
    return survey, lines


def _counts(survey: Survey) -> Iterable[tuple[str, int]]:
    yield "files", survey.files
    yield "games", survey.games
    yield "  complete records", survey.records
    yield "  with auction", survey.auctions
    yield "  with play", survey.plays
    yield "  with errors", survey.errors
    yield "deals", len(survey.deals)
    yield "events", len(survey.events)
    yield "players", len(survey.players)
