"""`arena token`: a token that lets a remote bot, or spectators, in."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bridge_arena.commands.common.errors import UnusableError, unusable
from bridge_arena.commands.common.options import EventPath

if TYPE_CHECKING:
    from bridge_arena.tournaments import Event


def token(
    file: EventPath,
    entry: Annotated[
        str | None,
        typer.Argument(
            metavar="[ENTRY]", help="name of a remote entry, or what stands behind its remote:"
        ),
    ] = None,
    kibitzer: Annotated[  # noqa: FBT002
        bool, typer.Option("--kibitzer", help="make the token of kibitzers, who see all hands")
    ] = False,
    tokens: Annotated[
        Path | None,
        typer.Option(help="file of the tokens; default: EVENT.tokens.json", metavar="FILE"),
    ] = None,
) -> None:
    """Make a token, and print it.

    The token is shown only now, as only its hash is kept. It replaces an earlier token of the same
    entry, even while the event is being served.

    Examples:
        arena token cup.toml "Visitors"
        arena token cup.toml --kibitzer
    """
    from bridge_arena.commands.common.event_file_runs import read
    from bridge_arena.tournaments.events.tokens import Tokens, TokensError, tokens_path
    from bridge_arena.tournaments.play.venue import KIBITZER

    if entry and kibitzer:
        raise UnusableError("a token is of an entry or of kibitzers: give the name or --kibitzer")
    if not entry and not kibitzer:
        raise UnusableError("name an entry of the event, or give --kibitzer")
    owner = KIBITZER if entry is None else _remote(read(file).event, file, entry)
    path = tokens or tokens_path(file)
    with unusable(TokensError):
        kept = Tokens(path)
        replaced = kept.has(owner)
        made = kept.create(owner)
    print(made)
    whose = f"of {owner}" if entry else "of kibitzers"
    also = ", in place of the one before" if replaced else ""
    print(f"the token {whose}{also}; its hash is in {path}", file=sys.stderr)


def _remote(event: Event, file: Path, name: str) -> str:
    """Return the name in the results of the remote player that is meant.

    It may be told by that name, by the name of its entry, or by what stands behind `remote:`.

    Raises UnusableError where there is none, or more than one.
    """
    from bridge_arena.tournaments import Access

    names = {
        player.name: {entrant.name, own.name}
        for entrant in event.entries
        for player, own in zip(entrant.players, entrant.party().own, strict=True)
        if player.access is Access.REMOTE
    }
    if name in names:
        return name
    meant = [player for player, others in names.items() if name in others]
    if len(meant) == 1:
        return meant[0]
    if meant:
        raise UnusableError(f"{file}: {name!r} is more than one: {', '.join(meant)}")
    there = ", ".join(names) or 'none, which would be bot = "remote:NAME"'
    raise UnusableError(f"{file} has no remote entry {name!r} (there are: {there})")
