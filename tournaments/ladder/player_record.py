"""What a ladder knows of one player: its versions, and what it gains against each opponent."""

from __future__ import annotations

from dataclasses import dataclass

from bridge_arena.tournaments.ladder.leaderboard import LadderBoard, RankedPlayer
from bridge_arena.tournaments.ladder.players import Version
from bridge_arena.tournaments.ladder.strength.scores import Figures, Margin, Rating


@dataclass(frozen=True, slots=True)
class OwnVersion:
    """A version of the player."""

    version: Version
    rating: Rating | None  # None if no chain of boards connects it with the anchor
    figures: Figures


@dataclass(frozen=True, slots=True)
class Opponent:
    """A version of another player that has met the one that was there last."""

    player: int  # the number of the other player
    version: int  # the number of the version
    name: str  # its name, with what identifies an earlier version
    margin: Margin  # what the player gains against it
    # Whether the player is surely stronger; None if it is not known which of the two is.
    is_weaker: bool | None


@dataclass(frozen=True, slots=True)
class PlayerRecord:
    """A player of a ladder."""

    row: RankedPlayer
    versions: tuple[OwnVersion, ...]  # the latest first
    opponents: tuple[Opponent, ...]  # the strongest first


def player_record(board: LadderBoard, number: int) -> PlayerRecord | None:
    """Return what is known of a player, by its number; None if it has not come."""
    row = next((row for row in board.ranked if row.player.number == number), None)
    if row is None:
        return None
    scores, own = board.scores, row.version.number
    versions = [version for version in board.versions.values() if version.player == number]

    def strength(other: int) -> float:
        rating = board.ratings[other - 1]
        return float("-inf") if rating is None else rating.value

    others = sorted(scores.opponents(own), key=strength, reverse=True)
    margins = scores.margins([(own, other) for other in others])
    opponents = [
        Opponent(
            board.versions[other].player,
            other,
            board.name_of(other),
            margin,
            board.is_stronger(own, other),
        )
        for other, margin in zip(others, margins, strict=True)
    ]
    return PlayerRecord(
        row,
        tuple(
            OwnVersion(one, board.ratings[one.number - 1], scores.figures(one.number))
            for one in reversed(versions)
        ),
        tuple(opponents),
    )
