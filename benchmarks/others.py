"""Measure a bridge program of others, which answers requests over HTTP, against bots of ours.

    python -m benchmarks.others http://127.0.0.1:8085 [--bidder neural] [--player fastplay]
        [--boards 64] [--out runs/others]

The address may have options after commas, as in an entry `http:URL` (see `docs/http-robots.md`).
The robot plays two matches on the same boards, each board in both rooms: one of bidding alone,
double dummy, against the bidder, and one of whole boards against the player. A table tells the IMPs
a board of the robot, in whole boards also those of the auction and of each role in the play, and
the double-dummy tricks that both bots lost in it (`oracle.ledger`). Beside them are the faults of
the robot and the turns at which it had to be asked again.

Each match is an `arena match` with its own reports, in a folder under `--out`: `bidding` and
`whole`. A run that was interrupted goes on where it stopped, and one that is finished only prints
its table again.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from benchmarks.figures import figure, table
from benchmarks.round_robin import played
from benchmarks.running import interrupted, progress
from bridge_arena.bots.http_robot.robot import Robot, RobotError
from bridge_arena.oracle.ledger import Role
from bridge_arena.reports.common.wording import p_text
from bridge_arena.tournaments.store.store import Store

SEED = 1
"""The seed of the boards."""

SLOW = ("--clock", "120", "--start", "900", "--concurrency", "1")
"""The settings of a match with a robot that works at one request at a time, and takes its time."""

_HEADS = (
    *("", "IMPs a board of the robot", "sign-flip test", "tricks lost by the robot", "by ours"),
    *("faults of the robot", "turns asked again", "ms an action"),
)


class Match(NamedTuple):
    """A match of the robot, as it was played."""

    summary: Any  # its `summary.json`; the robot is the first bot
    asked_again: int  # the number of turns at which the robot had to be asked again


def match(robot: str, ours: str, boards: int, folder: Path, mode: str) -> Match:
    """Play what is left of a match.

    Exits where it cannot be played to its end, or the folder holds another match.
    """
    progress(f"{folder.name}: {boards} boards against {ours}")
    summary = played(f"robot=http:{robot}", ours, boards, SEED, folder, "--mode", mode, *SLOW)
    if lost := summary["forfeit"]:
        text = f"{lost['by']} could not play on: {lost['fault']} on board {lost['board']}"
        sys.exit(f"{folder}: {text}, {lost['detail']}")
    store = Store.open(folder / "results.sqlite")
    thoughts = (thought for unit in store.units() for thought in store.thoughts(unit))
    return Match(summary, sum(thought.text.startswith("robot: ") for thought in thoughts))


def figures_of(bidding: Match, whole: Match) -> str:
    """Return the table of the two matches."""
    splits = [
        board["split"] for board in whole.summary["board_results"] if board["split"] is not None
    ]
    auction = figure(np.array([split["auction"] for split in splits]), 2, "+")
    return table(
        _HEADS,
        [
            _of_match(f"bidding alone against {_ours(bidding)}", bidding),
            _of_match(f"whole boards against {_ours(whole)}", whole),
            _padded("auction", auction),
            *(_of_role(role, splits, whole) for role in Role),
        ],
    )


def _of_match(name: str, match: Match) -> list[str]:
    summary = match.summary
    imps, p = summary["imps_per_board"], summary["p_value"]
    robot = summary["bots"][0]
    faults = [f"{kind} {count}" for kind, count in robot["conduct"]["faults"].items() if count]
    return [
        *(f"{name} ({imps['n']})", f"{imps['mean']:+.2f} ± {imps['standard_error']:.2f}"),
        *("" if p is None else p_text(p), "", "", ", ".join(faults) or "none"),
        *(f"{match.asked_again}", f"{robot['timing']['mean_ms'] or 0:.0f}"),
    ]


def _of_role(role: Role, splits: Sequence[Any], whole: Match) -> list[str]:
    gained = np.array([split["first"][role.key] + split["second"][role.key] for split in splits])
    tricks = [bot["ledger"]["tricks_lost_per_board"][role.key] for bot in whole.summary["bots"]]
    lost = [f"{mean['mean']:.2f} ± {mean['standard_error']:.2f}" for mean in tricks]
    return _padded(role.value, figure(gained, 2, "+"), "", *lost)


def _ours(match: Match) -> str:
    return f"`{match.summary['names'][1]}`"


def _padded(*cells: str) -> list[str]:
    return [*cells, *[""] * (len(_HEADS) - len(cells))]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "robot", metavar="URL", help="address of the robot: http://HOST:PORT[,OPTION=VALUE...]"
    )
    parser.add_argument(
        "--bidder", default="neural", help="whom it meets in bidding alone; default: %(default)s"
    )
    parser.add_argument(
        "--player", default="fastplay", help="whom it meets in whole boards; default: %(default)s"
    )
    parser.add_argument(
        "--boards", type=int, default=64, help="boards of each match; default: %(default)s"
    )
    parser.add_argument(
        "--out",
        type=Path,
        default=Path("runs/others"),
        help="folder for the matches; default: %(default)s",
    )
    options = parser.parse_args()
    if options.boards < 2:
        parser.error("a standard error needs 2 boards")
    try:
        robot = Robot.parse(options.robot)
        bidding, whole = (
            match(options.robot, ours, options.boards, options.out / name, mode)
            for name, ours, mode in (
                ("bidding", options.bidder, "bidding"),
                ("whole", options.player, "full"),
            )
        )
    except RobotError as error:
        parser.error(str(error))
    except KeyboardInterrupt:
        return interrupted()
    print(f"{robot.name}, {options.boards} boards in two rooms\n")
    print(figures_of(bidding, whole))
    return 0


if __name__ == "__main__":
    sys.exit(main())
