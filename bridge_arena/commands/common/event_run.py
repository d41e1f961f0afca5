"""The run of an event in its folder: begun or gone on with, played, and reported."""

from __future__ import annotations

import asyncio
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from bridge_arena.base.stopping import Stop, StoppedError
from bridge_arena.bridge.record import BoardRecord
from bridge_arena.commands.common.console import warn
from bridge_arena.commands.common.errors import (
    FailedError,
    InterruptedCommandError,
    UnusableError,
    cannot_write,
    plain,
)
from bridge_arena.commands.common.folders import alone
from bridge_arena.commands.common.loading import open_store
from bridge_arena.commands.common.progress import LongWork
from bridge_arena.commands.common.signals import sigterm_as_ctrl_c, until_signalled
from bridge_arena.commands.common.web import Pages, PeopleOptions, WebOptions
from bridge_arena.oracle.errors import OracleError, WorkerError
from bridge_arena.server.gateway import GatewayError
from bridge_arena.server.supervisor import StartError
from bridge_arena.tournaments import (
    LOG,
    STORE,
    Access,
    Entry,
    EntryError,
    Event,
    EventLog,
    EventResults,
    Format,
    GivenBoard,
    Sealing,
    Store,
    StoreError,
)
from bridge_arena.tournaments.events.deal_control import DealControl
from bridge_arena.tournaments.events.entries import check_class
from bridge_arena.tournaments.events.people import people_of
from bridge_arena.tournaments.play.announcements import FaultWarnings, PauseWarnings
from bridge_arena.tournaments.play.cluster import ClusterError
from bridge_arena.tournaments.play.local_venue import LocalVenue
from bridge_arena.tournaments.play.runner import Runner
from bridge_arena.tournaments.play.seating.seats import SeatingError
from bridge_arena.tournaments.play.venue import OpenVenue, VenueOptions


@dataclass(frozen=True, slots=True)
class NewEvent:
    """An event that has not begun."""

    event: Event
    sealing: Sealing  # the key of its deals
    given: Mapping[int, GivenBoard]  # the boards that are given, by number
    of_file: bool = False  # whether an event file defines it


class NotSeatedError(UnusableError):
    """A bot was started but did not take its seat; the log has what it printed."""


