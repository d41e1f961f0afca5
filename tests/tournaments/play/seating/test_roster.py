"""Tests of the addresses at which the bots of an event connect."""

from __future__ import annotations

import asyncio
from pathlib import Path

from bridge_arena.tournaments.play.event_log import EventLog
from bridge_arena.tournaments.play.seating.roster import Roster
from bridge_arena.tournaments.play.seating.seats import Conditions
from bridge_arena.tournaments.play.seating.started_bots import sandbox
from tests.patience import PATIENCE


async def test_a_crowd_of_one_bot_in_a_sandbox_turns_none_of_another_away(tmp_path: Path) -> None:
    """A sixth of twelve may wait, beside one that is expected: the first goes with a fourth."""
    box = sandbox([])
    Roster(Conditions("event"), EventLog(), 1, sandbox=box).limit_others(12)
    crowded, quiet = tmp_path / "crowded", tmp_path / "quiet"
    async with asyncio.timeout(PATIENCE), box.listen(crowded), box.listen(quiet):
        waits = await asyncio.open_unix_connection(quiet)
        (first, _), *others = crowd = [
            await asyncio.open_unix_connection(crowded) for _ in range(4)
        ]
        assert await first.read() == b""
        assert not any(reader.at_eof() for reader, _ in (waits, *others))
        for _, writer in (waits, *crowd):
            writer.close()
