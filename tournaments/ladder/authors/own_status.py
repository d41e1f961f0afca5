"""How the players of an author stand, as `arena ladder status` tells the author from afar."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from bridge_arena.base.wording import one_line
from bridge_arena.tournaments.ladder.authors.author_records import own_players, own_tests
from bridge_arena.tournaments.ladder.players import Player
from bridge_arena.tournaments.ladder.store.ladder_store import LadderStore

MOST_TESTS = 20
"""The most tests that are told."""


def own_status(store: LadderStore, author: str, *, as_json: bool) -> str:
    """Return how an author's players stand, as JSON or as lines. Raises StoreError."""
    values = _values(store, author)
    return json.dumps(values) if as_json else "\n".join(map(one_line, _lines(values)))


def _values(store: LadderStore, author: str) -> dict[str, Any]:
    # What refers to versions and players is read before them, as both may come meanwhile.
    own, open_matches = own_players(store, author), store.open_matches()
    versions = store.versions()
    players = store.players()
    numbers, names = {player.number for player in own}, {player.name for player in own}

    def of_version(version: int) -> Player:
        return players[versions[version].player]

    begun = [
        {"number": match.number, "teams": [of_version(one).name for one in match.versions]}
        for match in open_matches
        if any(of_version(one).number in numbers for one in match.versions)
    ]
    tests = [
        {"number": test.number, "text": text} for test, text in own_tests(store, author, MOST_TESTS)
    ]
    return {
        "is_played": store.is_being_played(),
        "players": [
            {
                "number": player.number,
                "name": player.name,
                "state": player.state_text,
                "version": None if player.version is None else versions[player.version].identity,
            }
            for player in own
        ],
        "begun": begun,
        "tests": tests,
        "alerts": [asdict(alert) for alert in store.alerts.in_force() if alert.subject in names],
    }


def _lines(values: dict[str, Any]) -> Iterator[str]:
    yield "the ladder is being played" if values["is_played"] else "nobody plays the ladder"
    for player in values["players"]:
        version = player["version"]
        words = "has not come yet" if version is None else f"version {version}"
        yield f"{player['name']}: {player['state']}, {words}"
    for match in values["begun"]:
        yield f"match {match['number']} has begun: {' - '.join(match['teams'])}"
    for test in values["tests"]:
        yield test["text"]
    for alert in values["alerts"]:
        yield f"since {alert['since'][:16].replace('T', ' ')} UTC: {alert['text']}"
