"""Measure a whole command, as a user meets it: where its seconds, memory and bytes go.

    python -m benchmarks.whole [--boards 10 100 1000] [--entries 2] [--mode full] [--repeat 3]
                               [--beside PYTHON]

Quick bots play a match, or a round robin if there are more than two entries, by the command that a
user gives. A command goes through five parts: *start* until its first board is over, *play* until
the last, *end* until its log ends, and *report* with the *pages* of boards, which are known by the
times of their files. Meanwhile the processor seconds of its processes are read again and
again: the arena's own, those of the bots, and those of the solver's workers. A figure is the median
over the repeats. At the end a leaderboard is made of the event, and made once more.

With `--beside` every command is run in turn by another Python too, in whose environment another
version of the arena is installed. Three numbers of boards or more also tell the growth of a part:
the power of the boards that fits its seconds, with its standard error.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.figures import table
from benchmarks.running import progress
from benchmarks.start import ARENA, descendants, used
from bridge_arena.reports.common.replay_pages import FOLDER

PARTS = ("start", "play", "end", "report", "pages")
OWNERS = ("arena", "bots", "solver")
SECONDS_BETWEEN = 0.02


@dataclass
class Sample:
    """What the processes of a command have used up to a time."""

    time: float  # seconds since the epoch
    seconds: dict[str, float]  # processor seconds by owner


@dataclass
class Run:
    """What a command took."""

    clock: dict[str, float]  # seconds by the clock, by part
    processor: dict[tuple[str, str], float]  # processor seconds by part and owner
    memory: int  # the most memory of the arena's own process, in bytes
    disk: dict[str, int] = field(default_factory=dict)  # bytes of its files by kind
    leaderboards: list[float] = field(default_factory=list)  # processor seconds of two, in turn


def command_of(boards: int, entries: int, mode: str, folder: Path) -> list[str]:
    """Return the arena's command that has some entries play about so many boards in all."""
    out = ["--out", str(folder / "out")]
    if entries == 2:
        return [
            *("match", "baseline", "random", "--boards", str(boards), "--mode", mode),
            *("--seed", "1", "--no-control", *out),
        ]
    matches = entries * (entries - 1) // 2
    lines = [
        "[event]",
        "name = 'Whole'",
        "format = 'round-robin'",
        f"boards = {max(1, round(boards / matches))}",
        f"mode = '{mode}'",
        "seed = 1",
        *(
            f"[[entry]]\nname = 'team {number}'\nbot = '{('baseline', 'random')[number % 2]}'"
            for number in range(entries)
        ),
    ]
    path = folder / "event.toml"
    path.write_text("\n".join(lines) + "\n")
    return ["tournament", str(path), *out]


def run_of(python: str, boards: int, entries: int, mode: str) -> Run:
    """Run the command of one measurement."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        words = command_of(boards, entries, mode, folder)
        begin = time.time()
        samples, memory = sampled(python, words)
        out = folder / "out"
        run = split(samples, ends_of_parts(out, begin, samples[-1].time))
        run.memory = memory
        run.disk = disk_of(out)
        for _ in range(2):
            samples, _ = sampled(python, ["leaderboard", str(out)])
            run.leaderboards.append(sum(samples[-1].seconds.values()))
        return run


def sampled(python: str, words: Sequence[str]) -> tuple[list[Sample], int]:
    """Run a command; return its samples, and the most memory of its first process."""
    silent = subprocess.DEVNULL
    running = subprocess.Popen([python, *ARENA, *words], stdout=silent, stderr=silent)
    owner_of: dict[int, str] = {running.pid: "arena"}
    latest: dict[int, float] = {}  # the processor seconds of a process, when it was last there
    samples, memory = [Sample(time.time(), dict.fromkeys(OWNERS, 0.0))], 0
    while running.poll() is None:
        for pid in (running.pid, *processes_below(running.pid)):
            try:
                if pid not in owner_of:
                    command = Path(f"/proc/{pid}/cmdline").read_bytes()
                    owner_of[pid] = "solver" if b"oracle.worker" in command else "bots"
                latest[pid] = used(pid)
            except OSError:  # it has ended meanwhile
                continue
        seconds = dict.fromkeys(OWNERS, 0.0)
        for pid, spent in latest.items():
            seconds[owner_of[pid]] += spent
        samples.append(Sample(time.time(), seconds))
        memory = max(memory, peak_memory(running.pid))
        time.sleep(SECONDS_BETWEEN)
    if running.returncode:
        sys.exit(f"the command failed: {' '.join(words)}")
    return samples, memory


def processes_below(pid: int) -> Iterator[int]:
    """Yield the processes that a process has started, as far as they are still there."""
    try:
        yield from descendants(pid)
    except OSError:
        return


def peak_memory(pid: int) -> int:
    """Return the most memory that a process has had, in bytes; 0 once it has ended."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM:"))


def ends_of_parts(out: Path, begin: float, end: float) -> list[float]:
    """Return when the command began, and when each of its parts ended."""
    logged = [json.loads(line) for line in (out / "log.jsonl").read_text().splitlines()]
    boards = [time_of(event) for event in logged if event["event"] == "board_ended"]
    pages = [path.stat().st_mtime for path in (out / FOLDER).glob("*") if path.is_file()]
    log_end = max(boards[-1], time_of(logged[-1]))
    return [
        *(begin, boards[0], boards[-1], log_end),
        *(min(pages, default=end), max(pages, default=end), end),
    ]


