"""The tallies of some tables and matches, of which all figures of entries are sums.

A figure covers the tables at which an entry sat, or the two-room boards of its matches. Deals and
entries are numbers here; the number of a deal is its cluster.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bridge.cards import Deal
from bridge_arena.bridge.seats import SEATS
from bridge_arena.oracle.ledger import Role, split_swings
from bridge_arena.reports.common.tables import SeatedTable, TeamMatch
from bridge_arena.reports.common.tallies import NONE, Tallies
from bridge_arena.tournaments import HOME, VISITORS

Numbers = NDArray[np.int64]


class BoardSums(NamedTuple):
    """Two-room boards that count, whose IMPs are seen from the home team."""

    teams: Numbers  # the entries that are HOME and VISITORS, of shape (boards, 2)
    deals: Numbers
    imps: Numbers
    adjusted: NDArray[np.bool_]
    tables: Numbers  # the tables of the open and closed room, or NONE, of shape (boards, 2)

    @property
    def swings(self) -> tuple[list[list[int]], list[int], list[int]]:
        """The teams, deals and IMPs as lists."""
        return self.teams.tolist(), self.deals.tolist(), self.imps.tolist()


class SplitSums(NamedTuple):
    """Two-room boards whose IMPs could be split, all seen from the home team."""

    teams: Numbers
    deals: Numbers
    imps: NDArray[np.float64]
    auction: NDArray[np.float64]
    parts: NDArray[np.float64]  # by team and role, of shape (boards, 2, roles)
    lost: Numbers  # the tricks lost, of the same shape


class Sums:
    """The tables and matches of some entries, in their order.

    Attributes:
        tables: The tables.
        tallies: Their tallies.
        names: The entries, by their numbers.
        seats: The entries at their seats, of shape (tables, seats).
        deals: Their deals.
        boards: The two-room boards.

    Raises:
        ValueError: A table has a number that no tally holds.
    """

    def __init__(self, tables: Iterable[SeatedTable], matches: Iterable[TeamMatch] = ()) -> None:
        self.tables = list(tables)
        self.tallies = Tallies.of(table.played for table in self.tables)
        numbers: dict[str, int] = {}
        lineups: dict[tuple[str, ...], list[int]] = {}
        for table in self.tables:
            if table.names not in lineups:
                places = [numbers.setdefault(name, len(numbers)) for name in table.names]
                lineups[table.names] = places
        self.names = list(numbers)
        self.seats = _numbers([lineups[table.names] for table in self.tables], len(SEATS))
        deals: dict[Deal, int] = {}
        self.deals = _numbers(
            [deals.setdefault(table.board.deal, len(deals)) for table in self.tables]
        )
        self.boards = self._boards(matches)

    def entry(self, name: str) -> int:
        """Return the number of an entry; NONE if it sat nowhere."""
        return self.names.index(name) if name in self.names else NONE

    @cached_property
    def split(self) -> SplitSums:
        """The boards whose IMPs could be split."""
        boards, tables = self.boards, self.tallies.tables
        rows = ~boards.adjusted & (boards.tables != NONE).all(axis=1)
        rows[rows] = tables["split"][boards.tables[rows]].all(axis=1)
        in_rooms = tables[boards.tables[rows]]
        imps, auction, parts = split_swings(in_rooms["scores"][:, 0], in_rooms["scores"][:, 1])
        # The team of a role in a room: home sits North-South in the open room.
        declarers = (in_rooms["declarer"] + [0, 1]) % 2
        teams = np.stack(
            [declarers if role is Role.DECLARER_PLAY else 1 - declarers for role in Role], axis=2
        )
        by_team = [teams == team for team in (HOME, VISITORS)]
        return SplitSums(
            boards.teams[rows],
            boards.deals[rows],
            imps,
            auction,
            np.stack([np.where(own, parts, 0.0).sum(axis=1) for own in by_team], axis=1),
            np.stack([(in_rooms["lost"] * own).sum(axis=1) for own in by_team], axis=1),
        )

    @cached_property
    def faulty(self) -> Numbers:
        """The table of each fault."""
        return np.repeat(np.arange(len(self.tables)), self.tallies.tables["faults"])

    @cached_property
    def asking(self) -> Numbers:
        """The table of each decision of a language model."""
        return np.repeat(np.arange(len(self.tables)), self.tallies.tables["model_uses"])

    def times_of(self, entry: int) -> tuple[Numbers, NDArray[np.float64]]:
        """Return the table and the milliseconds of each action of an entry."""
        actions = self.tallies.tables["actions"]
        own = np.repeat((self.seats == entry).reshape(-1), actions.reshape(-1))
        at_tables = actions.sum(axis=1, dtype=np.int64)
        return np.repeat(np.arange(len(actions)), at_tables)[own], self.tallies.times[own]

    def _boards(self, matches: Iterable[TeamMatch]) -> BoardSums:
        place = {id(None): NONE, **{id(table): row for row, table in enumerate(self.tables)}}
        counted = [
            (names, board)
            for match in matches
            for names in [[self.entry(name) for name in match.names]]
            for board in match.boards
            if board.swing is not None
        ]
        tables = _numbers([[place[id(b.open)], place[id(b.closed)]] for _, b in counted], 2)
        return BoardSums(
            _numbers([names for names, _ in counted], 2),
            self.deals[tables.max(axis=1)],
            _numbers([board.imps or 0 for _, board in counted]),
            np.array([board.adjusted for _, board in counted], np.bool_),
            tables,
        )


def _numbers(values: object, *width: int) -> Numbers:
    return np.array(values, np.int64).reshape(-1, *width)
