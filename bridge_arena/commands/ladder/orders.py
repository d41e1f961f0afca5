"""Orders to a ladder, which it takes up before the next match: who comes, pauses, and goes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from bridge_arena.base.concurrency import load_numpy_for_one_thread
from bridge_arena.commands.common.errors import UnusableError, unusable

if TYPE_CHECKING:
    from pydantic import BaseModel

    from bridge_arena.tournaments.ladder.orders import Change
    from bridge_arena.tournaments.ladder.store.ladder_store import LadderStore

T = TypeVar("T", bound="BaseModel")

LadderPlace = Annotated[
    str, typer.Argument(metavar="RUN", help="the ladder's folder, or its database's URL")
]

OrderPlace = Annotated[
    str,
    typer.Argument(
        metavar="RUN",
        help="the ladder's folder, its database's URL, or with ARENA_TOKEN the URL of its pages",
    ),
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
    from bridge_arena.tournaments.ladder.players import LadderError
    from bridge_arena.tournaments.ladder.store.ladder_store import LadderStore
    from bridge_arena.tournaments.store.database import is_url

    source = run if is_url(run) else Path(run, STORE)
    with (
        unusable(LadderError, StoreError, reading=True),
        closing(LadderStore.open(source, ladder=ladder)) as store,
    ):
        yield store


def add(
    run: OrderPlace,
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

    Another bot, or other settings, are a new version, with a rating of its own. From afar only bots
    that ship come, without options, and bots that connect by themselves.

    Examples:
        arena ladder add runs/club natural
        arena ladder add runs/club "cmd:python3 mine.py" --name Mine --author Ann
        arena ladder add https://ladder.example.org remote:Visitors
    """
    from bridge_arena.tournaments.ladder.orders import Add

    give(run, ladder, order_of(Add, bot=bot, name=name, author=author, clock=clock))


def pause(run: OrderPlace, player: PlayerName, ladder: LadderName = None) -> None:
    """Have a player play no more matches for a while; one in play is finished.

    Examples:
        arena ladder pause runs/club Mine
    """
    from bridge_arena.tournaments.ladder.orders import SetState

    give(run, ladder, order_of(SetState, order="pause", player=player))


def resume(run: OrderPlace, player: PlayerName, ladder: LadderName = None) -> None:
    """Have a player play again that paused or was retired.

    Examples:
        arena ladder resume runs/club Mine
    """
    from bridge_arena.tournaments.ladder.orders import SetState

    give(run, ladder, order_of(SetState, order="resume", player=player))


def retire(run: OrderPlace, player: PlayerName, ladder: LadderName = None) -> None:
    """Retire a player: it plays no more, and its boards still count for the others.

    Examples:
        arena ladder retire runs/club Mine
    """
    from bridge_arena.tournaments.ladder.orders import SetState

    give(run, ladder, order_of(SetState, order="retire", player=player))


def ban(run: OrderPlace, player: PlayerName, ladder: LadderName = None) -> None:
    """Ban a player: it plays no more, and is shown as banned.

    Examples:
        arena ladder ban runs/club Mine
    """
    from bridge_arena.tournaments.ladder.orders import SetState

    give(run, ladder, order_of(SetState, order="ban", player=player))


def token(
    run: OrderPlace,
    player: Annotated[
        str | None, typer.Argument(metavar="[PLAYER]", help="name of the player")
    ] = None,
    administrator: Annotated[  # noqa: FBT002
        bool,
        typer.Option("--administrator", help="make the token of who gives orders from afar"),
    ] = False,
    author: Annotated[
        str, typer.Option(help="make the token of this author, for the author's own players")
    ] = "",
    out: Annotated[
        Path | None, typer.Option(help="the ladder's folder, if RUN is a database's URL")
    ] = None,
    ladder: LadderName = None,
) -> None:
    """Make the token of a bot that connects by itself, an author or the administrator; print it.

    The token is shown only now, as only its hash is kept, in the ladder's folder. It replaces an
    earlier one, also while the ladder is played: who came with that is cut off.

    Examples:
        arena ladder token runs/club Visitors
        arena ladder token runs/club --administrator
        arena ladder token runs/club --author Ann
    """
    from bridge_arena.commands.ladder.from_afar import need_here
    from bridge_arena.tournaments.events.tokens import Tokens, TokensError
    from bridge_arena.tournaments.ladder.authors.authors import Authors
    from bridge_arena.tournaments.ladder.orders import ADMINISTRATOR, MakeToken

    if (player is not None) + administrator + bool(author) != 1:
        raise UnusableError("name a player, or give --administrator or --author NAME")
    if player is not None:
        give(run, ladder, order_of(MakeToken, player=player), out)
        return
    need_here(run, "token --administrator" if administrator else "token --author")
    tokens = _tokens_file(run, out)
    with opened(run, ladder) as store, unusable(TokensError):
        made = Authors(store, tokens).make_token(author) if author else None
        print(made or Tokens(tokens).create(ADMINISTRATOR))


def order_of(kind: type[T], **facts: object) -> T:
    """Return an order of the command line. Raises UnusableError for one that cannot be given."""
    from pydantic import ValidationError

    from bridge_arena.tournaments.ladder.orders import reason_of

    try:
        return kind.model_validate(facts)
    except ValidationError as error:
        raise UnusableError(reason_of(error)) from None


def give(run: str, ladder: str | None, order: Change, out: Path | None = None) -> None:
    """Give an order to a ladder, and print what was done.

    Raises UnusableError, and FailedError for one from afar.
    """
    from bridge_arena.commands.ladder.from_afar import is_afar, send
    from bridge_arena.tournaments.events.tokens import TokensError
    from bridge_arena.tournaments.ladder.orders import MakeToken, carry_out

    if is_afar(run):
        print(send(run, order))
        return
    tokens = _tokens_file(run, out) if isinstance(order, MakeToken) else Path()
    with opened(run, ladder) as store, unusable(TokensError):
        print(carry_out(order, store, tokens, Path.cwd()))


def _tokens_file(run: str, out: Path | None) -> Path:
    from bridge_arena.tournaments.store.database import is_url

    if out is None and is_url(run):
        raise UnusableError("tokens are in the ladder's folder: give it by --out")
    return (out or Path(run)) / TOKENS
