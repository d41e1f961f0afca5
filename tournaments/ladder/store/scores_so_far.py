"""How matches in play stand, from the boards that are done in both rooms."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from bridge_arena.tournaments.ladder.store.ladder_store import LadderMatch, LadderStore
from bridge_arena.tournaments.ladder.strength.sums import match_result
from bridge_arena.tournaments.schedule.event_results import Played
from bridge_arena.tournaments.store import Store


class ScoreSoFar(NamedTuple):
    """How a match in play stands."""

    boards: int  # the boards that are done in both rooms
    of: int  # the boards of the match
    imps: int  # their IMPs, seen from the home team


class ScoresSoFar:
    """How the matches in play of a ladder stand. Each record is read once."""

    def __init__(self, store: LadderStore) -> None:
        self._store = store
        # By match: its boards, and the tables that have been read.
        self._read: dict[int, tuple[Store, dict[str, Played]]] = {}

    def look(self, matches: Iterable[LadderMatch]) -> dict[int, ScoreSoFar]:
        """Return how matches stand, by number; those without a board are not there.

        Raises StoreError.
        """
        before, self._read = self._read, {}
        scores = {}
        for match in matches:
            known = before.get(match.number)
            boards = self._store.archive.boards_of(match.number) if known is None else known[0]
            if boards is None:
                continue
            tables = {} if known is None else known[1]
            self._read[match.number] = boards, tables
            if new := [unit for unit in boards.units() if unit not in tables]:
                tables |= {unit: Played(record) for unit, record in boards.results(new)}
            event = boards.event()
            sums = match_result(event, tables.items()).sums
            scores[match.number] = ScoreSoFar(sums.boards, event.boards, sums.imps)
        return scores
