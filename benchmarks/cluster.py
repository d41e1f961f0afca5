"""Measure how an event scales with the workers of a Dask cluster on this machine.

    python -m benchmarks.cluster [--boards 16] [--bot montecarlo:worlds=5] [--workers 1 2]

A round robin of four entries, two of the bot and two of `minimax`, is played at one table of this
process, and then by the given numbers of workers with one thread each. The report has the tables
per second, and the processor time of the coordinator for a table, which limits the number of
workers that it can supply.
"""

from __future__ import annotations

import argparse
import asyncio
import resource
import tempfile
import time
from functools import partial
from pathlib import Path

from distributed import LocalCluster

from bridge_arena.tournaments import Entrant, Event, EventLog, Format, Store
from bridge_arena.tournaments.play.cluster import Cluster
from bridge_arena.tournaments.play.cluster_venue import ClusterVenue
from bridge_arena.tournaments.play.local_venue import LocalVenue
from bridge_arena.tournaments.play.runner import Runner
from bridge_arena.tournaments.play.venue import OpenVenue


def new_event(bot: str, boards: int) -> Event:
    entries = tuple(
        Entrant(bot=spec, name=f"{spec.partition(':')[0]}-{number}")
        for number, spec in enumerate((bot, "minimax", bot, "minimax"), start=1)
    )
    return Event(name="cluster", format=Format.ROUND_ROBIN, seed=1, entries=entries, boards=boards)


def run(event: Event, folder: Path, open_venue: OpenVenue) -> tuple[float, float, int]:
    """Return the seconds, the processor seconds of this process alone, and the tables played."""
    folder.mkdir()
    store = Store.create(folder / "results.sqlite", event)
    before = resource.getrusage(resource.RUSAGE_SELF)
    started = time.perf_counter()
    with EventLog(folder / "log.jsonl") as log:
        asyncio.run(Runner(store, log, lambda _: None, open_venue).run())
    seconds = time.perf_counter() - started
    after = resource.getrusage(resource.RUSAGE_SELF)
    spent = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    tables = len(list(store.results()))
    store.close()
    return seconds, spent, tables


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--boards", type=int, default=16, help="boards of each match; default: %(default)s"
    )
    parser.add_argument(
        "--bot",
        default="montecarlo:worlds=5",
        help="bot that plays all seats; default: %(default)s",
    )
    parser.add_argument(
        "--workers",
        type=int,
        nargs="+",
        default=[1, 2],
        help="numbers of workers to compare; default: 1 2",
    )
    options = parser.parse_args()
    event = new_event(options.bot, options.boards)
    print("| where | seconds | tables/s | against one table here | own CPU, ms a table |")
    print("| --- | --- | --- | --- | --- |")
    reference = 0.0
    with tempfile.TemporaryDirectory() as name:
        for workers in (0, *options.workers):
            folder = Path(name) / str(workers)
            if workers:
                with LocalCluster(
                    n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=None
                ) as machines:
                    cluster = Cluster(machines.scheduler_address)
                    open_venue = partial(ClusterVenue, cluster=cluster)
                    seconds, spent, tables = run(event, folder, open_venue)
            else:
                seconds, spent, tables = run(event, folder, LocalVenue)
            rate = tables / seconds
            reference = reference or rate
            where = f"{workers} workers" if workers else "one table here"
            print(
                f"| {where} | {seconds:.0f} | {rate:.2f} | {rate / reference:.2f} | "
                f"{1000 * spent / tables:.1f} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
