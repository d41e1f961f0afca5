"""The tallies of some tables and matches, of which all figures of entries are sums.

A figure covers the tables at which an entry sat, or the two-room boards of its matches. Deals and
entries are numbers here; the number of a deal is its cluster. The sums of an event can be kept
(`packed`), and those of several are joined, so that figures need neither records nor boards.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import accumulate
from struct import pack
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bridge.cards import Deal
from bridge_arena.bridge.seats import SEATS
from bridge_arena.oracle.ledger import Role, split_swings
from bridge_arena.reports.common.tables import SeatedTable, TeamMatch
from bridge_arena.reports.common.tallies import NONE, TalliedPlayed, Tallies
from bridge_arena.tournaments import HOME, VISITORS, Played

Numbers = NDArray[np.signedinteger[Any]]

_FORMS = {
    "tables": np.dtype(
        [
            ("row", "<i4"),  # that of its kept tally, or NONE
            ("deal", "<i4"),
            ("seats", "<i4", len(SEATS)),  # the entries there
        ]
    ),
    # Two-room boards that count, whose IMPs are seen from the home team.
    "boards": np.dtype(
        [
            ("teams", "<i4", 2),  # the entries that are HOME and VISITORS
            ("deal", "<i4"),
            ("number", "<i4"),  # the one on the board
            ("imps", "<i4"),
            ("adjusted", "?"),
            ("tables", "<i4", 2),  # those of the open and closed room, or NONE
        ]
    ),
    # What entries scored at tables of pairs and individual events.
    "scores": np.dtype(
        [
            ("entry", "<i4"),
            ("deal", "<i4"),
            ("score", "<f8"),  # by the event's scoring
            ("imps", "<f8"),  # cross-IMPs; NaN if no other table finished the board
        ]
    ),
}
_OF_ENTRIES = {"tables": "seats", "boards": "teams", "scores": "entry"}
_HANDS = np.dtype("V24")


class SplitSums(NamedTuple):
    """Two-room boards whose IMPs could be split, all seen from the home team."""

    teams: Numbers
    deals: Numbers
    imps: NDArray[np.float64]
    auction: NDArray[np.float64]
    parts: NDArray[np.float64]  # by team and role, of shape (boards, 2, roles)
    lost: Numbers  # the tricks lost, of the same shape


Score = tuple[str, Deal, float, float | None]
"""What an entry, by its name, scored on a deal, and its cross-IMPs, if there are any."""


@dataclass(frozen=True, eq=False)
class Sums:
    """The tables and matches of some entries, in their order."""

    names: Sequence[str]  # the entries, by their numbers
    hands: Sequence[bytes]  # the deals, by their numbers
    make_tallies: Callable[[], Tallies]  # those of the tables
    table: Callable[[int], Played]  # returns a table with its record
    tables: NDArray[np.void]  # these and the next as _FORMS has them
    boards: NDArray[np.void]
    scores: NDArray[np.void]

    @classmethod
    def of(
        cls,
        tables: Iterable[SeatedTable],
        matches: Iterable[TeamMatch] = (),
        scores: Iterable[Score] = (),
        names: Iterable[str] = (),
    ) -> Self:
        """Return the sums of tables, of their matches and of their scores.

        `names` are those of entries that come first.
        """
        seated = list(tables)
        entries = {name: number for number, name in enumerate(names)}
        lineups: dict[tuple[str, ...], list[int]] = {}
        for table in seated:
            if table.names not in lineups:
                places = [entries.setdefault(name, len(entries)) for name in table.names]
                lineups[table.names] = places
        deals: dict[Deal, int] = {}
        place = {id(None): NONE, **{id(table): row for row, table in enumerate(seated)}}
        rows: dict[str, list[Any]] = {
            "tables": [
                (_row(table), deals.setdefault(table.board.deal, len(deals)), lineups[table.names])
                for table in seated
            ],
            "boards": [
                (
                    [entries.get(name, NONE) for name in match.names],
                    deals[board.board.deal],
                    board.board.number,
                    board.imps,
                    board.adjusted,
                    [place[id(board.open)], place[id(board.closed)]],
                )
                for match in matches
                for board in match.boards
                if board.imps is not None
            ],
            "scores": [
                (entries[name], deals[deal], score, np.nan if imps is None else imps)
                for name, deal, score, imps in scores
            ],
        }
        return cls(
            list(entries),
            [_hands(deal) for deal in deals],
            lambda: Tallies.of(table.played for table in seated),
            lambda row: seated[row].played,
            *(np.array(rows[part], form) for part, form in _FORMS.items()),
        )

    @classmethod
    def joined(cls, parts: Sequence[Sums]) -> Self:
        """Return the sums of several events, in which the same name is the same entry."""
        names: dict[str, int] = {}
        hands: dict[bytes, int] = {}
        first = [0, *accumulate(len(part.tables) for part in parts)]
        arrays = {part: [np.array([], form)] for part, form in _FORMS.items()}
        for part, start in zip(parts, first, strict=False):
            # The numbers here of the part's entries and deals.
            entries = np.array([names.setdefault(name, len(names)) for name in part.names], int)
            deals = np.array([hands.setdefault(own, len(hands)) for own in part.hands], int)
            for form, of_entries in _OF_ENTRIES.items():
                rows = getattr(part, form).copy()
                rows["deal"] = deals[rows["deal"]]
                rows[of_entries] = entries[rows[of_entries]]
                arrays[form].append(rows)
            boards = arrays["boards"][-1]
            boards["tables"] += start * (boards["tables"] != NONE)

        def table(row: int) -> Played:
            place = bisect_right(first, row) - 1
            return parts[place].table(row - first[place])

        return cls(
            list(names),
            list(hands),
            lambda: Tallies.joined([Tallies.made(()), *(part.make_tallies() for part in parts)]),
            table,
            *map(np.concatenate, arrays.values()),
        )

    def packed(self) -> dict[str, bytes]:
        """Return all but the names and the tallies."""
        arrays = {part: getattr(self, part).tobytes() for part in _FORMS}
        return arrays | {"deals": b"".join(self.hands)}

    @classmethod
    def unpacked(
        cls,
        parts: Mapping[str, bytes],
        names: Sequence[str],
        tallies: Tallies,
        table: Callable[[int], Played],
    ) -> Self:
        """Return sums that were `packed`, of tables that have these `tallies`, in any order.

        Raises ValueError if they are of no event.
        """
        arrays = {part: np.frombuffer(parts[part], form) for part, form in _FORMS.items()}
        tables, boards, scores = arrays.values()
        hands = np.frombuffer(parts["deals"], _HANDS).tolist()
        count = len(tallies.tables)
        known = [
            *(_within(rows["deal"], 0, len(hands)) for rows in arrays.values()),
            *(_within(arrays[part][name], 0, len(names)) for part, name in _OF_ENTRIES.items()),
            _within(boards["tables"], NONE, count),
            np.isfinite(scores["score"]).all(),
            not np.isinf(scores["imps"]).any(),
            np.array_equal(np.sort(tables["row"]), np.arange(count)),
        ]
        if not all(known):
            raise ValueError("they have numbers that no event has")
        in_order = partial(tallies.taken, tables["row"])
        return cls(names, hands, in_order, table, tables, boards, scores)

    @cached_property
    def tallies(self) -> Tallies:
        """The tallies of the tables. Raises ValueError for a number that none holds."""
        return self.make_tallies()

    @property
    def seats(self) -> Numbers:
        """The entries at the seats of tables, of shape (tables, seats)."""
        seats: Numbers = self.tables["seats"]
        return seats

    @property
    def deals(self) -> Numbers:
        """The deals of tables."""
        deals: Numbers = self.tables["deal"]
        return deals

    def entry(self, name: str) -> int:
        """Return the number of an entry; NONE if there is none of that name."""
        return self.names.index(name) if name in self.names else NONE

    @property
    def swings(self) -> tuple[list[list[int]], list[int], list[int]]:
        """The teams, deals and IMPs of two-room boards, as lists."""
        boards = self.boards
        return boards["teams"].tolist(), boards["deal"].tolist(), boards["imps"].tolist()

    @cached_property
    def split(self) -> SplitSums:
        """The boards whose IMPs could be split."""
        boards, tables = self.boards, self.tallies.tables
        rows = ~boards["adjusted"] & (boards["tables"] != NONE).all(axis=1)
        rows[rows] = tables["split"][boards["tables"][rows]].all(axis=1)
        in_rooms = tables[boards["tables"][rows]]
        imps, auction, parts = split_swings(in_rooms["scores"][:, 0], in_rooms["scores"][:, 1])
        # The team of a role in a room: home sits North-South in the open room.
        declarers = (in_rooms["declarer"] + [0, 1]) % 2
        teams = np.stack(
            [declarers if role is Role.DECLARER_PLAY else 1 - declarers for role in Role], axis=2
        )
        by_team = [teams == team for team in (HOME, VISITORS)]
        return SplitSums(
            boards["teams"][rows],
            boards["deal"][rows],
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


def _row(table: SeatedTable) -> int:
    return table.played.row if isinstance(table.played, TalliedPlayed) else NONE


def _hands(deal: Deal) -> bytes:
    """Return the hands of N, E and S; the fourth follows."""
    north, east, south, _ = deal.hands
    return pack("<3Q", north.mask, east.mask, south.mask)


def _within(numbers: Numbers, low: int, end: int) -> bool:
    return bool(((low <= numbers) & (numbers < end)).all())
