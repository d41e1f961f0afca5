"""Measure the tricks that agents lose to perfect play in South's seat, as Liao's table does.

    python -m research.papers.liao [--agents SPEC ...] [--seeds 3] [--games N] [--out FILE.jsonl]

The source is Give Me a Hand, section 7: 113 recorded games of four championship files. The calls
are those of the record. Each agent plays South's cards, and North's when South declares; `AGAINST`
plays the other seats (in the paper BEN's networks). Games that North declared are left out. The
tricks of North and South are compared with two yardsticks: those of the `oracle`, which sees all
hands and sits in the same seat against the same opponents with the same seeds, and the double-dummy
table.

The depth changes no card that minimax plays. Depth 2 is therefore played only in every sixteenth
game, and the report says whether it played the same cards as depth 1.

Two processes play, each with one thread of the solver. The games of a deal and seed are kept in the
file when they are all played. The same command goes on after an interruption, and seeds or agents
may be added. The file identifies bots by their names: use a new file when a bot has changed.
"""

from __future__ import annotations

import argparse
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from itertools import product
from multiprocessing import get_context
from pathlib import Path

from benchmarks.running import PROCESSES, interrupted, lost, prepare
from bridge_arena.base.recorded_text import RecordedTextError
from bridge_arena.bots.registry import UnknownBotError, parse
from bridge_arena.bridge.seats import Seat
from bridge_arena.recorded.checkpoint import Checkpoint, CheckpointError
from research.papers.liao_games import DATA, Game, Job, Played, play_all, read_table
from research.papers.liao_tables import (
    ORACLE,
    Results,
    against_paper,
    all_games,
    by_declarer,
    order,
)

AGAINST = "montecarlo:worlds=20,advice=0"
BASELINE = "baseline"
RANDOM, BAYES, OPT = (f"minimax:depth=1,placement={each}" for each in ("random", "bayes", "opt"))
MONTE_CARLO = "montecarlo:worlds=50,advice=0"
ALPHA_MU = "alphamu"  # which has the bot above within
AGENTS = (BASELINE, RANDOM, BAYES, OPT, MONTE_CARLO, ALPHA_MU)

PAIRS = (
    *product((RANDOM, BAYES, OPT), (BASELINE,)),
    *product((MONTE_CARLO,), (RANDOM, BAYES, OPT)),
    (ALPHA_MU, MONTE_CARLO),
)
"""The order that is tested: the first is expected to take more tricks."""

DEEPER = {agent: agent.replace("depth=1", "depth=2") for agent in (RANDOM, BAYES, OPT)}
EVERY = 16
"""Depth 2 is played in one of so many games."""


def jobs_of(games: Sequence[Game], agents: Sequence[str], seeds: Sequence[int]) -> Iterator[Job]:
    """Yield the jobs seed by seed, so that a complete seed can be reported."""
    for seed, (number, game) in product(seeds, enumerate(games)):
        for agent in agents:
            yield Job(game, agent, AGAINST, seed)
            if agent in DEEPER and seed == seeds[0] and number % EVERY == 0:
                yield Job(game, DEEPER[agent], AGAINST, seed)


def stand_in(job: Job) -> Job:
    """Return the job whose game is played for a job.

    `alphamu` defends exactly as `MONTE_CARLO` does, so that one game serves both if South defends.
    """
    if job.agent == ALPHA_MU and job.game.declarer != Seat.SOUTH:
        return replace(job, agent=MONTE_CARLO)
    return job


def unit_of(job: Job) -> str:
    return f"{job.game.name}/{job.agent}/{job.seed}"


def play_in_processes(jobs: Sequence[Job], save: Callable[[Job, Played], None]) -> None:
    """Play in several processes, and call `save` with each game.

    One process plays all agents' games of a deal and seed. Raises BrokenProcessPool where a process
    is lost, and what a game raised.
    """
    specs = sorted({AGAINST, *(job.agent for job in jobs)})
    groups: dict[tuple[str, int], list[Job]] = {}
    for job in jobs:
        groups.setdefault((job.game.name, job.seed), []).append(job)
    with ProcessPoolExecutor(
        PROCESSES, mp_context=get_context("spawn"), initializer=prepare, initargs=(specs,)
    ) as pool:
        futures = {pool.submit(play_all, group): group for group in groups.values()}
        try:
            for future in as_completed(futures):
                for job, played in zip(futures[future], future.result(), strict=True):
                    save(job, played)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


