"""DDS's own functions, without what the arena has around them: for comparison.

They use the solver's first thread, so nothing else in the process may be solving. They are a module
of their own, as the solver's workers import them by their names.
"""

from __future__ import annotations

import ctypes
import os
import time
from collections.abc import Iterable
from typing import Any

from bridge_arena.bridge.calls import DENOMINATIONS, Denomination
from bridge_arena.bridge.cards import SUITS, Deal
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.oracle.contract_tricks import Request
from bridge_arena.oracle.dds import (
    AllParResults,
    FutureTricks,
    TableDeals,
    TablesResults,
    denomination_code,
    holding_code,
    load,
    suit_code,
    trump_code,
)
from bridge_arena.oracle.dds import Deal as Board


def tricks(requests: Iterable[Request]) -> list[int]:
    """Return declarer's tricks for each request, by `SolveBoard`."""
    dds = load()
    future = FutureTricks()
    every = []
    for deal, declarer, denomination in requests:
        board = Board()
        board.trump, board.first = trump_code(denomination.trump), declarer.next
        _fill(board.remainCards, deal)
        dds.solve_board(board, -1, 1, 1, future, 0)
        every.append(13 - future.score[0])
    return every


def results(
    deal: Deal, denominations: Iterable[Denomination]
) -> dict[tuple[Seat, Denomination], int]:
    """Return the tricks of all declarers in some denominations, by `CalcAllTables`."""
    wanted = set(denominations)
    request, answer = TableDeals(), TablesResults()
    request.noOfTables = 1
    _fill(request.deals[0].cards, deal)
    left_out = (ctypes.c_int * 5)()
    for denomination in DENOMINATIONS:
        left_out[denomination_code(denomination)] = denomination not in wanted
    no_par = -1
    load()._call(
        "CalcAllTables",
        *(ctypes.byref(request), no_par, left_out),
        *(ctypes.byref(answer), ctypes.byref(AllParResults())),
    )
    rows = answer.results[0].resTable
    return {
        (seat, denomination): rows[denomination_code(denomination)][seat]
        for seat in SEATS
        for denomination in wanted
    }


def seconds_so_far() -> tuple[int, float]:
    """Return this process and its processor time, after a pause in which others are asked."""
    time.sleep(0.02)
    return os.getpid(), time.process_time()


def _fill(remaining: Any, deal: Deal) -> None:
    for seat in SEATS:
        for suit in SUITS:
            remaining[seat][suit_code(suit)] = holding_code(deal[seat], suit)
