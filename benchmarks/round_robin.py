"""Every pair of bots in a match of the same boards: IMPs a board and time an action.

    python -m benchmarks.round_robin [--boards 64] [--seed 1] [--out runs/round-robin] [BOT...]

A bot is given as `arena match` takes it, `title=bot` for one with options. Each pair is
one `arena match` in a folder of its own under `--out`; a run that was interrupted goes on
where it stopped, and one that is finished only prints its table again.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from itertools import combinations
from pathlib import Path
from typing import Any

BOTS = ("baseline=baseline:bidding=natural", "minimax", "montecarlo", "alphamu")


def played(first: str, second: str, boards: int, seed: int, folder: Path) -> Any:
    """The summary of a match, played as far as it is not yet. Exits where it fails."""
    arena = [sys.executable, "-m", "tournaments.commands.main", "match"]
    if not (folder / "summary.json").exists():
        if (folder / "results.sqlite").exists():
            command = [*arena, "--resume", str(folder)]
        else:
            numbers = ["--boards", str(boards), "--seed", str(seed)]
            command = [*arena, first, second, *numbers, "--out", str(folder)]
        status = subprocess.run(command, stdout=subprocess.DEVNULL, check=False).returncode
        if status:
            sys.exit(f"{first} - {second}: arena match ended with status {status}")
    return json.loads((folder / "summary.json").read_text(encoding="utf-8"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("bots", nargs="*", default=BOTS, metavar="BOT")
    parser.add_argument("--boards", type=int, default=64)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("runs/round-robin"))
    arguments = parser.parse_args()
    bots: list[str] = list(arguments.bots)
    if len(bots) < 2 or arguments.boards < 2:
        parser.error("a round robin needs 2 bots and 2 boards at least")
    titles = [bot.partition("=")[0] if "=" in bot.partition(":")[0] else bot for bot in bots]
    cells: dict[tuple[int, int], str] = {}
    # Of each bot: actions, milliseconds and tables of all its matches.
    spent = [[0.0, 0.0, 0.0] for _ in bots]
    for one, other in combinations(range(len(bots)), 2):
        print(f"{titles[one]} - {titles[other]}", file=sys.stderr, flush=True)
        folder = arguments.out / f"{one}-{other}"
        summary = played(bots[one], bots[other], arguments.boards, arguments.seed, folder)
        mean, error = summary["imps_per_board"], summary["standard_error"]
        cells[one, other] = f"{mean:+.2f} ± {error:.2f}"
        cells[other, one] = f"{-mean:+.2f} ± {error:.2f}"
        for index, bot in zip((one, other), summary["bots"], strict=True):
            timing = bot["timing"]
            for place, value in enumerate(
                (timing["n"], timing["n"] * (timing["mean_ms"] or 0), 2 * summary["boards"])
            ):
                spent[index][place] += value
    columns = [*titles, "ms an action", "seconds a board"]
    print(f"| | {' | '.join(columns)} |")
    print("| --- " * (len(columns) + 1) + "|")
    for one, title in enumerate(titles):
        row = [cells.get((one, other), "") for other in range(len(bots))]
        actions, milliseconds, tables = spent[one]
        row += [f"{milliseconds / actions:.1f}", f"{milliseconds / tables / 1000:.2f}"]
        print(f"| {title} | {' | '.join(row)} |")


if __name__ == "__main__":
    main()
