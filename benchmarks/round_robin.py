"""Measure bots against each other on the same boards: IMPs per board, and time per action.

    python -m benchmarks.round_robin [--boards 64] [--seed 1] [--out runs/round-robin] [BOT...]
    python -m benchmarks.round_robin --gauntlet --boards 256 fastplay BOT...

Every pair of bots plays a match. In a gauntlet, only the first bot plays each of the others. Bots
are written as `arena match` takes them, with options as `title=bot`. Each match is an `arena match`
in a folder of its own under `--out`. A run that was interrupted goes on where it stopped, and one
that is finished only prints its table again.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any

from benchmarks.figures import table
from benchmarks.running import interrupted
from bridge_arena.tournaments.store.store import Store

BOTS = ("baseline=baseline:bidding=natural", "minimax", "montecarlo", "alphamu")


def title_of(bot: str) -> str:
    """Return the name of a bot in a match."""
    return bot.partition("=")[0] if "=" in bot.partition(":")[0] else bot


def played(first: str, second: str, boards: int, seed: int, folder: Path, *options: str) -> Any:
    """Play what is left of a match, and return its summary; it is set up with further options.

    Exits where the match fails, or the folder holds another one.
    """
    arena = [sys.executable, "-m", "bridge_arena.commands.main", "match"]
    kept = folder / "results.sqlite"
    if kept.exists():
        event = Store.open(kept).event()
        bots = [entrant.bot for entrant in event.entries]
        if (bots, event.boards, event.seed) != ([first, second], boards, seed):
            there = f"{' - '.join(bots)}, {event.boards} boards, seed {event.seed}"
            sys.exit(f"{folder} holds another match: {there}")
    if not (folder / "summary.json").exists():
        if kept.exists():
            command = [*arena, "--resume", str(folder)]
        else:
            numbers = ["--boards", str(boards), "--seed", str(seed)]
            command = [*arena, first, second, *numbers, *options, "--out", str(folder)]
        if status := status_of(command):
            sys.exit(f"{first} - {second}: arena match ended with status {status}")
    return json.loads((folder / "summary.json").read_text(encoding="utf-8"))


def status_of(command: list[str]) -> int:
    """Run a command to its end, and return its status; Ctrl-C reaches it too, and ends it."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        return process.wait()
    except KeyboardInterrupt:
        process.wait()
        raise


def round_robin(titles: list[str], summary: Callable[[int, int], Any]) -> None:
    """Print the table of all pairs."""
    cells: dict[tuple[int, int], str] = {}
    # Of each bot: actions, milliseconds and tables of all its matches.
    spent = [[0.0, 0.0, 0.0] for _ in titles]
    for one, other in combinations(range(len(titles)), 2):
        summed = summary(one, other)
        mean, error = (summed["imps_per_board"][key] for key in ("mean", "standard_error"))
        cells[one, other] = f"{mean:+.2f} ± {error:.2f}"
        cells[other, one] = f"{-mean:+.2f} ± {error:.2f}"
        for index, bot in zip((one, other), summed["bots"], strict=True):
            timing = bot["timing"]
            for place, value in enumerate(
                (
                    timing["actions"],
                    timing["actions"] * (timing["mean_ms"] or 0),
                    2 * summed["boards"],
                )
            ):
                spent[index][place] += value
    rows = []
    for one, title in enumerate(titles):
        actions, milliseconds, tables = spent[one]
        times = [f"{milliseconds / actions:.1f}", f"{milliseconds / tables / 1000:.2f}"]
        rows.append([title, *(cells.get((one, other), "") for other in range(len(titles))), *times])
    print(table(["", *titles, "ms an action", "seconds a board"], rows))


def gauntlet(titles: list[str], summary: Callable[[int, int], Any]) -> None:
    """Print the table of the first bot's matches; tricks lost are its own / the opponent's."""
    rows = []
    boards = 0
    for other in range(1, len(titles)):
        summed = summary(0, other)
        boards = summed["boards"]
        lost = [bot["ledger"]["tricks_lost_per_board"] for bot in summed["bots"]]
        p, imps = summed["p_value"], summed["imps_per_board"]
        rows.append(
            [
                titles[other],
                f"{imps['mean']:+.2f} ± {imps['standard_error']:.2f}",
                "" if p is None else "p < 0.001" if p < 0.001 else f"p = {p:.3f}",
                *(
                    " / ".join(f"{bot_lost[part]['mean']:.2f}" for bot_lost in lost)
                    for part in ("opening_lead", "declarer_play", "defence")
                ),
                " / ".join(f"{bot['timing']['mean_ms'] or 0:.1f}" for bot in summed["bots"]),
            ]
        )
    heads = ["against", "IMPs a board", "sign-flip test"]
    heads += ["tricks lost by leads", "by declarers", "by defenders", "ms an action"]
    print(f"{titles[0]} on {boards} boards in two rooms\n")
    print(table(heads, rows))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "bots",
        nargs="*",
        default=BOTS,
        metavar="BOT",
        help=f"bots to compare; default: {' '.join(BOTS)}",
    )
    parser.add_argument(
        "--boards", type=int, default=64, help="boards of each match; default: %(default)s"
    )
    parser.add_argument(
        "--seed", type=int, default=1, help="seed of the boards; default: %(default)s"
    )
    parser.add_argument(
        "--out",
        type=Path,
        default=Path("runs/round-robin"),
        help="folder for the matches; default: %(default)s",
    )
    parser.add_argument(
        "--gauntlet", action="store_true", help="play only the matches of the first bot"
    )
    arguments = parser.parse_args()
    bots: list[str] = list(arguments.bots)
    if len(bots) < 2 or arguments.boards < 2:
        parser.error("a round robin needs 2 bots and 2 boards at least")
    titles = [title_of(bot) for bot in bots]

    if len(set(titles)) < len(titles):
        parser.error("two bots have the same title")

    def summary(one: int, other: int) -> Any:
        print(f"{titles[one]} - {titles[other]}", file=sys.stderr, flush=True)
        folder = arguments.out / re.sub(r"[^\w.-]+", "-", f"{titles[one]}-{titles[other]}")
        return played(bots[one], bots[other], arguments.boards, arguments.seed, folder)

    try:
        (gauntlet if arguments.gauntlet else round_robin)(titles, summary)
    except KeyboardInterrupt:
        sys.exit(interrupted())


if __name__ == "__main__":
    main()
