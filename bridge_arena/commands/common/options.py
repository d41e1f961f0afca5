"""The options that several commands share."""

from __future__ import annotations

import json
import re
import shlex
import sys
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Annotated, Any

import typer

from bridge_arena.base.concurrency import processors
from bridge_arena.base.stopping import Stop
from bridge_arena.commands.common.errors import UnusableError

Seed = Annotated[
    int | None,
    typer.Option(
        help="seed of the boards, for experiments: reproducible, not sealed, as whoever guesses "
        "the seed can work out the boards; default: sealed boards"
    ),
]

BOARD_FILES = "PBN or LIN, also as .gz or .zip; - for standard input"
"""The help of an argument or option that names files of boards."""

BoardsFrom = Annotated[
    Path | None,
    typer.Option(
        "--boards-from", metavar="FILE", help=f"play the boards of this file: {BOARD_FILES}"
    ),
]

Host = Annotated[str, typer.Option(help="address to listen on; 0.0.0.0: all", metavar="HOST")]

Port = Annotated[int, typer.Option(min=0, max=65535, help="port to listen on; 0: any free port")]

Controlled = Annotated[
    bool | None,
    typer.Option(
        "--control/--no-control",
        help="whether stand-ins play the deals and others, so that the report can take their luck "
        "off; default: where bots ship; with --control also FILE.py:CLASS, which then runs in the "
        "arena's own processes",
    ),
]

Concurrency = Annotated[
    int | None, typer.Option(min=1, help="tables at once; default: one for each processor")
]

Pace = Annotated[
    float,
    typer.Option(
        min=0,
        max=60,
        metavar="SECONDS",
        help="the least seconds between two actions at a table, so that quick bots can be watched; "
        "no clock counts them",
    ),
]

StopAt = Annotated[
    str | None,
    typer.Option(
        "--stop-at",
        metavar="TIME",
        help="let no board begin from then on: HH:MM, or a date and time as 2027-03-01T18:30; "
        "the last line says how to go on",
    ),
]

MaxBoards = Annotated[
    int | None,
    typer.Option(
        "--max-boards",
        min=1,
        help="let so many more boards begin at most; the last line says how to go on",
    ),
]

MostTime = Annotated[
    str, typer.Option("--for", metavar="TIME", help="the most time, as 90s, 30m or 2h")
]

SolverProcesses = Annotated[
    int | None, typer.Option(min=1, help="solver processes; default: one for each processor")
]

DaskSolvers = Annotated[
    str, typer.Option(metavar="ADDRESS", help="solve on the workers of this Dask scheduler")
]

WithoutRulings = Annotated[
    bool,
    typer.Option("--without-rulings", help="show what was played, whatever the director ruled"),
]

Json = Annotated[bool, typer.Option("--json", help="print JSON, for a program to read")]

EventPath = Annotated[
    Path, typer.Argument(metavar="EVENT.toml", help="file that defines the event")
]

Out = Annotated[Path | None, typer.Option(help="folder for the results; default: runs/TIME-EVENT")]

Resume = Annotated[
    bool, typer.Option("--resume", help="go on with the event in the folder of --out")
]

RunPlace = Annotated[
    str, typer.Argument(metavar="RUN", help="the event's folder, or its database's URL")
]

EventName = Annotated[
    str | None, typer.Option("--event", help="name of the event, if the database has several")
]

StoreUrl = Annotated[
    str | None,
    typer.Option(metavar="URL", help="keep the results in this database instead of the folder"),
]

PublicValue = Annotated[
    str, typer.Option(help="value of the event's public text, when it is known")
]

LOOPBACK = "127.0.0.1"

BOT_PORT = 7770
"""The port that bots connect to by default."""

BLUECHIP_PORT = 2000
"""The usual port of table managers of the Blue Chip protocol."""

Web = Annotated[
    bool, typer.Option("--web", help="show the event in browsers while it is played, and after")
]

WebHost = Annotated[str, typer.Option("--web-host", help="address to listen on for the pages")]

