"""Measure the processor time that four bots of a kind take for a board at one table.

    python -m benchmarks.bot_cost [--boards 9] [--seed 7] [BOT...]

The time is that of one `arena match` of a bot against itself over `--boards` boards, less that of
one over a single board, which takes as long to start. It contains the four players, the arena's
own work, the double-dummy analysis and the report. Nearly all the time of `random` is that of the
arena. Half of the time that another bot takes beyond it is the cost of two players, which
`bots.registry` gives.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from bridge_arena.bots.registry import SHIPPED


def seconds(bot: str, boards: int, seed: int) -> float:
    """Return the processor seconds of all processes of a match. Exits where it fails."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with TemporaryDirectory() as folder:
        arena = [sys.executable, "-m", "bridge_arena.commands.main", "match", bot, bot]
        numbers = ["--boards", str(boards), "--seed", str(seed), "--out", str(Path(folder, "out"))]
        match = subprocess.run([*arena, *numbers], stdout=subprocess.DEVNULL, check=False)
    if match.returncode:
        sys.exit(f"{bot}: arena match ended with status {match.returncode}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    here = [name for name, bot in SHIPPED.items() if not bot.network]
    parser.add_argument(
        "bots",
        nargs="*",
        default=here,
        metavar="BOT",
        help="bots to measure; default: every bot that ships and needs no network",
    )
    parser.add_argument(
        "--boards", type=int, default=9, help="boards for each bot; default: %(default)s"
    )
    parser.add_argument(
        "--seed", type=int, default=7, help="seed of the boards; default: %(default)s"
    )
    arguments = parser.parse_args()
    if arguments.boards < 2:
        parser.error("2 boards are needed at least")
    print("| bot | CPU seconds a table |\n| --- | --- |")
    for bot in arguments.bots:
        start = seconds(bot, 1, arguments.seed)
        whole = seconds(bot, arguments.boards, arguments.seed)
        table = (whole - start) / (arguments.boards - 1) / 2
        print(f"| `{bot}` | {table:.3f} |", flush=True)


if __name__ == "__main__":
    main()
