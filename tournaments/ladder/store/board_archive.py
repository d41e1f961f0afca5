"""The boards of a ladder's matches that are over, in its store: their swings, and their PBN."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import func, select
from sqlalchemy.engine import Engine

from bridge_arena.pbn.write.writer import HEADER
from bridge_arena.tournaments.ladder.ladder_file import match_name
from bridge_arena.tournaments.ladder.store.match_archive import EndedMatch
from bridge_arena.tournaments.ladder.strength.style import Style
from bridge_arena.tournaments.store.database import statements
from bridge_arena.tournaments.store.models import EventRow, LadderMatchRow, LadderRow, RecordRow

_SWING = np.dtype(np.int8)

NONE = -128
"""Stands for a board that does not count, or was not played."""


@dataclass(frozen=True, slots=True)
class PlayedBoards:
    """What was played in a match."""

    # The swing of each board in order; None for one that does not count, or was not played.
    swings: tuple[int | None, ...]
    styles: tuple[Style, Style]  # what the home team and the visitors did

    @property
    def stored_swings(self) -> bytes:
        """The swings as they are stored."""
        return np.array([NONE if one is None else one for one in self.swings], _SWING).tobytes()


@dataclass(frozen=True, slots=True)
class SwingsOfMatch:
    """A match that is over, and the swings of its boards."""

    match: EndedMatch
    stored: bytes = b""  # the swings as they are stored; empty if they are not known

    @property
    def swings(self) -> NDArray[np.int8]:
        """The swings by the numbers of the boards, seen from the home team.

        `NONE` for a board that does not count or was not played. They are empty for a match that
        ended under a release that did not keep them.
        """
        return np.frombuffer(self.stored, _SWING)


class BoardArchive:
    """The boards of one ladder; every method raises StoreError."""

    def __init__(self, engine: Engine, ladder: int) -> None:
        self._engine = engine
        self._ladder = ladder

    def latest(
        self,
        count: int,
        versions: Collection[int],
        opponents: Collection[int] | None = None,
        before: int | None = None,
    ) -> list[SwingsOfMatch]:
        """Return the last matches that were drawn and are over, the latest first.

        Args:
            count: How many.
            versions: Those of which one has played.
            opponents: Those of which one was the opponent; None for any.
            before: The number below which their numbers are; None for any.
        """
        row = LadderMatchRow
        over = row.ladder == self._ladder, row.is_over.is_(True)
        numbers: set[int] = set()
        with statements(self._engine, "read") as connection:
            # A team at a time, and from its index alone: no other matches are read.
            for own, other in ((row.home, row.visitors), (row.visitors, row.home)):
                of_team = select(row.number).where(*over, own.in_(versions))
                if opponents is not None:
                    of_team = of_team.where(other.in_(opponents))
                if before is not None:
                    of_team = of_team.where(row.number < before)
                latest = of_team.order_by(row.number.desc()).limit(count)
                numbers.update(connection.execute(latest).scalars())
            shown = sorted(numbers, reverse=True)[:count]
            columns = select(
                row.number, row.home, row.visitors, row.boards, row.imps, row.ended, row.swings
            )
            of_numbers = row.ladder == self._ladder, row.number.in_(shown)
            rows = connection.execute(columns.where(*of_numbers))
            by_number = {one.number: one for one in rows}
        return [
            SwingsOfMatch(
                EndedMatch(
                    number,
                    (one.home, one.visitors),
                    one.boards or 0,
                    one.imps or 0,
                    one.ended or "",
                ),
                one.swings or b"",
            )
            for number in shown
            for one in [by_number[number]]
        ]

    def count_audited(self, versions: Collection[int]) -> int:
        """Return how many matches of versions were audited."""
        row = LadderMatchRow
        audited = select(func.count()).where(
            row.ladder == self._ladder, row.is_over.is_(True), row.audited.is_not(None)
        )
        # A team at a time, as each has an index.
        at_home = audited.where(row.home.in_(versions))
        away = audited.where(row.visitors.in_(versions), row.home.not_in(versions))
        with statements(self._engine, "read") as connection:
            return sum(connection.execute(one).scalar_one() for one in (at_home, away))

    def pbn(self, numbers: Iterable[int]) -> str:
        """Return the boards of matches that are over, as a PBN file; it names no program."""
        with statements(self._engine, "read") as connection:
            of_ladder = select(LadderRow.name).where(LadderRow.id == self._ladder)
            name = connection.execute(of_ladder).scalar_one()
            of_numbers = select(LadderMatchRow.number).where(
                LadderMatchRow.ladder == self._ladder,
                LadderMatchRow.number.in_([*numbers]),
                LadderMatchRow.is_over.is_(True),
            )
            over = connection.execute(of_numbers.order_by(LadderMatchRow.number)).scalars()
            names = [match_name(name, number) for number in over]
            record = RecordRow
            games = select(record.pbn).join(EventRow, EventRow.id == record.event)
            of_names = games.where(EventRow.name.in_(names), EventRow.revealed.is_(True))
            order = EventRow.id, record.round, record.match, record.position, record.room.desc()
            return HEADER + "".join(connection.execute(of_names.order_by(*order)).scalars())
