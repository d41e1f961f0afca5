"""Measure how many boards a second the laboratory bids, beside matches and OpenSpiel's rules.

    python -m benchmarks.lab [--boards 20000] [--fresh 400] [--match 64] [--repeat 3]

Solved deals come from ARENA_DATA. Each bot bids them against itself, in both rooms, as `arena lab`
does: with a worker process for each processor, parts kept in a folder. A rate is boards by seconds
of wall time; beside it stand boards by processor seconds of all processes, which do not depend on
what else the machine does. The rates of the command `arena match --mode bidding` and of OpenSpiel's
rules, which replay the same auctions without choosing a call, are taken in the same run. On fresh
deals the processor time of bare solves of what was needed is a share of the whole.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from benchmarks.figures import table, timed
from bridge_arena.base.concurrency import processors
from bridge_arena.bots.adapters.openspiel import dealt_state
from bridge_arena.commands.train.common import deal_files
from bridge_arena.lab import run as lab_run
from bridge_arena.lab.bidders import parse_bidders
from bridge_arena.lab.bidding import NO_CALL, bid
from bridge_arena.lab.boards import LabBoards
from bridge_arena.lab.experiment import DealFile, Experiment, Folder, Part
from bridge_arena.lab.scoring import scored
from bridge_arena.oracle.contract_tricks import Request, tricks_here
from bridge_arena.oracle.pool import Oracle
from bridge_arena.oracle.position import Position
from bridge_arena.oracle.solved_deals import count
from bridge_arena.oracle.solver import best_tricks
from bridge_arena.oracle.table_store import TableStore

DATA = Path(os.environ.get("ARENA_DATA") or "../shared/data")

BOTS = ("neural", "deepq", "qtable", "natural")

GOALS = {"neural": 1000, "deepq": 1000, "qtable": 1000, "natural": 150}
"""The boards a second on two processors that are hoped for."""

SEED = 1


@dataclass(frozen=True, slots=True)
class Rate:
    """Boards by the seconds of a clock, and by processor seconds of all processes."""

    wall: float
    cpu: float


def rate(boards: int, work: Callable[[], object]) -> Rate:
    """Do the work, all of whose other processes end with it, and return its rate."""
    before, started = _processor_seconds(), time.perf_counter()
    work()
    seconds = time.perf_counter() - started
    return Rate(boards / seconds, boards / (_processor_seconds() - before))


def _processor_seconds() -> float:
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in used)


def lane(bot: str, boards: int, files: Sequence[str]) -> Rate:
    one, other = parse_bidders([bot, bot])
    experiment = Experiment(
        (one,), other, boards, SEED, tuple(DealFile.of(Path(file)) for file in files)
    )

    def work() -> None:
        with tempfile.TemporaryDirectory() as folder, Oracle(deadline=None) as oracle:
            made = Folder.new(Path(folder), experiment)
            at_once = lab_run.AHEAD * oracle.workers
            lab_run.run(made, oracle.submit, at_once, lambda _: True)

    return rate(boards, work)


def match(bot: str, boards: int) -> Rate:
    """Return the rate of the command, its start included."""
    words = ["match", bot, bot, "--mode", "bidding", "--boards", str(boards), "--seed", str(SEED)]

    def work() -> None:
        with tempfile.TemporaryDirectory() as folder:
            command = [sys.executable, "-m", "bridge_arena.commands.main", *words]
            command += ["--out", f"{folder}/m"]
            alone = os.environ | {"ARENA_CACHE": ""}
            subprocess.run(command, check=True, capture_output=True, env=alone)

    return rate(boards, work)


def openspiel(boards: int) -> float:
    """Return the rate, by processor seconds, at which OpenSpiel's rules replay both rooms."""
    dealt = LabBoards.dealt(_experiment().key, 1, boards + 1)
    maker = parse_bidders(["neural"])[0].maker()
    bidden = bid(dealt, maker, maker, _experiment().key)
    every = [dealt.board(row) for row in range(boards)]
    states = [dealt_state(board.dealer, board.vulnerability, board.deal.hands) for board in every]
    auctions = [
        [[c for c in room if c != NO_CALL] for room in row] for row in bidden.calls.tolist()
    ]

    def work() -> None:
        for start, rooms in zip(states, auctions, strict=True):
            for calls in rooms:
                state = start.clone()
                for call in calls:
                    state.legal_actions()
                    state.apply_action(52 + call)

    return boards / timed(work)[1]


def _experiment() -> Experiment:
    one, other = parse_bidders(["neural", "natural"])
    return Experiment((one,), other, 1, SEED)


def fresh(boards: int) -> tuple[int, float]:
    """Return the solves that some fresh boards need, and the bare solver's share of their time."""
    experiment = _experiment()
    requested: list[Request] = []

    def note(requests: Sequence[Request]) -> list[int]:
        requested.extend(requests)
        return tricks_here(TableStore(None), requests)

    def work() -> Part:
        dealt = LabBoards.dealt(experiment.key, 1, boards + 1)
        makers = experiment.arms[0].maker(), experiment.opponent.maker()
        bids = [bid(dealt, *makers, experiment.key)]
        return Part(dealt, scored(dealt, bids, note))

    whole = timed(work)[1]
    bare = timed(lambda: [_bare(request) for request in requested])[1]
    return len(requested), bare / whole


def _bare(request: Request) -> int:
    deal, declarer, denomination = request
    return 13 - best_tricks(Position(deal.hands, denomination.trump, declarer.next))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--boards", type=int, default=20_000)
    parser.add_argument("--fresh", type=int, default=400)
    parser.add_argument("--match", type=int, default=64)
    parser.add_argument("--repeat", type=int, default=3)
    given = parser.parse_args()
    files = [str(path) for path in deal_files(DATA / "dd")]
    boards = min(given.boards, count(map(Path, files)))
    bare = [openspiel(500) for _ in range(given.repeat)]
    rows: list[list[str]] = []
    for bot in BOTS:
        some = boards if GOALS[bot] >= 1000 else boards // 4
        rates = [lane(bot, some, files) for _ in range(given.repeat)]
        matches = [match(bot, given.match) for _ in range(given.repeat)]
        ratio = median(lab.cpu / one.cpu for lab, one in zip(rates, matches, strict=True))
        cpu = median(rate.cpu for rate in rates)
        rows.append(
            [
                f"`{bot}`",
                f"{some:,}",
                f"{median(rate.wall for rate in rates):,.0f}",
                f"{cpu:,.0f}",
                f"{median(rate.wall for rate in matches):,.1f}",
                f"{ratio:,.0f}",
            ]
        )
    heads = [
        "bot",
        "boards",
        "boards a second",
        "boards a CPU second",
        "`arena match`: boards a second",
        "times a match's boards a CPU second",
    ]
    print(f"{processors()} processors, load {os.getloadavg()[0]:.1f}\n")
    print(table(heads, rows))
    print(f"\nOpenSpiel's rules alone: {median(bare):,.0f} boards a CPU second")
    solving = [fresh(given.fresh) for _ in range(given.repeat)]
    solves, share = solving[0][0], median(share for _, share in solving)
    print(f"\n{given.fresh:,} fresh boards: {solves:,} solves, which are {share:.3f} of the time")


if __name__ == "__main__":
    main()
