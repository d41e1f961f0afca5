"""Measure the environments beside OpenSpiel's bridge and pgx's: steps a second of processor time.

    python -m benchmarks.environments [--tables 256 1024 4096] [--repeat 3] [--pgx PYTHON]

The policy is uniform over legal actions everywhere, and choosing and observing are part of a step.
In OpenSpiel an episode begins with a copy of a state that is dealt already. pgx is measured where
--pgx names a Python that has it, with as many steps, without the time to compile. Each figure is
the best of --repeat, taken in turn.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random

import numpy as np

from benchmarks.figures import table
from bridge_arena.bots.adapters.openspiel import dealt_state
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.record import Mode
from bridge_arena.envs.aec import BridgeEnv
from bridge_arena.envs.bidding import BiddingEnvs
from bridge_arena.oracle.double_dummy_table import DoubleDummyTable
from bridge_arena.oracle.solved_deals import SolvedDeals

SEED = 5
DEALS = 100
"""The deals to draw from: as many as pgx brings as a sample."""

BOARDS = [Board.dealt(SEED, number) for number in range(1, DEALS + 1)]


def deals() -> SolvedDeals:
    """Return the boards' deals, with tables that do not matter to the speed: 6 or 7 tricks."""
    made = DoubleDummyTable((7, 6) * 10)
    return SolvedDeals.of([board.deal for board in BOARDS], [made] * DEALS)


def vectorised(tables: int, steps: int) -> float:
    envs = BiddingEnvs(deals(), tables, SEED)
    _, masks = envs.reset(SEED)
    rng = np.random.default_rng(SEED)

    def run(count: int) -> None:
        nonlocal masks
        for _ in range(count):
            calls = (rng.random(masks.shape, np.float32) * masks).argmax(axis=1)
            masks = envs.step(calls).action_masks

    run(200)  # par is known after that
    started = time.process_time()
    run(steps)
    return tables * steps / (time.process_time() - started)


def aec(mode: Mode, steps: int) -> float:
    env = BridgeEnv(mode, standard=lambda _: 0, deals=deals())
    rng = Random(SEED)
    env.reset(seed=SEED)
    started = time.process_time()
    done = 0
    while done < steps:
        for _ in env.agent_iter():
            observed, _, over, _, _ = env.last(observe=not env.terminations[env.agent_selection])
            legal = None if observed is None else np.flatnonzero(observed["action_mask"])
            env.step(None if legal is None else int(rng.choice(legal)))
            done += not over
        env.reset()
    return done / (time.process_time() - started)


def openspiel(mode: Mode, steps: int) -> float:
    states = [dealt_state(board.dealer, board.vulnerability, board.deal.hands) for board in BOARDS]
    rng = Random(SEED)
    started = time.process_time()
    done = 0
    while done < steps:
        state = rng.choice(states).clone()
        while not state.is_terminal():
            legal = state.legal_actions()
            if mode is Mode.BIDDING and legal[0] < 52:
                break  # the play begins
            state.observation_tensor()
            state.apply_action(rng.choice(legal))
            done += 1
    return done / (time.process_time() - started)


def pgx(python: Path, tables: int, steps: int) -> float:
    script = Path(__file__).with_name("pgx_auctions.py")
    command = [str(python), str(script), str(tables), str(steps)]
    try:
        ended = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError as error:
        sys.exit(f"{python}: {error.strerror}")
    if ended.returncode:
        sys.exit(f"{python}: {ended.stderr.strip().splitlines()[-1]}")
    return float(ended.stdout)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--tables",
        type=int,
        nargs="+",
        default=[256, 1024, 4096],
        help="tables at once, each number measured",
    )
    parser.add_argument("--repeat", type=int, default=3, help="times that each is measured")
    parser.add_argument("--steps", type=int, default=20_000, help="of one table, or of all")
    parser.add_argument("--pgx", type=Path, help="a Python with pgx and jax")
    given = parser.parse_args()
    ways: dict[tuple[str, str], Callable[[], float]] = {
        ("auctions", "OpenSpiel"): partial(openspiel, Mode.BIDDING, given.steps),
        ("auctions", "`BridgeEnv`"): partial(aec, Mode.BIDDING, given.steps // 4),
    }
    for tables in given.tables:
        steps = max(100, 10 * given.steps // tables)
        ways["auctions", f"`BiddingEnvs`, {tables} tables"] = partial(vectorised, tables, steps)
        if given.pgx is not None:
            ways["auctions", f"pgx, {tables} tables"] = partial(pgx, given.pgx, tables, steps)
    ways["whole boards", "OpenSpiel"] = partial(openspiel, Mode.FULL, given.steps)
    ways["whole boards", "`BridgeEnv`"] = partial(aec, Mode.FULL, given.steps // 4)
    rates = dict.fromkeys(ways, 0.0)
    for _ in range(given.repeat):
        for way, measure in ways.items():
            rates[way] = max(rates[way], measure())
    rows = [
        [what, who, f"{rate:,.0f}", f"{rate / rates[what, 'OpenSpiel']:.2f}"]
        for (what, who), rate in rates.items()
    ]
    print(table(["what", "by", "steps a CPU second", "of OpenSpiel's"], rows))


if __name__ == "__main__":
    main()
