"""Bots that come to an event over websockets: seated, waited for, lost, back."""

from __future__ import annotations

import asyncio

from bridge_arena.bots.random.bot import RandomBot
from bridge_arena.bridge.seats import Seat
from bridge_arena.tournaments.events.event import Entrant, Event, Format
from tests.patience import PATIENCE
from tests.server.lobby import until
from tests.tournaments.house import open_house
from tests.tournaments.scores import event

NORTH = Seat.NORTH


def match(**settings: object) -> Event:
    """A visitor against a bot that is started here."""
    entries = (Entrant(bot="remote:A", name="A"), Entrant(bot="random", name="B"))
    return event(Format.MATCH, 2, entries=entries, **{"boards": 1, **settings})


async def test_who_is_not_waited_for_any_more_has_its_seat_all_the_same() -> None:
    """As where the match is decided while a table waits: the next that waits finds it there."""
    async with open_house(match()) as house, asyncio.timeout(PATIENCE):
        hall = house.hall
        north, roster = hall._entry_seats(house.units[0])[NORTH], hall._roster
        waiting = asyncio.create_task(roster.fill([north]))
        await until(lambda: roster._remote.missing() == ["A"])
        waiting.cancel()
        await asyncio.wait([waiting])
        waiting = asyncio.create_task(roster.fill([north]))
        bot = house.visitor("A", NORTH, RandomBot)
        await waiting
    await bot
