"""What the pages of a ladder show: all of it may be known by everybody.

Boards of matches in play, programs, folders and the texts of alerts, which may name them, are not
among it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from bridge_arena.tournaments.ladder.leaderboard import LadderBoard, leaderboard, rating_text
from bridge_arena.tournaments.ladder.player_record import player_record
from bridge_arena.tournaments.ladder.players import Player
from bridge_arena.tournaments.ladder.store.alert_store import Alert, Kind
from bridge_arena.tournaments.ladder.store.ladder_store import LadderMatch, LadderStore
from bridge_arena.tournaments.ladder.store.match_archive import EndedMatch
from bridge_arena.tournaments.ladder.strength.sequential_tests import LadderTest, Outcome
from bridge_arena.tournaments.ladder.strength.weeks import CAUSES
from bridge_arena.web.common.pages import page_of, self_contained

LATEST = 20
"""The most matches and tests that are over on a page."""

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
    kept_in: str  # what kind of database


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
        store.kind,
    )


def pages_of(state: State, board: LadderBoard) -> dict[str, str]:
    """Return the pages by name."""
    return {
        "ladder": _ladder_page(state, board, is_live=True),
        "status": _status_page(state, board),
    }


def leaderboard_file(store: LadderStore) -> str:
    """Return the leaderboard as one file, which needs no server. Raises StoreError and OSError."""
    page = _ladder_page(state_of(store), leaderboard(store), is_live=False)
    return self_contained(page)


def player_page(
    store: LadderStore, board: LadderBoard, number: int, before: int | None
) -> str | None:
    """Return the page of a player; None if there is none of this number that has come.

    With `before` it has the matches whose numbers are below that. Raises StoreError.
    """
    record = player_record(board, number)
    if record is None:
        return None
    versions = [own.version.number for own in record.versions]
    matches = store.archive.latest(LATEST, versions, before)
    return page_of(
        _template("player.html"),
        title=f"{record.row.player.name}: {board.name}",
        static="../../static/",
        home="../../",
        is_live=True,
        anchor=board.anchor,
        record=record,
        before=before,
        latest=LATEST,
        matches=[(match, *_names(board, match.versions)) for match in matches],
        rating=lambda rating: rating_text(rating).replace("-", "−"),
        signed=lambda imps: f"{imps:+z.2f}".replace("-", "−"),
        minute=_minute,
    )


def _names(board: LadderBoard, versions: Iterable[int]) -> list[str]:
    return [board.players[board.versions[version].player].name for version in versions]


def _ladder_page(state: State, board: LadderBoard, *, is_live: bool) -> str:
    return page_of(
        _template("ladder.html"),
        title=board.name,
        static="static/",
        home="",
        is_live=is_live,
        board=board,
        ranks=sum(row.rank is not None for row in board.ranked),
        causes=CAUSES if any(row.causes for row in board.ranked) else (),
        begun=[(match, *_names(board, match.versions)) for match in state.begun],
        adjourned={match.number for match in board.adjourned},
        latest=[(match, *_names(board, match.versions)) for match in state.latest],
        minute=_minute,
    )


def _status_page(state: State, board: LadderBoard) -> str:
    open_tests = [one for one in board.tests if one.test.outcome is Outcome.OPEN]
    over = [one for one in reversed(board.tests) if one.test.outcome is not Outcome.OPEN]
    return page_of(
        _template("status.html"),
        title=f"Status: {board.name}",
        static="static/",
        home="",
        is_live=True,
        state=state,
        there=sum(player.is_there for player in state.players.values()),
        alerts=[(alert, ALERTS[alert.kind]) for alert in state.alerts],
        tests=[one.text for one in [*open_tests, *over[:LATEST]]],
        minute=_minute,
    )


def _minute(time: str) -> str:
    """Return a time in ISO 8601 to the minute."""
    return time[:16].replace("T", " ")


def _template(name: str) -> Path:
    return Path(__file__).with_name(name)
