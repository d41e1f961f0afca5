"""What a ladder knows of two players: what one gains against the other, and others against both."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from bridge_arena.tournaments.ladder.leaderboard import LadderBoard, RankedPlayer
from bridge_arena.tournaments.ladder.players import Version
from bridge_arena.tournaments.ladder.strength.scores import Margin

MOST_PAIRS = 50
"""The most pairs of versions that are told of: those that came last."""

MOST_COMMON = 30
"""The most common opponents that are told of: those whom both have met most."""


@dataclass(frozen=True, slots=True)
class VersionPair:
    """A version of each player, which have met."""

    versions: tuple[Version, Version]
    margin: Margin  # what the first gains
    is_stronger: bool | None  # whether the first surely is; None if it is not known which is


@dataclass(frozen=True, slots=True)
class CommonOpponent:
    """A version that the present versions of both players have met."""

    player: int  # the number of its player
    name: str  # its name, with what identifies an earlier version
    margins: tuple[Margin, Margin]  # what each of the two gains against it

    @property
    def difference(self) -> float:
        """What the first player gains more than the second, in IMPs a board."""
        first, second = self.margins
        return first.mean - second.mean


@dataclass(frozen=True, slots=True)
class PairRecord:
    """Two players of a ladder, seen from the first."""

    rows: tuple[RankedPlayer, RankedPlayer]
    margin: Margin  # of the present versions; of no board if they have not met
    is_stronger: bool | None  # whether the present version of the first is; None if not known
    pairs: tuple[VersionPair, ...]  # those that have met, the latest first
    common: tuple[CommonOpponent, ...]  # those with most boards first


def pair_record(board: LadderBoard, first: int, second: int) -> PairRecord | None:
    """Return what is known of two players, by number; None unless both have come."""
    rows = {row.player.number: row for row in board.ranked}
    if first == second or first not in rows or second not in rows:
        return None
    one, other = rows[first], rows[second]
    present, scores = (one.version.number, other.version.number), board.scores
    own, others = (
        [version.number for version in board.versions.values() if version.player == number]
        for number in (first, second)
    )
    met = [pair for pair in product(own, others) if scores.boards_between(*pair)]
    met = sorted(met, key=lambda pair: (max(pair), min(pair)), reverse=True)[:MOST_PAIRS]
    margin, *margins = scores.margins([present, *met])
    pairs = (
        VersionPair(
            (board.versions[pair[0]], board.versions[pair[1]]), of_pair, board.is_stronger(*pair)
        )
        for pair, of_pair in zip(met, margins, strict=True)
    )
    is_stronger = board.is_stronger(*present)
    common = tuple(_common(board, *present))
    return PairRecord((one, other), margin, is_stronger, tuple(pairs), common)


def _common(board: LadderBoard, one: int, other: int) -> Iterator[CommonOpponent]:
    """Yield the versions that two versions have both met, those with most boards first."""
    scores = board.scores
    shared = {*scores.opponents(one)} & {*scores.opponents(other)}

    def fewer(version: int) -> tuple[int, int]:
        boards = (scores.boards_between(own, version) for own in (one, other))
        return -min(boards), version

    versions = sorted(shared, key=fewer)[:MOST_COMMON]
    pairs = [(own, version) for version in versions for own in (one, other)]
    margins = scores.margins(pairs)
    for version, first, second in zip(versions, margins[::2], margins[1::2], strict=True):
        yield CommonOpponent(
            board.versions[version].player, board.name_of(version), (first, second)
        )
