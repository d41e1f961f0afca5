"""The pages of a ladder while it is played, and the orders that come by them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console

from bridge_arena.commands.common.web import WebOptions, listening, say
from bridge_arena.commands.ladder.status import print_status
from bridge_arena.commands.ladder.status_values import status_values

if TYPE_CHECKING:
    from bridge_arena.tournaments import EventLog
    from bridge_arena.tournaments.ladder.orders import Order, ShowStatus
    from bridge_arena.tournaments.ladder.store.ladder_store import LadderStore


@asynccontextmanager
async def showing(
    store: LadderStore, tokens: Path, log: EventLog, where: WebOptions
) -> AsyncIterator[None]:
    """Show the pages of a ladder in the context. Raises UnusableError.

    Args:
        store: The store of the ladder.
        tokens: The file of its tokens.
        log: The log, which has every order from afar.
        where: Where to listen.
    """
    from bridge_arena.tournaments.events.tokens import Tokens, TokensError
    from bridge_arena.tournaments.ladder.orders import ADMINISTRATOR, ShowStatus, carry_out
    from bridge_arena.web.ladder.application import LadderPages, serving_ladder

    async def carry_out_from_afar(order: Order) -> str:
        if isinstance(order, ShowStatus):
            return await asyncio.to_thread(_status_text, store, order)
        try:
            return await asyncio.to_thread(carry_out, order, store, tokens, None)
        except TokensError as error:
            raise OSError(str(error)) from None

    def is_administrator(token: str) -> bool:
        # Found by its hash, so that the time it takes tells nothing of the token.
        return kept.owner(token) == ADMINISTRATOR

    kept = Tokens(tokens)
    listener, address = listening(where, "the administrator's token")
    with listener:
        pages = LadderPages(store, carry_out_from_afar, is_administrator, log)
        async with serving_ladder(pages, listener, address):
            say(f"watch it at {address}")
            yield


def _status_text(store: LadderStore, order: ShowStatus) -> str:
    """Return what `arena ladder status` prints."""
    if order.as_json:
        return json.dumps(status_values(store))
    text = StringIO()
    print_status(store, Console(file=text, width=order.width))
    return text.getvalue()
