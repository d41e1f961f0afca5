"""Orders to a ladder, which it takes up before the next match: who comes, pauses, and goes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bridge_arena.base.concurrency import load_numpy_for_one_thread
from bridge_arena.commands.common.errors import UnusableError, unusable

if TYPE_CHECKING:
    from bridge_arena.tournaments.ladder.ladder_store import LadderStore

LadderPlace = Annotated[
    str, typer.Argument(metavar="RUN", help="the ladder's folder, or its database's URL")
]

LadderName = Annotated[
    str | None, typer.Option("--ladder", help="name of the ladder, if the database has several")
]

PlayerName = Annotated[str, typer.Argument(metavar="PLAYER", help="name of the player")]


TOKENS = "tokens.json"
"""The file of the tokens of a ladder, in its folder."""


@contextmanager
def opened(run: str, ladder: str | None) -> Iterator[LadderStore]:
    """Open the store of a ladder in the context. Raises UnusableError, also for a wrong order."""
    load_numpy_for_one_thread()
    from bridge_arena.tournaments import STORE, StoreError
    from bridge_arena.tournaments.ladder.ladder_store import LadderStore
    from bridge_arena.tournaments.ladder.players import LadderError
    from bridge_arena.tournaments.store.database import is_url

    source = run if is_url(run) else Path(run, STORE)
    with (
        unusable(LadderError, StoreError, reading=True),
        closing(LadderStore.open(source, ladder=ladder)) as store,
    ):
        yield store


def add(
    run: LadderPlace,
    bot: Annotated[str, typer.Argument(metavar="BOT", help="the bot, as in an event file")],
    name: Annotated[str, typer.Option(help="name of the player; default: that of the bot")] = "",
    author: Annotated[
        str | None,
        typer.Option(help="who wrote it; default: as it was, for a player that is there"),
    ] = None,
    clock: Annotated[
        str | None, typer.Option(help="its seconds for each action, or several limits")
    ] = None,
    ladder: LadderName = None,
) -> None:
    """Add a player to a ladder, or give the player of that name another bot.

    Another bot, or other settings, are a new version, with a rating of its own.

    Examples:
        arena ladder add runs/club natural
        arena ladder add runs/club "cmd:python3 mine.py" --name Mine --author Ann
    """
    from bridge_arena.tournaments import Entrant, EntryError, parse_party
    from bridge_arena.tournaments.ladder.ladder_file import checked_registration

    with opened(run, ladder) as store:
        folder = Path.cwd()
        with unusable(EntryError, ValueError):
            entrant = Entrant(
                bot=bot, name=name or parse_party(bot, folder).name, clock=clock
            ).located(folder)
            known = {player.name: player for player in store.players().values()}
            if author is None:
                author = known[entrant.name].author if entrant.name in known else ""
            registration = checked_registration(store.definition(), entrant, author)
        is_new = store.enter(registration, folder)
        if is_new:
            print(f"{entrant.name} joins the ladder")
        else:
            state = known[entrant.name].state
            print(f"{entrant.name} is on the ladder already ({state}), now as {bot}")


def pause(run: LadderPlace, player: PlayerName, ladder: LadderName = None) -> None:
    """Have a player play no more matches for a while; one in play is finished.

    Examples:
        arena ladder pause runs/club Mine
    """
    _set(run, ladder, player, "paused", "plays no more matches until it is resumed")


def resume(run: LadderPlace, player: PlayerName, ladder: LadderName = None) -> None:
    """Have a player play again that paused or was retired.

    Examples:
        arena ladder resume runs/club Mine
    """
    _set(run, ladder, player, "active", "plays again")


def retire(run: LadderPlace, player: PlayerName, ladder: LadderName = None) -> None:
    """Retire a player: it plays no more, and its boards still count for the others.

    Examples:
        arena ladder retire runs/club Mine
    """
    _set(run, ladder, player, "retired", "is retired")


def ban(run: LadderPlace, player: PlayerName, ladder: LadderName = None) -> None:
    """Ban a player: it plays no more, and is shown as banned.

    Examples:
        arena ladder ban runs/club Mine
    """
    _set(run, ladder, player, "banned", "is banned")


def token(
    run: LadderPlace,
    player: PlayerName,
    out: Annotated[
        Path | None, typer.Option(help="the ladder's folder, if RUN is a database's URL")
    ] = None,
    ladder: LadderName = None,
) -> None:
    """Make the token of a bot that connects by itself, and print it.

    The token is shown only now, as only its hash is kept, in the ladder's folder. It replaces an
    earlier one, also while the ladder is played.

    Examples:
        arena ladder token runs/club Visitors
    """
    from bridge_arena.tournaments.events.tokens import Tokens, TokensError
    from bridge_arena.tournaments.store.database import is_url

    if out is None and is_url(run):
        raise UnusableError("tokens are in the ladder's folder: give it by --out")
    folder = out or Path(run)
    with opened(run, ladder) as store:
        bots = {bot for known in store.players().values() for bot in known.remote_seats}
    if player not in bots:
        known = ", ".join(sorted(bots)) or "none"
        raise UnusableError(f"{player!r} is no bot that connects by itself (there are: {known})")
    with unusable(TokensError):
        print(Tokens(folder / TOKENS).create(player))


def _set(run: str, ladder: str | None, player: str, state: str, words: str) -> None:
    from bridge_arena.tournaments.ladder.players import State

    with opened(run, ladder) as store:
        store.set_state(player, State(state))
        print(f"{player} {words}")
