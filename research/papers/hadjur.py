"""Measure Hadjur's declarer play at notrump again, and try out what his thesis leaves open.

    python -m research.papers.hadjur [--quick] [--processes 2] [--only PREFIX ...] [--report]
        [--out FILE.jsonl]

The source is Hadjur, Artificial Intelligence methods applied to Contract Bridge, 2018, chapters 4
and 5. MiniBridge deals get contracts by his table, and a declarer learns from games that a random
declarer won against rule-based defenders (`bots.library.minibridge`).

All are tested on the same 2,000 deals, from which none has learned:

- a random declarer, and some that play by a rule or two;
- Q-learning and SARSA with up to 15,000 games, with hands known or unknown, with and without the
  reward spread to adjacent cards, and merged tables of 1,500 games;
- other readings of the reward, the games and the defenders;
- deep Q-networks of 1,000 games, and tables of 100,000 games;
- bots as declarers, and the double-dummy result;
- the game of twelve cards.

The error of a win rate is that over both deals and seeds (two-way clustered: Cameron, Gelbach and
Miller, 2011). The results are kept in the file, and the same command goes on after an interruption.
`--only` does some of the units, and `--report` none. The games are kept in a folder with the name
of the file, and tables and plots in a page with its name.
"""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Sequence
from functools import lru_cache, partial
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path

from benchmarks.figures import timed
from benchmarks.running import PROCESSES, interrupted, prepare
from bridge_arena.bots.library.learning.arrays import ArraysError
from bridge_arena.commands.common.errors import UnusableError
from bridge_arena.recorded.checkpoint import Checkpoint, CheckpointError
from research.page import write_page
from research.papers.hadjur_tables import sections
from research.papers.hadjur_work import QUICK, Bench, Facts, Scale

TITLE, SUBTITLE = "Hadjur's declarer play", "learning notrump contracts"
PAPER = (
    "Hadjur, Artificial Intelligence methods applied to Contract Bridge (2018), chapters 4 and 5"
)


@lru_cache(maxsize=1)
def bench_of(scale: Scale, folder: Path) -> Bench:
    """Return the bench of a process."""
    return Bench(scale, folder)


def do(scale: Scale, folder: Path, unit: str) -> tuple[str, Facts]:
    """Do a unit, and return its facts with the seconds of processor time that it took."""
    found, seconds = timed(bench_of(scale, folder).units()[unit])
    return unit, {**found, "seconds": seconds}


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument(
        "--quick",
        action="store_true",
        help="run small versions of all experiments, to see that they work",
    )
    parser.add_argument(
        "--processes",
        type=int,
        default=PROCESSES,
        metavar="N",
        help="processes that work at the same time; default: %(default)s",
    )
    parser.add_argument(
        "--only",
        nargs="+",
        default=[""],
        metavar="PREFIX",
        help="run only the experiments whose names begin so",
    )
    parser.add_argument(
        "--report", action="store_true", help="only report the results that are there"
    )
    parser.add_argument(
        "--out",
        type=Path,
        default=Path("runs/hadjur.jsonl"),
        help="file of the results, which a second run continues; default: %(default)s",
    )
    options = parser.parse_args()
    if options.processes < 1:
        parser.error("one process is needed at least")
    if not options.out.suffix:
        parser.error(f"{options.out}: a file's name needs an ending, that of the folder has none")
    # A background job is ended by SIGTERM, a foreground one by Ctrl-C: both may go on.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    scale, folder = QUICK if options.quick else Scale(), options.out.with_suffix("")
    units = list(Bench(scale, folder).units())
    wanted = [unit for unit in units if unit.startswith(tuple(options.only))]
    if not wanted:
        parser.error(f"no unit begins with {' or '.join(options.only)}")
    try:
        if not options.report and any(unit.startswith("dqn/") for unit in wanted):
            import_module("research.papers.hadjur_learning")  # say now that torch is missing
        options.out.parent.mkdir(parents=True, exist_ok=True)
        checkpoint = Checkpoint(options.out, {"benchmark": "hadjur", "scale": str(scale)})
    except (UnusableError, CheckpointError, OSError) as error:
        parser.error(str(error))
    with checkpoint:
        if not options.report:
            left = [unit for unit in wanted if checkpoint.get(unit) is None]
            try:
                work(partial(do, scale, folder), left, checkpoint, options.processes)
            except (ArraysError, OSError) as error:
                print(f"hadjur: {error}", file=sys.stderr)
                return 1
            except KeyboardInterrupt:
                return interrupted()
        found = sections(checkpoint, scale, units)
    try:
        write_page(options.out.with_suffix(".html"), TITLE, SUBTITLE, PAPER, found)
    except OSError as error:
        parser.error(str(error))
    print("\n\n".join(map(str, found)))
    return 0


def work(
    each: partial[tuple[str, Facts]], units: Sequence[str], checkpoint: Checkpoint, processes: int
) -> None:
    """Do units in several processes, which an interrupt ends at once."""
    with get_context("spawn").Pool(processes, prepare, ((),)) as pool:
        for number, (unit, found) in enumerate(pool.imap_unordered(each, units), start=1):
            checkpoint.save(unit, **found)
            text = f"{number} of {len(units)}: {unit}, {found['seconds']:.0f} s"
            print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
