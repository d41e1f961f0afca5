"""Measure what a crowd of useless connections costs an event, and clients with a token.

    python -m benchmarks.crowd [--boards 50] [--idle 2000] [--slow 2000] [--pairs 3]

`arena serve` plays a match of two remote entries at one table, `baseline` against `baseline`. Every
other match is undisturbed; the others are besieged by connections from 50 loopback addresses.
`--idle` of these send nothing, and `--slow` send one byte of a request each second. A connection
that is cut comes back about `--back` seconds later. Each board must end as in an undisturbed match.

All the while, one client asks for /health and /metrics, and one comes with a token: before the
match a player for a free seat, during it a kibitzer. The report has the longest time until one was
answered or seated. The time of the match, and the server's processor time, are those from the end
of the first board to the end of the last; the ratio is that of a besieged match to the undisturbed
match before it. The process of the crowd has the lowest priority. `connections` is the number of
connections that were made, and `cut` the number that were cut because too many waited.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException
from websockets.typing import Subprotocol

from benchmarks.figures import table as markdown
from bridge_arena.bridge.record import BoardRecord
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.pbn.read.records import read_records
from bridge_arena.protocol.codec import encode, frame
from bridge_arena.protocol.messages import SUBPROTOCOL, Hello
from bridge_arena.server.connection_limits import most_connections

ARENA = (sys.executable, "-m", "bridge_arena.commands.main")

ENTRIES = ("one", "other")

EVENT = """\
[event]
name = "Siege"
format = "match"
boards = {boards}
seed = 5
practice = true
[policies]
no_show = 600
"""

SLOWEST = ("/health", "/metrics", "player", "kibitzer")
"""The requests whose waits are measured."""

SEATED_FIRST = 10
"""How many come for a seat before the match."""

EVERY = 0.25
"""Seconds between those who ask or come."""

TIMES = 20
"""The moments of a second at which slow clients send, a share of them at each."""


@dataclass
class Match:
    """The figures of a match of a number of boards in each room."""

    boards: int
    records: list[BoardRecord] = field(default_factory=list)
    seconds: float = 0.0
    # Processor time that the server took from the first board's end on, in seconds.
    cpu_seconds: float = 0.0
    # The longest times until an answer or a seat, in seconds.
    slowest: dict[str, float] = field(default_factory=dict)
    # The numbers of hostile connections made, and of those cut because too many waited.
    connections: int = 0
    cut: int = 0

    def took(self, what: str, began: float) -> None:
        self.slowest[what] = max(self.slowest.get(what, 0.0), time.perf_counter() - began)


# The crowd, in a process of its own.


class Crowd:
    """A number of connections to a port, held open; one that is cut comes back."""

    def __init__(self, port: int, addresses: int, back: float) -> None:
        # The number of connections made.
        self.connections = 0
        self._port = port
        self._addresses = addresses
        self._back = back
        # The slow connections, by number.
        self._slow: dict[int, asyncio.Transport] = {}

    async def press(self, number: int, *, slow: bool) -> None:
        """Connect again and again."""
        loop = asyncio.get_running_loop()
        address = f"127.0.0.{number % self._addresses + 2}"
        while True:
            with suppress(OSError):
                transport, stranger = await loop.create_connection(
                    Stranger, "127.0.0.1", self._port, local_addr=(address, 0)
                )
                self.connections += 1
                if slow:
                    self._slow[number] = transport
                await stranger.lost
                self._slow.pop(number, None)
            # Not all at the same time.
            await asyncio.sleep(self._back * random.uniform(0.5, 1.5))

    async def drip(self) -> None:
        """Send one byte a second on each slow connection, of a header that never ends."""
        while True:
            for part in range(TIMES):
                for number, transport in list(self._slow.items()):
                    if number % TIMES == part:
                        transport.write(b"G")
                await asyncio.sleep(1 / TIMES)


class Stranger(asyncio.Protocol):
    """A useless connection; the future `lost` is done when it is cut."""

    def __init__(self) -> None:
        self.lost: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_lost(self, exc: Exception | None) -> None:
        del exc
        if not self.lost.done():
            self.lost.set_result(None)


async def besiege(options: argparse.Namespace) -> None:
    """Print a line when all have been connected once, and at the end the number of connections."""
    most_connections()
    os.nice(10)  # what the crowd itself computes is to cost the players nothing
    over = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, over.set)
    crowd = Crowd(options.siege, options.addresses, options.back)
    everybody = options.idle + options.slow
    tasks = [
        asyncio.create_task(crowd.press(number, slow=number >= options.idle))
        for number in range(everybody)
    ]
    tasks.append(asyncio.create_task(crowd.drip()))
    while crowd.connections < everybody:  # noqa: ASYNC110 (there is no event)
        await asyncio.sleep(0.05)
    print("here", flush=True)
    await over.wait()
    for task in tasks:
        task.cancel()
    print(crowd.connections)


@contextmanager
def siege(port: int, options: argparse.Namespace, match: Match) -> Iterator[None]:
    numbers = [options.idle, options.slow, options.addresses, options.back]
    command = [sys.executable, "-m", "benchmarks.crowd", "--siege", str(port)]
    for name, number in zip(("idle", "slow", "addresses", "back"), numbers, strict=True):
        command += [f"--{name}", str(number)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            if process.stdout.readline() != "here\n":
                sys.exit("the crowd did not come")
            yield
            process.send_signal(signal.SIGTERM)
            match.connections = int(process.stdout.read())
        finally:
            process.kill()


# The clients with a request or a token.


async def ask(port: int, path: str) -> str:
    """Return the answer to a plain request."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"GET {path} HTTP/1.1\r\nHost: arena\r\n\r\n".encode())
    answer = (await reader.read()).decode()
    writer.close()
    if not answer.startswith("HTTP/1.1 200 "):
        raise OSError(f"{path} was answered {answer[:80]!r}")
    return answer


