"""Bo Haglund's DDS as a library of C: where it is found, and what is called of it.

The library is the one that endplay ships (https://github.com/dominicprice/endplay), of which
nothing is imported: that would import numpy and matplotlib in every worker process. Where there is
no endplay, as for a version of Python that it has no wheels for, it is the system's (Debian's
package libdds0). Structures and functions are those of `dll.h` of DDS 2.9.

Its encodings: seats N E S W are 0..3, suits S H D C 0..3 with notrump 4, and a holding has bit r
set for rank r = 2..14.
"""

from __future__ import annotations

import ctypes
import sys
from ctypes import c_char, c_int, c_uint
from ctypes.util import find_library
from functools import cache
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import Any

from bridge_arena.base.extras import installing
from bridge_arena.bridge.calls import Denomination
from bridge_arena.bridge.cards import Hand, Suit
from bridge_arena.oracle.errors import SolverError

_MOST_TABLES = 200
"""Strains in a call of `CalcAllTables`: the arrays of its structures."""

_MOST_PAR_RESULTS = 40

_NO_WHEELS = (3, 14)
"""The first version of Python that endplay has no wheels for."""

_FINE = 1
"""The return value of every function that worked."""

# Without the lock, `cache` would let two threads load it at the same time.
_loading = Lock()


class Deal(ctypes.Structure):
    """A position: trump, who leads to the trick, what was played to it, and the cards left."""

    _fields_ = (
        ("trump", c_int),
        ("first", c_int),
        ("currentTrickSuit", c_int * 3),
        ("currentTrickRank", c_int * 3),
        ("remainCards", (c_uint * 4) * 4),
    )


class FutureTricks(ctypes.Structure):
    """The answer to a position: cards, with lower cards of the same value, and their tricks."""

    _fields_ = (
        ("nodes", c_int),
        ("cards", c_int),
        ("suit", c_int * 13),
        ("rank", c_int * 13),
        ("equals", c_int * 13),
        ("score", c_int * 13),
    )


class _TableDeal(ctypes.Structure):
    _fields_ = (("cards", (c_uint * 4) * 4),)


class TableDeals(ctypes.Structure):
    """Deals whose tables are asked for."""

    _fields_ = (("noOfTables", c_int), ("deals", _TableDeal * _MOST_TABLES))


class TableResults(ctypes.Structure):
    """The table of a deal: tricks by strain and declarer."""

    _fields_ = (("resTable", (c_int * 4) * 5),)


class TablesResults(ctypes.Structure):
    """The tables of deals."""

    _fields_ = (("noOfBoards", c_int), ("results", TableResults * _MOST_TABLES))


class _ParResults(ctypes.Structure):
    _fields_ = (("parScore", (c_char * 16) * 2), ("parContractsString", (c_char * 128) * 2))


class AllParResults(ctypes.Structure):
    """Par for deals, which is not asked for."""

    _fields_ = (("presults", _ParResults * _MOST_PAR_RESULTS),)


class _ParContract(ctypes.Structure):
    _fields_ = (
        ("underTricks", c_int),
        ("overTricks", c_int),
        ("level", c_int),
        ("denom", c_int),
        ("seats", c_int),
    )


class Par(ctypes.Structure):
    """The par of a deal: North-South's points, and contracts that reach it."""

    _fields_ = (("score", c_int), ("number", c_int), ("contracts", _ParContract * 10))


class PlayTrace(ctypes.Structure):
    """The cards that were played."""

    _fields_ = (("number", c_int), ("suit", c_int * 52), ("rank", c_int * 52))


class SolvedPlay(ctypes.Structure):
    """Declarer's tricks before the first card and after each."""

    _fields_ = (("number", c_int), ("tricks", c_int * 53))


def suit_code(suit: Suit) -> int:
    """Return the solver's number of a suit: S H D C are 0..3."""
    return 3 - suit


def trump_code(trump: Suit | None) -> int:
    """Return the solver's number of a trump suit, or of notrump."""
    return 4 if trump is None else 3 - trump


