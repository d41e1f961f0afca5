"""What the pages of a ladder show: all of it may be known by everybody.

Boards of matches in play, programs, folders and the texts of alerts, which may name them, are not
among it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from bridge_arena.base.wording import plural
from bridge_arena.tournaments.ladder.day_changes import Changes
from bridge_arena.tournaments.ladder.leaderboard import LadderBoard
from bridge_arena.tournaments.ladder.players import BotKind, Player
from bridge_arena.tournaments.ladder.store.alert_store import Alert, Kind
from bridge_arena.tournaments.ladder.store.ladder_store import (
    LadderMatch,
    LadderStore,
    PlacesOfMatches,
)
from bridge_arena.tournaments.ladder.store.match_archive import EndedMatch
from bridge_arena.tournaments.ladder.store.scores_so_far import ScoreSoFar
from bridge_arena.tournaments.ladder.strength.sequential_tests import LadderTest
from bridge_arena.tournaments.ladder.strength.weeks import CAUSES
from bridge_arena.web.common.pages import page_of

_FOLDER = Path(__file__).parent

STAY_SECONDS = 30
"""The seconds for which the page of a player may be older than the ladder. It takes long to make,
and among many players there is always one who has just played."""

LATEST = 20
"""The most matches that are over on a page that shows other things too."""

MOST_CHANGES = 12
"""The most players of each kind of change on the leaderboard's page."""

KINDS = {
    BotKind.SHIPPED: "built in",
    BotKind.PROGRAM: "program",
    BotKind.REMOTE: "remote",
    BotKind.MODEL: "language model",
    BotKind.HTTP: "HTTP",
    BotKind.BLUECHIP: "Blue Chip",
}
"""What is said of how bots are played."""

ALERTS = {
    Kind.PLAYER: "its program cannot play",
    Kind.LOST: "it left too many boards of its last match",
    Kind.VERSION: "its program changed without another version",
    Kind.DISK: "the disk is full, or nearly so",
    Kind.STORE: "the store does not answer",
    Kind.CLUSTER: "the workers of the cluster play nothing",
    Kind.CLOCK: "the clock of the machine jumped",
    Kind.AUDIT: "it may see more than it should",
    Kind.TEST: "its test has ended",
    Kind.REQUEST: "somebody asks to become an author",
    Kind.WEBHOOK: "alerts cannot be posted",
}
"""What is said of alerts: their own texts may have paths of this machine in them."""


@dataclass(frozen=True, slots=True)
class State:
    """Where a ladder stands, as it is quickly read; the leaderboard changes only with it."""

    begun: list[LadderMatch]  # the matches that are not over
    latest: list[EndedMatch]
    tests: list[LadderTest]
    players: Mapping[int, Player]
    alerts: list[Alert]
    backup: datetime | None
    is_played: bool
    places: PlacesOfMatches | None
    kept_in: str  # what kind of database
    since: str  # the full hour a day ago, in ISO 8601
    news: Mapping[int, str]  # what authors say of versions, by their numbers


def state_of(store: LadderStore) -> State:
    """Return where a ladder stands. Raises StoreError and OSError."""
    return State(  # in this order, as the players of these matches are there then
        store.open_matches(),
        store.archive.latest(LATEST),
        store.tests.every(),
        store.players(),
        store.alerts.in_force(),
        store.last_backup(),
        store.is_being_played(),
        store.places(),
        store.kind,
        (datetime.now(UTC) - timedelta(days=1)).strftime("%Y-%m-%dT%H:00:00+00:00"),
        store.authors.news(),
    )


def pages_of(
    state: State, board: LadderBoard, changes: Changes, scores: Mapping[int, ScoreSoFar]
) -> dict[str, str]:
    """Return the pages by name.

    Args:
        state: Where the ladder stands.
        board: Its leaderboard.
        changes: What has changed since yesterday.
        scores: How the matches in play stand, by number.
    """
    return {
        "ladder": leaderboard_page(state, board, changes, scores),
        "figures": figures_page(board),
        "status": _status_page(state, board),
    }


def ladder_page(
    template: Path, title: str, *, home: str = "", is_live: bool = True, **values: object
) -> str:
    """Return a page of a ladder.

    Args:
        template: Its template.
        title: Its title.
        home: The way from its folder to that of the leaderboard.
        is_live: Whether it is served, and not a plain file.
        values: What the template needs.
    """
    return page_of(
        template,
        title=title,
        static=f"{home}static/",
        home=home,
        is_live=is_live,
        minute=minute,
        **values,
    )


def _names(board: LadderBoard, versions: Iterable[int]) -> list[str]:
    return [board.players[board.versions[version].player].name for version in versions]


def match_lines(
    board: LadderBoard, matches: Iterable[EndedMatch]
) -> list[tuple[EndedMatch, str, str]]:
    """Return matches that are over, with the names of the home team and the visitors."""
    lines = []
    for match in matches:
        home_team, visitors = _names(board, match.versions)
        lines.append((match, home_team, visitors))
    return lines


def title_of_match(match: EndedMatch, names: Sequence[str]) -> str:
    """Return what came of a match, by the names of the home team and the visitors."""
    if not match.imps:
        return f"Match {match.number}: {' and '.join(names)} {'tie' if match.boards else 'end it'}"
    winner, loser = names if match.imps > 0 else reversed(names)
    return f"Match {match.number}: {winner} beats {loser} by {plural(abs(match.imps), 'IMP')}"


def minute(time: str) -> str:
    """Return a time in ISO 8601 to the minute."""
    return time[:16].replace("T", " ")


def leaderboard_page(
    state: State,
    board: LadderBoard,
    changes: Changes,
    scores: Mapping[int, ScoreSoFar],
    *,
    is_live: bool = True,
) -> str:
    """Return the page of the leaderboard."""
    players = [(row, _kinds(row.player)) for row in board.ranked]
    return ladder_page(
        _FOLDER / "ladder.html",
        board.name,
        is_live=is_live,
        board=board,
        players=players,
        kinds=[kind for kind in KINDS.values() if any(kind in own for _, own in players)],
        authors=sorted({row.player.author for row in board.ranked} - {""}, key=str.casefold),
        ranks=sum(row.rank is not None for row in board.ranked),
        causes=CAUSES if any(row.causes for row in board.ranked) else (),
        begun=[
            (match, *_names(board, match.versions), scores.get(match.number))
            for match in state.begun
        ],
        adjourned={match.number for match in board.adjourned},
        changes=changes,
        most=MOST_CHANGES,
        rank_text=lambda rank: "–".join(map(str, dict.fromkeys(rank))),
        latest=match_lines(board, state.latest),
    )


def figures_page(board: LadderBoard, *, is_live: bool = True) -> str:
    """Return the page that says in words how each figure is made."""
    return ladder_page(
        _FOLDER / "figures.html",
        f"How figures are made: {board.name}",
        is_live=is_live,
        board=board,
    )


def _kinds(player: Player) -> Sequence[str]:
    return [KINDS[kind] for kind in player.kinds]


def _status_page(state: State, board: LadderBoard) -> str:
    adjourned = {match.number for match in board.adjourned}
    return ladder_page(
        _FOLDER / "status.html",
        f"Status: {board.name}",
        state=state,
        board=board,
        in_play=len({match.number for match in state.begun} - adjourned),
        there=sum(player.is_there for player in state.players.values()),
        alerts=[(alert, ALERTS[alert.kind]) for alert in state.alerts],
    )
