"""What partings can be told apart by: hands, contracts, vulnerability, bidding of both sides."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bots.library.learning.hands import Hands, lengths, points
from bridge_arena.bridge.calls import CALLS, FIRST_BID, PASS, Contract, Risk
from bridge_arena.bridge.scoring import contract_score
from bridge_arena.bridge.seats import Seat
from bridge_arena.lab.boards import LabBoards
from bridge_arena.lab.partings import Partings, Tables


@dataclass(frozen=True, slots=True)
class Facet:
    """One thing that m partings are told apart by."""

    name: str
    codes: NDArray[np.integer]  # the code of each parting, m
    texts: Sequence[str]  # the text of each code


_POINTS = (0, 6, 10, 12, 15, 18, 20)
"""The fewest high-card points of each range of hands."""

_RANGES = ("0-5", "6-9", "10-11", "12-14", "15-17", "18-19", "20+")

_SHAPES = ("balanced", "one suit", "two suits", "three suits")

_VULNERABILITIES = ("nobody", "the other side only", "that side only", "everybody")

KINDS = ("part-score", "game", "small slam", "grand slam")

_GAME = 400
"""The fewest points that a game just made is worth; a part-score is worth less."""

_SIDES = ("plays", "defends")

_CONTRACTS = ("passed out", *(f"{side} {kind}" for side in _SIDES for kind in KINDS))


def calls(partings: Partings, names: tuple[str, str]) -> tuple[Facet, Facet]:
    """Return the calls at which the auctions part."""
    at = np.arange(len(partings)), partings.turns
    own, other = (
        Facet(name, tables.calls[at], [str(call) for call in CALLS])
        for name, tables in zip(names, (partings.own, partings.other), strict=True)
    )
    return own, other


def hands(boards: LabBoards, partings: Partings) -> Facet:
    """Return the hand that makes the call: its high-card points, and its shape.

    A hand is balanced if it is 4-3-3-3, 4-4-3-2 or 5-3-3-2. Of others, the suits of four cards or
    more are counted.
    """
    held = hands_of(boards, partings)
    counts = np.sort(lengths(held), axis=1)[:, ::-1]
    is_balanced = (counts[:, 3] >= 2) & (counts[:, :2].sum(axis=1) <= 8) & (counts[:, 0] <= 5)
    shape = np.where(is_balanced, 0, (counts >= 4).sum(axis=1))
    high = np.searchsorted(_POINTS, points(held), side="right") - 1
    texts = [f"{range_} {shape}" for range_ in _RANGES for shape in _SHAPES]
    return Facet("Hand", high * len(_SHAPES) + shape, texts)


def hands_of(boards: LabBoards, partings: Partings) -> Hands:
    """Return the hands that make the calls, m×52."""
    found: Hands = boards.seats[partings.rows] == partings.seats[:, None]
    return found


def vulnerability(boards: LabBoards, partings: Partings) -> Facet:
    """Return who is vulnerable, seen from the side of the arm and of the other bidder."""
    vulnerable = boards.vulnerable[partings.rows].astype(np.int64)
    rows = np.arange(len(partings))
    theirs, ours = vulnerable[rows, 1 - partings.sides], vulnerable[rows, partings.sides]
    return Facet("Vulnerable", theirs + 2 * ours, _VULNERABILITIES)


def contested(partings: Partings, names: tuple[str, str]) -> Facet:
    """Return at which of the two tables both sides bid or doubled."""
    return _at_tables("Contested", partings, _is_contested, names)


def doubled(partings: Partings, names: tuple[str, str]) -> Facet:
    """Return at which of the two tables the contract is doubled."""
    return _at_tables("Doubled", partings, lambda tables: tables.risk > 0, names)


def contracts(partings: Partings, names: tuple[str, str]) -> tuple[Facet, Facet]:
    """Return the kinds of contract, and whether the compared side plays or defends them."""
    own, other = (
        Facet(name, _kinds(tables, partings.sides), _CONTRACTS)
        for name, tables in zip(names, (partings.own, partings.other), strict=True)
    )
    return own, other


def _at_tables(
    name: str,
    partings: Partings,
    holds: Callable[[Tables], NDArray[np.bool_]],
    names: tuple[str, str],
) -> Facet:
    """Return at which of the two tables something holds."""
    own, other = (holds(tables).astype(np.int64) for tables in (partings.own, partings.other))
    texts = ("at neither table", f"only with {names[0]}", f"only with {names[1]}", "at both tables")
    return Facet(name, own + 2 * other, texts)


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
