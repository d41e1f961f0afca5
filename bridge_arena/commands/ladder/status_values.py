"""Where a ladder stands, as the values that `arena ladder status --json` prints."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bridge_arena.tournaments.ladder.leaderboard import RankedPlayer
    from bridge_arena.tournaments.ladder.store.ladder_store import LadderStore
    from bridge_arena.tournaments.ladder.strength.weeks import Performance


def status_values(store: LadderStore) -> dict[str, Any]:
    """Return where a ladder stands. Raises StoreError and OSError."""
    from bridge_arena.reports.common.values import rounded
    from bridge_arena.tournaments.ladder.leaderboard import leaderboard

    board, backup = leaderboard(store), store.last_backup()
    players, versions, accused = store.players(), store.versions(), store.audits.accused()
    values = {
        "name": board.name,
        "is_played": store.is_being_played(),
        "matches": board.matches,
        "anchor": board.anchor,
        "players": [_player(row) for row in board.ranked],
        "waiting": [player.name for player in board.waiting],
        "circles": [asdict(circle) for circle in board.circles],
        "adjourned": [asdict(match) for match in board.adjourned],
        "tests": [
            {"number": test.test.number, "new": test.new, "base": test.base, "text": test.text}
            for test in board.tests
        ],
        "alerts": [asdict(alert) for alert in store.alerts.in_force()],
        "audit": {
            "matches": store.audits.audited(),
            "accused": [
                {"player": players[versions[one].player].name, "since": accused[one]}
                for one in accused
            ],
        },
        "last_backup": None if backup is None else backup.isoformat(),
    }
    return dict(rounded(values))


def _player(row: RankedPlayer) -> dict[str, Any]:
    rating = row.rating
    return {
        "name": row.player.name,
        "author": row.player.author,
        "version": row.version.identity,
        "since": row.version.since,
        "state": row.state_text,
        "rank": None if row.rank is None else list(row.rank),
        "rating": None if rating is None else rating.value,
        "rating_error": None if rating is None else rating.error,
        **asdict(row.figures),
        "causes": None if row.causes is None else dict(row.causes),
        "form": _form(row.history.form),
        "weeks": {week: _form(done) for week, done in row.history.weeks.items()},
    }


def _form(done: Performance) -> dict[str, Any]:
    return {"boards": done.boards, "gain": done.gain, "error": done.error}