class Progress:
    """A line on stderr with the progress and the remaining time."""

    def __init__(self, done: int, total: int) -> None:
        self._done = done
        self._total = total
        self._before = done
        self._started = time.monotonic()

    def count(self) -> None:
        self._done += 1
        spent = time.monotonic() - self._started
        left = spent * (self._total - self._done) / (self._done - self._before)
        print(
            f"\r{self._done} of {self._total} games, {spent / 60:.1f} min, "
            f"{left / 60:.0f} min to go   ",
            end="",
            file=sys.stderr,
            flush=True,
        )


def report(results: Results) -> None:
    games, deals = len(results.games), len({game.deal for game in results.games})
    seeds = ", ".join(map(str, results.seeds))
    print(f"{games} games of {deals} deals, seeds {seeds}, against {AGAINST}")
    print("\nTricks a game ± clustered s.e.\n")
    print(all_games(results))
    print("\nAgainst the live oracle, by declarer\n")
    print(by_declarer(results))
    print("\nAgainst the paper's figures\n")
    print(against_paper(results))
    print("\nOrder of the agents\n")
    print(order(results, PAIRS))
    print(f"\n{depths(results)}")


def depths(results: Results) -> str:
    """Return a line that says whether depth 2 played as depth 1 did."""
    played = same = 0
    for game, (agent, deeper) in product(results.games, DEEPER.items()):
        first = results.played.get((game.name, agent, results.seeds[0]))
        second = results.played.get((game.name, deeper, results.seeds[0]))
        if first is not None and second is not None:
            played += 1
            same += first.cards == second.cards
    return f"Of {played} games that minimax played at both depths, {same} are alike card by card."


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "--agents",
        nargs="+",
        default=AGENTS,
        metavar="SPEC",
        help=f"agents to measure; default: {' '.join(AGENTS)}",
    )
    parser.add_argument(
        "--seeds", type=int, default=3, help="number of seeds, from 1 on; default: %(default)s"
    )
    parser.add_argument("--games", type=int, help="number of games, evenly spread; default: all")
    parser.add_argument(
        "--data", type=Path, default=DATA, help="folder of the paper's games; default: %(default)s"
    )
    parser.add_argument(
        "--out",
        type=Path,
        default=Path("runs/liao.jsonl"),
        help="file of the results, which a second run continues; default: %(default)s",
    )
    options = parser.parse_args()
    if options.seeds < 1 or (options.games is not None and options.games < 1):
        parser.error("at least one seed and one game are needed")
    # A background job is ended by SIGTERM, a foreground one by Ctrl-C: both may go on.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        for spec in options.agents:
            parse(spec)
        games = read_table(options.data)
        if options.games is not None:
            count = min(options.games, len(games))
            games = [games[len(games) * n // count] for n in range(count)]
        options.out.parent.mkdir(parents=True, exist_ok=True)
        checkpoint = Checkpoint(options.out, {"benchmark": "liao", "against": AGAINST})
    except (UnknownBotError, CheckpointError, RecordedTextError, OSError, ValueError) as error:
        parser.error(str(error))
    agents = list(dict.fromkeys((ORACLE, *options.agents)))
    with checkpoint:
        return run(games, agents, range(1, options.seeds + 1), checkpoint)


def run(
    games: Sequence[Game], agents: Sequence[str], seeds: Sequence[int], checkpoint: Checkpoint
) -> int:
    """Play what is left, report, and return the exit status."""
    jobs = list(jobs_of(games, agents, seeds))
    units = {unit_of(job): job for job in map(stand_in, jobs)}
    left = [job for unit, job in units.items() if checkpoint.get(unit) is None]
    progress = Progress(len(units) - len(left), len(units))

    def save(job: Job, played: Played) -> None:
        checkpoint.save(
            unit_of(job), tricks=played.tricks, seconds=played.seconds, cards=played.cards
        )
        progress.count()

    try:
        if left:
            play_in_processes(left, save)
    except KeyboardInterrupt:
        return interrupted()
    except BrokenProcessPool:
        return lost()
    print(file=sys.stderr)
    played = {
        (job.game.name, job.agent, job.seed): Played(**facts)
        for job in jobs
        if (facts := checkpoint.get(unit_of(stand_in(job)))) is not None
    }
    report(Results(games, agents, seeds, played))
    return 0


if __name__ == "__main__":
    sys.exit(main())
