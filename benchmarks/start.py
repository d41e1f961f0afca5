"""Measure what programs take from their start until they are of use.

    python -m benchmarks.start [--repeat 5] [--beside PYTHON]

The reference is `import websockets, msgpack, pydantic`, which any bot has to load. It is measured
before each measurement, and a ratio is that of the two. With `--beside` every program is started
in turn by another Python too, in whose environment another version of the arena is installed. The
start of a match or an event lasts until its first board is in the log.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.figures import table
from bridge_arena.commands.command_list import COMMANDS

# -P: the arena that is installed, not the one of the working folder.
ARENA = ("-P", "-m", "bridge_arena.commands.main")

REFERENCE = ("-P", "-c", "import websockets, msgpack, pydantic")

SDK = "from bridge_arena import Bot, run"

READY = rf"""
{SDK}
import importlib.util
from bridge_arena.protocol.codec import decode_server
if importlib.util.find_spec("bridge_arena.bots.sdk.tables"):
    import bridge_arena.bots.sdk.tables
decode_server(b"\x91\x82\xa4type\xa7Goodbye\xa6reason\xa0")
"""
"""Imports what a bot needs to play, and reads a message. In earlier versions the SDK's first module
had all of it."""

QUICK = ("baseline", "random", "--boards", "1", "--no-control")

TEAMS = 10
"""The teams of the event of many bots; each has a bot in each of four seats."""


def whole(*command: str) -> float:
    """Return the processor seconds of a command and its children."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def match(python: str) -> float:
    """Return the processor seconds of a whole match of one board."""
    with TemporaryDirectory() as folder:
        return whole(python, *ARENA, "match", *QUICK, "--out", str(Path(folder, "out")))


def first_board(python: str, *, with_bots: bool) -> float:
    """Return the processor seconds of a match until its first board is in the log."""
    with TemporaryDirectory() as folder:
        out = Path(folder, "out")
        words = ["match", "random", "random", "--boards", "50", "--out", str(out)]
        with started(python, *words) as running:
            wait_for_board(running, out)
            processes = [running.pid, *(descendants(running.pid) if with_bots else ())]
            spent = sum(map(used, processes))
            running.terminate()
            return spent


def first_of_many(python: str) -> float:
    """Return the seconds by the clock until the first board of an event of many bots."""
    with TemporaryDirectory() as folder:
        path, out = Path(folder, "event.toml"), Path(folder, "out")
        entries = "".join(
            f"[[entry]]\nname = 'team {number}'\nbot = '{('baseline', 'random')[number % 2]}'\n"
            for number in range(TEAMS)
        )
        path.write_text(
            f"[event]\nname = 'Many'\nformat = 'round-robin'\nboards = 2\nseed = 1\n{entries}"
        )
        words = ["tournament", str(path), "--out", str(out), "--concurrency", "5"]
        begin = time.monotonic()
        with started(python, *words) as running:
            wait_for_board(running, out)
            spent = time.monotonic() - begin
            running.terminate()
            return spent


def started(python: str, *words: str) -> subprocess.Popen[bytes]:
    """Start a command of the arena."""
    return subprocess.Popen(
        [python, *ARENA, *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )


def wait_for_board(running: subprocess.Popen[bytes], out: Path) -> None:
    """Wait until the first board is in the log."""
    log = out / "log.jsonl"
    while not log.exists() or '"board_ended"' not in log.read_text():
        if running.poll() is not None:
            sys.exit("the command ended before its first board")
        time.sleep(0.002)


def descendants(pid: int) -> Iterator[int]:
    """Yield the processes that a process has started, directly or indirectly."""
    for task in Path(f"/proc/{pid}/task").iterdir():
        for child in (task / "children").read_text().split():
            yield int(child)
            yield from descendants(int(child))


def used(pid: int) -> float:
    """Return the processor time of a process so far, in seconds."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def slowest_help(python: str) -> float:
    """Return the processor seconds of the help of the command whose help takes the longest."""
    return max(whole(python, *ARENA, name, "--help") for name in COMMANDS)


@dataclass(frozen=True)
class Start:
    """A start that is measured."""

    name: str  # what is started
    measure: Callable[[str], float]  # returns its seconds with a Python
    unit: str = "CPU"  # whose seconds these are


STARTS = (
    Start("`import bridge_arena`", lambda python: whole(python, "-P", "-c", "import bridge_arena")),
    Start(f"`{SDK}`", lambda python: whole(python, "-P", "-c", SDK)),
    Start("a bot that can play", lambda python: whole(python, "-P", "-c", READY)),
    Start("`arena --help`", lambda python: whole(python, *ARENA, "--help")),
    Start("`arena COMMAND --help`, the slowest", slowest_help),
    Start(
        "`arena match`, first board, arena alone",
        lambda python: first_board(python, with_bots=False),
    ),
    Start(
        "`arena match`, first board, with the bots",
        lambda python: first_board(python, with_bots=True),
    ),
    Start(f"`arena match {' '.join(QUICK)}`, whole", match),
    Start(f"an event of {4 * TEAMS} bots, first board", first_of_many, "clock"),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "--repeat", type=int, default=5, help="starts of each program; default: %(default)s"
    )
    parser.add_argument(
        "--beside", metavar="PYTHON", help="another Python, with another version of the arena"
    )
    arguments = parser.parse_args()
    pythons = [sys.executable, *([arguments.beside] if arguments.beside else ())]
    rows = []
    for start in STARTS:
        taken: list[list[tuple[float, float]]] = [[] for _ in pythons]
        for _ in range(arguments.repeat):
            for python, pairs in zip(pythons, taken, strict=True):
                pairs.append((whole(python, *REFERENCE), start.measure(python)))
        cells = [start.name, start.unit, *(cell for pairs in taken for cell in cells_of(pairs))]
        if arguments.beside:
            now, other = ([took for _, took in pairs] for pairs in taken)
            shares = [one / two for one, two in zip(now, other, strict=True)]
            cells.append(f"{statistics.median(shares):.2f}")
        rows.append(cells)
    heads = ["start", "seconds of", "seconds", "/ reference"]
    if arguments.beside:
        heads += ["beside: seconds", "/ reference", "ratio"]
    print(table(heads, rows))


def cells_of(pairs: list[tuple[float, float]]) -> tuple[str, str]:
    """Return the seconds and the ratios of measurements, each with its reference."""
    seconds = statistics.median(took for _, took in pairs)
    ratios = sorted(took / reference for reference, took in pairs)
    ratio = f"{statistics.median(ratios):.1f} ({ratios[0]:.1f} to {ratios[-1]:.1f})"
    return f"{seconds:.2f}", ratio


if __name__ == "__main__":
    main()
