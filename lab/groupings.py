"""What divergences are told apart by, and the tables that say where an arm's IMPs come from.

A grouping gives each divergence a code: by what came before the call that differs, in the words of
bridge players, by the call, hand, contract, vulnerability, or the bidding of both sides. A
breakdown is a table by one grouping or more, whose rows add up to the total.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bots.library.learning.hands import Hands, lengths, points
from bridge_arena.bridge.calls import CALLS, DOUBLE, FIRST_BID, PASS, Call, Contract, Risk
from bridge_arena.bridge.scoring import contract_score
from bridge_arena.bridge.seats import Seat
from bridge_arena.lab.boards import LabBoards
from bridge_arena.lab.divergences import Divergences, Tables
from bridge_arena.reports.common.values import Hidden
from bridge_arena.tournaments.statistics.means import Mean, clustered_mean_of


@dataclass(frozen=True, slots=True)
class Grouping:
    """One thing that m divergences are told apart by."""

    name: str
    codes: NDArray[np.integer]  # the code of each divergence, m
    texts: Sequence[str]  # the text of each code


_POINTS = (0, 6, 10, 12, 15, 18, 20)
"""The fewest high-card points of each range of hands."""

_RANGES = ("0-5", "6-9", "10-11", "12-14", "15-17", "18-19", "20+")

_SHAPES = ("balanced", "one suit", "two suits", "three suits")

_VULNERABILITIES = ("nobody", "the other side only", "that side only", "everybody")

KINDS = ("part-score", "game", "small slam", "grand slam")

_GAME = 400
"""The fewest points that a game just made is worth; a part-score is worth less."""

_CONTRACTS = ("passed out", *(f"{side} {kind}" for side in ("plays", "defends") for kind in KINDS))

_OPENINGS = ("1m", "1M", "1NT", "2C", "2D/2H/2S", "2NT", "3C+")

_LOWEST = [Call(text) for text in ("1C", "1H", "1NT", "2C", "2D", "2NT", "3C")]
"""The lowest bid of each kind of opening."""

_NOTRUMP = np.array([bid.is_bid and bid.denomination.trump is None for bid in CALLS])

MOST_ROWS = 20
"""The most rows of a table; what is left is in one row more."""


def calls(divergences: Divergences, names: tuple[str, str]) -> tuple[Grouping, Grouping]:
    """Return the calls at which the auctions part."""
    at = np.arange(len(divergences)), divergences.turns
    own, other = (
        Grouping(name, tables.calls[at], [str(call) for call in CALLS])
        for name, tables in zip(names, (divergences.own, divergences.other), strict=True)
    )
    return own, other


def hands(boards: LabBoards, divergences: Divergences) -> Grouping:
    """Return the hand that makes the call: its high-card points, and its shape.

    A hand is balanced if it is 4-3-3-3, 4-4-3-2 or 5-3-3-2. Of others, the suits of four cards or
    more are counted.
    """
    held: Hands = boards.seats[divergences.rows] == divergences.seats[:, None]
    counts = np.sort(lengths(held), axis=1)[:, ::-1]
    is_balanced = (counts[:, 3] >= 2) & (counts[:, :2].sum(axis=1) <= 8) & (counts[:, 0] <= 5)
    shape = np.where(is_balanced, 0, (counts >= 4).sum(axis=1))
    high = np.searchsorted(_POINTS, points(held), side="right") - 1
    texts = [f"{range_} {shape}" for range_ in _RANGES for shape in _SHAPES]
    return Grouping("Hand", high * len(_SHAPES) + shape, texts)


def vulnerability(boards: LabBoards, divergences: Divergences) -> Grouping:
    """Return who is vulnerable, seen from the side of the arm and of the other bidder."""
    vulnerable = boards.vulnerable[divergences.rows].astype(np.int64)
    rows = np.arange(len(divergences))
    theirs, ours = vulnerable[rows, 1 - divergences.sides], vulnerable[rows, divergences.sides]
    return Grouping("Vulnerable", theirs + 2 * ours, _VULNERABILITIES)


def contested(divergences: Divergences, names: tuple[str, str]) -> Grouping:
    """Return at which of the two tables both sides bid or doubled."""
    return _at_tables("Contested", divergences, _is_contested, names)


def doubled(divergences: Divergences, names: tuple[str, str]) -> Grouping:
    """Return at which of the two tables the contract is doubled."""
    return _at_tables("Doubled", divergences, lambda tables: tables.risk > 0, names)


def contracts(divergences: Divergences, names: tuple[str, str]) -> tuple[Grouping, Grouping]:
    """Return the kinds of contract, and whether the compared side plays or defends them."""
    own, other = (
        Grouping(name, _kinds(tables, divergences.sides), _CONTRACTS)
        for name, tables in zip(names, (divergences.own, divergences.other), strict=True)
    )
    return own, other


def _at_tables(
    name: str,
    divergences: Divergences,
    holds: Callable[[Tables], NDArray[np.bool_]],
    names: tuple[str, str],
) -> Grouping:
    own, other = (holds(tables).astype(np.int64) for tables in (divergences.own, divergences.other))
    texts = ("at neither table", f"only with {names[0]}", f"only with {names[1]}", "at both tables")
    return Grouping(name, own + 2 * other, texts)


def _is_contested(tables: Tables) -> NDArray[np.bool_]:
    # What stands after the last call is below Pass.
    acts = tables.calls > PASS
    return np.asarray(acts[:, ::2].any(axis=1) & acts[:, 1::2].any(axis=1))


def _kinds(tables: Tables, sides: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return contracts as places among `_CONTRACTS`."""
    defends = tables.declarer % 2 != sides
    kinds = 1 + len(KINDS) * defends + kind_of_bid()[tables.bid - 1]
    return np.where(tables.bid == 0, 0, kinds)