def time_of(event: dict[str, str]) -> float:
    """Return the time of an event of the log, in seconds since the epoch."""
    return datetime.fromisoformat(event["time"]).timestamp()


def split(samples: Sequence[Sample], ends: Sequence[float]) -> Run:
    """Split what was used by parts. What comes after the pages is part of the report again."""
    clock: dict[str, float] = defaultdict(float)
    processor: dict[tuple[str, str], float] = defaultdict(float)
    for part, (start, end) in zip((*PARTS, "report"), pairwise(ends), strict=True):
        clock[part] += end - start
        before, after = at_time(samples, start), at_time(samples, end)
        for owner in OWNERS:
            processor[part, owner] += after[owner] - before[owner]
    return Run(clock, processor, 0)


def at_time(samples: Sequence[Sample], moment: float) -> dict[str, float]:
    """Return the processor seconds by owner at a time."""
    return next(
        (sample.seconds for sample in samples if sample.time >= moment), samples[-1].seconds
    )


def disk_of(out: Path) -> dict[str, int]:
    """Return the bytes of the files of an event by kind."""
    sizes: Counter[str] = Counter()
    for path in out.rglob("*"):
        if path.is_file():
            top = path.relative_to(out).parts[0]
            sizes[f"{top}/" if top == FOLDER else top] += path.stat().st_size
    return dict(sizes)


def rows_of(runs: Sequence[Run]) -> list[list[str]]:
    """Return the cells of the parts of a command, and of its sum."""
    cells = []
    for part in PARTS:
        by_owner = [
            statistics.median([run.processor[part, owner] for run in runs]) for owner in OWNERS
        ]
        clock = statistics.median([run.clock[part] for run in runs])
        cells.append([clock, sum(by_owner), *by_owner])
    sums = [sum(column) for column in zip(*cells, strict=True)]
    names = [*PARTS, "**whole**"]
    return [
        [name, *(f"{cell:.2f}" for cell in row)]
        for name, row in zip(names, [*cells, sums], strict=True)
    ]


def growth(boards: Sequence[int], seconds: Sequence[float]) -> tuple[float, float]:
    """Return the power of the boards that fits the seconds, with its standard error.

    Least squares of the logarithms; both are NaN where a part took no time.
    """
    if min(seconds) <= 0:
        return math.nan, math.nan
    fit = statistics.linear_regression(
        xs := list(map(math.log, boards)), list(map(math.log, seconds))
    )
    centre = statistics.fmean(xs)
    rest = sum(
        (math.log(taken) - fit.intercept - fit.slope * x) ** 2
        for x, taken in zip(xs, seconds, strict=True)
    )
    spread = sum((x - centre) ** 2 for x in xs)
    return fit.slope, math.sqrt(rest / (len(xs) - 2) / spread)


def tell(runs: Sequence[Run]) -> str:
    """Return the table of a command, and its memory and files."""
    heads = ["part", "clock s", "CPU s", *(f"of {owner}" for owner in OWNERS)]
    files = ", ".join(f"{kind} {size / 1e6:.2f} MB" for kind, size in runs[-1].disk.items())
    memory = statistics.median([run.memory for run in runs])
    in_turn = zip(*(run.leaderboards for run in runs), strict=True)
    first, second = (f"{statistics.median(seconds):.2f}" for seconds in in_turn)
    return (
        f"{table(heads, rows_of(runs))}\n\narena: {memory / 1e6:.0f} MB of memory; files: {files}; "
        f"CPU s of a leaderboard: {first}, then {second} from what is kept"
    )


def tell_growth(boards: Sequence[int], runs_of: dict[str, list[list[Run]]]) -> str:
    """Return the table of the growth of the parts, with a column for each version."""
    rows = []
    for part in PARTS:
        row = [part]
        for by_boards in runs_of.values():
            seconds = [
                statistics.median(
                    [sum(run.processor[part, owner] for owner in OWNERS) for run in runs]
                )
                for runs in by_boards
            ]
            power, error = growth(boards, seconds)
            row.append(f"{power:.2f} ± {error:.2f}")
        rows.append(row)
    return table(["part", *runs_of], rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "--boards", type=int, nargs="+", default=[10, 100, 1000], help="default: 10 100 1000"
    )
    parser.add_argument(
        "--entries", type=int, default=2, help="2 play a match, more a round robin; default: 2"
    )
    parser.add_argument("--mode", choices=["full", "bidding"], default="full")
    parser.add_argument("--repeat", type=int, default=3, help="default: 3")
    parser.add_argument(
        "--beside", metavar="PYTHON", help="another Python, with another version of the arena"
    )
    arguments = parser.parse_args()
    pythons = {"now": sys.executable}
    if arguments.beside:
        pythons["beside"] = arguments.beside
    runs_of: dict[str, list[list[Run]]] = {version: [] for version in pythons}
    what = f"boards ({arguments.mode}), {arguments.entries} entries"
    for boards in arguments.boards:
        for runs in runs_of.values():
            runs.append([])
        for number in range(arguments.repeat):
            for version, python in pythons.items():
                progress(f"{boards} {what}: {number + 1} of {arguments.repeat}, {version}")
                run = run_of(python, boards, arguments.entries, arguments.mode)
                runs_of[version][-1].append(run)
        for version, by_boards in runs_of.items():
            print(f"\n{boards} {what}, {version}\n\n{tell(by_boards[-1])}", flush=True)
    if len(arguments.boards) > 2:
        print("\nGrowth of the processor seconds, as a power of the boards\n")
        print(tell_growth(arguments.boards, runs_of))


if __name__ == "__main__":
    main()
