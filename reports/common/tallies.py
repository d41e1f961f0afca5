"""Tallies: all that figures need of tables, as arrays, which a store can keep.

A tally is made once, from a record and its ledger. All figures are sums of tallies (`sums`),
whether they were kept or have just been made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from itertools import chain, groupby
from operator import attrgetter
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bridge.board import Board
from bridge_arena.bridge.record import BoardRecord, FaultKind, Mode, ModelUse, Room
from bridge_arena.bridge.seats import SEATS, SIDES
from bridge_arena.oracle.errors import ImpossibleError
from bridge_arena.oracle.ledger import MOST_POINTS, Role, scores_of_losses
from bridge_arena.reports.common.promises import KINDS, Kept, SeatPromises, promises_of
from bridge_arena.tournaments import Played
from bridge_arena.tournaments.schedule.table_results import StoredResult

FAULT_KINDS = tuple(FaultKind)

NONE = -1
"""Stands for what a table does not have."""

NO_SCORE = -(1 << 31)
NO_TRICKS = -(1 << 7)

_KIND_PARTS = [part.name for part in fields(Kept)]
_SEAT_PARTS = [part.name for part in fields(SeatPromises) if part.name != "kinds"]
_USE_PARTS = [part.name for part in fields(ModelUse)]

_KIND = np.dtype([(name, "<u2") for name in _KIND_PARTS])
_SEAT = np.dtype([*((name, "<u2") for name in _SEAT_PARTS), ("kinds", _KIND, len(KINDS))])
_KEY = ["round", "match", "position", "board", "lineup", "room"]
"""What a store needs to find the table again; 0 in tallies that are not kept."""

Key = tuple[int, ...]

Rows = Sequence[int] | NDArray[np.integer]

TALLY = np.dtype(
    [
        *((name, "<u4") for name in _KEY[:-1]),
        ("room", "u1"),  # the place in _ROOMS and _PLACES
        ("score", "<i4"),  # North-South's points, or NO_SCORE
        ("adjusted", "i1"),  # the side at fault, or NONE
        ("last_at_fault", "i1"),  # the seat of the last fault, or NONE
        ("level", "i1"),  # the contract's, or 0 without one
        ("declarer", "i1"),
        ("gained", "i1"),  # declarer's tricks less the double-dummy ones, or NO_TRICKS
        ("split", "?"),  # whether the next are known
        ("scores", "<i2", 1 << len(Role)),  # as `oracle.ledger.scores_of_losses` has them
        ("lost", "u1", len(Role)),  # tricks by role
        ("seats", _SEAT, len(SEATS)),
        ("actions", "<u4", len(SEATS)),  # the number of those with a time
        ("faults", "<u4"),  # their number
        ("model_uses", "<u4"),  # their number
    ]
)
_OF_RESULT = ["score", "adjusted", "last_at_fault"]
_FAULT = np.dtype([("seat", "u1"), ("kind", "u1")])
_MODEL_USE = np.dtype(
    [
        ("seat", "u1"),
        ("in_play", "?"),  # whether it decided a card
        *((name, "<f8" if name in ("money", "seconds") else "<i8") for name in _USE_PARTS),
    ]
)
_FORMS = {"tables": TALLY, "faults": _FAULT, "times": np.dtype("<f8"), "model_uses": _MODEL_USE}


@dataclass(frozen=True, eq=False)
class Tallies:
    """The tallies of some tables. The items of a table follow those of the table before."""

    tables: NDArray[np.void]
    faults: NDArray[np.void]  # in order
    times: NDArray[np.float64]  # the milliseconds of the actions of N, E, S and W, in order
    model_uses: NDArray[np.void]  # the decisions of language models, in order

    @classmethod
    def of(cls, tables: Iterable[Played]) -> Self:
        """Return the tallies of tables: kept ones, or else new ones. Raises ValueError."""
        parts: list[Tallies] = [cls.made(())]
        for kept, own in groupby(tables, key=_kept):
            if kept is None:
                parts.append(cls.made(list(own)))
            else:
                rows = [table.row for table in own if isinstance(table, TalliedPlayed)]
                parts.append(kept.tallies.taken(rows))
        return cls.joined(parts)

    @classmethod
    def made(cls, tables: Sequence[Played], keys: Sequence[Key] | None = None) -> Self:
        """Make the tallies of tables. Raises ValueError for a number that is too large for one."""
        keys = [(0,) * len(_KEY)] * len(tables) if keys is None else keys
        records = [table.record for table in tables]
        # One row at a time, as the numbers of all rows take far more memory as Python's.
        rows: dict[str, Iterator[Any]] = {
            "tables": ((*key, *_row(table)) for key, table in zip(keys, tables, strict=True)),
            "faults": (
                (fault.seat, FAULT_KINDS.index(fault.kind))
                for record in records
                for fault in record.faults
            ),
            "times": (time for record in records for time in chain.from_iterable(record.times)),
            "model_uses": (use for record in records for use in _model_uses(record)),
        }
        try:
            return cls(*(np.fromiter(rows[part], form) for part, form in _FORMS.items()))
        except OverflowError as error:
            raise ValueError(f"a table has a number that no tally holds: {error}") from None

    @classmethod
    def joined(cls, parts: Sequence[Tallies]) -> Self:
        return cls(*(np.concatenate([getattr(some, part) for some in parts]) for part in _FORMS))

    @classmethod
    def unpacked(cls, parts: Mapping[str, bytes]) -> Self:
        """Return tallies that were `packed`. Raises ValueError if they have none of that form."""
        tallies = cls(*(np.frombuffer(parts[part], form) for part, form in _FORMS.items()))
        tables, uses = tallies.tables, tallies.model_uses
        known = [
            *((low <= tables[name]) & (tables[name] <= high) for name, low, high in _BOUNDS),
            tables["actions"].sum() == len(tallies.times),
            tables["faults"].sum() == len(tallies.faults),
            tables["model_uses"].sum() == len(uses),
            tallies.faults["seat"] < len(SEATS),
            tallies.faults["kind"] < len(FAULT_KINDS),
            uses["seat"] < len(SEATS),
            *(np.isfinite(amount) for amount in (tallies.times, uses["money"], uses["seconds"])),
        ]
        if not all(map(np.all, known)):
            raise ValueError("they have numbers that no table has")
        return tallies

    def packed(self) -> dict[str, bytes]:
        return {part: getattr(self, part).tobytes() for part in _FORMS}

    def taken(self, rows: Rows) -> Self:
        """Return the tallies of some rows, in their order."""
        tables = self.tables
        actions = tables["actions"].sum(axis=1, dtype=np.int64)
        return type(self)(
            tables[rows],
            _items(self.faults, tables["faults"], rows),
            _items(self.times, actions, rows),
            _items(self.model_uses, tables["model_uses"], rows),
        )


_OF_SEAT = attrgetter(*_SEAT_PARTS)
_OF_KIND = attrgetter(*_KIND_PARTS)

_ROOMS = (None, *Room)
_PLACES = ("table", *(room.lower() for room in Room))
"""The rooms as the ids of units have them."""

_BOUNDS = (
    ("room", 0, len(_ROOMS) - 1),
    ("adjusted", NONE, len(SIDES) - 1),
    ("last_at_fault", NONE, len(SEATS) - 1),
    ("level", 0, 7),
    ("declarer", 0, len(SEATS) - 1),
    ("scores", -MOST_POINTS, MOST_POINTS),
)


def _row(table: Played) -> tuple[Any, ...]:
    """Return the fields of a table's tally but for its key."""
    record, ledger, contract = table.record, table.ledger, table.record.contract
    try:
        is_split, scores = True, scores_of_losses(record, ledger)
    except ImpossibleError:
        is_split, scores = False, [0] * (1 << len(Role))
    gained = NO_TRICKS
    if contract and ledger and record.tricks is not None and record.mode is not Mode.BIDDING:
        gained = record.tricks - ledger.dd_tricks
    return (
        NO_SCORE if record.score is None else record.score,
        NONE if record.adjusted is None else record.adjusted,
        record.faults[-1].seat if record.faults else NONE,
        contract.level if contract else 0,
        contract.declarer if contract else 0,
        gained,
        is_split,
        scores,
        [ledger.lost(role) if ledger else 0 for role in Role],
        [(*_OF_SEAT(own), [*map(_OF_KIND, own.kinds.values())]) for own in promises_of(record)],
        [len(times) for times in record.times or ((),) * len(SEATS)],
        len(record.faults),
        sum(thought.model is not None for thought in record.thoughts),
    )


