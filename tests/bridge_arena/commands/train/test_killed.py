"""A training that is killed at random moments ends with the weights of one that nobody killed."""

from __future__ import annotations

import signal
from multiprocessing import get_context
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from random import Random
from time import monotonic

import pytest

from bridge_arena.commands.main import DONE
from tests.bridge_arena.commands.train.tiny import TINY, train, write_files

PROCESSES = get_context("forkserver")
# What is imported once need not be imported by each process.
PROCESSES.set_forkserver_preload(
    [
        *("pytest", "bridge_arena.commands.train.main", "tests.bridge_arena.commands.train.tiny"),
        *(
            f"bridge_arena.{name.rpartition('.')[0]}"
            for tiny in TINY.values()
            for name in tiny.smaller
        ),
    ]
)


def begun(name: str, folder: Path, out: str) -> ForkServerProcess:
    process = PROCESSES.Process(target=train, args=(name, folder, out))
    process.start()
    return process


# One that learns by tables and one by a network are enough for a change of anything else.
NAMES = [
    pytest.param(
        name, marks=() if name in ("qplay", "hand2vec") else pytest.mark.weekly(part="trainings")
    )
    for name in TINY
]


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_killed_training_goes_on_to_the_same_weights(name: str, tmp_path: Path) -> None:
    write_files(tmp_path)
    first = PROCESSES.Process(target=int)
    first.start()
    first.join()  # the imports, which the first process waits for
    start = monotonic()
    whole = begun(name, tmp_path, "whole")
    whole.join()
    whole_time = monotonic() - start
    assert whole.exitcode == DONE
    rng = Random()
    # The first is early: on a machine that was busier before, all others may come too late.
    shares = [0.2, *[0.7] * (TINY[name].kills - 1)]
    moments = [rng.uniform(0, share * whole_time) for share in shares]
    killed = 0
    for moment in moments:
        process = begun(name, tmp_path, "parts")
        process.join(moment)
        process.kill()
        process.join()
        killed += process.exitcode == -signal.SIGKILL
        assert process.exitcode in (DONE, -signal.SIGKILL), moments
    last = begun(name, tmp_path, "parts")
    last.join()
    assert last.exitcode == DONE, moments
    assert killed, moments
    made = {path.name for path in (tmp_path / "whole").iterdir()}
    assert made >= {"record.json", "curve.csv", "curve.svg", "checkpoint", "weights.npz"}
    for file in ("weights.npz", "meanings.npz", "curve.csv"):
        if file in made:
            parts = (tmp_path / "parts" / file).read_bytes()
            assert parts == (tmp_path / "whole" / file).read_bytes(), (file, moments)