def figure(page: str, name: str) -> float:
    """Return one of the figures for Prometheus."""
    line = re.search(rf"^{name} (\S+)$", page, re.MULTILINE)
    assert line is not None, name
    return float(line[1])


async def come(port: int, token: str, seat: Seat | None) -> None:
    """Connect with a token, and leave when seated."""
    async with connect(
        f"ws://127.0.0.1:{port}",
        additional_headers={"Authorization": f"Bearer {token}"},
        subprotocols=[Subprotocol(SUBPROTOCOL)],
        compression=None,
        proxy=None,
        max_queue=None,  # what is not read any more must not hide the end
    ) as connection:
        await connection.send(frame([encode(Hello(name="late", seat=seat))]))
        answer = await connection.recv()
        assert isinstance(answer, bytes)
        if b"Welcome" not in answer:
            raise OSError(f"who has a token was answered {answer!r}")


async def look(port: int, token: str, match: Match, ends: Callable[[], list[datetime]]) -> None:
    """Ask for the pages and connect as a kibitzer, until the server closes.

    `ends` returns the times at which boards have ended so far.
    """
    before = 0.0
    try:
        while True:
            for path in ("/health", "/metrics"):
                began = time.perf_counter()
                answer = await ask(port, path)
                match.took(path, began)
            match.cut = int(figure(answer, "arena_turned_away"))
            cpu_seconds = figure(answer, "process_cpu_seconds_total")
            if not ends():
                before = cpu_seconds
            match.cpu_seconds = cpu_seconds - before
            began = time.perf_counter()
            await come(port, token, None)
            match.took("kibitzer", began)
            await asyncio.sleep(EVERY)
    except (OSError, WebSocketException):
        if len(ends()) < 2 * match.boards:
            raise


# The match.


def token_for(folder: Path, *owner: str) -> str:
    command = [*ARENA, "token", "event.toml", *owner]
    return subprocess.run(
        command, cwd=folder, check=True, capture_output=True, text=True
    ).stdout.strip()