@lru_cache(maxsize=1)
def kind_of_bid() -> NDArray[np.int64]:
    """Return the place among `KINDS` of the contract of each bid, 1C to 7NT."""
    kinds: list[int] = []
    for bid in CALLS[FIRST_BID:]:
        contract = Contract.of(bid, Risk.UNDOUBLED, Seat.NORTH)
        made = contract_score(contract, contract.tricks_needed, vulnerable=False)
        kinds.append(bid.level - 4 if bid.level > 5 else int(made >= _GAME))
    return np.array(kinds, np.int64)


def situations(divergences: Divergences) -> Grouping:
    """Return the situation of the player whose call differs."""
    every, calls = np.arange(len(divergences)), divergences.own.calls
    before = np.arange(calls.shape[1]) < divergences.turns[:, None]
    bids = before & (calls >= FIRST_BID)
    opened: NDArray[np.bool_] = np.asarray(bids.any(axis=1))
    at = bids.argmax(axis=1)  # the place of the opening bid, if there is one
    cases = dict(_cases(divergences, opened, at))
    case = np.argmax(list(cases.values()), axis=0)
    kind = np.searchsorted(_LOWEST, calls[every, at], side="right") - 1
    texts = [text.format(opening) for text in cases for opening in _OPENINGS]
    return Grouping("After what", len(_OPENINGS) * case + np.where(opened, kind, 0), texts)


