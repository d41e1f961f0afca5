"""Measure what parts of double-dummy tables cost, and the store that keeps them.

    python -m benchmarks.double_dummy [--deals 200] [--rounds 10] [--kept 500000]

- The ways to find some declarers' tricks in one denomination, on the same random deals, in this
  process on one thread: DDS's `SolveBoard` for each, and its `CalcAllTables` with the other strains
  left out. One round of all the ways follows the other.
- `oracle.contract_tricks`, which groups the requests, asks worker processes one deal at a time and
  keeps the answers on disk, against the bare solver: the same requests in as many processes, each
  of which has its share at once and calls `SolveBoard` in a loop. Both take turns in rounds on
  fresh deals, and each is first in half of them, as other programs slow the machine. The figure to
  quote is the median of the rounds' ratios of solves per second of processor time, this process's
  included. The same of the clock shows whether workers had to wait, where no other program is at
  work.
- The store on disk: answers written and found a second of processor time, and bytes for each deal.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median

from benchmarks.bare_solver import results, seconds_so_far, tricks
from benchmarks.figures import table, timed
from bridge_arena.bridge.board import random_deal
from bridge_arena.bridge.calls import DENOMINATIONS
from bridge_arena.bridge.seats import SEATS
from bridge_arena.oracle import contract_tricks, solver
from bridge_arena.oracle.contract_tricks import Request
from bridge_arena.oracle.double_dummy_table import PartialTable
from bridge_arena.oracle.pool import Oracle
from bridge_arena.oracle.table_store import NAME, TableStore

SEED = 20
"""The public seed of the deals."""

ONE = "`SolveBoard`, one declarer"

BATCH = 1000
"""Deals that are written to the store, or looked for, at once."""


def requests_of(first: int, deals: int) -> list[Request]:
    """Return a request for each of so many deals."""
    choice = random.Random(first)
    return [
        (random_deal(SEED, number), choice.choice(SEATS), choice.choice(DENOMINATIONS))
        for number in range(first, first + deals)
    ]


def ways(requests: list[Request]) -> str:
    """Return the table of the ways to find tricks, in milliseconds of one processor."""

    def by_boards(*offsets: int) -> list[list[int]]:
        return [
            tricks((deal, SEATS[(declarer + offset) % 4], denomination) for offset in offsets)
            for deal, declarer, denomination in requests
        ]

    def by_tables() -> list[int]:
        return [
            results(deal, [denomination])[declarer, denomination]
            for deal, declarer, denomination in requests
        ]

    def whole() -> list[int]:
        return [
            results(deal, DENOMINATIONS)[declarer, denomination]
            for deal, declarer, denomination in requests
        ]

    named: dict[str, Callable[[], object]] = {
        ONE: partial(by_boards, 0),
        "`SolveBoard`, a side": partial(by_boards, 0, 2),
        "`SolveBoard`, two opponents": partial(by_boards, 0, 1),
        "`SolveBoard`, all four declarers": partial(by_boards, 0, 2, 1, 3),
        "`CalcAllTables`, one denomination": by_tables,
        "`CalcAllTables`, all denominations": whole,
    }
    measured = {name: timed(way) for name, way in named.items()}
    answers = [[first for first, *_ in by_boards(0)], by_tables(), whole()]
    assert answers[0] == answers[1] == answers[2]
    base = measured[ONE][1]
    rows = [
        (name, f"{1000 * seconds / len(requests):.1f}", f"{seconds / base:.2f}")
        for name, (_, seconds) in measured.items()
    ]
    return table(("way", "ms a deal", "of the first"), rows)


def race(first: int, deals: int, rounds: int, folder: Path) -> str:
    """Return how `oracle.contract_tricks` does against the bare solver."""
    spent: list[tuple[_Spent, _Spent]] = []
    with Oracle(deadline=None, store=TableStore(folder / "asked.sqlite")) as oracle:
        workers = oracle.workers

        def bare(requests: list[Request]) -> list[int | None]:
            shares = [oracle.submit(tricks, requests[worker::workers]) for worker in range(workers)]
            answers: list[int | None] = [None] * len(requests)
            for worker, share in enumerate(shares):
                answers[worker::workers] = share.result()
            return answers

        def spend(work: Callable[[list[Request]], list[int | None]]) -> _Spent:
            before, clock = _processor_seconds(oracle), time.perf_counter()
            answers = work(requests)
            clock = time.perf_counter() - clock
            return _Spent(answers, _processor_seconds(oracle) - before, clock)

        for number in range(1, rounds + 1):
            requests = requests_of(first + number * deals, deals)
            contest = (bare, partial(contract_tricks.tricks, oracle))
            both = {which: spend(contest[which]) for which in ((0, 1) if number % 2 else (1, 0))}
            assert both[0].answers == both[1].answers
            spent.append((both[0], both[1]))
    total = deals * rounds
    rows = [
        (
            name,
            f"{total / sum(round_[which].processor for round_ in spent):.1f}",
            f"{total / sum(round_[which].clock for round_ in spent):.1f}",
        )
        for which, name in enumerate(
            (f"bare solver, {workers} processes", f"`oracle.contract_tricks`, {workers} workers")
        )
    ]
    by_processor = [theirs.processor / ours.processor for theirs, ours in spent]
    by_clock = [theirs.clock / ours.clock for theirs, ours in spent]
    rows.append(("median of the rounds' ratios", _ratio(by_processor), _ratio(by_clock)))
    heads = ("", "solves a CPU-second", "solves a second")
    return f"{table(heads, rows)}\n{total} solves in {rounds} rounds"


@dataclass(frozen=True)
class _Spent:
    """What a round found, and the seconds that it took: of all processors, and of the clock."""

    answers: list[int | None]
    processor: float
    clock: float


def _processor_seconds(oracle: Oracle) -> float:
    """Return the processor time so far of this process and all workers, which have no work."""
    seconds: dict[int, float] = {}
    while len(seconds) < oracle.workers:
        shares = [oracle.submit(seconds_so_far) for _ in range(oracle.workers)]
        seconds.update(share.result() for share in shares)
    return sum(seconds.values()) + time.process_time()


def _ratio(ratios: list[float]) -> str:
    """Return the median, with the least and the greatest."""
    return f"{median(ratios):.1%} ({min(ratios):.1%} to {max(ratios):.1%})"


def kept(number: int, folder: Path) -> str:
    """Return how fast the store is with so many deals, and how large."""
    path = folder / NAME
    deals = [random_deal(SEED, one) for one in range(1, number + 1)]
    answer = PartialTable.of([7, *(19 * [None])])
    batches = [deals[start : start + BATCH] for start in range(0, number, BATCH)]

    def write() -> None:
        store = TableStore(path)
        for batch in batches:
            for deal in batch:
                store.keep(deal, answer)
            store.flush()

    def find() -> None:
        store = TableStore(path)
        for batch in batches:
            assert store.find(batch) == [answer] * len(batch)

    def find_one() -> None:
        store = TableStore(path)
        for deal in deals[:BATCH]:
            assert store.find([deal]) == [answer]

    def ask() -> None:
        with Oracle(workers=1, store=TableStore(path)) as oracle:
            requests = [(deal, SEATS[0], DENOMINATIONS[0]) for deal in deals]
            assert contract_tricks.tricks(oracle, requests) == [7] * number

    rows = [
        (f"written, {BATCH} at once", number / timed(write)[1]),
        (f"found, {BATCH} at once", number / timed(find)[1]),
        ("found, one at a time", BATCH / timed(find_one)[1]),
        ("`oracle.contract_tricks`, all known", number / timed(ask)[1]),
    ]
    size = path.stat().st_size
    return "\n".join(
        (
            table(("", "deals a CPU-second"), [(what, f"{rate:,.0f}") for what, rate in rows]),
            f"{number:,} deals in {size / 2**20:.1f} MiB: {size / number:.1f} bytes a deal",
        )
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    default = "; default: %(default)s"
    parser.add_argument("--deals", type=int, default=200, help=f"deals of a round{default}")
    parser.add_argument("--rounds", type=int, default=10, help=f"rounds{default}")
    parser.add_argument("--kept", type=int, default=500_000, help=f"deals in the store{default}")
    options = parser.parse_args()
    solver.limit_threads(1)
    print(ways(requests_of(1, options.deals)), end="\n\n")
    with tempfile.TemporaryDirectory() as name:
        print(race(1, options.deals, options.rounds, Path(name)), end="\n\n")
        print(kept(options.kept, Path(name)))


if __name__ == "__main__":
    main()