def denomination_code(denomination: Denomination) -> int:
    """Return the solver's number of a denomination."""
    return trump_code(denomination.trump)


def holding_code(hand: Hand, suit: Suit) -> int:
    """Return the solver's bits of one suit of a hand: bit r for rank r = 2..14."""
    return hand.holding(suit) << 2


class Dds:
    """The library, loaded."""

    def __init__(self, path: str) -> None:
        self._library = ctypes.CDLL(path)
        # Its memory is allocated here, before any other call.
        self._library.SetMaxThreads(0)

    def set_max_threads(self, count: int) -> None:
        """Give it so many threads; 0 for one a processor."""
        self._library.SetMaxThreads(count)

    def calc_all_tables(self, deals: TableDeals, results: TablesResults) -> None:
        """Compute the tables of deals, without par. Raises SolverError."""
        no_par, all_strains = -1, (c_int * 5)()
        self._call(
            "CalcAllTables",
            *(ctypes.byref(deals), no_par, all_strains),
            *(ctypes.byref(results), ctypes.byref(AllParResults())),
        )

    def solve_board(
        self, deal: Deal, target: int, solutions: int, mode: int, future: FutureTricks, thread: int
    ) -> None:
        """Solve a position. Raises SolverError."""
        self._call("SolveBoard", deal, target, solutions, mode, ctypes.byref(future), thread)

    def analyse_play(self, deal: Deal, play: PlayTrace, solved: SolvedPlay, thread: int) -> None:
        """Solve the position after each card of a play. Raises SolverError."""
        self._call("AnalysePlayBin", deal, play, ctypes.byref(solved), thread)

    def dealer_par(self, table: TableResults, par: Par, dealer: int, vulnerability: int) -> None:
        """Compute par from a table. Raises SolverError."""
        self._call("DealerParBin", ctypes.byref(table), ctypes.byref(par), dealer, vulnerability)

    def _call(self, name: str, *arguments: Any) -> None:
        code = getattr(self._library, name)(*arguments)
        if code != _FINE:
            line = ctypes.create_string_buffer(80)
            self._library.ErrorMessage(code, line)
            said = line.value.decode(errors="replace")
            raise SolverError(f"the double-dummy solver failed in {name}: {said}")


def load() -> Dds:
    """Return the library, which the first call loads; raise SolverError if it cannot."""
    with _loading:
        return _load()


@cache
def _load() -> Dds:
    path, _ = _library()
    try:
        dds = Dds(path)
    except OSError as error:
        raise SolverError(f"the double-dummy solver cannot be loaded: {error}") from None
    if not Path(path).is_absolute():
        _leave_its_end_out()
    return dds


def _leave_its_end_out() -> None:
    """End this process without the destructors of Debian's library, which free twice and crash."""
    system = ctypes.CDLL(None)
    if hasattr(system, "on_exit"):  # glibc's, which keeps the exit status
        system.on_exit(system._exit, None)


def source() -> str:
    """Return where the library comes from, in words. Raises SolverError: there is none."""
    return _library()[1]


@cache
def _library() -> tuple[str, str]:
    """Return the path of the library, or its name, and where it comes from."""
    endplay = find_spec("endplay")
    places = (endplay.submodule_search_locations if endplay else None) or []
    for place in places:
        for path in sorted(Path(place, "_dds").glob("*dds.*")):
            if path.suffix in (".so", ".dylib", ".dll"):
                return str(path), f"DDS of endplay {version('endplay')}"
    if (name := find_library("dds")) is not None:
        return name, "DDS of the system"
    raise SolverError(f"the double-dummy solver is missing: {_remedy()}")


def _remedy() -> str:
    """Return what brings the solver."""
    system = "the system's library (Debian, Ubuntu: apt-get install libdds0)"
    if sys.version_info >= _NO_WHEELS:
        return f"endplay has no wheels for this Python; install {system}, or use an older Python"
    return f"{installing('report')}, or install {system}"
