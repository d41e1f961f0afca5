"""Measure the processor time of programs from their start until they are of use.

    python -m benchmarks.start [--repeat 5]

The reference is `import websockets, msgpack, pydantic`, which any bot has to load. It is measured
before each measurement, and a ratio is that of the two. The start of a match lasts until its first
board is in the log; it is measured for `arena` alone, and with its eight bots.
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
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.markdown_table import table

ARENA = (sys.executable, "-m", "bridge_arena.commands.main")

REFERENCE = (sys.executable, "-c", "import websockets, msgpack, pydantic")


def whole(*command: str) -> float:
    """Return the processor seconds of a command and its children."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def first_board(*, with_bots: bool) -> float:
    """Return the processor seconds of a match until its first board is in the log."""
    with TemporaryDirectory() as folder:
        out = Path(folder, "out")
        words = ["match", "random", "random", "--boards", "50", "--out", str(out)]
        match = subprocess.Popen(
            [*ARENA, *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            log = out / "log.jsonl"
            while not log.exists() or '"board_ended"' not in log.read_text():
                if match.poll() is not None:
                    sys.exit("the match ended before its first board")
                time.sleep(0.002)
            processes = [match.pid, *(descendants(match.pid) if with_bots else ())]
            return sum(map(used, processes))
        finally:
            match.terminate()
            match.wait()


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


MEASURED: dict[str, Callable[[], float]] = {
    "`import bridge_arena`": lambda: whole(sys.executable, "-c", "import bridge_arena"),
    "a bot's module (`random`)": lambda: whole(
        sys.executable, "-c", "import bridge_arena.bots.random.bot"
    ),
    "`arena --help`": lambda: whole(*ARENA, "--help"),
    "`arena match --help`": lambda: whole(*ARENA, "match", "--help"),
    "`arena match`, first board, arena alone": lambda: first_board(with_bots=False),
    "`arena match`, first board, with the bots": lambda: first_board(with_bots=True),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "--repeat", type=int, default=5, help="starts of each program; default: %(default)s"
    )
    repeat = parser.parse_args().repeat
    rows = []
    for name, measure in MEASURED.items():
        pairs = [(whole(*REFERENCE), measure()) for _ in range(repeat)]
        seconds = statistics.median(took for _, took in pairs)
        ratios = sorted(took / reference for reference, took in pairs)
        ratio = f"{statistics.median(ratios):.1f} ({ratios[0]:.1f} to {ratios[-1]:.1f})"
        rows.append((name, f"{seconds:.2f}", ratio))
    print(table(("start", "CPU seconds", "/ reference"), rows))


if __name__ == "__main__":
    main()
