"""Measure what a sandbox costs, against trusted bots.

    python -m benchmarks.sandbox [--starts 10] [--boards 200]

The figures are the time until a shipped bot sits at its table, and the time of an action with four
of them at the table.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from benchmarks.table_throughput import new_table, place
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.server.driver import play_board
from bridge_arena.server.gateway import Gateway
from bridge_arena.server.sandbox.sandbox import URL, Sandbox
from bridge_arena.server.seating import Seating
from bridge_arena.server.supervisor import Supervisor
from bridge_arena.server.websocket_player import WebsocketPlayer
from bridge_arena.tournaments import parse_entry
from bridge_arena.tournaments.play.seating.started_bots import sandbox

BOT = parse_entry("random")
"""It answers at once."""

HOWS = ("none", "sandbox")


class Room:
    """A table for which bots are started."""

    def __init__(self, url: str, seatings: dict[str, Seating], sandbox_: Sandbox | None) -> None:
        self._url = url
        self._seatings = seatings
        self._sandbox = sandbox_

    async def seat(self, supervisor: Supervisor, seat: Seat) -> WebsocketPlayer:
        """Start a bot, and wait until it sits at the table."""
        player = place(seat, 0, 1)
        token = str(len(self._seatings))
        self._seatings[token] = Seating([player], strict=True)
        environment = {
            "ARENA_URL": self._url,
            "ARENA_TOKEN": token,
            "ARENA_SEAT": seat.letter,
        }
        await supervisor.start(str(seat), BOT.command, environment, self._sandbox)
        await player.seated
        return player


@asynccontextmanager
async def open_room(how: str) -> AsyncIterator[Room]:
    seatings: dict[str, Seating] = {}
    if how == "none":
        async with Gateway(seatings.get) as gateway:
            yield Room(gateway.url, seatings, None)
    else:
        with sandbox(()) as sandbox_:
            sandbox_.listen = lambda socket: Gateway(seatings.get, path=socket)
            yield Room(URL, seatings, sandbox_)


async def start(how: str) -> float:
    """Return the seconds until a bot sits at its table."""
    async with open_room(how) as room, Supervisor() as supervisor:
        begun = time.perf_counter()
        await room.seat(supervisor, Seat.NORTH)
        return time.perf_counter() - begun


async def play(how: str, boards: int) -> float:
    """Return the seconds for an action."""
    async with open_room(how) as room, Supervisor() as supervisor:
        players = {seat: await room.seat(supervisor, seat) for seat in SEATS}
        actions = 0
        begun = time.perf_counter()
        for number in range(1, boards + 1):
            table = new_table("t0", number)
            await play_board(table, players)
            actions += len(table.timings)
        return (time.perf_counter() - begun) / actions


def tell(what: str, seconds: dict[str, list[float]]) -> None:
    """Print the medians in milliseconds, and the median and range of the ratios."""
    ratios = [shut / free for free, shut in zip(seconds["none"], seconds["sandbox"], strict=True)]
    free, shut = (1000 * statistics.median(seconds[how]) for how in HOWS)
    print(
        f"{what}: none {free:.3g} ms, sandbox {shut:.3g} ms, ratio "
        f"{statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})",
        flush=True,
    )


async def main(starts: int, boards: int, repeat: int) -> None:
    seconds: dict[str, list[float]] = {how: [] for how in HOWS}
    for how in HOWS:
        await start(how)  # what is read for the first time comes from the disk
    for _ in range(starts):
        for how in HOWS:
            seconds[how].append(await start(how))
    tell("start", seconds)
    seconds = {how: [] for how in HOWS}
    for _ in range(repeat):
        for how in HOWS:
            seconds[how].append(await play(how, boards))
    tell("action", seconds)


def parse(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=(__doc__ or "").partition("\n")[0], allow_abbrev=False
    )
    parser.add_argument(
        "--starts",
        type=int,
        default=10,
        help="starts of a bot, with and without a sandbox; default: %(default)s",
    )
    parser.add_argument(
        "--boards",
        type=int,
        default=100,
        help="boards in each measurement of actions; default: %(default)s",
    )
    parser.add_argument(
        "--repeat",
        type=int,
        default=5,
        help="measurements of actions, with and without a sandbox; default: %(default)s",
    )
    return parser.parse_args(arguments)


if __name__ == "__main__":
    options = parse()
    asyncio.run(main(options.starts, options.boards, options.repeat))
