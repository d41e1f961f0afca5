"""The bidding of many boards in both rooms, by bots that answer in batches or one at a time.

The rules are those of `bridge`, and each bot is told what its seat may see, with the seed that its
seat has in a match. So a board ends as it does in `arena match --mode bidding`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bridge_arena.base.wording import plural
from bridge_arena.bots.library.many_auctions.auctions import Auctions, Calls, Turns
from bridge_arena.bots.library.many_auctions.boards import Contracts
from bridge_arena.bots.sdk.client import Bot, answers_many
from bridge_arena.bridge.calls import CALLS
from bridge_arena.bridge.seeds import DealKey
from bridge_arena.lab.boards import LabBoards
from bridge_arena.tournaments.play.in_process import bid_at_tables

NO_CALL = -1
"""What stands in an array of calls after the last call of an auction."""


class WrongCallError(ValueError):
    """The error of a bot that cannot call, or answered a batch with a call that is not legal."""


@dataclass(frozen=True, slots=True)
class Bid:
    """The auctions of n boards in both rooms, open room first; or of m tables, without rooms."""

    calls: NDArray[np.int8]  # the calls in order, n×2×longest; `NO_CALL` after the last
    bid: NDArray[np.int64]  # the last bid, n×2: 1 (1C) to 35 (7NT); 0 if the board was passed out
    risk: NDArray[np.int64]  # 0, 1 if it is doubled, 2 if it is redoubled, n×2
    # Declarer's seat, n×2: 0 for North, clockwise; without meaning if passed out.
    declarer: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.bid)

    @property
    def contracts(self) -> NDArray[np.int64]:
        """The contracts as numbers, n×2; equal ones have the same number."""
        return np.where(self.bid == 0, 0, 12 * self.bid + 4 * self.risk + self.declarer)

    @classmethod
    def of(cls, boards: LabBoards, calls: NDArray[np.int8], contracts: Contracts) -> Bid:
        """Return the auctions of boards from what both rooms reached, 2n, seen from the dealer."""
        declarer = (contracts.declarer + np.tile(boards.dealers, 2)) % 4
        reached = (contracts.bid, contracts.risk, declarer)
        return cls(calls, *(values.reshape(2, -1).T for values in reached))


def padded(calls: NDArray[np.int8], longest: int) -> NDArray[np.int8]:
    """Return calls, whose last dimension is the auction, with room for the longest auction."""
    more = longest - calls.shape[-1]
    widths = [(0, 0)] * (calls.ndim - 1) + [(0, more)]
    return np.pad(calls, widths, constant_values=NO_CALL) if more else calls


def bid(
    boards: LabBoards, home: Callable[[], Bot], visitors: Callable[[], Bot], key: DealKey
) -> Bid:
    """Bid boards in both rooms: home sits North-South in the open one, East-West in the closed one.

    Raises WrongCallError, and FaultyBotError of a bot that is asked for one call at a time.
    """
    one, other = home(), visitors()
    for bot in (one, other):
        if type(bot).call is Bot.call:
            raise WrongCallError(f"{type(bot).__name__} has no method call")
    if not (answers_many(one, "call") and answers_many(other, "call")):
        return collected(boards, bid_at_tables(boards.all(), home, visitors, key))
    return _in_batches(boards, (one, other))


def _in_batches(boards: LabBoards, teams: tuple[Bot, Bot]) -> Bid:
    """Bid all boards in step, both rooms at once."""
    number = len(boards)
    given_boards = boards.from_the_dealer()
    dealers = boards.dealers
    # Row r is board r in the open room, row n + r the same board in the closed one.
    on = np.arange(2 * number)
    auctions = Auctions(2 * number)
    ended: list[tuple[NDArray[np.int64], NDArray[np.int8]]] = []
    contracts = Contracts(*np.zeros((3, 2 * number), np.int64))
    while len(on):
        board, turn = on % number, auctions.turn
        callers = (dealers[board] + turn) % 4
        team = (callers + on // number) % 2
        hands, vulnerable = given_boards.hands[board, turn], given_boards.vulnerable[board]
        turns = Turns(hands, auctions, vulnerable, dealers[board])
        calls = np.empty(len(on), np.int64)
        for index, bidder in enumerate(teams):
            rows = np.flatnonzero(team == index)
            if len(rows):
                calls[rows] = _legal(bidder, turns.rows(rows))
        auctions.push(calls)
        over = auctions.over
        finished, going = np.flatnonzero(over), np.flatnonzero(~over)
        if len(finished):
            done = auctions.rows(finished)
            ended.append((on[finished], done.calls))
            contracts.put(on[finished], done)
        auctions, on = auctions.rows(going), on[going]
    calls_made = np.full((2 * number, ended[-1][1].shape[1]), NO_CALL, np.int8)
    for rows, made in ended:
        calls_made[rows, : made.shape[1]] = made
    return Bid.of(boards, calls_made.reshape(2, number, -1).transpose(1, 0, 2), contracts)


def _legal(bidder: Bot, turns: Turns) -> Calls:
    """Return the calls of a bidder, or raise WrongCallError if one is not legal."""
    calls = np.asarray(bidder.call_many(turns))
    name = type(bidder).__name__
    if calls.shape != (len(turns),):
        raise WrongCallError(
            f"{name} answered {plural(len(turns), 'turn')} with an array of shape {calls.shape}, "
            f"expected {(len(turns),)}"
        )
    if calls.dtype.kind not in "iu":
        raise WrongCallError(
            f"{name} answered a batch with values of type {calls.dtype}, expected the whole "
            "numbers of calls in `bridge.calls`"
        )
    legal = turns.auctions.legal()
    known = (calls >= 0) & (calls < len(CALLS))
    wrong = ~known
    wrong[known] = ~legal[np.flatnonzero(known), calls[known]]
    for row in np.flatnonzero(wrong):
        call = CALLS[calls[row]] if known[row] else calls[row]
        before = " ".join(str(CALLS[made]) for made in turns.auctions.calls[row]) or "nothing"
        raise WrongCallError(
            f"{name} answered a batch with {call} after {before}, which is not legal"
        )
    return calls


def collected(boards: LabBoards, tables: Sequence[tuple[Sequence[int], Sequence[int]]]) -> Bid:
    """Return auctions bid one at a time; `tables` has a board's calls in open and closed room."""
    longest = max((len(calls) for rooms in tables for calls in rooms), default=0)
    calls = np.full((len(boards), 2, longest), NO_CALL, np.int8)
    contracts = Contracts(*np.zeros((3, 2 * len(boards)), np.int64))
    for row, rooms in enumerate(tables):
        for room, made in enumerate(rooms):
            calls[row, room, : len(made)] = made
            auction = Auctions(1)
            for call in made:
                auction.push(np.array([call]))
            contracts.put(np.array([room * len(boards) + row]), auction)
    return Bid.of(boards, calls, contracts)
