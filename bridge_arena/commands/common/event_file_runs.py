"""The run of the event of a file, as `arena tournament` and `arena serve` share it.

The event is begun or resumed, played, and reported.
"""

from __future__ import annotations

import asyncio
import shlex
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from itertools import chain
from pathlib import Path

from bridge_arena.base.files import beside, held
from bridge_arena.base.masking import without_password
from bridge_arena.base.stopping import Stop
from bridge_arena.base.wording import one_line, plural
from bridge_arena.commands.common.errors import (
    FailedError,
    UnusableError,
    complain,
    unusable,
)
from bridge_arena.commands.common.event_run import (
    EventRun,
    NewEvent,
    check_pages,
    hide_arguments,
)
from bridge_arena.commands.common.loading import find_store, open_store
from bridge_arena.commands.common.web import WebOptions
from bridge_arena.server.gateway import GatewayError
from bridge_arena.server.sandbox.sandbox import SandboxError
from bridge_arena.tournaments import (
    STORE,
    EntryError,
    Event,
    EventResults,
    Sealing,
    Store,
    event_size,
)
from bridge_arena.tournaments.events.event import differences
from bridge_arena.tournaments.events.event_file import EventFile, EventFileError, read_event
from bridge_arena.tournaments.events.event_rules import cautions
from bridge_arena.tournaments.events.sealed_deals import (
    KeyFileError,
    deals_in_short,
    exposures,
    forget_key,
    key_path,
    read_key,
    write_key,
)
from bridge_arena.tournaments.events.tokens import tokens_path
from bridge_arena.tournaments.play.cluster import Cluster
from bridge_arena.tournaments.play.trial_starts import failed_starts, programs_of
from bridge_arena.tournaments.play.venue import OpenVenue, VenueOptions
from bridge_arena.tournaments.store.database import is_url


@dataclass(frozen=True, slots=True)
class FileRunOptions:
    """The options that `arena tournament` and `arena serve` share."""

    out: Path | None  # the folder for the results; None for runs/TIME-EVENT
    resume: bool  # whether to go on with the event in the folder
    store: str | None  # the URL of the database for the results; None to keep them in the folder
    # Whether stand-ins tell the luck of the deals of a new event; None for where bots that ship
    # can.
    control: bool | None
    public_value: str  # the value of the event's public text
    web: WebOptions | None  # the address of the event's pages; None for no pages
    # The words of the options of one command alone, for the command that goes on.
    others: Sequence[str]
    stop: Stop  # the order to stop

    def resume_command(self, command: str, file: Path, folder: Path) -> str:
        """Return the command line that goes on with an event of a file."""
        words = ["arena", command, str(file), "--out", str(folder), "--resume"]
        if self.store is not None:
            words += ["--store", without_password(self.store)]
        return shlex.join([*words, *self.others, *([] if self.web is None else self.web.words)])


def run_event(
    command: str,
    file: Path,
    definition: EventFile,
    options: FileRunOptions,
    venue: VenueOptions | Cluster,
) -> None:
    """Play the event of a file, and report it.

    Raises UnusableError, FailedError and InterruptedCommandError.
    """
    event, store = definition.event, options.store
    if store is not None and not is_url(store):
        raise UnusableError(f"--store {store}: expected the URL of a database")
    check_pages(event, options.web)
    if options.resume and options.out is None:
        raise UnusableError("--resume needs the folder of the event: --out DIR")
    for line in chain(exposures(event), cautions(event)):
        complain(line)
    if store is not None:
        hide_arguments(command)
    again = partial(options.resume_command, command, file)
    new_folder = Path("runs") / f"{datetime.now():%Y%m%d-%H%M%S}-{file.stem[:60]}"
    with EventRun(again, options.out, new_folder, options.stop) as run:
        key = key_path(file)
        # No other run may begin the event with the key that is kept for it.
        with held(beside(key), file) if key.exists() else nullcontext():
            begun = _begun(run, file, event, store) if options.resume else None
            if begun is not None:
                run.go_on(begun)
            else:
                _create(run, file, definition, options)
            _forget_key(file, run.store)
        run.store.home = file.parent
        size = event_size(event)
        run.play(
            f"{event.name}: {event.format}, {len(event.entries)} entries, "
            f"{plural(size.tables, 'table')}, {deals_in_short(event)}",
            size.tables,
            lambda record: f"round {record.round}" if record.round else "",
            _venue(venue, _secrets(file, event), run.folder),
            options.web,
        )
        results = run.report()
        run.show()
    if withdrawals := _withdrawals(results):
        raise FailedError(withdrawals)


def _venue(
    venue: VenueOptions | Cluster, secrets: Sequence[Path], folder: Path
) -> VenueOptions | OpenVenue:
    """Return a venue whose bots in sandboxes cannot see the secrets of the event."""
    if isinstance(venue, VenueOptions):
        return replace(venue, hidden=[*venue.hidden, *secrets])
    # Imported here, as few events are played on a cluster.
    from bridge_arena.tournaments.play.cluster_venue import ClusterVenue

    return partial(ClusterVenue, cluster=venue, hidden=[folder, *secrets])


