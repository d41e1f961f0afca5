"""`arena play`: a person at a table of bots."""

from __future__ import annotations

import shlex
import threading
import webbrowser
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from bridge_arena.bridge.record import Mode
from bridge_arena.commands.common.errors import UnusableError
from bridge_arena.commands.common.event_store import create_store, open_store
from bridge_arena.commands.common.options import BOARD_FILES, Seed
from bridge_arena.commands.common.web import LOOPBACK, PeopleOptions, WebOptions
from bridge_arena.commands.match import hide_arguments, new_folder, play_match, set_up
from bridge_arena.reports.common.results import STORE
from bridge_arena.server.claims import Claims
from bridge_arena.tournaments.events.entries import Access, Entry, EntryError, parse_party
from bridge_arena.tournaments.events.event import Event, Isolation
from bridge_arena.tournaments.events.given_auctions import GivenBoard
from bridge_arena.tournaments.events.people import people_of
from bridge_arena.tournaments.events.sealing.commitment import Sealing

YOU, TEAM = "You", "Your team"
"""What the person is called, and who plays with partner, and for you in the other room."""

BOT = "natural"
"""Who plays where nobody says."""

BOARDS = 8
"""How many are dealt where nobody says."""

_ROOMS = 2


def play(
    partner: Annotated[
        str, typer.Option(metavar="BOT", help=f"who sits opposite; {BOT} if none")
    ] = "",
    against: Annotated[
        str, typer.Option(metavar="BOT", help=f"who plays against you; {BOT} if none")
    ] = "",
    boards: Annotated[
        int | None, typer.Option(min=1, help=f"how many boards; {BOARDS}, or all of the file")
    ] = None,
    boards_from: Annotated[
        Path | None,
        typer.Option(
            "--boards-from", metavar="FILE", help=f"play the boards of this file: {BOARD_FILES}"
        ),
    ] = None,
    seed: Seed = None,
    hints: Annotated[  # noqa: FBT002
        bool, typer.Option("--hints", help="let me ask what natural would call or play")
    ] = False,
    undo: Annotated[  # noqa: FBT002
        bool, typer.Option("--undo", help="let me take calls and cards back")
    ] = False,
    out: Annotated[
        Path | None, typer.Option(help="folder for the results; runs/TIME-Your_team-BOT if none")
    ] = None,
    resume: Annotated[
        Path | None, typer.Option(help="go on with the boards of this folder")
    ] = None,
    no_browser: Annotated[  # noqa: FBT002
        bool, typer.Option("--no-browser", help="print the address, open no browser")
    ] = False,
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="of the page; any that is free if 0")
    ] = 0,
) -> None:
    """Play boards yourself, in a browser.

    You sit South. In the other room two bots like your partner hold your cards the other way
    round, so that each board has a result to compare with. The solver says whether a claim holds.
    Ctrl-C stops; --resume goes on.

    Examples:
        arena play
        arena play --partner natural --against neural --hints --undo
        arena play --boards-from club.lin
        arena play --resume runs/mine
    """
    options = [
        *(["--hints"] if hints else []),
        *(["--undo"] if undo else []),
        *(["--no-browser"] if no_browser else []),
        *(["--port", str(port)] if port else []),
    ]
    if resume is not None:
        if any((partner, against, boards, boards_from, out)) or seed is not None:
            raise UnusableError("--resume goes on with boards as they were set up: give only DIR")
        folder, existed = resume, True
        store = open_store(folder / STORE)
        if people_of(store.event()) != [f"{TEAM} / {YOU}"]:
            store.close()
            raise UnusableError(
                f"{folder} was not begun by arena play: arena match --resume {folder} goes on"
            )
    else:
        event, sealing, given = _set_up(partner or BOT, against or BOT, boards, boards_from, seed)
        if seed is not None:
            hide_arguments("play")
        folder = out or new_folder(event)
        existed = folder.exists()
        store = create_store(folder, event, sealing, given, _go_on(folder, options))

    def announce(line: str) -> None:
        link = line.rpartition(" ")[2]
        print(f"sit down at {link}", flush=True)
        if not no_browser:
            # Some browsers run in the terminal, and would keep the table waiting.
            threading.Thread(target=webbrowser.open, args=(link,), daemon=True).start()

    play_match(
        store,
        folder,
        WebOptions(LOOPBACK, port),
        _go_on(folder, options),
        is_new=resume is None,
        existed=existed,
        # While you play a board, it is played in the other room.
        concurrency=_ROOMS,
        people=PeopleOptions(announce, hints, undo),
    )


def _set_up(
    partner: str, against: str, boards: int | None, boards_from: Path | None, seed: int | None
) -> tuple[Event, Sealing, dict[int, GivenBoard]]:
    """As `set_up` does."""
    if len(_bots("--partner", partner)) > 1:
        raise UnusableError("--partner: name one bot")
    _bots("--against", against)
    return set_up(
        f"{TEAM}={partner} & human:{YOU} & {partner} & {partner}",
        against,
        boards or (None if boards_from else BOARDS),
        boards_from,
        seed,
        None,
        Claims.CHECKED,
        Mode.FULL,
        None,
        Isolation.NONE,
        None,
    )


def _go_on(folder: Path, options: Sequence[str]) -> str:
    """Return the command that goes on with the boards of a folder."""
    return shlex.join(["arena", "play", "--resume", str(folder), *options])


def _bots(option: str, spec: str) -> Sequence[Entry]:
    """Raises UnusableError for what names none, or a person."""
    try:
        players = parse_party(spec).players
    except EntryError as error:
        raise UnusableError(str(error)) from None
    if any(player.access is Access.HUMAN for player in players):
        raise UnusableError(f"{option}: name a bot; people meet in arena match --web")
    return players
