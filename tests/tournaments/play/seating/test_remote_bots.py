"""Bots that come to an event over websockets: seated, waited for, lost, back."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import pytest
from websockets.exceptions import ConnectionClosed

from bridge_arena.bots.random.bot import RandomBot
from bridge_arena.bridge.calls import Call
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.protocol.decision import LeavingError
from bridge_arena.protocol.session import ClientSession
from bridge_arena.protocol.view import View
from bridge_arena.server import websocket_player
from bridge_arena.tournaments.events.event import Entrant, Event, EventPolicies
from bridge_arena.tournaments.formats.rules import Format
from bridge_arena.tournaments.play.seating.roster import Roster
from bridge_arena.tournaments.play.seating.seats import SeatingError
from bridge_arena.tournaments.schedule.plan import plan
from tests.patience import PATIENCE
from tests.server.lobby import connected, until
from tests.tournaments.house import House, open_house
from tests.tournaments.scores import event, units_of

NORTH = Seat.NORTH


def match(**settings: object) -> Event:
    """A visitor against a bot that is started here."""
    entries = (Entrant(bot="remote:A", name="A"), Entrant(bot="random", name="B"))
    return event(Format.MATCH, 2, entries=entries, **{"boards": 1, **settings})


@asynccontextmanager
async def seated(house: House, seat: Seat) -> AsyncIterator[None]:
    """Let a bot of A sit for a moment, unless it is sent away."""
    async with connected(house.url, "A") as connection:
        await connection.send(ClientSession("A", seat=seat).hello())
        with suppress(ConnectionClosed):
            await connection.recv()
        yield


async def test_the_event_waits_for_a_bot_that_has_left_before_it_begins() -> None:
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


async def test_the_event_begins_though_bots_leave_again_and_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Roster, "vacate", lambda _, entry_seats: list(entry_seats))
    policies = EventPolicies(no_show=0.05)
    async with open_house(match(policies=policies)) as house, asyncio.timeout(PATIENCE):
        await house.play()
    assert "A (N) has left: waiting for it" in house.lines
    assert "the event begins" in house.lines


class Leaving(RandomBot):
    """Leaves at its first turn; `seats` that have left come back for good."""

    def __init__(self, seats: set[Seat]) -> None:
        super().__init__()
        self.seats = seats

    def call(self, view: View) -> Call:
        if view.seat not in self.seats:
            self.seats.add(view.seat)
            raise LeavingError("for once")
        return super().call(view)


async def test_a_bot_that_was_lost_comes_back_at_once_though_others_play() -> None:
    """North has no part in the board that is played next."""
    gone = set(SEATS) - {NORTH}
    async with open_house(match(boards=2)) as house, asyncio.timeout(PATIENCE):
        bots = house.visitors("A", lambda: Leaving(gone))
        await house.play(house.units[:2])
        await house.until_connected(8)
        await house.play(house.units[2:])
    await asyncio.gather(*bots)
    assert [record.is_finished for record in house.kept.values()] == [False, True, True, True]
    assert house.news == ["A (N) is lost: refused: for once", "A (N) is here"]


async def test_a_team_with_a_bye_sits_down_at_the_start() -> None:
    entries = tuple(Entrant(bot=f"remote:{name}", name=name) for name in "ABC")
    cup = event(Format.KNOCK_OUT, 3, entries=entries, boards=1)
    async with open_house(cup) as house, asyncio.timeout(PATIENCE):
        bots = [bot for name in "ABC" for bot in house.visitors(name, RandomBot)]
        await house.play()
        assert {record.home for record in house.kept.values()} == {"B"}
        await house.until_connected(12)
        rounds = plan(cup, list(house.kept.values()))
        await house.play(unit for unit in units_of(rounds) if unit.id not in house.kept)
    assert all(stay.goodbye == "the event is over" for stay in await asyncio.gather(*bots))
    assert [line for line in house.lines if line.startswith("waiting for A")] == []
    assert all(record.is_finished and not record.faults for record in house.kept.values())


async def test_a_bot_that_comes_and_goes_without_end_has_to_begin_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with open_house(match()) as house, asyncio.timeout(PATIENCE):
        hall = house.hall
        north, roster = hall._entry_seats(house.units[0])[NORTH], hall._roster
        waiting = asyncio.create_task(roster.fill([north]))
        await until(lambda: roster.awaited() == ["A"])
        async with seated(house, NORTH):
            await waiting
        monkeypatch.setattr(websocket_player, "MOST_RETURNS", 0)
        await until(lambda: roster.vacate([north]) == [north])
        async with seated(house, NORTH):
            pass
        await house.until_connected(0)
        with pytest.raises(SeatingError, match="was not seated: it came back 1 times"):
            await roster.fill([north])
        waiting = asyncio.create_task(roster.fill([north]))
        bot = house.visitor("A", NORTH, RandomBot)
        await waiting
    await bot


async def test_a_bot_that_is_not_waited_for_any_more_still_has_its_seat() -> None:
    """As where the match is decided while a table waits: the next that waits finds it there."""
    async with open_house(match()) as house, asyncio.timeout(PATIENCE):
        hall = house.hall
        north, roster = hall._entry_seats(house.units[0])[NORTH], hall._roster
        waiting = asyncio.create_task(roster.fill([north]))
        await until(lambda: roster.awaited() == ["A"])
        waiting.cancel()
        await asyncio.wait([waiting])
        waiting = asyncio.create_task(roster.fill([north]))
        bot = house.visitor("A", NORTH, RandomBot)
        await waiting
    await bot
