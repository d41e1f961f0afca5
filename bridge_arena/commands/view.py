"""`arena view`: boards of a file or of a run's folder, in a browser."""

from __future__ import annotations

import os
import sys
import threading
import webbrowser
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from bridge_arena.base.plural import plural
from bridge_arena.board_files.problems import BoardFileError, Problem
from bridge_arena.board_files.records import read_records
from bridge_arena.board_files.texts import name_of
from bridge_arena.bridge.record import BoardRecord
from bridge_arena.commands.analyse import analysis_folder
from bridge_arena.commands.common.errors import UnusableError
from bridge_arena.commands.common.loading import load_unvalued
from bridge_arena.commands.common.options import BOARD_FILES
from bridge_arena.reports.common.results import holds_run
from bridge_arena.tournaments.store.database import is_url
from bridge_arena.web.replays.of_events import replays_of_events
from bridge_arena.web.replays.of_files import replays_of_records
from bridge_arena.web.replays.replay import Replay
from bridge_arena.web.viewing.call_costs import CallCosts
from bridge_arena.web.viewing.library import Library
from bridge_arena.web.viewing.server import serve

_ENDINGS = {".pbn", ".lin", ".gz", ".zip"}


def view(
    source: Annotated[
        str,
        typer.Argument(
            metavar="FILE|FOLDER",
            help=f"the folder of a run or of files, or boards: {BOARD_FILES}",
        ),
    ],
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="of the address; any that is free if 0")
    ] = 0,
    no_browser: Annotated[  # noqa: FBT002
        bool, typer.Option("--no-browser", help="print the address, open no browser")
    ] = False,
) -> None:
    """Look at boards in a browser.

    The pages are served to this machine alone, until Ctrl-C. What double dummy says is computed
    for the board that is looked at, and what calls cost when it is asked for.

    Examples:
        arena view runs/first
        arena view club.lin
        arena view games.pbn.gz --no-browser --port 8000
    """
    replays, specs = _replays(source)
    if not replays:
        raise UnusableError(f"{name_of(source)}: there is no board to look at")

    def on_ready(address: str) -> None:
        print(f"{plural(len(replays), 'board')} at {address} (Ctrl-C ends it)", flush=True)
        if not no_browser:
            # Some browsers run in the terminal, and would keep the server waiting.
            threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()

    try:
        with CallCosts(_folder_of(source), specs) as call_costs:
            serve(Library(replays), Path(name_of(source)).name, port, call_costs, on_ready)
    except OSError as error:
        # What the error says names the address once more.
        reason = os.strerror(error.errno or 0)
        raise UnusableError(f"cannot listen on port {port}: {reason}") from None


def _folder_of(source: str) -> Path:
    """Where what calls cost is kept: with a run, or where `arena analyse` has it."""
    if not is_url(source) and holds_run(Path(source)):
        return Path(source)
    return analysis_folder("database" if is_url(source) else source)


def _replays(source: str) -> tuple[list[Replay], dict[str, str]]:
    """The replays of a source, and the bots behind players' names."""
    problems: list[Problem] = []
    if is_url(source) or holds_run(Path(source)):
        try:
            events = load_unvalued(source, problems)
            specs = {entrant.name: entrant.bot for each in events for entrant in each.event.entries}
            return list(replays_of_events(events)), specs
        except ValueError as error:
            raise UnusableError(f"{source}: {error}") from None
    if Path(source).is_dir():
        return list(replays_of_records(_records_in(Path(source)))), {}
    try:
        return list(replays_of_records(read_records(source, _tell))), {}
    except BoardFileError as error:
        raise UnusableError(str(error)) from None


def _records_in(folder: Path) -> Iterator[BoardRecord]:
    """The records of all files of boards in a folder; what cannot be read is told."""
    files = [file for file in sorted(folder.iterdir()) if file.suffix.lower() in _ENDINGS]
    if not files:
        raise UnusableError(f"{folder}: there is neither a run nor a file of boards in this folder")
    for file in files:
        try:
            yield from read_records(file, _tell)
        except BoardFileError as error:
            print(f"arena: {error}", file=sys.stderr)


def _tell(problem: Problem) -> None:
    print(f"arena: {problem}", file=sys.stderr)
