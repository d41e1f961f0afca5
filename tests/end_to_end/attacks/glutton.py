"""A bot that takes all that it can get of one thing after the other, and says how much that was.

    python glutton.py PROCESSES MEMORY DISK

No more than so many processes and megabytes: where there is no limit, this is the machine on which
the tests run.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path

from bridge_arena.bots.random.bot import RandomBot
from bridge_arena.bots.sdk.client import run

PROCESSES, MEMORY, DISK = map(int, sys.argv[1:])

MEGABYTE = 1 << 20


def processes() -> int:
    """Start children that wait to be killed; return how many there were."""
    children: list[int] = []
    with suppress(OSError):
        while len(children) < PROCESSES:
            child = os.fork()
            if child == 0:
                time.sleep(600)
                os._exit(0)
            children.append(child)
    for child in children:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    return len(children)


def memory() -> int:
    """Run in a child, because a process that asks for too much may be killed."""
    reading, writing = os.pipe()
    if (child := os.fork()) == 0:
        with suppress(MemoryError):
            taken: list[bytes] = []
            while len(taken) < MEMORY:
                taken.append(b"\1" * MEGABYTE)
                os.write(writing, b"\1")
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as count:
        megabytes = len(count.read())
    os.waitpid(child, 0)
    return megabytes


def disk() -> int:
    """Megabytes, half of them in each of two files."""
    megabytes = 0
    files = [Path("/tmp", f"arena-glutton-{os.getpid()}-{number}") for number in range(2)]
    with suppress(OSError):
        for file in files:
            with file.open("wb", buffering=0) as full:
                for _ in range(DISK // 2):
                    megabytes += full.write(b"\1" * MEGABYTE) // MEGABYTE
    for file in files:
        file.unlink(missing_ok=True)
    return megabytes


def main() -> None:
    if os.environ["ARENA_SEAT"] == "N":
        for take in (processes, memory, disk):
            print(f"{take.__name__}: {take()}", flush=True)
    run(RandomBot)


if __name__ == "__main__":
    main()