class EventRun:
    """The run of an event in its folder.

    While its context is entered, no other command writes there. In the context `create` a new event
    or `go_on` with one; then `play` it, `report` it, and `show` its pages.

    Args:
        again: Returns the command line that goes on with the event of a folder.
        folder: The folder; None for a new one.
        new_folder: The name of a new one.
        stop: The order to stop that the first Ctrl-C gives; None where it drops the boards in play.
    """

    folder: Path
    again: str  # the command line that goes on with the event after an interruption
    store: Store  # the store of the event, once there is one

    def __init__(
        self,
        again: Callable[[Path], str],
        folder: Path | None,
        new_folder: Path = Path(),
        stop: Stop | None = None,
    ) -> None:
        self._again = again
        self._stop = stop
        self._alone = alone(folder, new_folder, is_private=True)
        self._held = ExitStack()
        self._is_new = False
        # Called before an event is discarded that could not begin.
        self._before_discarding: Callable[[], None] = lambda: None
        # The pages of the event while it is played; None if there are none.
        self._pages: Pages | None = None

    def __enter__(self) -> EventRun:
        self.folder = self._held.enter_context(self._alone)
        self.again = self._again(self.folder)
        return self

    def __exit__(self, *error: Any) -> None:
        self._held.__exit__(*error)

    def create(
        self,
        new: NewEvent,
        url: str | None = None,
        *,
        control: bool | None = False,
        before_discarding: Callable[[], None] = lambda: None,
    ) -> None:
        """Begin an event.

        Args:
            new: The event.
            url: The URL of the database for its store; None for a store in the folder.
            control: Whether stand-ins tell the luck of the deals; None for where bots that ship
                can.
            before_discarding: Called before the event is discarded, if it cannot be played.

        Raises:
            UnusableError: The store cannot be made, or there is an event in the folder already.
        """
        stand_ins = None
        if control is not False:
            stand_ins = DealControl.of(new.event, with_files=control is True)
        if control and stand_ins is None:
            raise UnusableError(
                "--control: two bots must ship or be FILE.py:CLASS, and bid and play dealt boards"
            )
        path = self.folder / STORE
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise UnusableError(cannot_write(error, self.folder)) from None
        if path.exists():
            raise UnusableError(
                f"{path} exists already: choose another --out, or go on with {self.again}"
            )
        try:
            store = Store.create(
                url or path, new.event, new.given, new.sealing, stand_ins, of_file=new.of_file
            )
        except StoreError as error:
            raise UnusableError(str(error)) from None
        self.go_on(store)
        self._is_new = True
        self._before_discarding = before_discarding

    def go_on(self, store: Store | None = None) -> Event:
        """Go on with the event of a store, by default that in the folder. Raises UnusableError."""
        self.store = store or open_store(self.folder / STORE)
        # Closed before the folder may be written by others.
        self._held.callback(self.store.close)
        return self.store.event()

    def go_on_with_match(self) -> Event:
        """Go on with the match in the folder, if a command set it up and no event file.

        Raises UnusableError.
        """
        event = self.go_on()
        if event.format is not Format.MATCH or self.store.is_of_file():
            # Its programs are found from its file, which the bots may not see.
            command = f"arena tournament EVENT.toml --out {shlex.quote(str(self.folder))} --resume"
            raise UnusableError(
                f"{self.folder} holds the event of a file: go on with {command}, or with arena "
                "serve if that began it"
            )
        return event

    def play(
        self,
        headline: str,
        tables: int,
        describe: Callable[[BoardRecord], str],
        venue: VenueOptions | OpenVenue,
        web: WebOptions | None = None,
        people: PeopleOptions | None = None,
        *,
        tell_commitment: bool = True,
    ) -> None:
        """Play what is left of the event, and have stand-ins play its deals, with a progress bar.

        A new event that cannot begin is discarded, so that it can be begun again.

        Args:
            headline: The first line to print, which says what is played.
            tables: The number of tables of the whole event.
            describe: Returns the text beside the progress bar after each board.
            venue: Opens the venue, or the options of one on this machine, whose bots cannot see the
                folder.
            web: The address of the pages that show it; None for no pages.
            people: The options of the people who play on the pages. Where they are given, the pages
                are for them alone, and the address is not announced to spectators.
            tell_commitment: Whether to print what the deals are committed to.

        Raises:
            UnusableError: The event cannot begin.
            FailedError: It had begun, and cannot go on.
            InterruptedCommandError: It was stopped or interrupted.
        """
        try:
            with self.interruptible():
                check_pages(self.store.event(), web)
                if web is not None:
                    self._pages = Pages(self.store, self.folder, web, people)
                print(headline, flush=True)
                commitment = self.store.commitment() if tell_commitment else None
                if commitment is not None:
                    print(f"the deals are committed to {commitment.digest}", flush=True)
                if self._pages is not None and people is None:
                    print(f"watch it at {self._pages.address}", flush=True)
                    print(f"direct it at {self._pages.director_link}", flush=True)
                # An event with a public endpoint announces its rounds, and people take their time.
                is_public = isinstance(venue, VenueOptions) and venue.public is not None
                shown = LongWork(has_lines=not is_public and people is None)
                self._play(tables, describe, self._opens(venue), shown)
        except UnusableError as error:
            if self._is_new:
                self._before_discarding()
                self.discard(keep_log=isinstance(error, NotSeatedError))
            raise

    def report(self) -> EventResults:
        """Write the files of the event, and print its report.

        Raises:
            UnusableError: The store cannot be read, or no board of the event is played.
            FailedError: A file cannot be written.
            InterruptedCommandError: It was interrupted.
        """
        with self.interruptible():
            # Imported only now, as what reports need is slow to load.
            from bridge_arena.commands.common.reporting import report_store

            return report_store(self.store, self.folder)

    def show(self) -> None:
        """Leave the folder to others, and show the event on its pages until Ctrl-C."""
        self._held.close()
        print(f"results in {self.folder}")
        if self._pages is not None:
            self._pages.stay()

    @contextmanager
    def interruptible(self) -> Iterator[None]:
        """Say how to go on, by an InterruptedCommandError, if Ctrl-C ends the context."""
        try:
            yield
        except KeyboardInterrupt:
            raise InterruptedCommandError(f"interrupted; go on with: {self.again}") from None

    def discard(self, *, keep_log: bool) -> None:
        """Delete an event that could not begin; the log stays where it tells why."""
        with suppress(StoreError):  # this fails on a full disk
            self.store.remove()
        for path in self.folder.glob(f"{STORE}*"):
            path.unlink()
        if not keep_log:
            (self.folder / LOG).unlink(missing_ok=True)

    def _opens(self, venue: VenueOptions | OpenVenue) -> OpenVenue:
        if not isinstance(venue, VenueOptions):
            return venue
        audience = None if self._pages is None else self._pages.audience
        hidden = [self.folder, *venue.hidden]
        options = replace(venue, hidden=hidden, audience=audience, stop=self._stop)
        return partial(LocalVenue, options=options)

    def _play(
        self,
        tables: int,
        describe: Callable[[BoardRecord], str],
        open_venue: OpenVenue,
        shown: LongWork,
    ) -> None:
        runner: Runner | None = None

        def begun() -> bool:
            return runner is not None and runner.has_dealt

        log_file = self.folder / LOG
        try:
            with self.store.locked(), EventLog(log_file) as log, shown:
                described, done = "", 0
                for _, record in self.store.results():
                    described = describe(record)
                    done += 1
                playing = shown.begin(described, tables, "tables", done)

                def on_board(record: BoardRecord) -> None:
                    nonlocal done
                    assert runner is not None
                    done += 1
                    playing.advance()
                    playing.resize(max(tables + runner.added, done))
                    playing.say(describe(record))

                say = partial(warn, shown.console)
                log.listeners += [FaultWarnings(say).hear, PauseWarnings(say).hear]
                runner = Runner(self.store, log, on_board, open_venue, self._stop)
                asyncio.run(_run(runner, log, self._pages, self._stop, say))
                if self.store.control() is not None:
                    with sigterm_as_ctrl_c():
                        # Imported here, as no other event needs the laboratory.
                        from bridge_arena.commands.common.deal_control import value_deals

                        value_deals(self.store, log, shown)
        except (KeyboardInterrupt, asyncio.CancelledError, StoppedError) as end:
            with suppress(OSError, StoreError):  # the file can be written later
                self.store.write_pbn(self.folder)
            if isinstance(end, StoppedError):
                raise InterruptedCommandError(f"stopped; go on with: {self.again}") from None
            raise KeyboardInterrupt from None
        except EntryError as error:
            raise UnusableError(str(error)) from None
        except SeatingError as error:
            text = f"{error} (its output is in {log_file})"
            raise FailedError(text) if begun() else NotSeatedError(text) from None
        except (ClusterError, WorkerError) as error:
            raise FailedError(f"{error}; go on with: {self.again}") from None
        except OracleError as error:
            raise FailedError(f"no result for a contract: {error}") from None
        except (GatewayError, StartError, OSError, StoreError) as error:
            text = plain(error) if isinstance(error, OSError) else str(error)
            if begun():
                raise FailedError(f"{text}; go on with: {self.again}") from None
            raise UnusableError(text) from None


async def _run(
    runner: Runner,
    log: EventLog,
    pages: Pages | None,
    stop: Stop | None,
    say: Callable[[str], None],
) -> None:
    """Run the event, and log how it ended."""
    try:
        async with pages.serving() if pages else nullcontext():
            await until_signalled(runner.run(), stop, say)
    except (asyncio.CancelledError, StoppedError):
        log.write("interrupted")
        raise
    log.write("event_ended")


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


def check_pages(event: Event, web: WebOptions | None) -> None:
    """Check that people who play have pages to play on. Raises UnusableError."""
    people = people_of(event)
    if people and web is None:
        raise UnusableError(f"{people[0]} sits down in a browser: give --web")


def hide_arguments(command: str) -> None:
    """Remove seeds and passwords from this process's command line, which bots may read."""
    # Imported here, as it is slow to load and only some commands need it.
    from setproctitle import setproctitle

    setproctitle(f"arena {command}")
