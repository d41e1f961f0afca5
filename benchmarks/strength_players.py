"""Have the bots play recorded contracts: against each other, and four of a kind.

In a match both rooms play the contract of the record. Four of a kind are charged the double-dummy
tricks that they lose, as the players of the record are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from benchmarks.figures import ENOUGH, compared, measured
from benchmarks.kept_boards import board_results, identity
from bridge_arena.bots.strength import REFERENCE, Figure, Lost, Matches
from bridge_arena.bridge.record import BoardRecord, Room
from bridge_arena.bridge.seeds import DealKey
from bridge_arena.lab.play import GivenTable, in_both_rooms, play
from bridge_arena.oracle.ledger import Role, charge
from bridge_arena.oracle.solver import play_values
from bridge_arena.recorded.checkpoint import Checkpoint
from bridge_arena.tournaments import GivenBoard, swing
from bridge_arena.tournaments.play.in_process import named_pair

BOARDS = {
    "baseline": 1000,
    "qplay": 400,
    "sarsa": 400,
    "dqn": 400,
    "fastplay": 1000,
    "minimax": 200,
    "montecarlo:worlds=20": 200,
    "alphamu": 20,
    "champion:budget=0,worlds=20,bidding=natural": 40,
    "champion:bidding=natural": 700,
}
"""The players, and the most boards that each plays; in a match, the fewer of the two."""

LEARNERS = ("qplay", "sarsa", "dqn")
"""Players that differ from `baseline` at notrump only, and meet nobody else."""

UNMATCHED = ("champion:bidding=natural",)
"""Players whose matches would take too long; they only play four of a kind, a board at a time."""

SEED = 1
"""The seed of the players' random choices."""

QUICK, TOGETHER = 400, 32
"""Players of this many boards play so many at once, as networks answer for many in one go."""


def matches(
    names: Sequence[str], games: Sequence[BoardRecord], kept: Checkpoint, *, measures: bool
) -> Matches:
    """Return the matches in which at least one of some players takes part.

    Unless it `measures`, they are told as far as they are kept.
    """
    matches: Matches = {}
    for one, other in combinations(BOARDS, 2):
        if _meet(one, other) and {one, other} & {*names}:
            boards = min(BOARDS[one], BOARDS[other])
            work = match(one, other)
            name = f"{identity(one)} - {identity(other)}"
            at_once = together(boards) if measures else 0
            imps = board_results(name, games[:boards], work, kept, at_once)
            if len(imps) >= ENOUGH:
                matches.setdefault(one, {})[other] = compared(np.array(imps))
    return matches


def _meet(one: str, other: str) -> bool:
    """Return whether there is a match between two players, in the order of `BOARDS`."""
    pair = {one, other}
    return not pair & {*UNMATCHED} and (one == "baseline" or not pair & {*LEARNERS})


def match(one: str, other: str) -> Callable[[Sequence[BoardRecord]], list[int]]:
    """Return what plays a match on some boards: its IMPs for the first player on each."""

    def played(games: Sequence[BoardRecord]) -> list[int]:
        given = [GivenBoard(game.board, tuple(game.calls)) for game in games]
        records = played_out(one, other, list(in_both_rooms(given)))
        swings = [swing(tables) for tables in zip(records[::2], records[1::2], strict=True)]
        return [swing.imps for swing in swings if swing is not None]

    return played


def lost(
    names: Sequence[str], games: Sequence[BoardRecord], kept: Checkpoint, *, measures: bool
) -> dict[str, Lost]:
    """Return the tricks that four players of a kind lose, and that those of the record lose.

    Unless it `measures`, they are told as far as they are kept.
    """
    most = max(BOARDS.values())
    own = np.array(board_results(REFERENCE, games[:most], lost_in, kept, 1 if measures else 0))
    losses = {REFERENCE: _lost(own, None)} if len(own) >= ENOUGH else {}
    for name in names:
        boards = BOARDS[name]
        at_once = together(boards) if measures else 0
        if name in UNMATCHED:
            at_once = min(at_once, 1)
        of_bot = np.array(board_results(identity(name), games[:boards], alone(name), kept, at_once))
        if ENOUGH <= len(of_bot) <= len(own):
            losses[name] = _lost(of_bot, compared((of_bot - own[: len(of_bot)]).sum(axis=1)))
    return losses


def alone(name: str) -> Callable[[Sequence[BoardRecord]], list[list[int]]]:
    """Return what four players of a kind lose after the auctions of some records."""

    def played(games: Sequence[BoardRecord]) -> list[list[int]]:
        tables = [(Room.OPEN, GivenBoard(game.board, tuple(game.calls))) for game in games]
        return lost_in(played_out(name, name, tables))

    return played


def lost_in(records: Sequence[BoardRecord]) -> list[list[int]]:
    """Return the double-dummy tricks that each role lost on some boards."""
    lost: list[list[int]] = []
    for record in records:
        assert record.contract is not None
        ledger = charge(record, play_values(record.board.deal, record.contract, record.cards))
        lost.append([ledger.lost(role) for role in Role])
    return lost


def played_out(one: str, other: str, tables: Sequence[GivenTable]) -> list[BoardRecord]:
    """Return the records of tables that two bots play.

    Raises:
        ValueError: A bot made a fault.
    """
    records = list(play(named_pair(one, other), tables, _seeds()))
    for record in records:
        if record.faults:
            raise ValueError(f"board {record.board.number}: {record.faults[0]}")
    return records


@lru_cache(maxsize=1)
def _seeds() -> DealKey:
    return DealKey.of_seed(SEED)


def together(boards: int) -> int:
    return TOGETHER if boards >= QUICK else 1


def _lost(tricks: NDArray[np.int64], more: Figure | None) -> Lost:
    lead, declarer, defence = (measured(of_role) for of_role in tricks.T)
    return Lost(
        lead=lead,
        declarer=declarer,
        defence=defence,
        together=measured(tricks.sum(axis=1)),
        more=more,
    )
