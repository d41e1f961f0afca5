"""Tests of what runs in a Dask worker. The cluster itself is tested end to end."""

from __future__ import annotations

import pytest

from bridge_arena.oracle.errors import DeadlineError, ImpossibleError
from tests.oracle.vectors import FREAK_DEAL, KNOWN_DEAL
from tests.recorded.analysis.games import TABLE

cluster = pytest.importorskip("bridge_arena.recorded.analysis.solvers")


def test_the_solver_of_a_cluster_worker_can_be_killed() -> None:
    try:
        with pytest.raises(DeadlineError):
            cluster.solve_on_worker(str(FREAK_DEAL), 2.0)
        assert cluster.solve_on_worker(str(KNOWN_DEAL), 2.0) == TABLE
        with pytest.raises(ImpossibleError):
            cluster.solve_on_worker(f"{KNOWN_DEAL};HE;SA", 2.0)
    finally:
        cluster._oracle(2.0).close()
        cluster._oracle.cache_clear()
