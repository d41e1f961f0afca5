"""`arena view`: boards in a browser, from files or from the folder of a run."""

from __future__ import annotations

import os
import threading
import webbrowser
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bridge_arena.base.wording import cannot_listen, plural
from bridge_arena.commands.common.errors import UnusableError, complain, unusable
from bridge_arena.commands.common.options import BOARD_FILES

if TYPE_CHECKING:
    from bridge_arena.base.recorded_text import Problem
    from bridge_arena.web.replays.of_files import FileRecord
    from bridge_arena.web.replays.replay import Replay


def view(
    source: Annotated[
        str,
        typer.Argument(
            metavar="FILE|FOLDER",
            help=f"folder of a run or of files, or a file of boards: {BOARD_FILES}",
        ),
    ],
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="port of the pages; 0: any free port")
    ] = 0,
    no_browser: Annotated[  # noqa: FBT002
        bool, typer.Option("--no-browser", help="print the address, and open no browser")
    ] = False,
) -> None:
    """Look at boards in a browser.

    Only this machine can open the pages, until Ctrl-C. The double-dummy analysis of a board is
    computed when the board is shown, and the cost of its calls when you ask for it.

    Examples:
        arena view runs/first
        arena view club.lin
        arena view games.pbn.gz --no-browser --port 8000
    """
    from bridge_arena.board_files.texts import name_of
    from bridge_arena.commands.common.progress import LongWork
    from bridge_arena.web.viewing.application import Library, serve
    from bridge_arena.web.viewing.on_demand import CallCosts

    with LongWork() as work:
        work.begin("reading")
        replays, title, specs = _replays(source)
    if not replays:
        raise UnusableError(f"{name_of(source)}: there is no board to look at")

    def on_ready(address: str) -> None:
        print(f"{plural(len(replays), 'board')} at {address} (Ctrl-C ends it)", flush=True)
        if not no_browser:
            # In a thread: a browser that runs in the terminal would block the server.
            threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()

    try:
        with CallCosts(_folder_of(source), specs) as call_costs:
            serve(Library(replays), title, port, call_costs, on_ready)
    except OSError as error:
        raise UnusableError(cannot_listen(f"127.0.0.1 port {port}", error)) from None


def _folder_of(source: str) -> Path:
    """Return the folder for the costs of calls: the run's, or that of `arena analyse`."""
    from bridge_arena.commands.analyse import analysis_folder
    from bridge_arena.commands.common.folders import folder_of_inputs
    from bridge_arena.tournaments.schedule.event_files import holds_run
    from bridge_arena.tournaments.store.database import is_url

    if is_url(source):
        return folder_of_inputs("analysis-database", [source])
    return Path(source) if holds_run(Path(source)) else analysis_folder([source])


def _replays(source: str) -> tuple[list[Replay], str, dict[str, str]]:
    """Return the replays of a source, what it is called, and the bots by the players' names.

    It is called by its event, or by its file if it has boards of several.
    """
    from bridge_arena.board_files.problems import BoardFileError
    from bridge_arena.board_files.records import read_records
    from bridge_arena.board_files.texts import name_of
    from bridge_arena.commands.common.loading import Extent, load
    from bridge_arena.tournaments.schedule.event_files import holds_run
    from bridge_arena.tournaments.store.database import is_url
    from bridge_arena.web.replays.of_events import replays_of_events
    from bridge_arena.web.replays.of_files import FileRecord, replays_of_files

    problems: list[Problem] = []
    if is_url(source) or holds_run(Path(source)):
        try:
            events = load(source, problems, Extent.RECORDS)
            entrants = [entrant for results in events for entrant in results.event.entries]
            specs = {entrant.name: entrant.bot for entrant in entrants}
            title = ", ".join(dict.fromkeys(results.event.name for results in events))
            return list(replays_of_events(events)), title, specs
        except ValueError as error:
            raise UnusableError(f"{source}: {error}") from None
    if Path(source).is_dir():
        records = list(_records_in(Path(source)))
    else:
        with unusable(BoardFileError):
            records = [FileRecord(record) for record in read_records(source, complain)]
    events_of_records = {of_file.record.event for of_file in records}
    name = Path(name_of(source)).name
    title = events_of_records.pop() if len(events_of_records) == 1 else ""
    return list(replays_of_files(records)), title or name, {}


def _records_in(folder: Path) -> Iterator[FileRecord]:
    """Yield the records of all files of boards in a folder; print what cannot be read."""
    from bridge_arena.board_files.formats import ENDINGS
    from bridge_arena.board_files.problems import BoardFileError
    from bridge_arena.board_files.records import read_records
    from bridge_arena.web.replays.of_files import FileRecord

    endings = {*ENDINGS, ".gz", ".zip"}
    files = [file for file in sorted(folder.iterdir()) if file.suffix.lower() in endings]
    if not files:
        raise UnusableError(f"{folder}: there is neither a run nor a file of boards in this folder")
    for file in files:
        name = os.fsencode(file.name).decode(errors="replace") if len(files) > 1 else ""
        try:
            for record in read_records(file, complain):
                yield FileRecord(record, name)
        except BoardFileError as error:
            complain(error)
