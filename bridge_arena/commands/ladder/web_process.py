"""The process of the pages of a ladder, so that no crowd of readers holds up the play.

It gives way to the play where both want a processor. It reads the store, and gives orders as
`arena ladder` does on the command line. The play starts it, and starts it again when it has ended.
"""

from __future__ import annotations

import asyncio
import json
import os
import select
import signal
import socket
import sys
from collections.abc import AsyncIterator, Coroutine
from contextlib import ExitStack, asynccontextmanager, suppress
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from rich.console import Console

from bridge_arena.base.background import give_way
from bridge_arena.commands.common.errors import UnusableError, complain, plain, unusable
from bridge_arena.commands.common.web import WebOptions, is_loopback, listening, say
from bridge_arena.commands.ladder.orders import TOKENS, opened
from bridge_arena.commands.ladder.status import print_status
from bridge_arena.commands.ladder.status_values import status_values

if TYPE_CHECKING:
    from bridge_arena.tournaments import EventLog
    from bridge_arena.tournaments.ladder.orders import Order, ShowStatus
    from bridge_arena.tournaments.ladder.store.ladder_store import LadderStore

LOG = "web.jsonl"
"""The log of the pages in the folder of a ladder, beside that of the play."""

RESTART_SECONDS = 2.0
"""The seconds from the end of the process of the pages to the start of the next one."""

TRY_SECONDS = 1.0
"""The seconds after which a store that did not answer is tried again."""

END_SECONDS = 10.0
"""The seconds in which the process of the pages has to end."""


@asynccontextmanager
async def showing(
    store: LadderStore, url: str, folder: Path, where: WebOptions, for_bots: str
) -> AsyncIterator[None]:
    """Show the pages of a ladder in the context, in a process of their own. Raises UnusableError.

    Args:
        store: The store of the ladder.
        url: The URL of its database; "" if the store is in the folder.
        folder: The folder of the ladder.
        where: Where to listen.
        for_bots: The URL where the ladder listens for bots; "" if it does not.
    """
    listener, address = listening_for_pages(where)
    begin = _begin(store, url, folder, listener, address, address_for_bots(for_bots, address))
    with listener:
        keeping = asyncio.create_task(_keep_shown(begin, listener))
        say(f"watch it at {address}")
        try:
            yield
        finally:
            keeping.cancel()
            with suppress(asyncio.CancelledError):
                await keeping


def address_for_bots(url: str, pages: str) -> str:
    """Return the address to which bots elsewhere connect; "" if it is not known.

    Args:
        url: The URL where the ladder listens for bots; "" if it does not.
        pages: The address of the pages.
    """
    parts, host_of_pages = urlsplit(url), urlsplit(pages).hostname or ""
    host = parts.hostname or ""
    if host in ("0.0.0.0", "::"):
        shown = f"[{host_of_pages}]" if ":" in host_of_pages else host_of_pages
        return f"{parts.scheme}://{shown}:{parts.port}"
    # What this machine alone reaches has a proxy before it, if the pages are for others.
    return "" if is_loopback(host) and not is_loopback(host_of_pages) else url


def _begin(
    store: LadderStore,
    url: str,
    folder: Path,
    listener: socket.socket,
    address: str,
    for_bots: str,
) -> str:
    """Return what the process of the pages reads first: its words may be seen by others."""
    place = str(folder.absolute())
    return json.dumps(
        {
            "run": url or place,
            "ladder": store.definition().name,
            "folder": place,
            "listener": listener.fileno(),
            "address": address,
            "for_bots": for_bots,
        }
    )


def listening_for_pages(where: WebOptions) -> tuple[socket.socket, str]:
    """Return a socket that listens, and the address for browsers. Raises UnusableError."""
    return listening(where, "the administrator's token")


async def _keep_shown(begin: str, listener: socket.socket) -> None:
    """Have a process that shows the pages, without end."""
    while True:
        try:
            ended = f"ended with status {await _shown(begin, listener)}"
        except OSError as error:  # as without memory
            ended = f"cannot be shown: {plain(error)}"
        complain(f"the pages {ended}; they are begun again")
        await asyncio.sleep(RESTART_SECONDS)


