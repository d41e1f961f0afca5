"""An arm compared with another bidder that held the same cards: its opponent, or another arm."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bridge.cards import Hand
from bridge_arena.bridge.record import BoardRecord, Room
from bridge_arena.bridge.seats import SEATS, Seat, Vulnerability
from bridge_arena.lab import groupings
from bridge_arena.lab.divergences import from_another_arm, from_the_opponent
from bridge_arena.lab.experiment import Part
from bridge_arena.lab.groupings import Breakdown, BreakingDown, situations
from bridge_arena.reports.common.replay_pages import page_name, step_of
from bridge_arena.reports.common.values import AsText
from bridge_arena.tournaments.statistics.means import Mean, clustered_mean_of
from bridge_arena.tournaments.statistics.significance import sign_flip_p_value

MOST_BOARDS = 20
"""The most boards that are shown of those that cost most, and of those that gained most."""

Records = Mapping[int, tuple[BoardRecord, ...]]
"""The records of boards by their rows: of each arm in turn, the open and the closed room."""


@dataclass(frozen=True, slots=True)
class TableResult:
    """What one of two bidders with the same cards made of a board."""

    name: str  # the bidder
    room: Room
    calls: tuple[str, ...]  # the auction
    contract: str  # the contract in PBN's form; "Pass" if the board was passed out
    declarer: AsText[Seat] | None  # declarer; None if it was passed out
    tricks: int | None  # declarer's double-dummy tricks; None if it was passed out
    score: int  # North-South's points

    @classmethod
    def of(cls, name: str, record: BoardRecord) -> TableResult:
        assert record.room is not None
        assert record.score is not None
        contract = record.contract
        return cls(
            name,
            record.room,
            tuple(str(made.call) for made in record.calls),
            "Pass" if contract is None else str(contract),
            None if contract is None else contract.declarer,
            record.tricks,
            record.score,
        )


@dataclass(frozen=True, slots=True)
class Swing:
    """A board where two auctions part, and what the arm gained by it."""

    board: int
    dealer: AsText[Seat]
    vulnerability: AsText[Vulnerability]
    seat: AsText[Seat]  # the seat of the call that differs
    hand: AsText[Hand]
    place: int  # the place of the call in the auction, from 1
    situation: str  # what came before
    imps: float  # what the arm gained, below 0 if it lost
    own: TableResult  # the arm's table
    other: TableResult  # the other bidder's table
    replay: str  # the address of that step in the replay, relative to the report


@dataclass(frozen=True, slots=True)
class Comparison:
    """An arm compared with its opponent, or with another arm that met the same opponent."""

    name: str  # the arm
    against: str  # the opponent or the other arm
    imps: int  # what the arm gained on all boards
    imps_per_board: Mean  # the mean over all boards
    # The p-value of the sign-flip test, in which the boards of one deal are flipped together;
    # corrected if several arms are compared.
    p_value: float | None
    gained: int  # the boards on which the arm gained
    lost: int  # the boards on which it lost
    flat: int  # the other boards
    partings: int  # how many times the auctions part
    other_contracts: Mean  # the share of the boards on which the contracts differ
    where: Mapping[str, Breakdown]  # the tables that say where the IMPs come from
    cost_most: tuple[Swing, ...]  # the boards that cost most
    gained_most: tuple[Swing, ...]  # the boards that gained most


class Comparing:
    """A comparison in the making: it says which boards it shows, and wants their records.

    The two sat at tables of `arms`, which are equal if they are opponents; `deals` has the deal of
    each board as a number, n.
    """

    def __init__(
        self,
        names: tuple[str, str],
        arms: tuple[int, int],
        part: Part,
        deals: NDArray[np.int64],
    ) -> None:
        self._names, self._arms = names, arms
        self._boards, self._deals = part.boards, deals
        own, other = (part.matches[arm] for arm in arms)
        if own is other:
            self._imps = own.imps
            self._divergences = divergences = from_the_opponent(part.boards, own)
        else:
            self._imps = own.imps - other.imps
            self._divergences = divergences = from_another_arm(part.boards, own, other)
        order = np.argsort(divergences.imps, kind="stable")
        self._worst = [place for place in order[:MOST_BOARDS] if divergences.imps[place] < 0]
        best = order[::-1][:MOST_BOARDS]
        self._best = [place for place in best if divergences.imps[place] > 0]
        self._situations = situations(divergences)
        self._where = self._broken_down()

    @property
    def rows(self) -> set[int]:
        """The rows of the boards that are shown."""
        examples = {row.row for table in self._where.values() for row in table.every}
        return examples | {int(self._divergences.rows[at]) for at in (*self._worst, *self._best)}

    def comparison(self, records: Records) -> Comparison:
        divergences = self._divergences
        by_deal = np.bincount(self._deals, self._imps).astype(np.int64)
        differ = np.zeros(len(self._boards), np.bool_)
        differ[divergences.rows[divergences.own.contracts != divergences.other.contracts]] = True
        return Comparison(
            name=self._names[0],
            against=self._names[1],
            imps=int(self._imps.sum()),
            imps_per_board=clustered_mean_of(self._deals, self._imps),
            p_value=sign_flip_p_value(by_deal.tolist()),
            gained=int((self._imps > 0).sum()),
            lost=int((self._imps < 0).sum()),
            flat=int((self._imps == 0).sum()),
            partings=len(divergences),
            other_contracts=clustered_mean_of(self._deals, differ.astype(np.int64)),
            where=self._where,
            cost_most=tuple(self._swing(at, records) for at in self._worst),
            gained_most=tuple(self._swing(at, records) for at in self._best),
        )

    def _broken_down(self) -> dict[str, Breakdown]:
        divergences, names = self._divergences, self._names
        tables = BreakingDown(divergences, self._deals, self._replay_of)
        calls = self._situations, *groupings.calls(divergences, names)
        return {
            "situations": tables.by(self._situations),
            "calls": tables.by(*calls),
            "hands": tables.by(*calls, groupings.hands(self._boards, divergences)),
            "contracts": tables.by(*groupings.contracts(divergences, names)),
            "doubled": tables.by(groupings.doubled(divergences, names)),
            "vulnerability": tables.by(groupings.vulnerability(self._boards, divergences)),
            "contested": tables.by(groupings.contested(divergences, names)),
        }

    def _replay_of(self, at: int) -> str:
        """Return the address of the call that differs, at the arm's table."""
        divergences = self._divergences
        page = page_name(int(self._boards.numbers[divergences.rows[at]]))
        table = 2 * self._arms[0] + int(divergences.own.rooms[at])
        return step_of(page, table, int(divergences.turns[at]) + 1)

    def _swing(self, at: int, records: Records) -> Swing:
        divergences = self._divergences
        tables = records[int(divergences.rows[at])]
        board, seat = tables[0].board, SEATS[divergences.seats[at]]
        both = divergences.own, divergences.other
        own, other = (
            TableResult.of(name, tables[2 * arm + int(of_bidder.rooms[at])])
            for name, arm, of_bidder in zip(self._names, self._arms, both, strict=True)
        )
        return Swing(
            board=board.number,
            dealer=board.dealer,
            vulnerability=board.vulnerability,
            seat=seat,
            hand=board.deal[seat],
            place=int(divergences.turns[at]) + 1,
            situation=self._situations.texts[self._situations.codes[at]],
            imps=float(divergences.imps[at]),
            own=own,
            other=other,
            replay=self._replay_of(at),
        )
