"""`arena ladder run`: a ladder is played, until it is stopped."""

from __future__ import annotations

import asyncio
import shlex
from contextlib import closing, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bridge_arena.commands.common.errors import (
    FailedError,
    InterruptedCommandError,
    UnusableError,
    complain,
    plain,
    unusable,
)
from bridge_arena.commands.common.options import (
    LOOPBACK,
    Host,
    MaxBoards,
    StopAt,
    StoreUrl,
    given_words,
    out_option,
    stop_of,
    tables_at_once,
)

if TYPE_CHECKING:
    from bridge_arena.base.stopping import Stop
    from bridge_arena.tournaments.ladder.ladder_file import LadderFile
    from bridge_arena.tournaments.ladder.ladder_store import LadderStore
    from bridge_arena.tournaments.ladder.runner import LadderRunner
    from bridge_arena.tournaments.play.seating.waiting_room import WaitingRoom

PORT = 7770
"""The port that bots connect to by default."""

DEMO = """\
[ladder]
name = "Demo"
boards = 8
anchors = ["baseline"]

[[player]]
bot = "baseline"

[[player]]
bot = "random"

[[player]]
bot = "natural"

[[player]]
bot = "neural"

[[player]]
bot = "fastplay"
"""
"""The file of the ladder of `--demo`: bots that ship, and think for milliseconds."""


def run(
    file: Annotated[
        Path | None, typer.Argument(metavar="[LADDER.toml]", help="file that defines the ladder")
    ] = None,
    demo: Annotated[  # noqa: FBT002
        bool, typer.Option("--demo", help="play a ladder of bots that ship, without a file")
    ] = False,
    out: Annotated[Path | None, out_option("runs/ladder-NAME, by the file's name")] = None,
    store: StoreUrl = None,
    concurrency: Annotated[
        int | None,
        typer.Option(
            min=1, help="matches at once; default: as the file says, or one for each processor"
        ),
    ] = None,
    host: Host = LOOPBACK,
    port: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=65535,
            help="port for bots that connect by themselves; 0: any free port; default: "
            f"{PORT} if there are any when the ladder begins",
        ),
    ] = None,
    stop_at: StopAt = None,
    max_boards: MaxBoards = None,
) -> None:
    """Play a ladder until it is stopped; the same command goes on with it.

    Ctrl-C lets the boards in play end; their matches go on another time. New players of the file
    join those that are there. A player whose program or settings changed goes on as a new version,
    with a rating of its own.

    Examples:
        arena ladder --demo
        arena ladder club.toml --out runs/club
    """
    from bridge_arena.tournaments.events.event_file import EventFileError
    from bridge_arena.tournaments.ladder.ladder_file import parse_ladder, read_ladder

    if (file is None) != demo:
        raise UnusableError("give the file of a ladder, or --demo")
    name = "demo" if file is None else file.stem
    try:
        ladder = parse_ladder(DEMO, Path("demo.toml")) if file is None else read_ladder(file)
    except EventFileError as error:
        *others, last = error.mistakes
        for mistake in others:
            complain(mistake)
        raise UnusableError(last) from None
    words = given_words(
        {
            "--store": (store, None),
            "--concurrency": (concurrency, None),
            "--host": (host, LOOPBACK),
            "--port": (port, None),
        }
    )
    again = ["arena", "ladder", "--demo" if file is None else str(file)]
    folder = out or Path("runs") / f"ladder-{name[:60]}"
    again += [*(["--out", str(out)] if out else []), *words]
    stop = stop_of(stop_at, max_boards)
    _run(ladder, file, folder, store, concurrency, (host, port), stop, shlex.join(again))


def _run(
    ladder: LadderFile,
    file: Path | None,
    folder: Path,
    url: str | None,
    concurrency: int | None,
    address: tuple[str, int | None],
    stop: Stop,
    again: str,
) -> None:
    from bridge_arena.base.masking import without_password
    from bridge_arena.commands.common.event_run import hide_arguments
    from bridge_arena.commands.common.folders import alone
    from bridge_arena.commands.common.signals import until_signalled
    from bridge_arena.commands.ladder.status import print_leaderboard
    from bridge_arena.oracle.errors import OracleError
    from bridge_arena.tournaments import LOG, STORE, EventLog, StoreError
    from bridge_arena.tournaments.ladder.ladder_store import LadderStore
    from bridge_arena.tournaments.ladder.runner import LadderRunner
    from bridge_arena.tournaments.play.venue import VenueOptions
    from bridge_arena.tournaments.store.database import is_url

    if url is not None:
        if not is_url(url):
            raise UnusableError(f"--store {url}: expected the URL of a database")
        hide_arguments("ladder")
    again = again if url is None else again.replace(shlex.quote(url), without_password(url))
    with alone(folder, is_private=True):
        with unusable(StoreError, writing=folder):
            store = LadderStore.open(url or folder / STORE, ladder.definition)
        with closing(store):
            with unusable(StoreError):
                _enter(store, ladder, file)
            room = _waiting_room(store, folder, *address)
            options = VenueOptions(
                hidden=[folder, *([] if file is None else [file])], waiting_room=room
            )
            try:
                with store.locked(), EventLog(folder / LOG) as log:
                    runner = LadderRunner(
                        store,
                        folder,
                        log,
                        tables_at_once(concurrency or ladder.definition.concurrency),
                        _say,
                        stop,
                        options,
                    )
                    print(_headline(ladder, folder), flush=True)
                    asyncio.run(until_signalled(_play(runner, room), stop, complain))
            except (KeyboardInterrupt, asyncio.CancelledError):
                raise InterruptedCommandError(f"interrupted; go on with: {again}") from None
            except (OracleError, OSError, StoreError) as error:
                text = plain(error) if isinstance(error, OSError) else str(error)
                raise FailedError(f"{text}; go on with: {again}") from None
            print_leaderboard(store)
    raise InterruptedCommandError(f"stopped; go on with: {again}")


async def _play(runner: LadderRunner, room: WaitingRoom | None) -> None:
    async with room or nullcontext():
        if room is not None:
            _say(f"listening on {room.url}")
        await runner.run()


def _waiting_room(
    store: LadderStore, folder: Path, host: str, port: int | None
) -> WaitingRoom | None:
    """Return where bots wait that connect by themselves; None if there are to be none."""
    from bridge_arena.commands.common.web import is_loopback
    from bridge_arena.commands.ladder.orders import TOKENS
    from bridge_arena.tournaments.events.tokens import Tokens
    from bridge_arena.tournaments.play.seating.waiting_room import WaitingRoom
    from bridge_arena.tournaments.play.venue import PublicEndpoint

    if port is None and not any(player.remote_seats for player in store.players().values()):
        return None
    if not is_loopback(host):
        complain(f"tokens and cards travel unencrypted to {host}: put a proxy with TLS before it")
    owner = Tokens(folder / TOKENS).owner
    port = PORT if port is None else port
    return WaitingRoom(PublicEndpoint(host, port, None, owner, None, announce=_say))


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
