"""What is set up for the options of a match."""

from __future__ import annotations

from bridge_arena.commands.common.matches import set_up
from bridge_arena.server.claims import Claims
from bridge_arena.tournaments.events.event import PLAIN, terms


def test_a_plain_match_has_the_claims_that_are_asked_for() -> None:
    event = set_up("random", "random", count=2, seed=1, claims=Claims.PLAYERS).event
    assert event.claims is Claims.PLAYERS
    assert terms(event) == {"claims": "players"}


def test_bots_have_the_seconds_to_start_that_are_asked_for() -> None:
    event = set_up("random", "random", count=2, seed=1, start=900.0).event
    assert event.policies == PLAIN.model_copy(update={"start": 900.0})
    assert terms(event) == {"start": 900.0}
