"""The boards of a ladder's matches that are over, in its store: their swings, and their PBN."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

import numpy as np
from sqlalchemy import func, or_, select
from sqlalchemy.engine import Engine

from bridge_arena.pbn.write.writer import HEADER
from bridge_arena.tournaments.ladder.ladder_file import match_name
from bridge_arena.tournaments.ladder.store.match_archive import EndedMatch
from bridge_arena.tournaments.ladder.strength.style import Style
from bridge_arena.tournaments.store.database import statements
from bridge_arena.tournaments.store.models import EventRow, LadderMatchRow, LadderRow, RecordRow

_SWING = np.dtype("i1")

_NONE = -128
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
        return np.array([_NONE if one is None else one for one in self.swings], _SWING).tobytes()


@dataclass(frozen=True, slots=True)
class SwingsOfMatch:
    """A match that is over, and the swings of its boards."""

    match: EndedMatch
    # By the numbers of the boards from 1, seen from the home team; empty if they are not known, as
    # the match ended under a release that did not keep them.
    swings: dict[int, int]


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
        teams = (row.home, row.visitors), (row.visitors, row.home)
        columns = row.number, row.home, row.visitors, row.boards, row.imps, row.ended, row.swings
        rows = {}
        with statements(self._engine, "read") as connection:
            # A team at a time, as each has an index.
            for own, other in teams:
                of_team = select(*columns).where(
                    row.ladder == self._ladder, own.in_(versions), row.is_over.is_(True)
                )
                if opponents is not None:
                    of_team = of_team.where(other.in_(opponents))
                if before is not None:
                    of_team = of_team.where(row.number < before)
                latest = connection.execute(of_team.order_by(row.number.desc()).limit(count))
                rows |= {one.number: one for one in latest}
        return [
            SwingsOfMatch(
                EndedMatch(
                    one.number,
                    (one.home, one.visitors),
                    one.boards or 0,
                    one.imps or 0,
                    one.ended or "",
                ),
                _swings(one.swings),
            )
            for _, one in sorted(rows.items(), reverse=True)[:count]
        ]

    def count_audited(self, versions: Collection[int]) -> int:
        """Return how many matches of versions were audited."""
        row = LadderMatchRow
        own = or_(row.home.in_(versions), row.visitors.in_(versions))
        audited = select(func.count()).where(
            row.ladder == self._ladder, own, row.audited.is_not(None)
        )
        with statements(self._engine, "read") as connection:
            return connection.execute(audited).scalar_one()

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


def _swings(stored: bytes | None) -> dict[int, int]:
    swings = np.frombuffer(stored or b"", _SWING).tolist()
    return {board: swing for board, swing in enumerate(swings, start=1) if swing != _NONE}