def _model_uses(record: BoardRecord) -> Iterable[tuple[Any, ...]]:
    for thought in record.thoughts:
        if (use := thought.model) is not None:
            parts = {name: getattr(use, name) for name in _USE_PARTS}
            parts["same"] = NONE if use.same is None else use.same
            yield thought.seat, thought.action >= len(record.calls), *parts.values()


def _items(items: NDArray[Any], counts: NDArray[Any], rows: Rows) -> NDArray[Any]:
    """Return the items of some rows; `counts` tells how many each row has."""
    counts = counts.astype(np.int64)
    own, starts = counts[rows], np.cumsum(counts) - counts
    of_rows: NDArray[Any] = items[
        np.arange(own.sum()) + np.repeat(starts[rows] - np.cumsum(own) + own, own)
    ]
    return of_rows


@dataclass(frozen=True, eq=False)
class KeptTallies:
    """The tallies of tables of a store."""

    tallies: Tallies
    load: Callable[[str], Played]  # reads the record and values of a unit

    def unit(self, row: int) -> str:
        """Return the id of a table's unit."""
        of_round, match, position, *_, room = self.tallies.tables[_KEY][row].item()
        return f"{of_round}/{match}/{position}/{_PLACES[room]}"

    def table(self, row: int) -> Played:
        """Return a table with its record. Raises ValueError if it has another tally."""
        table = self.load(self.unit(row))
        kept = self.tallies.taken([row])
        if Tallies.made([table], kept.tables[_KEY].tolist()).packed() != kept.packed():
            raise broken(f"that of {self.unit(row)} is not of its record")
        return table


