"""The play of a ladder in its folder, as `arena ladder` and `arena rate` share it."""

from __future__ import annotations

import asyncio
import shlex
from collections.abc import Callable, Iterator
from contextlib import (
    AbstractAsyncContextManager,
    AbstractContextManager,
    closing,
    contextmanager,
    nullcontext,
)
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from bridge_arena.commands.common.errors import (
    FailedError,
    InterruptedCommandError,
    UnusableError,
    complain,
    plain,
    unusable,
)
from bridge_arena.commands.common.options import BLUECHIP_PORT, BOT_PORT, LOOPBACK, tables_at_once

if TYPE_CHECKING:
    from bridge_arena.base.stopping import Stop
    from bridge_arena.commands.common.web import WebOptions
    from bridge_arena.tournaments.ladder.authors.webhooks import Webhooks
    from bridge_arena.tournaments.ladder.ladder_file import LadderDefinition, LadderFile
    from bridge_arena.tournaments.ladder.places import Places
    from bridge_arena.tournaments.ladder.runner import LadderRunner
    from bridge_arena.tournaments.ladder.store.ladder_store import LadderStore
    from bridge_arena.tournaments.play.cluster import Cluster
    from bridge_arena.tournaments.play.seating.waiting_room import WaitingRoom


@dataclass(frozen=True, slots=True)
class PlayOptions:
    """The options of the play of a ladder."""

    folder: Path  # the folder for the results
    stop: Stop  # the order to stop
    again: str  # the command line that goes on with it
    concurrency: int | None = None  # the number of matches at once; None: as the ladder says
    cluster: Cluster | None = None  # the cluster that plays what it can; None for none
    file: Path | None = None  # the ladder's file; None if it has none
    url: str | None = None  # the URL of the database; None to keep all in the folder
    host: str = LOOPBACK  # where to listen for bots that connect by themselves
    port: int | None = None  # None: to listen at `BOT_PORT` if there are any
    bluechip_port: int | None = None  # None: to listen at `BLUECHIP_PORT` if there are programs
    subject: str = ""  # the player who plays all matches; "" for nobody
    web: WebOptions | None = None  # where the pages are; None for no pages
    error: float | None = None  # the error at which the subject is placed; None: by the order


