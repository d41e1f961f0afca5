"""The run of the event of a file, as `arena tournament` and `arena serve` share it.

The event is begun or resumed, played, and reported.
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from bridge_arena.base.files import beside, held
from bridge_arena.base.masking import without_password
from bridge_arena.base.wording import plural
from bridge_arena.bridge.record import BoardRecord
from bridge_arena.commands.common.errors import FailedError, InterruptedCommandError, UnusableError
from bridge_arena.commands.common.event_store import create_store, find_store, open_store
from bridge_arena.commands.common.folder_lock import alone
from bridge_arena.commands.common.play_event import (
    NotSeatedError,
    check_pages,
    discard,
    play,
    tell_commitment,
)
from bridge_arena.commands.common.web import Pages, WebOptions
from bridge_arena.reports.common.results import STORE
from bridge_arena.tournaments.events.event import Event, differences, event_size
from bridge_arena.tournaments.events.event_file import EventFile, EventFileError, read_event
from bridge_arena.tournaments.events.sealed_deals import (
    KeyFileError,
    Sealing,
    deals_in_short,
    definition_of,
    exposures,
    forget_key,
    key_path,
    read_key,
    write_key,
)
from bridge_arena.tournaments.events.tokens import tokens_path
from bridge_arena.tournaments.play.venue import Audience, OpenVenue
from bridge_arena.tournaments.schedule.event_results import EventResults
from bridge_arena.tournaments.schedule.plan import withdrawn
from bridge_arena.tournaments.store import Store, StoreError
from bridge_arena.tournaments.store.database import is_url


def run_event(
    command: str,
    file: Path,
    asked: EventFile,
    hall: Callable[[Sequence[Path], Audience | None], OpenVenue],
    *,
    out: Path | None,
    resume: bool,
    store: str | None,
    controlled: bool | None,
    public_value: str = "",
    options: Sequence[str] = (),
    web: WebOptions | None = None,
) -> None:
    """Play the event of a file, and report it.

    Args:
        command: The command that goes on with the event after an interruption.
        file: The file.
        asked: What the file defines.
        hall: Makes what opens the hall, from the paths that no bot in a sandbox may see, and the
            audience.
        out: The folder for the results; None for runs/TIME-EVENT.
        resume: Whether to go on with the event in the folder.
        store: The URL of the database for the results; None to keep them in the folder.
        controlled: Whether stand-ins tell the luck of the deals of a new event; None for where bots
            that ship can.
        public_value: The value of the event's public text.
        options: The options of the command beside those that are known here.
        web: The address of the event's pages; None for no pages.

    Raises:
        UnusableError: The event cannot begin.
        FailedError: It could not go on, or an entry was withdrawn.
        InterruptedCommandError: It was interrupted.
    """
    if store is not None and not is_url(store):
        raise UnusableError(f"--store {store}: expected the URL of a database")
    check_pages(asked.event, web)
    if resume and out is None:
        raise UnusableError("--resume needs the folder of the event: --out DIR")
    for line in exposures(asked.event):
        print(f"arena: {line}", file=sys.stderr)
    if store is not None:
        # Imported only here, as few events are kept in a database.
        from bridge_arena.commands.common.matches import hide_arguments

        hide_arguments(command)
    with alone(out, _new_folder(file), is_private=True) as folder:
        go_on = _go_on(command, file, folder, store, options)
        with _key_held(file):
            begun = _resumed(file, asked, folder, store) if resume else None
            committed = _committed(file, asked.event, public_value) if begun is None else None
            kept = begun or _created(asked, committed, folder, go_on, store, controlled=controlled)
            try:
                _forget_key(file, kept)
            except UnusableError:
                kept.close()
                raise
        try:
            try:
                pages = None if web is None else Pages(kept, folder, web)
                secrets = _secrets(file, asked.event, folder)
                audience = None if pages is None else pages.audience
                _play(kept, folder, hall(secrets, audience), go_on, pages)
            except UnusableError as error:
                if begun is None:
                    if committed is not None:
                        _keep_key(file, committed)
                    with suppress(StoreError):  # this fails on a full disk
                        kept.remove()
                    discard(folder, keep_log=isinstance(error, NotSeatedError))
                raise
            # Imported only now, as what reports need is slow to load.
            from bridge_arena.commands.common.reporting import report_store

            results = report_store(kept, folder)
        except KeyboardInterrupt:
            raise InterruptedCommandError(f"interrupted; go on with: {go_on}") from None
        finally:
            kept.close()
    print(f"results in {folder}")
    if pages is not None:
        pages.stay()
    if withdrawals := _withdrawals(results):
        raise FailedError(withdrawals)


def read(file: Path) -> EventFile:
    """Read the event of a file.

    Args:
        file: The file.

    Returns:
        The event, and its given boards.

    Raises:
        UnusableError: The file has mistakes. The error tells the last one; the others are printed.
    """
    try:
        return read_event(file)
    except EventFileError as error:
        *others, last = error.mistakes
        for mistake in others:
            print(f"arena: {mistake}", file=sys.stderr)
        raise UnusableError(last) from None


def _resumed(file: Path, asked: EventFile, folder: Path, url: str | None) -> Store | None:
    """Return the store of an event that was begun.

    Returns:
        The store; None where the event was not begun.

    Raises:
        UnusableError: The event differs from the event of the file.
    """
    if url is None:
        kept = open_store(folder / STORE) if (folder / STORE).exists() else None
    else:
        kept = find_store(url, asked.event.name)
    if kept is None:
        # The command may have been killed before there was anything to keep.
        print(f"there is nothing to go on with in {folder}: the event begins", flush=True)
        return None
    begun, event = kept.event(), asked.event
    if kept.commitment() is None and event.seed is None:
        # Release 0.1 drew a seed where the file had none.
        event = event.model_copy(update={"seed": begun.seed})
    if changed := differences(event, begun):
        kept.close()
        raise UnusableError(
            f"{file}: {', '.join(changed)} changed since the event in {folder} began"
        )
    return kept


def _committed(file: Path, event: Event, public_value: str) -> Sealing | None:
    """Return the key that a new event is committed to.

    Returns:
        The key; None where there was no commitment.

    Raises:
        UnusableError: The event is not the one that was committed to, or its public text has no
            value or no commitment.
    """
    if public_value.strip() and event.public is None:
        raise UnusableError(f"--public-value: {file} names no public text (event.public)")
    try:
        kept = read_key(key_path(file))
    except KeyFileError as error:
        raise UnusableError(str(error)) from None
    if kept is None:
        if event.public is not None:
            raise UnusableError(
                f"{file}: event.public: commit to the event before {event.public!r} is known: "
                f"{shlex.join(['arena', 'deal', '--commit', str(file)])}"
            )
        return None
    if kept.definition != definition_of(event):
        raise UnusableError(
            f"{file} is not the event that was committed to: undo its changes, or delete "
            f"{key_path(file)} and commit anew"
        )
    if event.public is not None and not public_value.strip():
        raise UnusableError(f"{file}: give the value of {event.public!r} as --public-value")
    return replace(kept, public_value=public_value.strip())


def _key_held(file: Path) -> AbstractContextManager[None]:
    """Return a context in which no other run may begin the event with the key that is kept for it.

    Entering raises OSError.
    """
    path = key_path(file)
    return held(beside(path), file) if path.exists() else nullcontext()


def _forget_key(file: Path, kept: Store) -> None:
    """Delete the file of an event's key when the store has the key. Raises UnusableError.

    The same key must not deal the boards of a second event.
    """
    path, sealing = key_path(file), kept.sealing()
    try:
        committed = read_key(path)
        if committed is not None and sealing is not None and committed.key == sealing.key:
            forget_key(path)
    except KeyFileError as error:
        raise UnusableError(str(error)) from None


def _keep_key(file: Path, committed: Sealing) -> None:
    """Keep the key of an event that could not begin. Raises UnusableError."""
    try:
        write_key(key_path(file), committed)
    except KeyFileError as error:
        raise UnusableError(f"the event could not begin, and its key is lost: {error}") from None


def _created(
    asked: EventFile,
    committed: Sealing | None,
    folder: Path,
    go_on: str,
    url: str | None,
    *,
    controlled: bool | None,
) -> Store:
    given = dict(enumerate(asked.given, start=1))
    sealing = committed or Sealing.of(asked.event)
    return create_store(folder, asked.event, sealing, given, go_on, url, controlled=controlled)


def _play(
    store: Store, folder: Path, open_venue: OpenVenue, go_on: str, pages: Pages | None
) -> None:
    event = store.event()
    size = event_size(event)
    print(
        f"{event.name}: {event.format}, {len(event.entries)} entries, "
        f"{plural(size.tables, 'table')}, {deals_in_short(event)}",
        flush=True,
    )
    tell_commitment(store)
    if pages is not None:
        print(f"watch it at {pages.address}", flush=True)

    def told(record: BoardRecord) -> str:
        return f"round {record.round}" if record.round else ""

    play(store, folder, size.tables, told, open_venue, go_on, pages)


def _secrets(file: Path, event: Event, folder: Path) -> list[Path]:
    """Return the paths that no bot in a sandbox may see, even in the bot's own folder."""
    boards = [] if event.boards_from is None else [file.parent / event.boards_from]
    return [folder, file, tokens_path(file), key_path(file), *boards]


def _withdrawals(results: EventResults) -> str:
    """Return who was withdrawn, and the last fault of the bot; "" where nobody was."""
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


def _go_on(
    command: str, file: Path, folder: Path, store: str | None, options: Sequence[str]
) -> str:
    words = ["arena", command, str(file), "--out", str(folder), "--resume"]
    if store is not None:
        words += ["--store", without_password(store)]
    return shlex.join([*words, *options])
