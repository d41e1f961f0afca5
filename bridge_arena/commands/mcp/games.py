"""What an agent plays: a match of its own, or in a seat of an event elsewhere."""

from __future__ import annotations

import json
import secrets
import shlex
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path

from bridge_arena.base.wording import plural
from bridge_arena.bots.mcp.seat import AgentBot, AgentLeftError, AgentSeat
from bridge_arena.bots.sdk.client import run
from bridge_arena.bridge.errors import NotationError
from bridge_arena.bridge.seats import Seat
from bridge_arena.commands.common.errors import UnusableError
from bridge_arena.commands.common.event_store import create_store, open_store
from bridge_arena.commands.common.folder_lock import alone
from bridge_arena.commands.common.matches import hide_arguments, new_folder, play_match
from bridge_arena.commands.common.options import LOOPBACK
from bridge_arena.commands.play import TEAM, set_up_seat
from bridge_arena.reports.common.results import STORE
from bridge_arena.reports.match.files import SUMMARY
from bridge_arena.tournaments.events.entries import Access
from bridge_arena.tournaments.play.venue import PublicEndpoint
from bridge_arena.tournaments.store import Store

AGENT = "Agent"
"""The name of the agent in a match of its own."""

CLOCK = "86400"
"""Seconds for each action in such a match: as good as no limit."""

Play = Callable[[], None]
"""Plays to the end, and tells the agent."""


def elsewhere(agent: AgentSeat, url: str, token: str, seat: str) -> Play:
    """Return what plays in a seat of another server.

    Args:
        agent: The agent.
        url: The server's address.
        token: The token of the agent's entry.
        seat: The seat; "" for any free one.

    Returns:
        The function that plays.

    Raises:
        UnusableError: There is no such seat.
    """
    try:
        place = Seat.parse(seat).letter if seat else None
    except NotationError as error:
        raise UnusableError(str(error)) from None

    def play() -> None:
        run(lambda: AgentBot(agent), url=url, token=token, seat=place)
        agent.close("the event is over")

    return play


def own_match(
    agent: AgentSeat,
    partner: str,
    against: str,
    boards: int | None,
    seed: int | None,
    out: Path | None,
    resume: Path | None,
    options: Sequence[str],
    held: ExitStack,
) -> Play:
    """Return what plays a match of the agent and three bots.

    Args:
        agent: The agent, which sits South.
        partner: Its partner; "" for the default bot.
        against: Its opponents; "" for the default bot.
        boards: The number of boards; None for the default.
        seed: The seed of the deals; None for sealed deals.
        out: The folder for the results; None for a new one in `runs`.
        resume: The folder of the match to go on with; None for a new match.
        options: The options that go on with it as it was begun, beside `--resume`.
        held: Gets the lock of the folder, and is closed when the match is over.

    Returns:
        The function that plays.

    Raises:
        UnusableError: No match can be played so.
    """
    if resume is not None:
        if any((partner, against, boards, out)) or seed is not None:
            raise UnusableError("--resume goes on with boards as they were set up: give only DIR")
        folder = held.enter_context(alone(resume))
        store = open_store(folder / STORE)
        if not _is_own(store):
            store.close()
            raise UnusableError(f"{folder} was not begun by arena mcp")
    else:
        event, sealing, given = set_up_seat(
            f"remote:{AGENT}", partner, against, boards, None, seed, CLOCK
        )
        if seed is not None:
            hide_arguments("mcp")
        folder = held.enter_context(alone(out, new_folder(event), is_private=True))
        store = create_store(folder, event, sealing, given, _go_on(folder, options))
    token = secrets.token_urlsafe()

    def owner(given: str) -> str | None:
        return (
            f"{TEAM} / {AGENT}" if secrets.compare_digest(given.encode(), token.encode()) else None
        )

    def sit(url: str) -> None:
        try:
            run(lambda: AgentBot(agent), url=url, token=token, seat=Seat.SOUTH.letter)
        except AgentLeftError:
            return  # which ends the match as well
        except SystemExit as error:
            print(f"arena: the agent has lost its seat: {error}", file=sys.stderr)

    def announce(line: str) -> None:
        listening, _, url = line.rpartition(" ")
        if listening == "listening on":
            threading.Thread(target=sit, args=(url,), daemon=True).start()

    def play() -> None:
        play_match(
            store,
            folder,
            None,
            _go_on(folder, options),
            is_new=resume is None,
            held=held,
            # The agent plays one board at a time.
            concurrency=1,
            public=PublicEndpoint(LOOPBACK, 0, None, owner, None, announce),
        )
        agent.close(_ending(folder))

    return play


def _ending(folder: Path) -> str:
    """Return the result of a match in words, as its report has it."""
    summary = json.loads((folder / SUMMARY).read_text("utf-8"))
    boards = plural(summary["boards"], "board")
    return f"the match is over: {summary['imps']:+d} IMPs for your team over {boards}"


def _is_own(store: Store) -> bool:
    """Return whether `arena mcp` has begun a match."""
    home = store.event().entries[0]
    remote = [each.name for each in home.players if each.access is Access.REMOTE]
    return remote == [f"{TEAM} / {AGENT}"]


def _go_on(folder: Path, options: Sequence[str]) -> str:
    """Return the command that goes on with the match of a folder."""
    return shlex.join(["arena", "mcp", "--resume", str(folder), *options])
