"""What a ladder costs with few players and many, few boards and many: the part `scale` of ladder.

`python -m benchmarks.ladder_scale STORE` measures one store, in a process of its own.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from itertools import combinations, count, islice, product
from pathlib import Path
from statistics import median

import numpy as np
from sqlalchemy import insert

from benchmarks.figures import table, timed
from bridge_arena.base.concurrency import THREADS
from bridge_arena.tournaments import STORE
from bridge_arena.tournaments.events.event import Entrant
from bridge_arena.tournaments.ladder.ladder_file import Registration, parse_ladder
from bridge_arena.tournaments.ladder.leaderboard import leaderboard
from bridge_arena.tournaments.ladder.store.ladder_store import LadderMatch, LadderStore, pair_values
from bridge_arena.tournaments.ladder.store.played_boards import PlayedBoards
from bridge_arena.tournaments.ladder.strength.scores import Scores
from bridge_arena.tournaments.ladder.strength.style import Style
from bridge_arena.tournaments.ladder.strength.sums import MOST_IMPS, SWINGS, PairSums
from bridge_arena.tournaments.ladder.strength.weeks import Performance, performances
from bridge_arena.tournaments.store.models import LadderMatchRow, LadderOrderRow, LadderPairRow

PLAYERS, BOARDS = (20, 200), (10_000, 1_000_000)

MATCH = 16

WEEKS = 52
"""The weeks for which the ladder has been played."""

TIMES = 100
"""The matches that are played in each store."""

_FILE = "[ladder]\nname = 'Scale'\n" + "[[player]]\nbot = 'random'\n[[player]]\nbot = 'baseline'\n"


def fill(path: Path, players: int, boards: int) -> None:
    """Make the store of a ladder whose players have met at random."""
    from benchmarks.ladder import FLAT, chances_of  # noqa: PLC0415 (it imports this module)

    rng = np.random.default_rng([48, players, boards])
    chances = chances_of(rng.normal(0, 5, players), FLAT[0])
    pairs = list(combinations(range(players), 2))
    meetings = Counter(pairs[k] for k in rng.integers(len(pairs), size=boards // MATCH))
    definition = parse_ladder(_FILE, Path("scale.toml")).definition
    sums = {
        (one + 1, other + 1): PairSums(
            tuple(rng.multinomial(MATCH * matches, chances[one, other]).tolist()),
            matches,
            matches // 2,
            9.0 * matches,
        )
        for (one, other), matches in meetings.items()
    }
    ahead = np.argwhere(Scores(players, sums).standing().ahead) + 1
    over = {"ladder": 1, "is_over": True, "began": "", "ended": "", "seconds": 9.0}
    matches = [
        {
            **over,
            "number": number,
            "home": one + 1,
            "visitors": other + 1,
            "boards": MATCH,
            "swings": rng.integers(-12, 13, MATCH, np.int8).tobytes(),
        }
        for number, (one, other) in enumerate(meetings.elements(), start=1)
    ]
    path.unlink(missing_ok=True)
    with closing(LadderStore.open(path, definition)) as store:
        for number in range(1, players + 1):
            store.enter(Registration(Entrant(bot="random", name=f"player {number}")))
            store.note_presence(number, store.add_version(number, "1").number, is_there=True)
        with store._session("write") as session:
            for week in range(1, 1 + WEEKS):
                every = dict.fromkeys(range(1, players + 1), Performance(boards // WEEKS, 9, 99, 8))
                store.weeks.count(session.connection(), f"2026-W{week:02}", every)
            rows = [{"ladder": 1, **pair_values(pair, one)} for pair, one in sums.items()]
            session.execute(insert(LadderPairRow), rows)
            session.execute(insert(LadderMatchRow), matches)
            orders = [{"ladder": 1, "ahead": a, "behind": b, "match": 1} for a, b in ahead.tolist()]
            if orders:
                session.execute(insert(LadderOrderRow), orders)


def measure(path: Path) -> dict[str, float]:
    """Measure what a store costs; in seconds of processor time, and MB."""
    with closing(LadderStore.open(path)) as store:
        (scores, pair), load = timed(lambda: begin(store))
        _, page = timed(lambda: leaderboard(store))
        measured = list(islice(playing(store, scores, pair), TIMES))
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {
        "load": load,
        "end": median(end for end, _ in measured),
        "next": median(choice for _, choice in measured),
        "leaderboard": page,
        "memory": memory,
        "proved": float(2 * scores.ahead.sum() / (scores.versions * (scores.versions - 1))),
    }


def playing(
    store: LadderStore, scores: Scores, pair: tuple[int, int]
) -> Iterator[tuple[float, float]]:
    """Play matches in a store; yield what the end of each costs, and the choice of the next."""
    rng = np.random.default_rng(1)
    for number in count(store.count_matches() + 1):
        match = store.draw(*pair)
        swings = rng.integers(-10, 11, MATCH)
        numbers = np.bincount(swings + MOST_IMPS, minlength=len(SWINGS))
        own = PairSums(tuple(numbers.tolist()), 1, 1, 9.0)
        played = PlayedBoards(tuple(swings.tolist()), (Style(results=32), Style(results=32)))
        _, end = timed(lambda: _end(store, scores, match, own, played))  # noqa: B023
        pair, choice = timed(lambda: _choose(scores, number))  # noqa: B023
        yield end, choice


def begin(store: LadderStore) -> tuple[Scores, tuple[int, int]]:
    scores = Scores(len(store.versions()), store.sums(), store.orders())
    return scores, _choose(scores, 1)


def _choose(scores: Scores, number: int) -> tuple[int, int]:
    meeting = scores.next_match(range(1, scores.versions + 1), [], b"key", number)
    assert meeting is not None
    return meeting.teams


def _end(
    store: LadderStore, scores: Scores, match: LadderMatch, sums: PairSums, played: PlayedBoards
) -> None:
    pair = min(match.versions), max(match.versions)
    performed = performances(sums, [], scores.expected(*match.versions))
    orders = scores.add(pair, sums if match.home == pair[0] else sums.turned())
    by_version = dict(zip(match.versions, performed, strict=True))
    store.end(match, sums, orders, by_version, played=played)


def scale(out: Path) -> str:
    """Make the stores, measure each in a process of its own, and return the table."""
    rows = []
    for players, boards in product(PLAYERS, BOARDS):
        folder = out / f"scale-{players}-{boards}"
        folder.mkdir(parents=True, exist_ok=True)
        fill(folder / STORE, players, boards)
        status = ["arena", "ladder", "status", str(folder)]
        before, began = _children(), time.perf_counter()
        subprocess.run(status, stdout=subprocess.DEVNULL, check=True)
        command, waited = _children() - before, time.perf_counter() - began
        done = subprocess.run(
            [sys.executable, "-m", "benchmarks.ladder_scale", str(folder / STORE)],
            env=os.environ | {THREADS: "1"},  # as the commands have it
            stdout=subprocess.PIPE,
            check=True,
        )
        result = json.loads(done.stdout)
        rows.append(
            [
                str(players),
                f"{boards:,}",
                f"{100 * result['proved']:.0f} %",
                *(f"{1000 * result[name]:.1f}" for name in ("end", "next", "leaderboard", "load")),
                f"{1000 * command:.0f} ({1000 * waited:.0f})",
                f"{result['memory']:.0f}",
            ]
        )
    status_head = "`arena ladder status`, and by the clock"
    heads = ["end of a match", "next pair", "leaderboard", "loading", status_head]
    return table(
        [
            "players",
            "boards",
            "orders known",
            *(f"{head}, ms" for head in heads),
            "MB",
        ],
        rows,
    )


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    print(json.dumps(measure(Path(sys.argv[1]))))
