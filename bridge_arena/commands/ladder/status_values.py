"""Where a ladder stands, as the values that `arena ladder status --json` prints."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bridge_arena.tournaments.ladder.store.ladder_store import LadderStore


def status_values(store: LadderStore) -> dict[str, Any]:
    """Return where a ladder stands. Raises StoreError and OSError."""
    from bridge_arena.tournaments.ladder.leaderboard import leaderboard
    from bridge_arena.tournaments.ladder.values import (
        ladder_values,
        player_values,
        sequential_test_values,
    )

    is_played, begun = store.is_being_played(), store.open_matches()
    board, backup = leaderboard(store), store.last_backup()
    players, versions, accused = store.players(), store.versions(), store.audits.accused()
    return {
        **ladder_values(board, begun, is_played=is_played).model_dump(mode="json"),
        "players": [player_values(row).model_dump(mode="json") for row in board.ranked],
        "tests": [sequential_test_values(test).model_dump(mode="json") for test in board.tests],
        "alerts": [asdict(alert) for alert in store.alerts.in_force()],
        "requests": [
            asdict(request) | {"answer": str(request.answer)}
            for request in store.registration.waiting()
        ],
        "audit": {
            "matches": store.audits.audited(),
            "accused": [
                {"player": players[versions[one].player].name, "since": accused[one]}
                for one in accused
            ],
        },
        "last_backup": None if backup is None else backup.isoformat(),
    }
