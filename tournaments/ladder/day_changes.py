"""What has changed on a ladder since a moment: who came, whose rank got surer, what was played."""

from __future__ import annotations

from dataclasses import dataclass

from bridge_arena.tournaments.ladder.leaderboard import LadderBoard, RankedPlayer, ranks_by
from bridge_arena.tournaments.ladder.store.ladder_store import LadderStore
from bridge_arena.tournaments.ladder.strength.scores import ahead_by


@dataclass(frozen=True, slots=True)
class SurerRank:
    """A player of whose rank more is known than before."""

    row: RankedPlayer
    before: tuple[int, int]  # the best and the worst rank among the same players

    @property
    def ruled_out(self) -> int:
        """How many ranks it may no longer have."""
        assert self.row.rank is not None
        return (self.before[1] - self.before[0]) - (self.row.rank[1] - self.row.rank[0])


@dataclass(frozen=True, slots=True)
class Changes:
    """What has changed on a ladder since a moment."""

    since: str  # in ISO 8601
    matches: int  # those that have ended
    boards: int  # their boards
    came: tuple[RankedPlayer, ...]  # the players whose first version came
    renewed: tuple[RankedPlayer, ...]  # those who are there in a version that came
    surer: tuple[SurerRank, ...]  # of all but the renewed, those for whom most was ruled out first


def changes_since(store: LadderStore, board: LadderBoard, since: str) -> Changes:
    """Return what has changed since a time in ISO 8601. Raises StoreError."""
    matches, boards = store.archive.played_since(since)
    first: dict[int, str] = {}
    for version in board.versions.values():
        first.setdefault(version.player, version.since)
    new = [row for row in board.ranked if row.version.since >= since]
    came = tuple(row for row in new if first[row.player.number] >= since)
    renewed = tuple(row for row in new if first[row.player.number] < since)
    known = board.scores.known.copy()
    for ahead, behind in store.archive.proved_since(since):
        if max(ahead, behind) <= len(known):  # others came after the leaderboard was made
            known[ahead - 1, behind - 1] = False
    before = ranks_by(ahead_by(known), [row.player for row in board.ranked if row.player.stays])
    surer = [
        SurerRank(row, before[row.player.number])
        for row in board.ranked
        if row.rank is not None and row not in renewed
    ]
    return Changes(
        since,
        matches,
        boards,
        came,
        renewed,
        tuple(sorted((one for one in surer if one.ruled_out > 0), key=lambda one: -one.ruled_out)),
    )
