"""Measure a server with hundreds of tables at once, all in one process.

    python -m benchmarks.server_load [--tables 200] [--boards 20] [--think 0.25]

There are four bots at a table, in eight other processes. They make a fixed auction of ten calls,
then play the lowest legal card: 62 actions a board. They play three times. Twice they answer at
once, getting events with their turns or live, to find the most that the server can do. The third
time they take `--think` seconds for each action, with live events, which is the load of bots that
think. Each board must end with a score and without a fault.

The latency `server` is the time from the turn that asks for an action until the answer is judged,
less the bot's thinking time. The latency `bot` is the time from the bot's answer until it is told
that the action was made; it is measured only with live events. The reference is a bare ping-pong of
frames of similar size, before and after each measurement, as in `benchmarks.table_throughput`.
Memory is the server's resident set: with no table, with all bots seated, and during the play.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import os
import resource
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import msgpack
from websockets.asyncio.client import connect
from websockets.typing import Subprotocol

from benchmarks.figures import table as markdown
from benchmarks.table_throughput import (
    ACTIONS,
    AUCTION,
    LOWEST_FIRST,
    frame_sizes,
    measure_round_trips,
)
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.protocol.codec import encode, frame
from bridge_arena.protocol.delivery import Delivery
from bridge_arena.protocol.messages import MAX_FRAME, SUBPROTOCOL, Hello, Welcome
from bridge_arena.protocol.visibility import Viewer
from bridge_arena.server.clock import TimeControl
from bridge_arena.server.connection_limits import most_connections
from bridge_arena.server.driver import play_board
from bridge_arena.server.gateway import Gateway
from bridge_arena.server.seating import Seating
from bridge_arena.server.table import Table
from bridge_arena.server.websocket_player import WebsocketPlayer

PROCESSES = 8
CONTROL = TimeControl(60)
STAGES = 4
"""The number of times that memory is measured while boards are played."""

_STEP = math.log(1.02)


class Latencies:
    """A histogram of times in milliseconds, in classes of 2 %, whose size does not grow."""

    def __init__(self, counts: Mapping[int, int] | None = None) -> None:
        self.counts = Counter(counts or {})

    def add(self, milliseconds: float) -> None:
        self.counts[round(math.log(max(milliseconds, 1e-3)) / _STEP)] += 1

    def quantile(self, share: float) -> float:
        """Return a quantile in milliseconds."""
        rest = share * self.counts.total()
        for place in sorted(self.counts):
            rest -= self.counts[place]
            if rest <= 0:
                break
        return math.exp(place * _STEP)

    def __str__(self) -> str:
        if not self.counts:
            return "-"
        return " / ".join(f"{self.quantile(share):.1f}" for share in (0.5, 0.99))


# The bots' end.


async def play_one(
    url: str, token: str, delivery: Delivery, think: float, latencies: Latencies
) -> None:
    """Play one seat at one table with as little work as possible."""
    async with connect(
        url,
        additional_headers={"Authorization": f"Bearer {token}"},
        subprotocols=[Subprotocol(SUBPROTOCOL)],
        compression=None,
        proxy=None,
        ping_interval=None,
        max_size=MAX_FRAME,
    ) as connection:
        await connection.send(frame([encode(Hello(name="load", delivery=delivery))]))
        calls = 0
        answered: float | None = None
        async for data in connection:
            received = time.perf_counter()
            turn: dict[str, Any] | None = None
            for message in msgpack.unpackb(data):  # type: ignore[arg-type]
                kind = message["type"]
                if kind == "YourTurn":
                    turn = message
                elif kind in ("CallMade", "CardPlayed"):
                    calls += kind == "CallMade"
                    if answered is not None and delivery is Delivery.LIVE:
                        latencies.add(1000 * (received - answered))
                    answered = None
                elif kind == "BoardStart":
                    calls = 0
            if turn is not None:
                if think:
                    await asyncio.sleep(think)
                answered = time.perf_counter()
                await connection.send(msgpack.packb([answer_to(turn, calls)]))


def answer_to(turn: Mapping[str, Any], calls: int) -> dict[str, Any]:
    answer = {name: turn[name] for name in ("table", "board", "seq")}
    if calls < len(AUCTION):
        return {"type": "MakeCall", "call": str(AUCTION[calls]), **answer}
    return {"type": "PlayCard", "card": min(turn["legal"], key=LOWEST_FIRST.__getitem__), **answer}


async def play_many(connections: int, delivery: Delivery, think: float) -> None:
    """Play a number of seats in this process, and print their latencies at the end."""
    url, token = os.environ["ARENA_URL"], os.environ["ARENA_TOKEN"]
    latencies = Latencies()
    async with asyncio.TaskGroup() as group:
        for _ in range(connections):
            group.create_task(play_one(url, token, delivery, think, latencies))
    print(json.dumps(latencies.counts))


# The server's end.


def resident() -> float:
    """Return the resident memory of this process in MB."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 1e6


