"""`arena boards info`: what is in files of boards."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Annotated

import typer
from rich.console import Console

from bridge_arena.base.plural import plural
from bridge_arena.board_files.problems import BoardFileError
from bridge_arena.board_files.survey import Survey
from bridge_arena.commands.boards.files import Files
from bridge_arena.commands.common.errors import FailedError, UnusableError
from bridge_arena.commands.common.progress import progress_bar


def info(
    files: Files,
    *,
    problems: Annotated[bool, typer.Option(help="print every problem too")] = False,
) -> None:
    """Sum up what is in files: games, deals, events, players, auctions, plays, problems.

    Exit status: 1 where a game has errors or a file cannot be read, 2 where none can
    be read.
    """
    survey = Survey()
    unread = 0
    with progress_bar(Console(stderr=True)) as progress:
        reading = progress.add_task("reading", total=None)
        for file in files:
            try:
                for problem in survey.add_file(file, lambda: progress.advance(reading)):
                    if problems:
                        print(problem)
            except BoardFileError as error:
                unread += 1
                print(f"arena: {error}", file=sys.stderr)
    if unread == len(files):
        raise UnusableError("no file could be read")
    for name, value in _lines(survey):
        print(f"{name:<26}{value:>10,}")
    if unread or survey.errors:
        bad, missing = plural(survey.errors, "game"), plural(unread, "file")
        raise FailedError(f"{bad} with errors, {missing} not read")


def _lines(survey: Survey) -> Iterable[tuple[str, int]]:
    yield "files", survey.files
    yield "games", survey.games
    yield "  complete records", survey.records
    yield "  with auction", survey.auctions
    yield "  with play", survey.plays
    yield "  with errors", survey.errors
    yield "deals", len(survey.deals)
    yield "events", len(survey.events)
    yield "players", len(survey.players)
    for kind, count in survey.by_kind():
        yield f"  {kind}", count
