"""How the players of an author stand, as `arena ladder status` tells the author from afar."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from bridge_arena.base.wording import one_line
from bridge_arena.tournaments.ladder.players import Player, State
from bridge_arena.tournaments.ladder.store.ladder_store import LadderStore

LATEST_TESTS = 20
"""The tests that are told: those that were asked for last."""


def own_status(store: LadderStore, author: str, *, as_json: bool) -> str:
    """Return how an author's players stand, as JSON or as lines. Raises StoreError."""
    values = _values(store, author)
    return json.dumps(values) if as_json else "\n".join(map(one_line, _lines(values)))


def _values(store: LadderStore, author: str) -> dict[str, Any]:
    players, versions = store.players(), store.versions()
    own = [player for player in players.values() if player.author == author]
    numbers, names = {player.number for player in own}, {player.name for player in own}

    def of_version(version: int) -> Player:
        return players[versions[version].player]

    begun = [
        {"number": match.number, "teams": [of_version(one).name for one in match.versions]}
        for match in store.open_matches()
        if any(of_version(one).number in numbers for one in match.versions)
    ]
    tests = [
        {"number": test.number, "text": test.text(*(of_version(one).name for one in test.versions))}
        for test in [one for one in store.tests.every() if one.author == author][-LATEST_TESTS:]
    ]
    return {
        "is_played": store.is_being_played(),
        "players": [
            {
                "number": player.number,
                "name": player.name,
                "state": _state(player),
                "version": None if player.version is None else versions[player.version].identity,
            }
            for player in own
        ],
        "begun": begun,
        "tests": tests,
        "alerts": [asdict(alert) for alert in store.alerts.in_force() if alert.subject in names],
    }


def _state(player: Player) -> str:
    if player.state is not State.ACTIVE:
        return str(player.state)
    return "there" if player.is_there else "absent"


def _lines(values: dict[str, Any]) -> Iterator[str]:
    yield "the ladder is being played" if values["is_played"] else "nobody plays the ladder"
    for player in values["players"]:
        version = player["version"]
        words = "has not come yet" if version is None else f"{player['state']}, version {version}"
        yield f"{player['name']}: {words}"
    for match in values["begun"]:
        yield f"match {match['number']} has begun: {' - '.join(match['teams'])}"
    for test in values["tests"]:
        yield test["text"]
    for alert in values["alerts"]:
        yield f"since {alert['since'][:16].replace('T', ' ')} UTC: {alert['text']}"
