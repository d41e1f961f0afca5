"""What `arena match` and `arena tournament` share: an event is set up, played, left."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from contextlib import nullcontext, suppress
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from bridge_arena.bridge.record import BoardRecord
from bridge_arena.commands.common.errors import (
    FailedError,
    InterruptedCommandError,
    UnusableError,
    plain,
)
from bridge_arena.commands.common.signals import until_signalled
from bridge_arena.commands.common.web import Pages, WebOptions
from bridge_arena.oracle.errors import OracleError, WorkerError
from bridge_arena.reports.common.results import LOG, STORE, write_pbn
from bridge_arena.server.gateway import GatewayError
from bridge_arena.server.supervisor import StartError
from bridge_arena.tournaments.events.entries import Access, Entry, EntryError
from bridge_arena.tournaments.events.event import Event
from bridge_arena.tournaments.events.people import people_of
from bridge_arena.tournaments.play.cluster_error import ClusterError
from bridge_arena.tournaments.play.event_log import EventLog
from bridge_arena.tournaments.play.local_hall import OpenHall
from bridge_arena.tournaments.play.runner import Runner
from bridge_arena.tournaments.play.seating.entry_seat import SeatingError
from bridge_arena.tournaments.store import Store, StoreError


def check_started(players: Iterable[Entry]) -> None:
    """Raises UnusableError where a bot is to come by itself."""
    for player in players:
        if player.access not in (Access.STARTED, Access.HUMAN):
            raise UnusableError(f"{player.spec} comes by itself: play an event by arena serve")


def check_pages(event: Event, where: WebOptions | None) -> None:
    """Raises UnusableError where people have no page to play on."""
    people = people_of(event)
    if people and where is None:
        raise UnusableError(f"{people[0]} sits down in a browser: give --web")


def tell_commitment(store: Store) -> None:
    """Publish what the deals are committed to, before a card is seen."""
    commitment = store.commitment()
    if commitment is not None:
        print(f"the deals are committed to {commitment.digest}", flush=True)


def play(
    store: Store,
    folder: Path,
    total: int,
    told: Callable[[BoardRecord], str],
    open_hall: OpenHall,
    go_on: str,
    pages: Pages | None = None,
) -> None:
    """Play what is left, with a progress bar of `total` tables that says what `told` makes
    of each board. `go_on`: the command that goes on after an interruption. `pages`: show it
    meanwhile.

    Raises UnusableError where it cannot begin, FailedError where it had begun,
    InterruptedCommandError.
    """
    runner: Runner | None = None

    def begun() -> bool:
        return runner is not None and runner.has_dealt

    console = Console(stderr=True)
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("tables"),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )
    task = bar.add_task("", total=total)

    def on_board(record: BoardRecord) -> None:
        bar.update(task, advance=1, description=told(record))

    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with store.locked(), EventLog(folder / LOG) as log, bar:
            for _, record in store.results():
                on_board(record)
            runner = Runner(store, log, on_board, open_hall)
            asyncio.run(_run(runner, log, pages))
    except (KeyboardInterrupt, asyncio.CancelledError):
        with suppress(OSError, StoreError):  # it can be made later
            write_pbn(store, folder)
        raise InterruptedCommandError(f"interrupted; go on with: {go_on}") from None
    except EntryError as error:
        raise UnusableError(str(error)) from None
    except SeatingError as error:
        text = f"{error} (its output is in {folder / LOG})"
        raise FailedError(text) if begun() else NotSeatedError(text) from None
    except (ClusterError, WorkerError) as error:
        raise FailedError(f"{error}; go on with: {go_on}") from None
    except OracleError as error:
        raise FailedError(f"no result for a contract: {error}") from None
    except (GatewayError, StartError, OSError, StoreError) as error:
        text = plain(error) if isinstance(error, OSError) else str(error)
        if begun():
            raise FailedError(f"{text}; go on with: {go_on}") from None
        raise UnusableError(text) from None


class NotSeatedError(UnusableError):
    """The bots were started, and what they printed is in the log."""


async def _run(runner: Runner, log: EventLog, pages: Pages | None) -> None:
    """Run the event; the log tells how it ended."""
    try:
        async with pages.serving() if pages else nullcontext():
            await until_signalled(runner.run())
    except asyncio.CancelledError:
        log.write("interrupted")
        raise
    log.write("event_ended")


def discard(folder: Path, *, keep_folder: bool, keep_log: bool) -> None:
    """Leave no store of an event that could not begin, so that it can be tried again."""
    for path in folder.glob(f"{STORE}*"):
        path.unlink()
    if keep_log:
        return
    (folder / LOG).unlink(missing_ok=True)
    if not keep_folder:
        folder.rmdir()
