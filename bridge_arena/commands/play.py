"""`arena play`: boards for a person at a table with bots."""

from __future__ import annotations

import shlex
import threading
import webbrowser
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bridge_arena.commands.common.errors import UnusableError, unusable
from bridge_arena.commands.common.options import (
    LOOPBACK,
    BoardsFrom,
    MaxBoards,
    Pace,
    Seed,
    StopAt,
    bot_option,
    given_words,
    out_option,
    port_option,
    resume_command,
    resume_option,
    stop_of,
)

if TYPE_CHECKING:
    from bridge_arena.commands.common.event_run import EventRun, NewEvent
    from bridge_arena.tournaments import Entry, Event

YOU, TEAM = "You", "Your team"
"""The names of the person, and of the team of the person and the partner."""

BOT = "disciplined"
"""The bot that plays by default."""

BOARDS = 8
"""The number of boards by default."""

_ROOMS = 2


def play(
    partner: Annotated[str, bot_option(f"your partner; default: {BOT}")] = "",
    against: Annotated[str, bot_option(f"your opponents; default: {BOT}")] = "",
    boards: Annotated[
        int | None,
        typer.Option(min=1, help=f"number of boards; default: {BOARDS}, or all of the file"),
    ] = None,
    boards_from: BoardsFrom = None,
    seed: Seed = None,
    hints: Annotated[  # noqa: FBT002
        bool, typer.Option("--hints", help="let me ask what the bot natural would call or play")
    ] = False,
    undo: Annotated[  # noqa: FBT002
        bool, typer.Option("--undo", help="let me take calls and cards back")
    ] = False,
    pace: Pace = 0.0,
    stop_at: StopAt = None,
    max_boards: MaxBoards = None,
    out: Annotated[Path | None, out_option("runs/TIME-Your_team-BOT")] = None,
    resume: Annotated[Path | None, resume_option("boards")] = None,
    no_browser: Annotated[  # noqa: FBT002
        bool, typer.Option("--no-browser", help="print the address, and open no browser")
    ] = False,
    port: Annotated[int, port_option("port of the page")] = 0,
) -> None:
    """Play boards yourself, in a browser.

    You sit South, opposite your partner. In the other room two bots of your partner's kind sit
    East-West against your opponents, so that each board has a result to compare with. The solver
    decides whether a claim holds. Ctrl-C stops the match; --resume goes on with it.

    Examples:
        arena play
        arena play --partner natural --against neural --hints --undo
        arena play --boards-from club.lin
        arena play --resume runs/mine
    """
    from bridge_arena.commands.common.event_run import EventRun, hide_arguments
    from bridge_arena.commands.common.matches import new_folder, play_match
    from bridge_arena.commands.common.web import PeopleOptions, WebOptions
    from bridge_arena.tournaments.events.people import people_of
    from bridge_arena.tournaments.play.venue import VenueOptions

    options = given_words(
        {
            "--hints": (hints, False),
            "--undo": (undo, False),
            "--pace": (pace, 0.0),
            "--no-browser": (no_browser, False),
            "--port": (port, 0),
        }
    )
    again = partial(resume_command, "play", options)
    stop = stop_of(stop_at, max_boards)

    def announce(line: str) -> None:
        link = line.rpartition(" ")[2]
        print(f"sit down at {link}", flush=True)
        if not no_browser:
            # In a thread: a browser that runs in the terminal would block the table.
            threading.Thread(target=webbrowser.open, args=(link,), daemon=True).start()

    def play_boards(run: EventRun) -> None:
        another = _another(run.store.event(), options)
        people = PeopleOptions(announce, hints, undo, run.again, another)
        # The other room plays at the same time.
        venue = VenueOptions(_ROOMS, pace=pace)
        play_match(run, venue, WebOptions(LOOPBACK, port, only_me=True), people)

    if resume is not None:
        if any((partner, against, boards, boards_from, out)) or seed is not None:
            raise UnusableError("--resume goes on with boards as they were set up: give only DIR")
        with EventRun(again, resume, stop=stop) as run:
            if people_of(run.go_on_with_match()) != [f"{TEAM} / {YOU}"]:
                command = f"arena match --resume {run.folder}"
                raise UnusableError(f"{run.folder} was not begun by arena play: {command} goes on")
            play_boards(run)
        return
    new = set_up_seat(f"human:{YOU}", partner, against, boards, boards_from, seed)
    if seed is not None:
        hide_arguments("play")
    with EventRun(again, out, new_folder(new.event), stop) as run:
        run.create(new)
        play_boards(run)


def _another(event: Event, options: Sequence[str]) -> str:
    """Return the command for another match like one; "" if its boards are no longer there."""
    if event.boards_from is not None and not Path(event.boards_from).exists():
        return ""
    home, visitors = event.entries
    words = given_words(
        {
            "--partner": (home.players[0].spec, BOT),
            "--against": (visitors.bot, BOT),
            "--boards": (event.boards, BOARDS),
            "--boards-from": (event.boards_from, None),
        }
    )
    return shlex.join(["arena", "play", *words, *options])


def set_up_seat(
    player: str,
    partner: str,
    against: str,
    boards: int | None,
    boards_from: Path | None,
    seed: int | None,
    clock: str | None = None,
) -> NewEvent:
    """Set up a match in which one player sits South and all others are bots. Raises UnusableError.

    Args:
        partner: The partner; "" for the default bot.
        against: The opponents; "" for the default bot.
        boards: The number of boards; None for the default, or all of the file.
        boards_from: The file of the boards to play; None to deal them.
        seed: The seed of the deals; None for sealed deals.
        clock: The time control; None for one that suits the players.
    """
    from bridge_arena.commands.common.matches import set_up
    from bridge_arena.server.claims import Claims

    partner, against = partner or BOT, against or BOT
    if len(_bots("--partner", partner)) > 1:
        raise UnusableError("--partner: name one bot")
    _bots("--against", against)
    return set_up(
        f"{TEAM}={partner} & {player} & {partner} & {partner}",
        against,
        count=boards or (None if boards_from else BOARDS),
        boards_from=boards_from,
        seed=seed,
        clock=clock,
        claims=Claims.CHECKED,
    )


def _bots(option: str, spec: str) -> Sequence[Entry]:
    """Return the bots that an option names. Raises UnusableError for no bot, or a person."""
    from bridge_arena.commands.common.event_run import check_started
    from bridge_arena.tournaments import Access, EntryError, parse_party

    with unusable(EntryError):
        players = parse_party(spec).players
    if any(player.access is Access.HUMAN for player in players):
        raise UnusableError(f"{option}: name a bot; people meet in arena match --web")
    check_started(players)
    return players
