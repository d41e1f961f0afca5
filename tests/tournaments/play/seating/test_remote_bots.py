"""Bots that come to an event over websockets: seated, waited for, lost, back."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from bridge_arena.bots.random.bot import RandomBot
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.protocol.session import ClientSession
from bridge_arena.tournaments.events.event import Entrant, Event, Format
from bridge_arena.tournaments.events.fault_policies import EventPolicies
from tests.patience import PATIENCE
from tests.server.lobby import connected, until
from tests.tournaments.house import House, open_house
from tests.tournaments.scores import event

NORTH = Seat.NORTH


def match(**settings: object) -> Event:
    """A visitor against a bot that is started here."""
    entries = (Entrant(bot="remote:A", name="A"), Entrant(bot="random", name="B"))
    return event(Format.MATCH, 2, entries=entries, **{"boards": 1, **settings})


@asynccontextmanager
async def seated(house: House, seat: Seat) -> AsyncIterator[None]:
    """Let a bot of A sit for a moment."""
    async with connected(house.url, "A") as connection:
        await connection.send(ClientSession("A", seat=seat).hello())
        await connection.recv()
        yield


async def test_the_event_waits_for_who_has_left_before_it_begins() -> None:
    policies = EventPolicies(grace=0, no_show=PATIENCE)
    async with open_house(match(policies=policies)) as house, asyncio.timeout(PATIENCE):
        playing = asyncio.create_task(house.play())
        await until(lambda: any(line.startswith("waiting for A") for line in house.lines))
        async with seated(house, NORTH):
            await until(lambda: "A (N) is here" in house.lines)
        bots = [house.visitor("A", seat, RandomBot) for seat in SEATS if seat is not NORTH]
        await until(lambda: "A (N) has left: waiting for it" in house.lines)
        assert not house.kept
        bots.append(house.visitor("A", NORTH, RandomBot))
        await playing
    await asyncio.gather(*bots)
    assert house.lines[-2:] == ["A (N) is here", "the event begins"]
    assert all(record.is_finished and not record.faults for record in house.kept.values())


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