async def _shown(begin: str, listener: socket.socket) -> int:
    """Have a process show the pages, and return its exit status; it ends with this task.

    Raises OSError.
    """
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-P", "-m", __name__),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.DEVNULL,
        pass_fds=[listener.fileno()],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(map(os.path.abspath, sys.path))},
        # Its own session: the terminal's Ctrl-C does not reach it, and it gives way to others.
        start_new_session=True,
    )
    assert process.stdin is not None
    try:
        process.stdin.write(f"{begin}\n".encode())
        return await process.wait()
    finally:
        process.stdin.close()
        with suppress(TimeoutError):
            await asyncio.wait_for(process.wait(), END_SECONDS)
        if process.returncode is None:
            process.kill()
            await process.wait()


def _serve_apart() -> None:
    """Show the pages that the first line of the input describes, until the input ends."""
    give_way()
    begin = json.loads(sys.stdin.readline())
    folder, address, for_bots = Path(begin["folder"]), begin["address"], begin["for_bots"]
    with socket.socket(fileno=begin["listener"]) as listener:
        while True:
            # The store may not answer for a while: whoever has begun this has opened it.
            with suppress(UnusableError), opened(begin["run"], begin["ladder"]) as store:
                asyncio.run(_until_end(serve(store, folder, listener, address, for_bots)))
                return
            if select.select([sys.stdin], [], [], TRY_SECONDS)[0]:
                return


async def _until_end(serving: Coroutine[None, None, None]) -> None:
    task = asyncio.create_task(serving)
    loop = asyncio.get_running_loop()
    loop.add_reader(sys.stdin, task.cancel)
    loop.add_signal_handler(signal.SIGTERM, task.cancel)
    with suppress(asyncio.CancelledError):
        await task


async def serve(
    store: LadderStore, folder: Path, listener: socket.socket, address: str, for_bots: str = ""
) -> None:
    """Answer requests without end. Raises UnusableError if the log cannot be written."""
    from bridge_arena.tournaments.ladder.watch.daily_log import DailyLog

    with ExitStack() as working:
        with unusable(OSError):
            log = working.enter_context(DailyLog(folder / LOG, store.definition().keep_days))
        async with answering(store, folder / TOKENS, log, listener, address, for_bots):
            await asyncio.Event().wait()


@asynccontextmanager
async def answering(
    store: LadderStore,
    tokens: Path,
    log: EventLog,
    listener: socket.socket,
    address: str,
    for_bots: str = "",
) -> AsyncIterator[None]:
    """Answer requests in the context.

    Args:
        store: The store of the ladder.
        tokens: The file of its tokens.
        log: The log, which has every order from afar.
        listener: The socket that listens.
        address: The address for browsers.
        for_bots: The address for bots; "" if it is not known.
    """
    from bridge_arena.tournaments.events.tokens import TokensError
    from bridge_arena.tournaments.ladder.authors.authors import Authors
    from bridge_arena.tournaments.ladder.authors.permissions import carry_out_for
    from bridge_arena.tournaments.ladder.orders import ShowStatus, carry_out
    from bridge_arena.web.ladder.application import LadderPages, serving_ladder
    from bridge_arena.web.ladder.authors.author_pages import AuthorPages
    from bridge_arena.web.ladder.authors.joining import JoiningPages
    from bridge_arena.web.ladder.authors.orders_from_afar import OrderDoor, OrdersFromAfar

    async def carry_out_from_afar(order: Order, author: str) -> str:
        try:
            if author:
                return await asyncio.to_thread(carry_out_for, author, order, store, tokens)
            if isinstance(order, ShowStatus):
                return await asyncio.to_thread(_status_text, store, order)
            return await asyncio.to_thread(carry_out, order, store, tokens, None)
        except TokensError as error:
            raise OSError(str(error)) from None

    authors, orders = Authors(store, tokens), OrdersFromAfar(carry_out_from_afar, log, for_bots)
    is_sealed = address.startswith("https:")
    doors = [
        *OrderDoor(orders, authors).routes(),
        *AuthorPages(store, tokens.parent, authors, orders, secure=is_sealed).routes(),
        *JoiningPages(store, authors, log, for_bots).routes(),
    ]
    hidden = [tokens.parent]
    pages = LadderPages(store)
    async with serving_ladder(pages, store, listener, address, hidden, doors):
        yield


def _status_text(store: LadderStore, order: ShowStatus) -> str:
    """Return what `arena ladder status` prints."""
    if order.as_json:
        return json.dumps(status_values(store))
    text = StringIO()
    print_status(store, Console(file=text, width=order.width))
    return text.getvalue()


if __name__ == "__main__":
    _serve_apart()