async def play(options: argparse.Namespace, *, besieged: bool) -> Match:
    match = Match(options.boards)
    with TemporaryDirectory() as name, ExitStack() as running:
        folder = Path(name)
        entries = "".join(f'[[entry]]\nbot = "remote:{entry}"\n' for entry in ENTRIES)
        (folder / "event.toml").write_text(EVENT.format(boards=options.boards) + entries)
        tokens = {entry: token_for(folder, entry) for entry in ENTRIES}
        watching = token_for(folder, "--kibitzer")
        words = ["--out", "out", "--port", "0", "--concurrency", "1"]
        server = running.enter_context(arena(folder, "serve", "event.toml", *words))
        url = read_until(server, r"listening on (ws://\S+)")
        read_until(server, f"waiting for ({ENTRIES[-1]})")
        port = int(url.rpartition(":")[2])
        if besieged:
            running.enter_context(siege(port, options, match))
        for _ in range(SEATED_FIRST):
            began = time.perf_counter()
            await come(port, tokens[ENTRIES[0]], Seat.WEST)
            match.took("player", began)
        for entry in ENTRIES:
            for seat in SEATS:
                words = ["--url", url, "--token", tokens[entry], "--seat", seat.letter]
                running.enter_context(arena(folder, "bot", "baseline", *words))

        def ends() -> list[datetime]:
            lines = map(json.loads, (folder / "out" / "log.jsonl").read_text().splitlines())
            times = [line["time"] for line in lines if line["event"] == "board_ended"]
            return list(map(datetime.fromisoformat, times))

        await look(port, watching, match, ends)
        if await asyncio.to_thread(server.wait):
            sys.exit(f"the event ended with status {server.returncode}")
        with (folder / "out" / "match.pbn").open("rb") as file:
            match.records = [replace(record, times=(), date="") for record in read_records(file)]
        match.seconds = (ends()[-1] - ends()[0]).total_seconds()
    return match


@contextmanager
def arena(folder: Path, *command: str) -> Iterator[subprocess.Popen[str]]:
    """Run the program in the context, and kill it at the end."""
    with subprocess.Popen(
        [*ARENA, *command], cwd=folder, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def read_until(process: subprocess.Popen[str], pattern: str) -> str:
    """Read the output of a program, and return what matches the pattern."""
    assert process.stdout is not None
    for line in process.stdout:
        if wanted := re.search(pattern, line):
            return wanted[1]
    sys.exit(f"a program ended before it printed {pattern!r}")


async def main(options: argparse.Namespace) -> None:
    rows = []
    ratios = []
    for _ in range(options.pairs):
        quiet, loud = await play(options, besieged=False), await play(options, besieged=True)
        ratios.append(loud.seconds / quiet.seconds)
        for how, match in (("undisturbed", quiet), ("besieged", loud)):
            rows.append(
                [
                    how,
                    f"{len(match.records)}",
                    f"{match.seconds:.1f}",
                    f"{match.cpu_seconds:.1f}",
                    *(f"{1000 * match.slowest[what]:.0f}" for what in SLOWEST),
                    f"{match.connections:,}" if match.connections else "-",
                    f"{match.cut:,}" if match.connections else "-",
                ]
            )
            print(" | ".join(rows[-1]), flush=True)
        if loud.records != quiet.records:
            sys.exit("the boards of the besieged match are others")
    heads = ["match", "boards", "seconds", "server's CPU, s"]
    heads += [f"{what}, ms" for what in SLOWEST]
    print(f"\n{markdown([*heads, 'connections', 'cut'], rows)}\n")
    listed = ", ".join(f"{ratio:.2f}" for ratio in ratios)
    print(f"time, besieged / undisturbed: {listed}; the median {statistics.median(ratios):.2f}")


def parse(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=(__doc__ or "").partition("\n")[0], allow_abbrev=False
    )
    parser.add_argument(
        "--boards", type=int, default=50, help="boards of the match; default: %(default)s"
    )
    parser.add_argument(
        "--idle", type=int, default=2000, help="connections that send nothing; default: %(default)s"
    )
    parser.add_argument(
        "--slow",
        type=int,
        default=2000,
        help="connections that send a byte a second; default: %(default)s",
    )
    parser.add_argument(
        "--addresses",
        type=int,
        default=50,
        help="addresses that the connections come from; default: %(default)s",
    )
    parser.add_argument(
        "--back",
        type=float,
        default=10.0,
        help="seconds until a closed connection comes back; default: %(default)s",
    )
    parser.add_argument(
        "--pairs",
        type=int,
        default=3,
        help="pairs of matches, with and without the crowd in turn; default: %(default)s",
    )
    parser.add_argument("--siege", type=int, help=argparse.SUPPRESS)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    options = parse()
    if options.siege is None:
        asyncio.run(main(options))
    else:
        asyncio.run(besiege(options))
