"""What an author may order on a ladder. All else is the administrator's.

| order | may be given |
| --- | --- |
| `add` | for `remote:NAME` as a new player NAME, without a clock, within the quota |
| `pause`, `resume`, `retire` | for an own player that is not banned |
| `token` | for the bots of an own player that is not banned, if no other author has such a bot |
| `describe` | for an own player |
| `test` | of an own player against any, if the test ends in time |
| `withdraw` | for a test that the author asked for |
| `webhook` | for the author itself |
| `status` | always: it tells of the own players |
| `ban` | never |
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from bridge_arena.tournaments.ladder.authors.newcomers import check_new_player
from bridge_arena.tournaments.ladder.authors.own_status import own_status
from bridge_arena.tournaments.ladder.ladder_file import name_mistake
from bridge_arena.tournaments.ladder.orders import (
    Add,
    AskTest,
    Describe,
    MakeToken,
    Order,
    SetState,
    SetWebhook,
    ShowStatus,
    WithdrawTest,
    carry_out,
)
from bridge_arena.tournaments.ladder.players import LadderError, Player, State
from bridge_arena.tournaments.ladder.store.ladder_store import LadderStore
from bridge_arena.tournaments.statistics.sequential import Sprt

LEAST_ERROR = 0.01
"""The least chance of a wrong verdict that an author's test may have."""

LEAST_GAIN = 0.2
"""The least IMPs between the two hypotheses of an author's test."""


def carry_out_for(author: str, order: Order, store: LadderStore, tokens: Path) -> str:
    """Carry out an order of an author, and return what `carry_out` does, or how its players stand.

    Raises LadderError, also if the author may not give it, StoreError and TokensError.
    """
    check(author, order, store)
    if isinstance(order, ShowStatus):
        return own_status(store, author, as_json=order.as_json)
    return carry_out(order, store, tokens, None, author)


def check(author: str, order: Order, store: LadderStore) -> None:
    """Check that an author may give an order. Raises LadderError and StoreError."""
    if not author:
        raise LadderError("this order needs an author")
    players = store.players().values()
    match order:
        case Add():
            _check_new(author, order, players)
        case SetState(order="ban"):
            raise LadderError(f"only the administrator may order {order.order!r}")
        case SetState(player=name):
            _check_not_banned(_own(author, name, players))
        case MakeToken(player=bot):
            _check_bot(author, bot, players)
        case Describe(player=name):
            _own(author, name, players)
        case AskTest():
            _own(author, order.new, players)
            _check_test(order.sprt)
        case WithdrawTest(number=number):
            if not any(
                test.number == number and test.author == author for test in store.tests.every()
            ):
                raise LadderError(f"no test of yours has the number {number}")
        case SetWebhook() | ShowStatus():
            pass


def _own(author: str, name: str, players: Iterable[Player]) -> Player:
    """Return a player of an author; that there are others is not told. Raises LadderError."""
    for player in players:
        if player.name == name and player.author == author:
            return player
    raise LadderError(f"no player of yours is called {name!r}")


def _check_not_banned(player: Player) -> None:
    if player.state is State.BANNED:
        raise LadderError(f"{player.name} is banned")


def _check_new(author: str, order: Add, players: Iterable[Player]) -> None:
    name = order.bot.removeprefix("remote:")
    if order.bot != f"remote:{name}" or order.name not in ("", name) or not name.strip():
        raise LadderError("an author adds bots that connect by themselves: remote:NAME")
    if len(name) > 100 or not name.isprintable():
        raise LadderError("a name is a line of 1 to 100 printable characters")
    if name != name.strip() or " & " in name:
        raise LadderError(f"{name!r} has spaces at an end, or names several bots")
    if (wrong := name_mistake(name)) is not None:
        raise LadderError(wrong)
    if order.author not in (None, author):
        raise LadderError("an author adds own players only")
    if order.clock is not None:
        raise LadderError("only the administrator gives a player another clock")
    # It is checked again when the player is entered, as others may come at the same time.
    check_new_player(name, author, players)


def _check_bot(author: str, bot: str, players: Iterable[Player]) -> None:
    having = [player for player in players if bot in player.remote_seats]
    if not having or any(player.author != author for player in having):
        raise LadderError(f"no bot of yours that connects by itself is called {bot!r}")
    for player in having:
        _check_not_banned(player)


def _check_test(text: str) -> None:
    try:
        sprt = Sprt.parse(text)
    except ValueError as error:
        raise LadderError(f"the test: {error}") from None
    if min(sprt.alpha, sprt.beta) < LEAST_ERROR or sprt.imp1 - sprt.imp0 < LEAST_GAIN:
        raise LadderError(
            f"the test may take too long: alpha and beta are {LEAST_ERROR:g} at least, and imp1 is "
            f"{LEAST_GAIN:g} above imp0"
        )