WebPort = Annotated[
    int, typer.Option("--web-port", min=0, max=65535, help="port of the pages; 0: any free port")
]

WebUrl = Annotated[
    str,
    typer.Option(
        "--web-url",
        metavar="URL",
        help="URL of the pages for browsers, if they go through a proxy",
    ),
]


def out_option(default: str) -> Any:
    """Return the option of a new folder for results, whose name by default the help shows."""
    return typer.Option(help=f"folder for the results; default: {default}", metavar="DIR")


def resume_option(what: str) -> Any:
    """Return the option of a folder in which `what` was interrupted."""
    return typer.Option(help=f"go on with the {what} of this folder", metavar="DIR")


def bot_option(help_: str) -> Any:
    """Return an option that names a bot."""
    return typer.Option(metavar="BOT", help=help_, autocompletion=bot_names)


def port_option(what: str) -> Any:
    """Return the option of a port to listen on."""
    return typer.Option(min=0, max=65535, help=f"{what}; 0: any free port")


def given_words(options: Mapping[str, tuple[object, object]]) -> list[str]:
    """Return the words of the options that were given, for the command that goes on.

    Args:
        options: The value of each option and its default, by the option's name.

    Returns:
        The words, without those of options that have their default; of a flag only the name.
    """
    return [
        word
        for name, (value, default) in options.items()
        if value != default
        for word in ((name,) if value is True else (name, str(value)))
    ]


def resume_command(command: str, options: Sequence[str], folder: Path) -> str:
    """Return the command line that goes on with what a command left in a folder."""
    return shlex.join(["arena", command, "--resume", str(folder), *options])


def stop_of(stop_at: str | None, max_boards: int | None) -> Stop:
    """Return the order to stop that options give for later. Raises UnusableError."""
    if stop_at is None:
        return Stop(boards=max_boards)
    try:
        return Stop(time_of(stop_at, datetime.now().astimezone()), max_boards)
    except ValueError as error:
        raise UnusableError(f"--stop-at {stop_at}: {error}") from None


def time_of(text: str, now: datetime) -> datetime:
    """Return the time that a text names: the next HH:MM, or a date and time in ISO 8601.

    It is local time where it names no zone. Raises ValueError, also for a time that is over.
    """
    has_date = not re.fullmatch(r"\d\d?:\d\d", text)
    if has_date and ":" not in text:
        text = ""  # a date alone
    try:
        named = datetime.fromisoformat(text if has_date else f"{now:%Y-%m-%d} {text:0>5}")
        if not has_date and named <= now.replace(tzinfo=None):
            named += timedelta(days=1)
        named = named.astimezone()
    except (ValueError, OverflowError):
        raise ValueError("expected HH:MM, or a date and time as 2027-03-01T18:30") from None
    if named <= now:
        raise ValueError("that is over")
    return named


_SECONDS = {"s": 1, "m": 60, "h": 3600}


def most_time(text: str) -> timedelta:
    """Return the time that `MostTime` names. Raises UnusableError."""
    named = re.fullmatch(r"(\d{1,6})([smh])", text)
    if named is None or not int(named[1]):
        raise UnusableError(f"--for {text}: expected a time as 90s, 30m or 2h")
    return timedelta(seconds=int(named[1]) * _SECONDS[named[2]])


def tables_at_once(concurrency: int | None) -> int:
    """Return the number of tables at once: by default the number of processors."""
    return concurrency or processors()


def bot_names(incomplete: str) -> list[str]:
    """Return the shipped bots whose names begin as a word does that a shell completes."""
    from bridge_arena.bots.registry import SHIPPED

    return [name for name in SHIPPED if name.startswith(incomplete)]


def print_json(document: object) -> None:
    """Print a document as JSON, for people to read too.

    If standard output lacks a character, escapes stand for all that are not ASCII, as no program
    should read `?` for them.
    """
    text = json.dumps(document, indent=2, ensure_ascii=False)
    try:
        text.encode(sys.stdout.encoding)
    except UnicodeEncodeError:
        text = json.dumps(document, indent=2)
    print(text)
