"""How soon a reader has the leaderboard of a large ladder: the part `pages` of ladder.

`python -m benchmarks.ladder_pages STORE` serves the pages of a store, and prints the port.
"""

from __future__ import annotations

import asyncio
import socket
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import numpy as np

from benchmarks.figures import table
from benchmarks.ladder_scale import BOARDS, PLAYERS, fill
from bridge_arena.tournaments import STORE, EventLog
from bridge_arena.tournaments.ladder.orders import Order
from bridge_arena.tournaments.ladder.store.ladder_store import LadderStore
from bridge_arena.web.ladder.application import LadderPages, serving_ladder

READERS = 500

SPREAD = 2.0
"""The seconds in which all readers fetch the page, as `ladder.js` spreads them."""


async def _serve(path: Path) -> None:
    async def refuse(order: Order) -> str:
        raise NotImplementedError(order)

    with (
        closing(LadderStore.open(path)) as store,
        socket.create_server(("127.0.0.1", 0), backlog=4096) as listener,
    ):
        pages = LadderPages(store)
        async with serving_ladder(pages, store, listener, "http://127.0.0.1/"):
            print(listener.getsockname()[1], flush=True)
            await asyncio.Event().wait()


async def _watch(port: int, watching: asyncio.Semaphore) -> None:
    """Follow the changes of the pages, as each reader does."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"GET /changes HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
    await reader.readuntil(b"data:")
    watching.release()
    while await reader.read(1 << 16):
        pass


async def _first_byte(port: int, delay: float = 0.0) -> float:
    """Return the seconds until the first byte of the leaderboard comes."""
    await asyncio.sleep(delay)
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    head = f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n"
    began = time.perf_counter()
    writer.write(head.encode())
    await reader.read(1)
    seconds = time.perf_counter() - began
    while await reader.read(1 << 16):
        pass
    writer.close()
    return seconds


async def _measure(port: int) -> tuple[float, list[float]]:
    """Return how soon the first reader has the page, and how soon each of many has it later."""
    cold = await _first_byte(port)
    watching = asyncio.Semaphore(0)
    streams = [asyncio.create_task(_watch(port, watching)) for _ in range(READERS)]
    for _ in streams:
        await watching.acquire()
    delays = np.linspace(0, SPREAD, READERS).tolist()
    warm = await asyncio.gather(*(_first_byte(port, delay) for delay in delays))
    for stream in streams:
        stream.cancel()
    return cold, warm


def pages(out: Path) -> str:
    """Make the store, have its pages read, and return the table."""
    path = out / f"scale-{PLAYERS[-1]}-{BOARDS[-1]}" / STORE
    path.parent.mkdir(parents=True, exist_ok=True)
    fill(path, PLAYERS[-1], BOARDS[-1])
    command = [sys.executable, "-m", "benchmarks.ladder_pages", str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            cold, warm = asyncio.run(_measure(int(server.stdout.readline())))
        finally:
            server.terminate()
    figures = [cold, float(np.median(warm)), float(np.quantile(warm, 0.99)), max(warm)]
    heads = ["first reader after the start", f"{READERS} readers, median", "99 %", "all"]
    return table([f"{head}, ms" for head in heads], [[f"{1000 * one:.1f}" for one in figures]])


if __name__ == "__main__":
    asyncio.run(_serve(Path(sys.argv[1])))