def read(file: Path) -> EventFile:
    """Read the event of a file. Raises UnusableError."""
    try:
        return read_event(file)
    except EventFileError as error:
        *others, last = error.mistakes
        for mistake in others:
            print(f"arena: {mistake}", file=sys.stderr)
        raise UnusableError(last) from None


def start_programs(file: Path, event: Event, port: int) -> None:
    """Start each program of an event once, and say which cannot be. Raises UnusableError."""
    with unusable(EntryError, GatewayError, SandboxError):
        programs = programs_of(event)
        options = VenueOptions(port=port, hidden=_secrets(file, event))
        failed = asyncio.run(failed_starts(event, options))
    for program in failed:
        complain(one_line(program.why))
        for line in program.output.splitlines():
            print(f"  | {one_line(line)}", file=sys.stderr)
    if failed:
        raise UnusableError(
            f"{len(failed)} of {plural(len(programs), 'program')} cannot be started"
        )
    print(f"{plural(len(programs), 'program')} started")


def _begun(run: EventRun, file: Path, event: Event, url: str | None) -> Store | None:
    """Return the store of an event that was begun; None where it was not.

    Raises UnusableError if the event differs from that of the file.
    """
    folder = run.folder
    if url is None:
        store = open_store(folder / STORE) if (folder / STORE).exists() else None
    else:
        store = find_store(url, event.name)
    if store is None:
        # The command may have been killed before there was anything to keep.
        print(f"there is nothing to go on with in {folder}: the event begins", flush=True)
        return None
    begun = store.event()
    if store.commitment() is None and event.seed is None:
        # Release 0.1 drew a seed where the file had none.
        event = event.model_copy(update={"seed": begun.seed})
    if changed := differences(event, begun):
        store.close()
        raise UnusableError(
            f"{file}: {', '.join(changed)} changed since the event in {folder} began"
        )
    return store


def _create(run: EventRun, file: Path, definition: EventFile, options: FileRunOptions) -> None:
    """Begin the event of a file, with the key that it was committed to. Raises UnusableError."""
    event = definition.event
    committed = _committed(file, event, options.public_value)
    given = dict(enumerate(definition.given, start=1))
    run.create(
        NewEvent(event, committed or Sealing.of(event), given, of_file=True),
        options.store,
        control=options.control,
        before_discarding=lambda: None if committed is None else _keep_key(file, committed),
    )


def _committed(file: Path, event: Event, public_value: str) -> Sealing | None:
    """Return the key that a new event is committed to. Raises UnusableError.

    Returns:
        The key; None where there was no commitment.
    """
    if public_value.strip() and event.public is None:
        raise UnusableError(f"--public-value: {file} names no public text (event.public)")
    with unusable(KeyFileError):
        kept = read_key(key_path(file))
    if kept is None:
        if event.public is not None:
            raise UnusableError(
                f"{file}: event.public: commit to the event before {event.public!r} is known: "
                f"{shlex.join(['arena', 'deal', '--commit', str(file)])}"
            )
        return None
    try:
        changed = differences(event, Event.model_validate_json(kept.definition))
    except ValueError:
        raise UnusableError(f"{key_path(file)}: this is no file of a deal key") from None
    if changed:
        raise UnusableError(
            f"{file} is not the event that was committed to, by {', '.join(changed)}: undo its "
            f"changes, or delete {key_path(file)} and commit anew"
        )
    if event.public is not None and not public_value.strip():
        raise UnusableError(f"{file}: give the value of {event.public!r} as --public-value")
    return replace(kept, public_value=public_value.strip())


def _forget_key(file: Path, kept: Store) -> None:
    """Delete the file of an event's key when the store has the key. Raises UnusableError.

    The same key must not deal the boards of a second event.
    """
    path, sealing = key_path(file), kept.sealing()
    with unusable(KeyFileError):
        committed = read_key(path)
        if committed is not None and sealing is not None and committed.key == sealing.key:
            forget_key(path)


def _keep_key(file: Path, committed: Sealing) -> None:
    """Keep the key of an event that could not begin. Raises UnusableError."""
    try:
        write_key(key_path(file), committed)
    except KeyFileError as error:
        raise UnusableError(f"the event could not begin, and its key is lost: {error}") from None


def _secrets(file: Path, event: Event) -> list[Path]:
    """Return the paths that no bot in a sandbox may see, even in the bot's own folder."""
    boards = [] if event.boards_from is None else [file.parent / event.boards_from]
    return [file, tokens_path(file), key_path(file), *boards]


def _withdrawals(results: EventResults) -> str:
    """Return who was withdrawn, and the last fault of the bot; "" where nobody was."""
    event, records = results.event, [played.record for played in results.played]
    # Those that the director has not readmitted.
    gone = results.so_far.withdrawn
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
