"""Measure how fast two bots in sandboxes can talk by what one kernel shares.

    python -m research.sandbox_whispers [--bits 200]

Two processes, each in a sandbox of its own, pass random bits; the one that hears prints them. They
know from the clock when a bit begins. By `load`, one works or rests, and the other counts what it
gets done itself. By `numbers`, one opens pipes or does not, and the other sees it by the number of
a new pipe of its own: the kernel numbers the pipes of all processes together.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import time
from collections.abc import Sequence

from bridge_arena.server.sandbox.sandbox import Sandbox
from bridge_arena.server.supervisor import Supervisor
from bridge_arena.tournaments.play.seating.started_bots import sandbox

SECONDS = {"load": 0.2, "numbers": 0.1}
"""The seconds that a bit takes, by the way."""

START = 3.0
"""Seconds until the first bit, in which both start."""

WHISPER = """
import os, sys, time

way, side, begin, each, bits = sys.argv[1:]
begin, each = float(begin), float(each)
count = len(bits) if side == "say" else int(bits)

def work(end):
    done = 0
    while time.time() < end:
        sum(range(200))
        done += 1
    return done

def pipes(number):
    for _ in range(number):
        for end in os.pipe():
            os.close(end)

def newest():
    # A processor takes numbers for a thousand at a time.
    seen = 0
    for _ in range(1024):
        read, write = os.pipe()
        seen = max(seen, os.fstat(read).st_ino)
        os.close(read)
        os.close(write)
    return seen

os.sched_setaffinity(0, [sorted(os.sched_getaffinity(0))[0 if way == "load" else side == "say"]])
figures, before = [], newest() if side == "hear" else 0
for number in range(count):
    start, end = begin + number * each, begin + (number + 1) * each
    time.sleep(max(0, start - time.time()))
    if side == "say":
        if bits[number] == "1":
            work(end - each / 10) if way == "load" else pipes(3 * 1024)
    elif way == "load":
        figures.append(-work(end - each / 10))
    else:
        time.sleep(max(0, end - each / 5 - time.time()))
        now = newest()
        figures.append(now - before)
        before = now
if figures:
    middle = sum(sorted(figures)[len(figures) // 10 :: max(1, len(figures) * 8 // 10)][:2]) / 2
    print("".join(str(int(figure > middle)) for figure in figures))
"""


async def heard(box: Sandbox, way: str, bits: str) -> str:
    """Return what one process hears of the bits that the other says."""
    begin = str(time.time() + START)
    command = (sys.executable, "-c", WHISPER, way)
    async with Supervisor() as supervisor:
        saying, hearing = (*command, "say", begin), (*command, "hear", begin)
        each = str(SECONDS[way])
        await supervisor.start("say", [*saying, each, bits], {}, box)
        ear = await supervisor.start("hear", [*hearing, each, str(len(bits))], {}, box)
        ended = await ear.ended()
        if not ended.startswith("exit status 0"):
            raise RuntimeError(ended)
        return ear.output_tail


async def main(bits: int) -> None:
    """Print the rate and the errors of each way."""
    said = "".join(random.Random(1).choices("01", k=bits))
    with sandbox(()) as box:
        for way, seconds in SECONDS.items():
            got = await heard(box, way, said)
            wrong = sum(one != other for one, other in zip(said, got, strict=True))
            print(f"{way}: {1 / seconds:.0f} bits a second, {wrong} of {bits} wrong", flush=True)


def parse(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """Read the options."""
    parser = argparse.ArgumentParser(
        description=(__doc__ or "").partition("\n")[0], allow_abbrev=False
    )
    parser.add_argument("--bits", type=int, default=200, help="bits to pass; default: %(default)s")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    asyncio.run(main(parse().bits))
