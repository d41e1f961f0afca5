"""How soon readers of a large ladder have its pages, and what they cost the play: the part `pages`.

The pages have one processor, with the play if there is one. The readers, and who ends matches
meanwhile, have the others.
"""

from __future__ import annotations

import asyncio
import os
import re
import sqlite3
import subprocess
import time
from collections.abc import Coroutine, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random

import numpy as np

from benchmarks.figures import figure, table
from benchmarks.ladder_scale import BOARDS, PLAYERS, begin, fill, playing
from bridge_arena.tournaments import STORE
from bridge_arena.tournaments.ladder.store.ladder_store import LadderStore

READERS = 500

SECONDS = 40.0
"""The seconds for which they read."""

PAUSE = 10.0
"""The seconds for which a reader looks at a page, on average."""

MATCH_SECONDS = 2.0
"""The seconds from the end of a match to the end of the next one."""

FLOOD = 50
"""The connections on which a flood asks for pages without a pause."""

WINDOW, WINDOWS = 30.0, 4
"""The seconds in which boards are counted without readers, and then with them; and how often."""

PATIENCE = 30.0
"""The seconds after which a page that does not come counts as one that came then."""


def _paths(rng: Random) -> dict[str, str]:
    """Return a page of each kind."""
    one, other = sorted(rng.sample(range(1, PLAYERS[-1] + 1), 2))
    return {
        "leaderboard": "/",
        "player": f"/players/{one}/",
        "pair": f"/pairs/{one}/{other}/",
        "matches": f"/matches/?before={rng.randrange(100, 60_000)}",
        "queue": "/queue",
        "tests": "/tests",
        "status": "/status",
        "API: players": "/api/v1/players",
        "API: pair": f"/api/v1/pairs/{one}/{other}",
        "badge": f"/players/{one}/badge.svg",
    }


