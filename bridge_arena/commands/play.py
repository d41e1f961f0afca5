"""`arena play`: a person at a table of bots."""

from __future__ import annotations

import threading
import webbrowser
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from bridge_arena.bridge.record import Mode
from bridge_arena.commands.common.errors import UnusableError
from bridge_arena.commands.common.event_store import create_store
from bridge_arena.commands.common.options import BOARD_FILES, Seed
from bridge_arena.commands.common.web import LOOPBACK, PeopleOptions, WebOptions
from bridge_arena.commands.match import go_on, hide_arguments, new_folder, play_match, set_up
from bridge_arena.server.claims import Claims
from bridge_arena.tournaments.events.entries import Access, Entry, EntryError, parse_party
from bridge_arena.tournaments.events.event import Isolation

BOARDS = 8
"""How many are dealt where nobody says."""

_ROOMS = 2


def play(
    partner: Annotated[str, typer.Option(metavar="BOT", help="who sits opposite")] = "natural",
    against: Annotated[str, typer.Option(metavar="BOT", help="who plays against you")] = "natural",
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
        Path | None, typer.Option(help="folder for the results; runs/TIME-You-BOT if none")
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
    Ctrl-C stops; arena match --resume goes on.
    """
    if len(_bots("--partner", partner)) > 1:
        raise UnusableError("--partner: name one bot")
    _bots("--against", against)
    count = boards or (None if boards_from else BOARDS)
    event, sealing, given = set_up(
        f"You={partner} & human:You & {partner} & {partner}",
        against,
        count,
        boards_from,
        seed,
        None,
        Claims.CHECKED,
        Mode.FULL,
        None,
        Isolation.NONE,
        None,
    )
    if seed is not None:
        hide_arguments("play")
    folder = out or new_folder(event)
    existed = folder.exists()
    where = WebOptions(LOOPBACK, port)
    store = create_store(folder, event, sealing, given, go_on(folder, where))

    def announce(line: str) -> None:
        link = line.rpartition(" ")[2]
        print(f"sit down at {link}", flush=True)
        if not no_browser:
            # Some browsers run in the terminal, and would keep the table waiting.
            threading.Thread(target=webbrowser.open, args=(link,), daemon=True).start()

    play_match(
        store,
        folder,
        where,
        is_new=True,
        existed=existed,
        # While you play a board, it is played in the other room.
        concurrency=_ROOMS,
        people=PeopleOptions(announce, hints, undo),
    )


def _bots(option: str, spec: str) -> Sequence[Entry]:
    """Raises UnusableError for what names none, or a person."""
    try:
        players = parse_party(spec).players
    except EntryError as error:
        raise UnusableError(str(error)) from None
    if any(player.access is Access.HUMAN for player in players):
        raise UnusableError(f"{option}: name a bot; people meet in arena match --web")
    return players