def play_ladder(ladder: LadderFile, options: PlayOptions) -> None:
    """Play a ladder until it is stopped, and print its leaderboard.

    Raises UnusableError, FailedError and InterruptedCommandError.
    """
    from bridge_arena.base.concurrency import processors
    from bridge_arena.base.masking import without_password
    from bridge_arena.commands.common.console import output_console
    from bridge_arena.commands.common.event_run import hide_arguments
    from bridge_arena.commands.common.signals import until_signalled
    from bridge_arena.commands.ladder.status import print_leaderboard
    from bridge_arena.oracle.errors import OracleError
    from bridge_arena.oracle.pool import Oracle
    from bridge_arena.tournaments import LOG, STORE, StoreError
    from bridge_arena.tournaments.events.event_rules import cautions
    from bridge_arena.tournaments.events.sealed_deals import exposures
    from bridge_arena.tournaments.ladder.players import LadderError
    from bridge_arena.tournaments.ladder.runner import LadderRunner
    from bridge_arena.tournaments.ladder.store.ladder_store import LadderStore
    from bridge_arena.tournaments.ladder.watch.daily_log import DailyLog
    from bridge_arena.tournaments.play.venue import VenueOptions
    from bridge_arena.tournaments.store.database import is_url

    file, folder, url, again = options.file, options.folder, options.url, options.again
    if url is not None:
        if not is_url(url):
            raise UnusableError(f"--store {url}: expected the URL of a database")
        hide_arguments("ladder")
    again = again if url is None else again.replace(shlex.quote(url), without_password(url))
    with _alone(folder):
        with unusable(StoreError, writing=folder):
            store = LadderStore.open(url or folder / STORE, ladder.definition)
        with closing(store):
            try:
                with (
                    store.locked(),
                    DailyLog(folder / LOG, ladder.definition.keep_days) as log,
                    webhooks_of(store, ladder.definition) as webhook,
                    # So many value boards faster than bots play them, each with 160 MB.
                    Oracle(workers=max(1, processors() // 4), background=True) as oracle,
                ):
                    # Only now: another process that plays it goes on by its own file.
                    with unusable(LadderError, StoreError):
                        store.define(ladder.definition)
                        _enter(store, ladder, file)
                        entrants = [player.entrant for player in store.players().values()]
                    # Whose program is gone is absent, and keeps nobody from playing.
                    entries = tuple(entrant for entrant in entrants if entrant.known_players)
                    event = ladder.definition.template.model_copy(update={"entries": entries})
                    for line in chain(exposures(event), cautions(event)):
                        complain(line)
                    room = _waiting_room(store, options)
                    venue = VenueOptions(
                        hidden=[folder, *([] if file is None else [file])], waiting_room=room
                    )
                    runner = LadderRunner(
                        store,
                        folder,
                        log,
                        _places(options, ladder.definition),
                        _say,
                        options.stop,
                        venue,
                        subject=options.subject,
                        error=options.error,
                        webhook=webhook,
                        oracle=oracle,
                    )
                    print(_headline(ladder, folder), flush=True)
                    playing = _play(runner, room, partial(_pages, store, options))
                    asyncio.run(until_signalled(playing, options.stop, complain))
            except (KeyboardInterrupt, asyncio.CancelledError):
                raise InterruptedCommandError(f"interrupted; go on with: {again}") from None
            except (OracleError, OSError, StoreError) as error:
                text = plain(error) if isinstance(error, OSError) else str(error)
                raise FailedError(f"{text}; go on with: {again}") from None
            print_leaderboard(store, output_console(), options.subject)


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Work alone in the folder of a ladder in the context. Raises UnusableError."""
    from bridge_arena.commands.common.folders import alone
    from bridge_arena.tournaments.ladder.store.backups import UNFINISHED

    with alone(folder, is_private=True):
        if (folder / UNFINISHED).exists():
            raise UnusableError(f"a restore to {folder} was broken off: do it again first")
        yield


def _places(options: PlayOptions, definition: LadderDefinition) -> Places:
    """Return where matches are played: here, and on the cluster if there is one."""
    from bridge_arena.tournaments.ladder.places import Places

    most = options.concurrency or definition.concurrency
    if options.cluster is None:
        return Places(tables_at_once(most))
    return Places(tables_at_once(None), cluster=options.cluster, most=most)


async def _play(
    runner: LadderRunner,
    room: WaitingRoom | None,
    pages: Callable[[str], AbstractAsyncContextManager[None]],
) -> None:
    async with room or nullcontext(), pages("" if room is None else room.url):
        if room is not None:
            _say(f"listening on {room.url}")
            if room.programs is not None:
                _say(f"Blue Chip programs: {room.programs.address}")
        await runner.run()


def webhooks_of(
    store: LadderStore, definition: LadderDefinition
) -> AbstractContextManager[Webhooks]:
    """Return where alerts are posted, for a context that closes it.

    Raises UnusableError if what posts them is not installed.
    """
    from bridge_arena.base.extras import needing
    from bridge_arena.tournaments.ladder.authors.webhooks import Webhooks
    from bridge_arena.tournaments.ladder.webhook import Webhook

    with unusable(ModuleNotFoundError), needing("the key webhook of the ladder's file", "http"):
        own = Webhook(definition.webhook) if definition.webhook else None
    return closing(Webhooks(own, store.authors))


def _pages(
    store: LadderStore, options: PlayOptions, for_bots: str
) -> AbstractAsyncContextManager[None]:
    """Return the pages of the ladder, for a context in which they are shown.

    They tell authors the URL for bots; "" if there is none.
    """
    from bridge_arena.commands.ladder.web_process import showing

    if options.web is None:
        return nullcontext()
    return showing(store, options.url or "", options.folder, options.web, for_bots)


def _waiting_room(store: LadderStore, options: PlayOptions) -> WaitingRoom | None:
    """Return where bots wait that connect by themselves; None if there are to be none."""
    from bridge_arena.commands.common.web import is_loopback, passwordless
    from bridge_arena.commands.ladder.orders import TOKENS
    from bridge_arena.tournaments.events.tokens import Tokens
    from bridge_arena.tournaments.play.seating.waiting_room import WaitingRoom
    from bridge_arena.tournaments.play.venue import PublicEndpoint

    host, port, bluechip_port = options.host, options.port, options.bluechip_port
    players = store.players().values()
    if bluechip_port is None and any(player.program_seats for player in players):
        bluechip_port = BLUECHIP_PORT
    # Authors add players whose bots connect by themselves.
    has_authors = bool(store.definition().open or store.authors.names())
    has_remote = any(player.remote_seats for player in players)
    is_awaited = bluechip_port is not None or has_remote or has_authors
    if port is None and not is_awaited:
        return None
    if not is_loopback(host):
        complain(f"tokens and cards travel unencrypted to {host}: put a proxy with TLS before it")
        if bluechip_port is not None:
            complain(passwordless(host, bluechip_port))
    owner = Tokens(options.folder / TOKENS).owner
    port = BOT_PORT if port is None else port
    return WaitingRoom(PublicEndpoint(host, port, None, owner, bluechip_port, announce=_say))


def _enter(store: LadderStore, ladder: LadderFile, file: Path | None) -> None:
    """Enter the players of a file, and say who is new."""
    folder = None if file is None else file.parent
    there = bool(store.players())
    for registration in ladder.registrations:
        if store.enter(registration, folder) and there:
            _say(f"{registration.entrant.name} joins the ladder")


def _headline(ladder: LadderFile, folder: Path) -> str:
    from bridge_arena.base.wording import plural

    boards = plural(ladder.definition.template.boards, "board")
    return f"{ladder.definition.name}: matches of {boards} on sealed deals, in {folder}"


def _say(line: str) -> None:
    print(line, flush=True)
