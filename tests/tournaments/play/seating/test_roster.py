"""Tests of the addresses at which the bots of an event connect."""

from __future__ import annotations

import asyncio

import pytest

from bridge_arena.server.clock import TimeControl
from bridge_arena.tournaments.play.event_log import EventLog
from bridge_arena.tournaments.play.seating.bot_sandbox import sandbox
from bridge_arena.tournaments.play.seating.roster import Roster
from tests.patience import PATIENCE


async def test_the_limit_on_strangers_holds_at_the_address_of_sandboxes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A sixth of twelve may wait: the first goes when a third comes."""

    async def take_for_granted() -> None:
        pass

    place = sandbox([])
    monkeypatch.setattr(place, "check", take_for_granted)
    roster = Roster("event", TimeControl(), EventLog(), 1, sandbox=place)
    roster.limit_others(12)
    async with asyncio.timeout(PATIENCE), roster:
        waiting = [await asyncio.open_unix_connection(place.socket) for _ in range(3)]
        (first, _), *others = waiting
        assert await first.read() == b""
        assert not any(reader.at_eof() for reader, _ in others)
        for _, writer in waiting:
            writer.close()
