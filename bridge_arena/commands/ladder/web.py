"""`arena ladder web`: the pages of a ladder without its play."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from bridge_arena.commands.common.errors import UnusableError
from bridge_arena.commands.common.options import LOOPBACK, WebHost, WebPort, WebUrl
from bridge_arena.commands.ladder.orders import LadderName, LadderPlace, opened


def web(
    run: LadderPlace,
    out: Annotated[
        Path | None, typer.Option(help="the ladder's folder, if RUN is a database's URL")
    ] = None,
    web_host: WebHost = LOOPBACK,
    web_port: WebPort = 0,
    web_url: WebUrl = "",
    ladder: LadderName = None,
) -> None:
    """Show the pages of a ladder until Ctrl-C, whether it is played or not.

    `arena ladder LADDER.toml --web` shows them while it plays. This command shows them without the
    play, or apart from it.

    Examples:
        arena ladder web runs/club
        arena ladder web postgresql://localhost/club --out runs/club --web-port 8080
    """
    from bridge_arena.commands.common.event_run import hide_arguments
    from bridge_arena.commands.common.signals import run_until_signalled
    from bridge_arena.commands.common.web import say, web_options
    from bridge_arena.commands.ladder.from_afar import need_here
    from bridge_arena.commands.ladder.web_process import listening_for_pages, serve
    from bridge_arena.tournaments.store.database import is_url

    need_here(run, "web")
    if is_url(run):
        if out is None:
            raise UnusableError("give the ladder's folder as --out, as its tokens are there")
        hide_arguments("ladder web")
    where = web_options(web=True, host=web_host, port=web_port, url=web_url)
    assert where is not None
    with opened(run, ladder) as store:
        listener, address = listening_for_pages(where)
        with listener, suppress(KeyboardInterrupt):
            say(f"watch it at {address} until Ctrl-C")
            run_until_signalled(serve(store, out or Path(run), listener, address))
