"""The play of an event, as `arena match`, `arena tournament` and `arena serve` share it."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Iterable
from contextlib import nullcontext, suppress
from functools import partial
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from bridge_arena.bridge.record import BoardRecord
from bridge_arena.commands.common.console import warn
from bridge_arena.commands.common.errors import (
    FailedError,
    InterruptedCommandError,
    UnusableError,
    plain,
)
from bridge_arena.commands.common.signals import sigterm_as_ctrl_c, until_signalled
from bridge_arena.commands.common.web import Pages, WebOptions
from bridge_arena.oracle.errors import OracleError, WorkerError
from bridge_arena.reports.common.results import LOG, STORE, write_pbn
from bridge_arena.server.gateway import GatewayError
from bridge_arena.server.supervisor import StartError
from bridge_arena.tournaments.events.entries import Access, Entry, EntryError, check_class
from bridge_arena.tournaments.events.event import Event
from bridge_arena.tournaments.events.people import people_of
from bridge_arena.tournaments.play.announcements import FaultWarnings
from bridge_arena.tournaments.play.cluster import ClusterError
from bridge_arena.tournaments.play.event_log import EventLog
from bridge_arena.tournaments.play.runner import Runner
from bridge_arena.tournaments.play.seating.seats import SeatingError
from bridge_arena.tournaments.play.venue import OpenVenue
from bridge_arena.tournaments.store import Store, StoreError


def check_started(players: Iterable[Entry]) -> None:
    """Check that the arena can start all bots, and that their classes may exist.

    Raises UnusableError.
    """
    for player in players:
        if player.access not in (Access.STARTED, Access.HUMAN):
            raise UnusableError(f"{player.spec} comes by itself: play an event by arena serve")
        try:
            check_class(player)
        except EntryError as error:
            raise UnusableError(str(error)) from None


def check_pages(event: Event, where: WebOptions | None) -> None:
    """Check that people who play have pages to play on. Raises UnusableError."""
    people = people_of(event)
    if people and where is None:
        raise UnusableError(f"{people[0]} sits down in a browser: give --web")


def tell_commitment(store: Store) -> None:
    """Print what the deals are committed to, before a card is dealt."""
    commitment = store.commitment()
    if commitment is not None:
        print(f"the deals are committed to {commitment.digest}", flush=True)


def play(
    store: Store,
    folder: Path,
    total: int,
    told: Callable[[BoardRecord], str],
    open_venue: OpenVenue,
    go_on: str,
    pages: Pages | None = None,
) -> None:
    """Play what is left of an event, and have stand-ins play its deals, with a progress bar.

    Args:
        store: The event.
        folder: The folder for its results.
        total: The number of tables of the event.
        told: Returns the text beside the progress bar after each board.
        open_venue: Opens the hall in which the event is played.
        go_on: The command that goes on after an interruption.
        pages: The pages that show the event meanwhile; None for no pages.

    Raises:
        UnusableError: The event cannot begin.
        FailedError: It had begun, and cannot go on.
        InterruptedCommandError: It was interrupted.
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
        # A file or pipe gets what is printed meanwhile.
        redirect_stdout=sys.stdout.isatty(),
        disable=not console.is_terminal,
    )
    task = bar.add_task("", total=total)

    def on_board(record: BoardRecord) -> None:
        bar.update(task, advance=1, description=told(record))

    try:
        with store.locked(), EventLog(folder / LOG) as log, bar:
            for _, record in store.results():
                on_board(record)
            log.listeners.append(FaultWarnings(partial(warn, console)).hear)
            runner = Runner(store, log, on_board, open_venue)
            asyncio.run(_run(runner, log, pages))
            if store.control() is not None:
                with sigterm_as_ctrl_c():
                    # Imported here, as no other event needs the laboratory.
                    from bridge_arena.commands.common.deal_control import value_deals

                    value_deals(store, log)
    except (KeyboardInterrupt, asyncio.CancelledError):
        with suppress(OSError, StoreError):  # the file can be written later
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
    """A bot was started but did not take its seat; the log has what it printed."""


async def _run(runner: Runner, log: EventLog, pages: Pages | None) -> None:
    """Run the event, and log how it ended."""
    try:
        async with pages.serving() if pages else nullcontext():
            await until_signalled(runner.run())
    except asyncio.CancelledError:
        log.write("interrupted")
        raise
    log.write("event_ended")


def discard(folder: Path, *, keep_log: bool) -> None:
    """Delete the store of an event that could not begin, so that it can be begun again.

    Args:
        folder: The folder of the event.
        keep_log: Whether the log stays.
    """
    for path in folder.glob(f"{STORE}*"):
        path.unlink()
    if not keep_log:
        (folder / LOG).unlink(missing_ok=True)
