"""How authors come to a ladder, and what they say of their players."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bridge_arena.base.wording import one_line
from bridge_arena.commands.common.errors import UnusableError, complain
from bridge_arena.commands.ladder.from_afar import is_afar, need_here
from bridge_arena.commands.ladder.orders import (
    LadderName,
    LadderPlace,
    OrderPlace,
    PlayerName,
    give,
    opened,
    order_of,
)

RequestNumbers = Annotated[
    list[int],
    typer.Argument(
        metavar="NUMBER...", min=1, max=10**9, help="numbers of requests, as status shows them"
    ),
]


def invite(
    run: LadderPlace,
    author: Annotated[
        str, typer.Option(help="the author's name; default: the one whom you send it gives a name")
    ] = "",
    ladder: LadderName = None,
) -> None:
    """Make a link that makes somebody an author, once, and print its path on the ladder's pages.

    It is open for two weeks, and is shown only now. Whoever opens it and presses its button is
    shown the token of an author.

    Examples:
        arena ladder invite runs/club
        arena ladder invite runs/club --author Ann
    """
    from bridge_arena.tournaments.ladder.authors.authors import INVITED_DAYS, Authors

    need_here(run, "invite")
    with opened(run, ladder) as store:
        print(f"/join/{Authors(store, Path()).invite(author)}")
    complain(f"it is for the address of the ladder's pages, and opens for {INVITED_DAYS} days")


def approve(run: LadderPlace, numbers: RequestNumbers, ladder: LadderName = None) -> None:
    """Approve requests to become an author, which `arena ladder status` shows.

    Who has asked is shown the token on the page of the request, once.

    Examples:
        arena ladder approve runs/club 3
    """
    _answer(run, ladder, numbers, is_approved=True)


def refuse(run: LadderPlace, numbers: RequestNumbers, ladder: LadderName = None) -> None:
    """Refuse requests to become an author, which `arena ladder status` shows.

    Examples:
        arena ladder refuse runs/club 4 5 6
    """
    _answer(run, ladder, numbers, is_approved=False)


def describe(
    run: OrderPlace,
    player: PlayerName,
    system: Annotated[
        str | None, typer.Option(help="its system in words, or the address of its convention card")
    ] = None,
    home: Annotated[str | None, typer.Option(help="the address of its home page")] = None,
    news: Annotated[str | None, typer.Option(help="what is new in its present version")] = None,
    ladder: LadderName = None,
) -> None:
    """Say something of a player, for its page; an empty text takes back what was said.

    Examples:
        arena ladder describe https://ladder.example.org Mine --news "Opens light in third seat"
        arena ladder describe runs/club Mine --system "2/1, weak notrump" --home ""
    """
    from bridge_arena.tournaments.ladder.orders import Describe

    give(run, ladder, order_of(Describe, player=player, system=system, home=home, news=news))


def webhook(
    run: Annotated[str, typer.Argument(metavar="URL", help="the URL of the ladder's pages")],
    address: Annotated[
        str, typer.Argument(metavar="ADDRESS", help='an address with https; "" for nowhere')
    ],
) -> None:
    """Have alerts of your players posted to an address, with your token of an author.

    ARENA_TOKEN is the token. The address has to be public. Alerts are as those of the ladder's own
    webhook.

    Examples:
        arena ladder webhook https://ladder.example.org https://hooks.example.org/ann
    """
    from bridge_arena.tournaments.ladder.orders import SetWebhook

    if not is_afar(run):
        raise UnusableError(
            "an author's webhook is set by the URL of the pages; the ladder's is in its file"
        )
    give(run, None, order_of(SetWebhook, url=address))


def _answer(run: str, ladder: str | None, numbers: list[int], *, is_approved: bool) -> None:
    from bridge_arena.tournaments.ladder.authors.authors import Authors
    from bridge_arena.tournaments.ladder.store.registration_store import Answer

    need_here(run, "approve" if is_approved else "refuse")
    answer = Answer.APPROVED if is_approved else Answer.REFUSED
    with opened(run, ladder) as store:
        for number in numbers:
            author = Authors(store, Path()).answer(number, answer).author
            print(f"request {number} of {one_line(author)} is {answer}")
