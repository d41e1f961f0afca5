"""Have four players of a kind play recorded contracts, and charge the tricks that they lose."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from benchmarks.figures import figure, p_value
from benchmarks.given_auction import Seated, play_out
from benchmarks.kept_boards import on_each
from benchmarks.markdown_table import table
from bridge_arena.bots.registry import parse
from bridge_arena.bridge.record import BoardRecord
from bridge_arena.bridge.seats import SEATS
from bridge_arena.oracle.ledger import Role, charge
from bridge_arena.oracle.solver import play_values
from bridge_arena.recorded.checkpoint import Checkpoint

BOARDS = {
    "baseline": 1000,
    "fastplay": 1000,
    "minimax": 100,
    "montecarlo:worlds=20": 100,
}
"""The players, and the most boards that each plays."""

SEED = 1
"""The seed of the players' random choices."""

RECORD = "WBridge5"

Lost = NDArray[np.int64]
"""Tricks lost, boards × roles."""


def loser(spec: str) -> Callable[[BoardRecord], list[int]]:
    """Return what four players of a bot lose after the auction of a record, as a function."""
    shipped, make = parse(spec)
    seated = {seat: Seated(make(), shipped.cheat) for seat in SEATS}

    def lost(record: BoardRecord) -> list[int]:
        name = f"board {record.board.number}"
        return lost_by(play_out(name, record.board, record.calls, seated, SEED).record)

    return lost


def lost_by(record: BoardRecord) -> list[int]:
    """Return the double-dummy tricks that each role lost on a board."""
    assert record.contract is not None
    ledger = charge(record, play_values(record.board.deal, record.contract, record.cards))
    return [ledger.lost(role) for role in Role]


def tricks_lost(names: Sequence[str], games: Sequence[BoardRecord], kept: Checkpoint) -> str:
    """Return the tables of the tricks that four players of a kind lose, and the record's."""
    most = max(BOARDS[name] for name in names)
    own = np.array(on_each(RECORD, games[:most], lost_by, kept))
    rows = [_row(RECORD, own)]
    compared: list[list[str]] = []
    for name in names:
        found = np.array(on_each(name, games[: BOARDS[name]], loser(name), kept))
        rows.append(_row(f"`{name}`", found))
        more = found - own[: len(found)]
        compared.append([*_row(f"`{name}`", more, "+"), p_value(more.sum(axis=1))])
    heads = ["boards", *(str(role) for role in Role), "together"]
    return "\n\n".join(
        (
            table(["tricks lost by", *heads], rows),
            table([f"more than {RECORD} on the same boards", *heads, ""], compared),
        )
    )


def _row(name: str, found: Lost, sign: str = "") -> list[str]:
    columns = [*found.T, found.sum(axis=1)]
    return [name, f"{len(found):,}", *(figure(each, 2, sign) for each in columns)]
