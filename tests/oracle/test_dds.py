"""The solver's library: endplay's, or the system's."""

from __future__ import annotations

import os
import subprocess
import sys
from ctypes.util import find_library
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import pytest

from bridge_arena.bridge.board import random_deal
from bridge_arena.bridge.seats import Seat, Vulnerability
from bridge_arena.oracle import dds
from bridge_arena.oracle.errors import SolverError
from bridge_arena.oracle.par import par
from bridge_arena.oracle.solver import tables
from tests.data import ROOT
from tests.patience import PATIENCE

OTHERWISE = """
import sys
from importlib import util

find_spec = util.find_spec
util.find_spec = lambda name, *rest: None if name == "endplay" else find_spec(name, *rest)

from bridge_arena.bridge.board import random_deal
from bridge_arena.bridge.seats import Seat, Vulnerability
from bridge_arena.oracle import dds
from bridge_arena.oracle.par import par
from bridge_arena.oracle.solver import tables

assert dds.source() == "DDS of the system"
for table in tables([random_deal(3, number) for number in range(1, 4)]):
    print(table, par(table, Seat.NORTH, Vulnerability.NS))
"""
"""Where endplay is not installed."""


def printed(program: str) -> str:
    """Return what a program prints in a process of its own, as each has one library."""
    ended = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=True,
    )
    return ended.stdout


def test_the_source_of_answers_is_known() -> None:
    if find_spec("endplay") is None:  # it has no wheels for the newest Python
        assert dds.source() == "DDS of the system"
    else:
        assert dds.source() == f"DDS of endplay {version('endplay')}"


@pytest.mark.slow
def test_the_systems_library_gives_the_same_answers() -> None:
    if find_library("dds") is None:
        pytest.skip("the system has no libdds")
    deals = [random_deal(3, number) for number in range(1, 4)]
    assert printed(OTHERWISE).splitlines() == [
        f"{table} {par(table, Seat.NORTH, Vulnerability.NS)}" for table in tables(deals)
    ]


def test_where_no_solver_is_found_it_is_told_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for where in ("find_spec", "find_library"):
        monkeypatch.setattr(dds, where, lambda _: None)
    dds._library.cache_clear()
    try:
        with pytest.raises(SolverError, match=r"solver is missing: .*apt-get install libdds0"):
            dds.source()
        monkeypatch.setattr(dds, "_NO_WHEELS", (3, 11))
        with pytest.raises(SolverError, match="no wheels for this Python; install the system's"):
            dds.source()
    finally:
        dds._library.cache_clear()


def test_an_error_of_the_solver_is_its_own_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # where it writes what puzzled it
    deal, future = dds.Deal(trump=7), dds.FutureTricks()
    with pytest.raises(SolverError, match="the double-dummy solver failed in SolveBoard: "):
        dds.load().solve_board(deal, -1, 3, 1, future, 0)