def _cases(
    divergences: Divergences, opened: NDArray[np.bool_], at: NDArray[np.int64]
) -> Iterator[tuple[str, NDArray[np.bool_]]]:
    """Yield situations ({} is the opening bid) and where they are; the first that fits counts."""
    calls, turns, every = divergences.own.calls, divergences.turns, np.arange(len(divergences))
    # Without meaning where there are not so many calls.
    right, partner, opening = calls[every, turns - 1], calls[every, turns - 2], calls[every, at]
    since = turns - at  # 1 at the first call after the opening
    yield "a call of the opponents", ~divergences.is_own
    for place, seat in enumerate(("1st", "2nd", "3rd", "4th")):
        yield f"opening in {seat} seat", ~opened & (turns == place)

    ours = since % 2 == 0
    response = since == 2
    yield "response to {}", response & (right == PASS)
    yield "response to {}, doubled", response & (right == DOUBLE)
    yield "response to {}, overcalled", response
    rebid = since == 4
    yield "opener's rebid after {} and no response", rebid & (partner == PASS)
    yield "opener's rebid after {} and a double", rebid & (partner < FIRST_BID)
    yield "opener's rebid after {} and a raise", rebid & ((partner - opening) % 5 == 0)
    yield "opener's rebid after {} and notrump", rebid & _NOTRUMP[partner]
    yield "opener's rebid after {} and a new suit", rebid
    yield "responder's rebid after {}", since == 6
    yield "later, after our {}", ours

    places = np.arange(calls.shape[1])
    since_opened = (places > at[:, None]) & (places < turns[:, None])
    acts = since_opened & (calls > PASS) & ((turns[:, None] - places) % 2 == 0)
    silent = ~acts.any(axis=1)
    yield "over their {}", silent & (since == 1)
    yield "balancing over their {}", silent & (right == PASS) & (partner == PASS)
    yield "over their {} and a response", silent & (since == 3)
    yield "over their {} and a rebid", silent
    first = turns - acts.argmax(axis=1) == 2
    yield "after partner's double of their {}", first & (partner == DOUBLE)
    yield "after partner's overcall of their {}", first
    yield "later, after their {}", np.ones(len(every), np.bool_)


@dataclass(frozen=True, slots=True)
class Row:
    """Some divergences, and what they are worth."""

    what: tuple[str, ...]  # in common: a text for each grouping; () for all others
    times: int  # how many divergences
    imps: float  # the IMPs that the arm gained by them
    # These IMPs as a mean over all boards, so that the rows add up to the total mean.
    per_board: Mean
    each: Mean  # their mean over these divergences alone
    # The row of an example: the board that went farthest in the direction of the sum.
    row: Hidden[int]
    replay: str  # the address of the example's replay, relative to the report


@dataclass(frozen=True, slots=True)
class Breakdown:
    """All divergences by some groupings."""

    facets: tuple[str, ...]  # the names of the groupings
    rows: tuple[Row, ...]  # the rows with the most IMPs, won or lost, the most first
    others: Row | None  # all other divergences; None if there are none

    @property
    def every(self) -> tuple[Row, ...]:
        """All rows, with that of all others last."""
        return self.rows if self.others is None else (*self.rows, self.others)


@dataclass(frozen=True, slots=True)
class BreakingDown:
    divergences: Divergences
    deals: NDArray[np.int64]  # the deal of each board, as a number, n
    replay_of: Callable[[int], str]  # returns the address of the replay of a divergence

    def by(self, *groupings: Grouping, most: int = MOST_ROWS) -> Breakdown:
        names = tuple(grouping.name for grouping in groupings)
        if not len(self.divergences):
            return Breakdown(names, (), None)
        sizes = [len(grouping.texts) for grouping in groupings]
        keys = np.ravel_multi_index([grouping.codes for grouping in groupings], sizes)
        kept, which = np.unique(keys, return_inverse=True)
        totals = np.bincount(which, self.divergences.imps)
        times = np.bincount(which)
        order = np.lexsort((-times, -np.abs(totals)))
        shown = order if len(order) <= most + 1 else order[:most]
        rows = [
            self._row(_texts(groupings, np.unravel_index(kept[place], sizes)), which == place)
            for place in shown
        ]
        left = ~np.isin(which, shown)
        return Breakdown(names, tuple(rows), self._row((), left) if left.any() else None)

    def _row(self, what: tuple[str, ...], chosen: NDArray[np.bool_]) -> Row:
        rows = self.divergences.rows[chosen]
        imps = self.divergences.imps[chosen]
        total = float(imps.sum())
        by_board = np.bincount(rows, imps, minlength=len(self.deals))
        farthest = np.argmax(imps if total >= 0 else -imps)
        return Row(
            what,
            len(rows),
            total,
            clustered_mean_of(self.deals, by_board),
            clustered_mean_of(self.deals[rows], imps),
            int(rows[farthest]),
            self.replay_of(int(np.flatnonzero(chosen)[farthest])),
        )


def _texts(groupings: Sequence[Grouping], codes: tuple[np.integer, ...]) -> tuple[str, ...]:
    return tuple(grouping.texts[int(code)] for grouping, code in zip(groupings, codes, strict=True))
