"""Tests of the addresses at which the bots of an event connect."""

from __future__ import annotations

from bridge_arena.server.clock import TimeControl
from bridge_arena.tournaments.play.event_log import EventLog
from bridge_arena.tournaments.play.seating.bot_sandbox import sandbox
from bridge_arena.tournaments.play.seating.roster import Roster


def test_the_limit_on_strangers_holds_at_the_address_of_sandboxes() -> None:
    roster = Roster("event", TimeControl(), EventLog(), 1, sandbox=sandbox([]))
    roster.limit_others(12)
    assert roster._sandboxed is not None
    assert [endpoint.limits.room for endpoint in (roster._local, roster._sandboxed)] == [2, 2]
