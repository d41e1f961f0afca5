"""`arena ladder test`: whether a player of a ladder is better than another."""

from __future__ import annotations

from typing import Annotated

import typer

from bridge_arena.commands.common.errors import UnusableError
from bridge_arena.commands.ladder.orders import LadderName, OrderPlace, give, opened, order_of


def sequential_test(
    run: OrderPlace,
    new: Annotated[
        str | None, typer.Argument(metavar="NEW", help="name of the player that may be better")
    ] = None,
    base: Annotated[
        str | None, typer.Argument(metavar="BASE", help="name of the player to compare it with")
    ] = None,
    sprt: Annotated[
        str,
        typer.Option(
            metavar="imp0=0 imp1=0.5 alpha=0.05 beta=0.05",
            help="the sequential test, as that of arena match; what is missing is as shown here",
        ),
    ] = "",
    withdraw: Annotated[
        int | None, typer.Option(min=1, max=10**9, metavar="N", help="end test N without a verdict")
    ] = None,
    ladder: LadderName = None,
) -> None:
    """Ask whether a player is better than another, or list the tests of a ladder.

    A test is of the two versions that are there now. Every third match is for the open tests, in
    the order in which they were asked for, until there is a verdict. A test ends without one when
    one of the players changes or is retired.

    Examples:
        arena ladder test runs/club Mine-2 Mine
        arena ladder test runs/club Mine-2 Mine --sprt "imp0=0 imp1=1"
        arena ladder test runs/club
        arena ladder test runs/club --withdraw 1
    """
    from bridge_arena.base.wording import one_line
    from bridge_arena.commands.ladder.from_afar import is_afar
    from bridge_arena.tournaments.ladder.leaderboard import leaderboard
    from bridge_arena.tournaments.ladder.orders import AskTest, WithdrawTest

    if (new is None) != (base is None):
        raise UnusableError("name two players: the one that may be better, and another")
    if (withdraw is not None and (new or sprt)) or (sprt and new is None):
        raise UnusableError("name two players to test, or give --withdraw alone")
    if withdraw is not None:
        give(run, ladder, order_of(WithdrawTest, number=withdraw))
    elif new is not None and base is not None:
        give(run, ladder, order_of(AskTest, new=new, base=base, sprt=sprt))
    elif is_afar(run):
        raise UnusableError(f"arena ladder status {run} shows its tests")
    else:
        with opened(run, ladder) as store:
            for shown in leaderboard(store).tests:
                print(one_line(shown.text))