class Reader:
    """Requests to the pages, each on a connection of its own."""

    def __init__(self, port: int) -> None:
        self._port = port
        self.waits: dict[str, list[float]] = {}  # by the kind of page
        self.failed: dict[str, int] = {}  # other answers than 200, by the kind of page

    async def read(self, kind: str, path: str) -> None:
        """Read a page, and note the seconds until its first byte came."""
        began = time.perf_counter()
        status = b""
        try:
            async with asyncio.timeout(PATIENCE):
                reader, writer = await self._asked(path)
                status = await reader.readline()
                self.waits.setdefault(kind, []).append(time.perf_counter() - began)
                while await reader.read(1 << 16):
                    pass
                writer.close()
        except (OSError, TimeoutError):
            self.waits.setdefault(kind, []).append(PATIENCE)
        if status.split()[1:2] != [b"200"]:
            self.failed[kind] = self.failed.get(kind, 0) + 1

    async def follow(self) -> asyncio.Task[None]:
        """Begin to follow the changes of the pages, as each reader does."""
        reader, _ = await self._asked("/changes")
        await reader.readuntil(b"data:")

        async def follow() -> None:
            while await reader.read(1 << 16):
                pass

        return asyncio.create_task(follow())

    async def _asked(self, path: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
        head = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{self._port}\r\n"
        writer.write(f"{head}Accept-Encoding: gzip\r\nConnection: close\r\n\r\n".encode())
        return reader, writer


async def _crowd(reader: Reader, seconds: float) -> None:
    """Have readers look at one page after the other."""
    rng = Random(1)

    async def look() -> None:
        while True:
            await asyncio.sleep(rng.expovariate(1 / PAUSE))
            await reader.read(*rng.choice([*_paths(rng).items()]))

    tasks = [await reader.follow() for _ in range(READERS)]
    tasks += [asyncio.create_task(look()) for _ in range(READERS)]
    await asyncio.sleep(seconds)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def _ends(store: LadderStore) -> None:
    """End a match every few seconds, without end."""
    for _ in playing(store, *begin(store)):
        await asyncio.sleep(MATCH_SECONDS)


@contextmanager
def _serving(*words: str) -> Iterator[int]:
    """Have `arena ladder` on the first processor; yield the port of its pages."""
    command = ["taskset", "-c", "0", "arena", "ladder", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            for line in process.stdout:
                if found := re.search(r"watch it at \S+:(\d+)/", line):
                    yield int(found[1])
                    return
            raise RuntimeError(f"{words} serves nothing")
        finally:
            process.terminate()
            process.communicate()


async def _read(port: int, store: LadderStore) -> Reader:
    first, reader = Reader(port), Reader(port)
    for kind, path in _paths(Random(0)).items():
        await first.read(kind, path)
    ending = asyncio.create_task(_ends(store))
    await _crowd(reader, SECONDS)
    ending.cancel()
    return reader


def pages(out: Path) -> str:
    """Have the pages of a large ladder read, and return the table."""
    folder = out / f"scale-{PLAYERS[-1]}-{BOARDS[-1]}"
    folder.mkdir(parents=True, exist_ok=True)
    fill(folder / STORE, PLAYERS[-1], BOARDS[-1])
    with (
        _serving("web", str(folder)) as port,
        closing(LadderStore.open(folder / STORE)) as store,
    ):
        os.sched_setaffinity(0, _others())
        reader = asyncio.run(_read(port, store))
    rows = [_row(kind, waits, reader.failed.get(kind, 0)) for kind, waits in reader.waits.items()]
    every = [wait for waits in reader.waits.values() for wait in waits]
    rows.append(_row("all", every, sum(reader.failed.values())))
    return table(["page", "read", "failed", "median, ms", "99 %, ms", "last, ms"], rows)


def _row(kind: str, waits: Sequence[float], failed: int) -> list[str]:
    figures = [float(np.median(waits)), float(np.quantile(waits, 0.99)), max(waits)]
    return [kind, str(len(waits)), str(failed), *(f"{1000 * one:.1f}" for one in figures)]


_FILE = """\
[ladder]
name = "Play"
boards = 8
concurrency = 1

[[player]]
bot = "baseline"

[[player]]
bot = "random"
"""


def play(out: Path) -> str:
    """Have a ladder played with and without readers in turn, and return the table."""
    folder = out / "play"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "play.toml").write_text(_FILE)
    words = (str(folder / "play.toml"), "--out", str(folder / "run"), "--web")
    with _serving(*words) as port:
        os.sched_setaffinity(0, _others())
        store = f"file:{folder / 'run' / STORE}?mode=ro"
        with closing(sqlite3.connect(store, uri=True)) as tables:
            rows = asyncio.run(_in_turn(port, tables))
    heads = ["pages a second", "tables a second without", "with", "ratio"]
    return table(["", *heads], rows)


async def _in_turn(port: int, tables: sqlite3.Connection) -> list[list[str]]:
    """Count the tables that are played without readers, and with each kind of them."""
    await _played(tables, asyncio.sleep(WINDOW))  # what is new at the start is loaded
    rows = []
    for name, crowd in ((f"{READERS} readers", _crowd), ("a flood", _flood)):
        counts, asked = np.zeros((WINDOWS, 2)), 0
        for window in counts:
            reader = Reader(port)
            window[:] = (
                await _played(tables, asyncio.sleep(WINDOW)),
                await _played(tables, crowd(reader, WINDOW)),
            )
            asked += sum(map(len, reader.waits.values()))
        without, with_them = counts.mean(axis=0) / WINDOW
        ratios = counts[:, 1] / counts[:, 0]
        speeds = [f"{one:.1f}" for one in (asked / WINDOW / WINDOWS, without, with_them)]
        rows.append([name, *speeds, figure(ratios)])
    return rows


async def _played(tables: sqlite3.Connection, meanwhile: Coroutine[None, None, None]) -> int:
    """Return the number of boards that are played at a table meanwhile."""
    query = "SELECT count(*) FROM record"
    (before,) = tables.execute(query).fetchone()
    await meanwhile
    (after,) = tables.execute(query).fetchone()
    return int(after - before)


async def _flood(reader: Reader, seconds: float) -> None:
    """Ask for pages without a pause."""

    async def ask(rng: Random) -> None:
        while True:
            await reader.read("flood", rng.choice(["/", "/players/1/", "/matches/", "/status"]))

    tasks = [asyncio.create_task(ask(Random(number))) for number in range(FLOOD)]
    await asyncio.sleep(seconds)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def _others() -> set[int]:
    """Return the processors but for the first one."""
    return set(range(1, os.cpu_count() or 1))