class TalliedPlayed(Played):
    """A table whose record and values are read when they are asked for."""

    result: StoredResult
    kept: KeptTallies
    row: int

    def __init__(self, result: StoredResult, kept: KeptTallies, row: int) -> None:
        # The class is frozen. By its dictionary it would take twice the memory.
        object.__setattr__(self, "result", result)
        object.__setattr__(self, "kept", kept)
        object.__setattr__(self, "row", row)

    @property
    def unit(self) -> str:
        """The id of its unit."""
        return self.kept.unit(self.row)

    @property
    def record(self) -> BoardRecord:
        return self._table.record

    @property
    def values(self) -> tuple[int, ...] | None:
        return self._table.values

    @cached_property
    def _table(self) -> Played:
        return self.kept.table(self.row)

    def renamed(self, now: Callable[[str], str]) -> Played:
        result = self.result
        renamed = result._replace(
            players=tuple(map(now, result.players)),
            home=now(result.home),
            visitors=now(result.visitors),
            last_at_fault=result.last_at_fault and now(result.last_at_fault),
        )
        return TalliedPlayed(renamed, self.kept, self.row)


def _kept(table: Played) -> KeptTallies | None:
    return table.kept if isinstance(table, TalliedPlayed) else None


def packed_tables(tables: Mapping[str, Played], numbers: Mapping[Board, int]) -> dict[str, Any]:
    """Return the columns by which a store keeps the tallies of tables, given by their units.

    `numbers` are those of the boards in the event's supply. Raises ValueError as `Tallies.made`.
    """
    lineups: dict[tuple[Any, ...], int] = {}
    keys = []
    for unit, table in tables.items():
        result = table.result
        of_round, match, position, place = unit.split("/")
        names = (result.players, result.home, result.visitors, result.programs)
        lineup = lineups.setdefault(names, len(lineups))
        where = int(of_round), int(match), int(position)
        keys.append((*where, numbers[result.board], lineup, _PLACES.index(place)))
    return {"lineups": list(lineups), **Tallies.made(list(tables.values()), keys).packed()}


def unpacked_tables(
    kept: Sequence[Mapping[str, Any]], boards: Mapping[int, Board], load: Callable[[str], Played]
) -> list[TalliedPlayed]:
    """Return the tables of columns that `packed_tables` returned, in that order.

    `load` reads the record and the values of a unit. Raises ValueError if the columns are of no
    tables, as a store may come from anybody.
    """
    tables: list[TalliedPlayed] = []
    try:
        parts = [Tallies.unpacked(columns) for columns in kept]
        own = KeptTallies(Tallies.joined([Tallies.made(()), *parts]), load)
        for part, columns in zip(parts, kept, strict=True):
            lineups = [_lineup(*names) for names in columns["lineups"]]
            numbers = (part.tables[name].tolist() for name in (*_KEY, *_OF_RESULT))
            for of_round, match, _, board, lineup, room, score, side, seat in zip(
                *numbers, strict=True
            ):
                players, home, visitors, programs = lineups[lineup]
                result = StoredResult(
                    boards[board],
                    players,
                    home,
                    visitors,
                    programs,
                    of_round,
                    match,
                    _ROOMS[room],
                    None if score == NO_SCORE else score,
                    None if side == NONE else SIDES[side],
                    None if seat == NONE else players[seat],
                )
                tables.append(TalliedPlayed(result, own, len(tables)))
    except (IndexError, KeyError, TypeError, ValueError) as error:
        raise broken(str(error)) from None
    return tables


def _lineup(
    players: Sequence[str], home: str, visitors: str, programs: Sequence[str]
) -> tuple[tuple[str, ...], str, str, tuple[str, ...]]:
    """Return the names of a table. Raises ValueError."""
    names = (*players, home, visitors, *programs)
    if len(players) != 4 or len(programs) not in (0, 4) or {*map(type, names)} != {str}:
        raise ValueError(f"{names!r} are not the names of a table")
    return tuple(players), home, visitors, tuple(programs)


def broken(why: str) -> ValueError:
    return ValueError(f"broken tallies (arena leaderboard --anew makes them anew): {why}")