class Load:
    """The load of a number of tables that play `boards` boards each, and its figures."""

    def __init__(self, tables: int, boards: int, delivery: Delivery, think: float) -> None:
        self.boards = boards
        self.delivery = delivery
        self.think = think
        self.server = Latencies()
        self.bot = Latencies()
        # Boards without a score, or with a fault.
        self.lost = 0
        # In MB: with no table, with all seated, and after each stage of the boards.
        self.memory: list[float] = []
        self.seconds = 0.0
        self.cpu_seconds = 0.0
        # The seconds until all were seated.
        self.seating = 0.0
        self._tables = tables
        self._stages = [boards * stage // STAGES for stage in range(STAGES + 1)]

    @property
    def rate(self) -> float:
        """The actions per second."""
        return self._tables * self.boards * ACTIONS / self.seconds

    async def run(self) -> None:
        """Run the load; call it once, in a process that has served nobody before."""
        places: list[dict[Seat, WebsocketPlayer]] = []
        for index in range(self._tables):
            welcomes = {
                seat: Welcome(table=f"t{index}", seat=seat, **CONTROL.in_welcome())
                for seat in SEATS
            }
            places.append({seat: WebsocketPlayer(Viewer(seat), welcomes[seat]) for seat in SEATS})
        # Half of the tables' seats in one compass direction for each process.
        shares = [[table[seat] for table in places[half::2]] for half in range(2) for seat in SEATS]
        admitted = {f"token-{number}": Seating(share) for number, share in enumerate(shares)}
        async with Gateway(admitted.get) as gateway:
            gateway.limits.expected = 4 * self._tables
            self.memory.append(resident())
            started = time.perf_counter()
            bots = [
                await self._start(gateway.url, token, len(share))
                for token, share in zip(admitted, shares, strict=True)
            ]
            try:
                await asyncio.gather(*(place.seated for share in shares for place in share))
                self.seating = time.perf_counter() - started
                self.memory.append(resident())
                await self._play(places)
                for share in shares:
                    await asyncio.gather(*(place.say_goodbye("enough") for place in share))
                for bot in bots:
                    output, _ = await bot.communicate()
                    self.bot.counts.update({int(k): n for k, n in json.loads(output).items()})
            finally:
                for bot in bots:
                    if bot.returncode is None:
                        bot.kill()

    async def _start(self, url: str, token: str, connections: int) -> asyncio.subprocess.Process:
        arguments = ["--connections", str(connections), "--delivery", self.delivery]
        arguments += ["--think", str(self.think)]
        return await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "benchmarks.server_load", *arguments),
            env={**os.environ, "ARENA_URL": url, "ARENA_TOKEN": token},
            stdout=asyncio.subprocess.PIPE,
        )

    async def _play(self, places: Sequence[dict[Seat, WebsocketPlayer]]) -> None:
        started, cpu = time.perf_counter(), time.process_time()
        for first, last in zip(self._stages, self._stages[1:], strict=False):
            async with asyncio.TaskGroup() as group:
                for index, players in enumerate(places):
                    group.create_task(self._play_at(index, players, range(first + 1, last + 1)))
            self.memory.append(resident())
        self.seconds = time.perf_counter() - started
        self.cpu_seconds = time.process_time() - cpu

    async def _play_at(
        self, index: int, players: dict[Seat, WebsocketPlayer], numbers: range
    ) -> None:
        for number in numbers:
            board = Board.dealt(index, number)
            table = Table(f"t{index}", board, (1, 2, 3, 4), CONTROL)
            await play_board(table, players)
            self.lost += table.score is None or bool(table.faults)
            for timing in table.timings:
                self.server.add(timing.milliseconds - 1000 * self.think)


def measured(load: Load) -> Load:
    """Measure a load in a process that serves nothing else, so that its memory is its own."""
    context = get_context("spawn")
    with ProcessPoolExecutor(1, context) as server:
        return server.submit(_run, load).result()


def _run(load: Load) -> Load:
    most_connections()
    asyncio.run(load.run())
    return load


async def main(tables: int, boards: int, think: float) -> None:
    if 4 * tables > (most := most_connections()):
        sys.exit(f"{tables} tables are {4 * tables} connections; {most} may be open (ulimit -n)")
    up, down = frame_sizes()
    print(f"{tables} tables at once, {boards} boards each, {4 * tables} connections\n")
    rows = []
    loads = [
        Load(tables, boards, Delivery.TURN, 0.0),
        Load(tables, boards, Delivery.LIVE, 0.0),
        Load(tables, max(STAGES, boards // 4), Delivery.LIVE, think),
    ]
    for plan in loads:
        before = await measure_round_trips(up, down, 3000)
        load = await asyncio.to_thread(measured, plan)
        after = await measure_round_trips(up, down, 3000)
        rows.append(
            [
                f"{load.delivery}, {f'{load.think:g} s' if load.think else 'at once'}",
                f"{tables * load.boards} / {load.lost}",
                f"{load.rate:,.0f}",
                f"{load.rate / ((before + after) / 2):.2f}",
                f"{load.cpu_seconds / load.seconds:.0%}",
                f"{load.server}",
                f"{load.bot}",
            ]
        )
        empty, seated, *stages = load.memory
        print(
            f"{rows[-1][0]}: seated in {load.seating:.1f} s; memory {empty:.1f} MB empty, "
            f"{seated:.1f} MB seated ({1000 * (seated - empty) / tables:.0f} kB a table), "
            f"{', '.join(f'{mb:.1f}' for mb in stages)} MB as the boards went by",
            flush=True,
        )
    heads = [
        "delivery, thinking",
        "boards / lost",
        "actions/s",
        "/ bare round trips",
        "server's CPU",
        "server, ms: p50 / p99",
        "bot, ms: p50 / p99",
    ]
    print(f"\n{markdown(heads, rows)}")


def parse(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=(__doc__ or "").partition("\n")[0], allow_abbrev=False
    )
    parser.add_argument(
        "--tables", type=int, default=200, help="tables at once; default: %(default)s"
    )
    parser.add_argument(
        "--boards",
        type=int,
        default=20,
        help="boards of each table in a measurement; default: %(default)s",
    )
    parser.add_argument(
        "--think",
        type=float,
        default=0.25,
        help="seconds that a client takes for an action; default: %(default)s",
    )
    parser.add_argument("--connections", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--delivery", type=Delivery, help=argparse.SUPPRESS)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    options = parse()
    if options.connections is not None:
        asyncio.run(play_many(options.connections, options.delivery, options.think))
    else:
        asyncio.run(main(options.tables, options.boards, options.think))
