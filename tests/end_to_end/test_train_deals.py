"""`arena train deals` with its solvers: what it makes, interruptions, a cluster."""

from __future__ import annotations

import shlex
import signal
from contextlib import ExitStack
from pathlib import Path

import numpy as np
import pytest

from bridge_arena.bots.library.learning.pairs import read_pairs
from bridge_arena.bridge.board import random_deal, redeal
from bridge_arena.oracle import solver
from bridge_arena.oracle.solved_deals import SolvedDeals, read, read_heading
from tests.end_to_end.arena import arena, end_of, interrupt, started, wait_until
from tests.end_to_end.dask import cluster
from tests.end_to_end.solvers import stopping_after

FIRST = "deals-00000.deals"


def train(folder: Path, words: str) -> str:
    """Return what the command prints."""
    ended = arena(folder, "train", "deals", *words.split())
    assert (ended.status, ended.errors) == (0, "")
    return ended.output


def solved(folder: Path) -> int:
    """Return the number of deals in the folder, read from outside while it is filled."""
    path = folder / FIRST
    return read_heading(path).number if path.exists() else 0


def records(path: Path) -> bytes:
    """The deals of a file, without its heading."""
    return path.read_bytes().partition(b"\n")[2]


@pytest.mark.slow
def test_deals_and_pairs_are_made_and_more_of_them_later(tmp_path: Path) -> None:
    said = train(tmp_path, "2 --out new/deals --seed 7 --layouts 2 --workers 1 --pairs pairs.npz")
    assert said.splitlines() == [
        "2 deals of seed 7 with 2 layouts a deal in new/deals",
        "2 pairs of hands in pairs.npz",
    ]
    path, pairs = tmp_path / "new" / "deals" / FIRST, tmp_path / "pairs.npz"
    deals = [redeal(7, number, layout) for number in (1, 2) for layout in (0, 1)]
    (part,) = read([path])
    expected = SolvedDeals.of(deals, solver.tables(deals))
    assert np.array_equal(part.seats, expected.seats)
    assert np.array_equal(part.tricks, expected.tricks)
    assert len(read_pairs(pairs)) == 2

    assert train(tmp_path, "3 --out new/deals --pairs pairs.npz").splitlines() == [
        "3 deals of seed 7 with 2 layouts a deal in new/deals",
        "3 pairs of hands in pairs.npz",
    ]
    assert read_heading(path).number == 3
    assert len(read_pairs(pairs)) == 3


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_solving_deals_goes_on_where_it_was_stopped(tmp_path: Path, number: signal.Signals) -> None:
    command = ["train", "deals", "30", "--out", "deals", "--seed", "5", "--layouts", "1"]
    command += ["--workers", "1", "--pairs", "pairs.npz"]
    path = tmp_path / "deals" / FIRST
    with started(tmp_path, *command, environment=stopping_after(15, tmp_path)) as process:
        wait_until(lambda: solved(tmp_path / "deals") > 0, "some deals are solved")
        ended = interrupt(process, number)
    done = solved(tmp_path / "deals")
    assert 10 <= done < 30
    if number == signal.SIGKILL:
        assert ended.status == -signal.SIGKILL
    else:
        go_on = ended.complaint(3).removeprefix("interrupted; go on with: ")
        assert shlex.split(go_on) == ["arena", *command]
    assert not (tmp_path / "pairs.npz").exists()
    before = records(path)

    ended = arena(tmp_path, *command)
    assert (ended.status, ended.errors) == (0, "")
    assert solved(tmp_path / "deals") == 30
    assert len(read_pairs(tmp_path / "pairs.npz")) == 30
    assert records(path).startswith(before), "nothing is solved twice"
    (part,) = read([path])
    deals = [random_deal(5, n) for n in range(1, 31)]
    assert [part.deal(place) for place in range(30)] == deals
    checked = SolvedDeals.of(deals[9:13], solver.tables(deals[9:13]))
    assert np.array_equal(part.tricks[9:13], checked.tricks)


@pytest.mark.slow
def test_deals_are_solved_on_a_cluster_that_loses_a_worker(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    words = "16 --out deals --seed 5 --layouts 2"
    with ExitStack() as running:
        address, (first, _) = running.enter_context(cluster(tmp_path, workers=2))
        command = ["train", "deals", *words.split(), "--dask", address]
        process = running.enter_context(started(tmp_path, *command))
        wait_until(lambda: solved(tmp_path / "deals") > 0, "some deals are solved")
        first.kill()
        assert solved(tmp_path / "deals") < 16
        ended = end_of(process)
    assert (ended.status, ended.errors) == (0, "")
    (part,) = read([tmp_path / "deals" / FIRST])
    deals = [redeal(5, number, layout) for number in range(1, 17) for layout in range(2)]
    assert [part.deal(place) for place in range(32)] == deals
    checked = SolvedDeals.of(deals[::6], solver.tables(deals[::6]))
    assert np.array_equal(part.tricks[::6], checked.tricks)


@pytest.mark.slow
def test_solved_deals_stay_when_a_cluster_goes_away(tmp_path: Path) -> None:
    """Solved deals stay, and the same command goes on: here with another cluster."""
    pytest.importorskip("distributed")
    command = ["train", "deals", "400", "--out", "deals", "--seed", "5", "--layouts", "1", "--dask"]
    with ExitStack() as running:
        with cluster(tmp_path, workers=1) as (address, _):
            process = running.enter_context(started(tmp_path, *command, address))
            wait_until(lambda: solved(tmp_path / "deals") > 0, "some deals are solved")
        reason, _, go_on = end_of(process).complaint(1).partition("; go on with: ")
    assert reason.startswith("the cluster gave up: ")
    assert shlex.split(go_on) == ["arena", *command, address]
    done = solved(tmp_path / "deals")
    assert 10 <= done < 400
    assert arena(tmp_path, *command, address).complaint(2).startswith("no Dask scheduler at tcp:")
    assert solved(tmp_path / "deals") == done
