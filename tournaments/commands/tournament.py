"""`arena tournament`: an event as its file defines it."""

from __future__ import annotations

import shlex
import sys
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from bridge.record import BoardRecord
from oracle.pool import processors
from tournaments.cluster_error import ClusterError
from tournaments.commands.errors import FailedError, InterruptedCommandError, UnusableError
from tournaments.commands.playing import (
    NotSeatedError,
    create_store,
    discard,
    find_store,
    open_store,
    play,
)
from tournaments.commands.report import report_store
from tournaments.estimate import estimate
from tournaments.event import Event
from tournaments.event_file import EventFile, EventFileError, read_event
from tournaments.extent import extent
from tournaments.hall import OpenHall, local_hall
from tournaments.plan import withdrawn
from tournaments.played import EventResults
from tournaments.report.wording import plural
from tournaments.results import STORE
from tournaments.store import Store
from tournaments.store.database import is_url, without_password


def tournament(
    file: Annotated[Path, typer.Argument(metavar="EVENT.toml", help="what the event is")],
    out: Annotated[
        Path | None, typer.Option(help="folder for the results; runs/TIME-EVENT if none")
    ] = None,
    resume: Annotated[  # noqa: FBT002
        bool, typer.Option("--resume", help="go on with the event in the folder of --out")
    ] = False,
    check: Annotated[  # noqa: FBT002
        bool, typer.Option("--check", help="say what would be played, and about how long")
    ] = False,
    store: Annotated[
        str | None,
        typer.Option(metavar="URL", help="a database for the results instead of the folder's"),
    ] = None,
    concurrency: Annotated[
        int | None, typer.Option(min=1, help="tables at once; as many as there are processors")
    ] = None,
    dask: Annotated[
        str, typer.Option(metavar="ADDRESS", help="play on the workers of a Dask scheduler")
    ] = "",
    port: Annotated[int, typer.Option(min=0, max=65535, help="to listen on; 0: any free")] = 0,
) -> None:
    """Play an event: a round robin, a Swiss, a knock-out, a pairs event and more.

    What was played is kept board by board; --resume goes on after any interruption. The exit
    status is 1 where an entry was withdrawn, as its bots were lost too often: all others have
    played on.
    """
    if store is not None and not is_url(store):
        raise UnusableError(f"--store {store}: expected the URL of a database")
    tables = concurrency or processors()
    if check:
        print("\n".join(estimate(_read(file).event, tables)))
        return
    if resume and out is None:
        raise UnusableError("--resume needs the folder of the event: --out DIR")
    folder, existed = out or _new_folder(file), (out is not None and out.exists())
    go_on = _go_on(file, folder, store, dask)
    begun = _resumed(file, folder, store) if resume else None
    kept = begun or _created(_read(file), folder, go_on, store)
    try:
        try:
            _play(kept, folder, _hall(dask, tables, port), go_on)
        except UnusableError as error:
            if begun is None:
                kept.remove()
                discard(folder, keep_folder=existed, keep_log=isinstance(error, NotSeatedError))
            raise
        results = report_store(kept, folder)
    except KeyboardInterrupt:
        raise InterruptedCommandError(f"interrupted; go on with: {go_on}") from None
    finally:
        kept.close()
    print(f"results in {folder}")
    if withdrawals := _withdrawals(results):
        raise FailedError(withdrawals)


def _read(file: Path, seed: int | None = None) -> EventFile:
    try:
        return read_event(file, seed)
    except EventFileError as error:
        *others, last = error.mistakes
        for mistake in others:
            print(f"arena: {mistake}", file=sys.stderr)
        raise UnusableError(last) from None


def _resumed(file: Path, folder: Path, url: str | None) -> Store | None:
    """The store of the event that was begun; None where it was not. Raises UnusableError
    where it is not the event of the file any more."""
    if url is None:
        kept = open_store(folder / STORE) if (folder / STORE).exists() else None
    else:
        kept = find_store(url, _read(file).event.name)
    if kept is None:
        # It may have been killed before there was anything to keep.
        print(f"there is nothing to go on with in {folder}: the event begins", flush=True)
        return None
    begun = kept.event()
    asked = _read(file, begun.seed).event
    changed = [key for key in Event.model_fields if getattr(asked, key) != getattr(begun, key)]
    if changed:
        kept.close()
        raise UnusableError(
            f"{file}: {', '.join(changed)} changed since the event in {folder} began"
        )
    return kept


def _created(read: EventFile, folder: Path, go_on: str, url: str | None) -> Store:
    given = dict(enumerate(read.supply.given(), start=1))
    return create_store(folder, read.event, given, go_on, url)


def _hall(dask: str, tables: int, port: int) -> OpenHall:
    """Where the event is played. Raises UnusableError."""
    if not dask:
        return local_hall(tables, port)
    try:
        # Dask is an extra, and slow to load.
        from tournaments.cluster import Cluster  # noqa: PLC0415
        from tournaments.remote_hall import remote_hall  # noqa: PLC0415
    except ModuleNotFoundError:
        raise UnusableError("--dask needs the extra: pip install bridge-arena[cluster]") from None
    try:
        return remote_hall(Cluster(dask))
    except ClusterError as error:
        raise UnusableError(str(error)) from None


def _play(store: Store, folder: Path, open_hall: OpenHall, go_on: str) -> None:
    event = store.event()
    size = extent(event)
    print(
        f"{event.name}: {event.format}, {len(event.entries)} entries, "
        f"{plural(size.tables, 'table')}, seed {event.seed}",
        flush=True,
    )

    def told(record: BoardRecord) -> str:
        return f"round {record.round}" if record.round else ""

    play(store, folder, size.tables, told, open_hall, go_on)


def _withdrawals(results: EventResults) -> str:
    """Who was withdrawn, and what became of the bot last; "" where nobody was."""
    event, records = results.event, [each.record for each in results.played]
    gone = withdrawn(event, records)
    lost = [record for record in records if not record.is_finished and record.adjusted is None]
    return "; ".join(
        f"{event.entries[entry].name} was withdrawn in round {number}: {fault.kind}: {fault.detail}"
        for entry, number in sorted(gone.items())
        for fault in [
            record.faults[-1]
            for record in lost
            if record.faults and record.players[record.faults[-1].seat] == event.entries[entry].name
        ][:1]
    )


def _new_folder(file: Path) -> Path:
    return Path("runs") / f"{datetime.now():%Y%m%d-%H%M%S}-{file.stem[:60]}"


def _go_on(file: Path, folder: Path, store: str | None, dask: str) -> str:
    words = ["arena", "tournament", str(file), "--out", str(folder), "--resume"]
    if store is not None:
        words += ["--store", without_password(store)]
    return shlex.join([*words, *(["--dask", dask] if dask else [])])
