"""Measure the cost of calls: its error, whether it is true, and the processor time that it takes.

    python -m research.calls [--boards 60] [--layouts 16 32 64 128] [--solved 20] [--file FILE]

`--boards` boards are bid by `natural` and by `neural`, and as many are taken from a file of
another program's games. The estimated mean gain of other calls is compared with the gain in the
real layouts: as an honest bidder cannot know which layout is real, the two differ only by chance.
For the first `--solved` boards the solver also scores the contracts of the same layouts.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice, product
from pathlib import Path
from random import Random

import numpy as np
from numpy.typing import NDArray

from benchmarks.figures import figure, table, timed
from bridge_arena.board_files.records import read_records
from bridge_arena.bots.library.bidding_systems import SystemName, system
from bridge_arena.bots.library.sampling.beliefs import disclosed
from bridge_arena.bots.library.sampling.sampler import Hands, Sampler
from bridge_arena.bots.library.tricks.net import shipped
from bridge_arena.bots.montecarlo.bidding import declarer_tricks, project
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.calls import PASS, Call
from bridge_arena.bridge.record import BoardRecord
from bridge_arena.bridge.scoring import imps, score_ns
from bridge_arena.bridge.seats import Side
from bridge_arena.oracle.solver import limit_threads
from bridge_arena.protocol.view import View
from bridge_arena.recorded.audit.values import candidates, values_of_calls
from bridge_arena.recorded.calls.question import LAYOUTS, Question, TableSystem, call_units
from bridge_arena.recorded.calls.weighing import cost_of
from bridge_arena.reports.common.costs import CallCost
from bridge_arena.reports.common.wording import mean_text
from bridge_arena.tournaments.events.boards import bid
from bridge_arena.tournaments.statistics.means import clustered_mean

DATA = Path(os.environ.get("ARENA_DATA") or "../shared/data")
GAMES = DATA / "wbridge5" / "games-1-8000.pbn"
SEED = 23


@dataclass(frozen=True, slots=True)
class Weighed:
    """The calls of boards for which there was an alternative, each with its board."""

    costs: Sequence[tuple[int, CallCost]]
    calls: int
    seconds: float


def bid_boards(name: SystemName, boards: int) -> list[BoardRecord]:
    bidder = system(name)
    dealt = [Board.dealt(SEED, number) for number in range(1, boards + 1)]
    return [BoardRecord(board, (name,) * 4, bid(board, bidder)) for board in dealt]


def asked(records: Iterable[BoardRecord], layouts: int = LAYOUTS) -> Iterator[tuple[int, Question]]:
    """Yield the questions, each with the number of its board among the records."""
    for number, record in enumerate(records):
        for unit in call_units(record):
            yield number, replace(Question.parse(unit), layouts=layouts)


def weighed(records: Sequence[BoardRecord], layouts: int) -> Weighed:
    """Weigh the calls of each board one after the other, as a worker does."""
    every, seconds = timed(
        lambda: [(number, cost_of(each)) for number, each in asked(records, layouts)]
    )
    costs = [(number, cost) for number, cost in every if cost.best is not None]
    return Weighed(costs, len(every), seconds / len(records))


def row_of(found: Weighed) -> list[str]:
    told = clustered_mean((number, cost.gain) for number, cost in found.costs)
    real = clustered_mean((number, cost.real) for number, cost in found.costs)
    apart = clustered_mean((number, cost.real - cost.gain) for number, cost in found.costs)
    errors = np.array([cost.standard_error for _, cost in found.costs])
    clear = [cost for _, cost in found.costs if cost.is_clear]
    return [
        f"{found.calls} ({len(found.costs)})",
        f"{found.seconds:.2f}",
        f"{errors.mean():.2f}",
        *(mean_text(each) for each in (told, real, apart)),
        f"{sum(cost.cost for cost in clear) / found.calls:.3f} ({len(clear)})",
    ]


HEADS = [
    "calls (with another)",
    "CPU s a board",
    "s.e. of a call",
    "best other gains",
    "really",
    "apart",
    "clear cost a call (clear ones)",
]


def solved_values(
    players: TableSystem, view: View, calls: Sequence[Call], layouts: Sequence[Hands]
) -> NDArray[np.float64]:
    """Return the same as `values_of_calls`, but solve each contract."""
    points: list[float] = []
    for call, layout in product(calls, layouts):
        contract = project(players, view.auction, view.vulnerability, layout, call)
        tricks = 0
        if contract is not None:
            tricks = declarer_tricks((layout, contract.denomination, contract.declarer))
        points.append(score_ns(contract, tricks, view.vulnerability))
    sign = 1 if view.seat.side is Side.NS else -1
    return sign * np.array(points, np.float64).reshape(len(calls), len(layouts))


def compared(records: Sequence[BoardRecord]) -> str:
    """Compare the mean gains of other calls over the same layouts, estimated and solved."""
    estimated: list[float] = []
    solved: list[float] = []
    seconds = [0.0, 0.0]
    for _, question in asked(records):
        view, made = question.decision.view, question.calls[-1].call
        players = TableSystem(question.systems)
        calls = list(dict.fromkeys((*candidates(players, view, made), PASS)))
        if len(calls) == 1:
            continue
        sampler = Sampler(view, disclosed(view, question.calls[:-1], players))
        drawn = sampler.draw(LAYOUTS, Random(question.situation))
        solved_values(players, view, calls, drawn[:1])  # what is made only once
        values, spent = timed(partial(values_of_calls, players, shipped(), view, calls, drawn))
        exact, longer = timed(partial(solved_values, players, view, calls, drawn))
        seconds = [seconds[0] + spent, seconds[1] + longer]
        for gains, found in ((values, estimated), (exact, solved)):
            found += [float(each.mean()) for each in in_imps(gains[1:] - gains[0])]
    apart = np.array(estimated) - np.array(solved)
    slope = np.polyfit(solved, estimated, 1)[0]
    boards = len(records)
    return table(
        [
            *("other calls", "estimate - solver", "root mean square", "slope"),
            *("CPU s a board: estimate", "solver"),
        ],
        [
            [
                str(len(apart)),
                figure(apart, 2, "+"),
                f"{np.sqrt(np.mean(apart**2)):.2f}",
                f"{slope:.2f}",
                f"{seconds[0] / boards:.2f}",
                f"{seconds[1] / boards:.2f}",
            ]
        ],
    )


def in_imps(points: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.array([[imps(round(each)) for each in row] for row in points], np.float64)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--boards", type=int, default=60, help="boards of the file to measure; default: %(default)s"
    )
    parser.add_argument(
        "--layouts",
        type=int,
        nargs="+",
        default=[16, 32, 64, 128],
        help="numbers of layouts for each call, all even; default: 16 32 64 128",
    )
    parser.add_argument(
        "--solved",
        type=int,
        default=20,
        help="boards whose results are also solved exactly; default: %(default)s",
    )
    parser.add_argument(
        "--file",
        type=Path,
        default=GAMES,
        help="recorded games of another program, PBN; default: %(default)s",
    )
    options = parser.parse_args()
    limit_threads(1)
    natural = bid_boards("natural", options.boards)
    rows = [[str(layouts), *row_of(weighed(natural, layouts))] for layouts in options.layouts]
    print(f"{options.boards} boards bid by natural\n\n{table(['layouts', *HEADS], rows)}\n")
    others = {
        "neural": bid_boards("neural", options.boards),
        options.file.name: list(islice(read_records(options.file), options.boards)),
    }
    rows = [[name, *row_of(weighed(records, LAYOUTS))] for name, records in others.items()]
    print(f"{LAYOUTS} layouts\n\n{table(['auctions of', *HEADS], rows)}\n")
    print(f"{options.solved} boards of natural, {LAYOUTS} layouts\n")
    print(compared(natural[: options.solved]))


if __name__ == "__main__":
    main()
