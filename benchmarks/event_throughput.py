"""Measure what store, log and ledger cost an event, against play that keeps nothing.

    python -m benchmarks.event_throughput [--boards 24] [--rounds 10]

Two `baseline` bots play at one place, at two tables at once. Each round plays the same boards three
times, in changing order: with nothing kept (the reference), with store and log as in `arena
tournament`, and also with the ledger. The figure to quote is the median over the rounds of the
ratio of speeds.

The processor time of the ledger is measured separately: one worker values the tables of the last
round.
"""

from __future__ import annotations

import argparse
import asyncio
import resource
import statistics
import tempfile
import time
from collections.abc import Container, Iterable, Iterator
from itertools import count
from pathlib import Path
from types import TracebackType

from bridge_arena.bridge.record import BoardRecord
from bridge_arena.bridge.seeds import PublicSeed
from bridge_arena.oracle.pool import Oracle
from bridge_arena.tournaments import Entrant, Event, EventLog, Format, Match, Store, Unit
from bridge_arena.tournaments.events.boards import BoardSupply
from bridge_arena.tournaments.play import runner
from bridge_arena.tournaments.play.board_values import Ledgers, has_ledger, values_of
from bridge_arena.tournaments.play.local_venue import LocalVenue
from bridge_arena.tournaments.play.venue import EventInPlay, Keep, VenueOptions

TABLES = 2


class Standing:
    """A hall that is open already, with its bots seated, and stays open."""

    def __init__(self, venue: LocalVenue) -> None:
        self._venue = venue
        # Spent in play.
        self.seconds = 0.0

    async def __aenter__(self) -> None:
        """Do nothing: the hall is open."""

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Do nothing: the hall stays open."""

    async def seat(self, units: Iterable[Unit]) -> None:
        """Do nothing: the bots are seated."""

    async def play(self, units: Iterator[Unit], keep: Keep) -> None:
        started = time.perf_counter()
        await self._venue.play(units, keep)
        self.seconds += time.perf_counter() - started

    def show(self, finished: Container[int]) -> None:
        """Do nothing: there are no spectators."""


class NoLedgers:
    """A stand-in for the ledgers, where their cost is not to be measured."""

    def __init__(self, store: Store) -> None:
        del store

    def add(self, unit: str, record: BoardRecord) -> None:
        """Forget the record."""

    async def __aenter__(self) -> NoLedgers:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Do nothing: nothing was begun."""


def new_event(name: str, boards: int) -> Event:
    entries = (Entrant(bot="baseline", name="one"), Entrant(bot="baseline", name="two"))
    return Event(name=name, format=Format.MATCH, seed=1, entries=entries, boards=boards)


async def bare(venue: LocalVenue, boards: int) -> float:
    match = Match(1, 1, (0, 1), tuple(range(1, boards + 1)))
    started = time.perf_counter()
    await venue.play(match.units(), lambda _unit, _record: None)
    return time.perf_counter() - started


async def kept(venue: LocalVenue, store: Store, folder: Path, *, ledger: bool) -> float:
    """Return the seconds of the play alone, without the setup of the store."""
    setattr(runner, "Ledgers", Ledgers if ledger else NoLedgers)  # noqa: B010
    with EventLog(folder / "log.jsonl") as log:
        standing = Standing(venue)
        await runner.Runner(store, log, lambda _: None, lambda _: standing).run()
        return standing.seconds


async def main(boards: int, rounds: int) -> None:
    numbers = count(1)
    seconds: dict[str, list[float]] = {"nothing": [], "store and log": [], "and ledger": []}
    records: list[BoardRecord] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        event = new_event("hall", boards)
        play = EventInPlay(event, BoardSupply(PublicSeed(1), event.mode), EventLog())
        async with LocalVenue(play, VenueOptions(TABLES)) as venue:
            await venue.seat(Match(1, 1, (0, 1), (1,)).units())
            await bare(venue, boards)  # everything is loaded
            for turn in range(rounds):
                kinds = list(seconds)
                for kind in kinds[turn % 3 :] + kinds[: turn % 3]:
                    if kind == "nothing":
                        seconds[kind].append(await bare(venue, boards))
                        continue
                    path = folder / f"{next(numbers)}.sqlite"
                    store = Store.create(path, event)
                    ledger = kind == "and ledger"
                    seconds[kind].append(await kept(venue, store, folder, ledger=ledger))
                    records = [record for _, record in store.results()]
                    store.close()
    print(f"{rounds} rounds of {boards} boards in both rooms, {TABLES} tables at once\n")
    print("| kept | boards/s | speed against nothing kept |\n| --- | --- | --- |")
    for kind, taken in seconds.items():
        ratios = [base / own for base, own in zip(seconds["nothing"], taken, strict=True)]
        rate = boards / statistics.median(taken)
        spread = f"({min(ratios):.0%} to {max(ratios):.0%})"
        print(f"| {kind} | {rate:.1f} | {statistics.median(ratios):.1%} {spread} |")
    analysed = await ledger_seconds(records)
    print(f"\nThe ledger takes {analysed:.3f} CPU-seconds a board, both tables.")


async def ledger_seconds(records: list[BoardRecord]) -> float:
    """Return the processor seconds for a board's two tables, without the start of the worker."""
    played = [record for record in records if has_ledger(record)]
    spent = [0.0, 0.0]
    for index, part in enumerate((played[:1], played)):
        before = _children()
        with Oracle(workers=1) as oracle:
            for record in part:
                await values_of(record, oracle)
        spent[index] = _children() - before
    return 2 * (spent[1] - spent[0]) / (len(played) - 1)


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--boards", type=int, default=24, help="boards in each measurement; default: %(default)s"
    )
    parser.add_argument(
        "--rounds", type=int, default=10, help="rounds of measurements; default: %(default)s"
    )
    options = parser.parse_args()
    asyncio.run(main(options.boards, options.rounds))
