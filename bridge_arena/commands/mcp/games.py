"""What an agent plays: a match of its own, or in a seat of an event elsewhere."""

from __future__ import annotations

import json
import secrets
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from bridge_arena.base.wording import plural
from bridge_arena.bots.mcp.seat import AgentBot, AgentLeftError, AgentSeat
from bridge_arena.bots.sdk.client import run as play_bot
from bridge_arena.bridge.errors import NotationError
from bridge_arena.bridge.seats import Seat
from bridge_arena.commands.common.errors import UnusableError, unusable
from bridge_arena.commands.common.event_run import EventRun, hide_arguments
from bridge_arena.commands.common.matches import new_folder, play_match
from bridge_arena.commands.common.options import LOOPBACK, resume_command
from bridge_arena.commands.play import TEAM, set_up_seat
from bridge_arena.reports.match.report import SUMMARY
from bridge_arena.tournaments import Access
from bridge_arena.tournaments.play.venue import PublicEndpoint, VenueOptions

AGENT = "Agent"
"""The name of the agent in a match of its own."""

CLOCK = "86400"
"""Seconds for each action in such a match: as good as no limit."""

Play = Callable[[], None]
"""Plays to the end, and tells the agent."""


def elsewhere(agent: AgentSeat, url: str, token: str, seat: str) -> Play:
    """Return what plays in a seat of another server, any free one for "". Raises UnusableError."""
    with unusable(NotationError):
        place = Seat.parse(seat).letter if seat else None

    def play() -> None:
        play_bot(lambda: AgentBot(agent), url=url, token=token, seat=place)
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
    stack: ExitStack,
) -> Play:
    """Return what plays a match of the agent and three bots. Raises UnusableError.

    It goes on with the match of the folder `resume`, if there is one. What is "" or None is as by
    default: the deals are sealed, and the results are in a new folder in `runs`.
    """
    again = partial(resume_command, "mcp", options)
    name = f"{TEAM} / {AGENT}"
    if resume is not None:
        if any((partner, against, boards, out)) or seed is not None:
            raise UnusableError("--resume goes on with boards as they were set up: give only DIR")
        run = stack.enter_context(EventRun(again, resume))
        players = run.go_on().entries[0].players
        remote = [player.name for player in players if player.access is Access.REMOTE]
        if remote != [name]:
            raise UnusableError(f"{run.folder} was not begun by arena mcp")
    else:
        new = set_up_seat(f"remote:{AGENT}", partner, against, boards, None, seed, CLOCK)
        if seed is not None:
            hide_arguments("mcp")
        run = stack.enter_context(EventRun(again, out, new_folder(new.event)))
        run.create(new)
    token = secrets.token_urlsafe()

    def owner(given: str) -> str | None:
        return name if secrets.compare_digest(given.encode(), token.encode()) else None

    def sit(url: str) -> None:
        try:
            play_bot(lambda: AgentBot(agent), url=url, token=token, seat=Seat.SOUTH.letter)
        except AgentLeftError:
            return  # which ends the match as well
        except SystemExit as error:
            print(f"arena: the agent has lost its seat: {error}", file=sys.stderr)

    def announce(line: str) -> None:
        listening, _, url = line.rpartition(" ")
        if listening == "listening on":
            threading.Thread(target=sit, args=(url,), daemon=True).start()

    def play() -> None:
        # The agent plays one board at a time.
        public = PublicEndpoint(LOOPBACK, 0, None, owner, None, announce)
        play_match(run, VenueOptions(tables=1, public=public))
        agent.close(_ending(run.folder))

    return play


def _ending(folder: Path) -> str:
    """Return the result of a match in words, as its report has it."""
    summary = json.loads((folder / SUMMARY).read_text("utf-8"))
    boards = plural(summary["boards"], "board")
    return f"the match is over: {summary['imps']:+d} IMPs for your team over {boards}"
