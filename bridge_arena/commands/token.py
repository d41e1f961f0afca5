"""`arena token`: lets a bot in that comes from elsewhere."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from bridge_arena.commands.common.errors import UnusableError
from bridge_arena.commands.common.event_file_runs import EventPath, read
from bridge_arena.tournaments.events.entries import Access
from bridge_arena.tournaments.events.event import Event
from bridge_arena.tournaments.events.tokens import Tokens, TokensError, tokens_path
from bridge_arena.tournaments.play.endpoints import KIBITZER


def token(
    file: EventPath,
    entry: Annotated[
        str | None, typer.Argument(metavar="[ENTRY]", help="the name of a remote entry")
    ] = None,
    kibitzer: Annotated[  # noqa: FBT002
        bool, typer.Option("--kibitzer", help="for those who watch: they see all hands")
    ] = False,
    tokens: Annotated[
        Path | None, typer.Option(help="where tokens are kept; EVENT.tokens.json if none")
    ] = None,
) -> None:
    """Make a token, and print it.

    It is shown this once, as only its hash is kept. An earlier token of the same entry is good
    no more, also while the event is served.

    Examples:
        arena token cup.toml "Visitors"
        arena token cup.toml --kibitzer
    """
    if (entry is None) == (not kibitzer):
        raise UnusableError("name an entry of the event, or give --kibitzer")
    owner = KIBITZER if entry is None else _remote(read(file).event, file, entry)
    path = tokens or tokens_path(file)
    try:
        kept = Tokens(path)
        replaced = kept.has(owner)
        made = kept.create(owner)
    except TokensError as error:
        raise UnusableError(str(error)) from None
    print(made)
    whose = f"of {entry}" if entry else "of kibitzers"
    also = ", in place of the one before" if replaced else ""
    print(f"the token {whose}{also}; its hash is in {path}", file=sys.stderr)


def _remote(event: Event, file: Path, name: str) -> str:
    """Raises UnusableError where that is no name of a remote entry."""
    players = (player for entrant in event.entries for player in entrant.players)
    remote = [player.name for player in players if player.access is Access.REMOTE]
    if name not in remote:
        there = ", ".join(remote) or 'none, which would be bot = "remote:NAME"'
        raise UnusableError(f"{file} has no remote entry {name!r} (there are: {there})")
    return name
