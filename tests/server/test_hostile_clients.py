"""The gateway never waits for a client, whatever the client does."""

from __future__ import annotations

import asyncio
import socket
from contextlib import AsyncExitStack, suppress

import pytest

from bridge_arena.bridge.seats import Seat
from bridge_arena.protocol.messages import Hello, Welcome
from bridge_arena.protocol.visibility import Viewer
from bridge_arena.server import bluechip_gateway as bluechip_gateway_module
from bridge_arena.server import gateway as gateway_module
from bridge_arena.server.bluechip_gateway import BlueChipGateway, BlueChipSeat, OpenSeats
from bridge_arena.server.connection_limits import ConnectionLimits
from bridge_arena.server.feed import Feed
from bridge_arena.server.gateway import Admission, Guest
from bridge_arena.server.kibitzers import Kibitzers
from tests.patience import PATIENCE
from tests.server.bluechip_hall import TEAMS
from tests.server.hostile import FLOODS, STAGES, WAYS, hostile_client
from tests.server.lobby import open_lobby, until
from tests.server.tables import WEST

SEATED = ("after Hello", "in a frame", "in the close")


class Noting:
    """An admission that says when somebody claims what it opens."""

    def __init__(self, admission: Admission) -> None:
        self.claimed = asyncio.Event()
        self.complain = admission.complain
        self._admission = admission

    def claim(self, hello: Hello) -> Guest:
        self.claimed.set()
        return self._admission.claim(hello)


class Promising(OpenSeats):
    """Seats that say when one is promised to a program."""

    def __init__(self) -> None:
        super().__init__()
        self.promised = asyncio.Event()

    def claim(self, team: str, seat: Seat | None) -> BlueChipSeat:
        found = super().claim(team, seat)
        self.promised.set()
        return found


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gateway_module, "CLOSE_SECONDS", 0.2)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("role", ["player", "kibitzer"])
async def test_the_end_of_the_gateway_waits_for_no_client(role: str, stage: str, way: str) -> None:
    async with open_lobby() as lobby:
        place, feed = lobby.places[WEST], Feed(Welcome(table="A1"))
        kibitzers = Kibitzers([feed])
        opens = lobby.admissions[lobby.tokens[WEST]] if role == "player" else kibitzers
        admission = lobby.admissions["token"] = Noting(opens)
        async with hostile_client(int(lobby.url.rpartition(":")[2])) as client:
            await client.come(stage, "token")
            if stage in SEATED:
                await admission.claimed.wait()
            else:
                await until(lambda: lobby.gateway.limits.waiting == 1)
            behaving = asyncio.create_task(client.go_on(way))
            for _ in range(200):  # let it go on for a while
                await asyncio.sleep(0)
            # As the roster does: nobody waits for all goodbyes.
            with suppress(TimeoutError):
                async with asyncio.timeout(gateway_module.CLOSE_SECONDS):
                    await place.say_goodbye("over")
                    feed.end("over")
                    await kibitzers.see_out(gateway_module.CLOSE_SECONDS)
            async with asyncio.timeout(PATIENCE):
                await lobby.gateway.__aexit__(None, None, None)
            behaving.cancel()


LINES = {
    "connected": "",
    "in a line": 'Connecting "Team B" as We',
    "promised": 'Connecting "Team B" as West using protocol version 18\r\n',
    "seated": (
        'Connecting "Team B" as West using protocol version 18\r\n'
        "West ready for teams\r\nWest ready to start\r\n"
    ),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("stage", LINES)
async def test_the_end_of_the_blue_chip_gateway_waits_for_no_client(
    stage: str, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bluechip_gateway_module, "CLOSE_SECONDS", 0.2)
    keeper, seats, seat = ConnectionLimits(), Promising(), BlueChipSeat(Viewer(WEST), TEAMS)
    seats.offer(seat)
    come = {"seated": lambda: seat.is_connected, "promised": seats.promised.is_set}
    async with asyncio.timeout(PATIENCE), AsyncExitStack() as clients:
        async with BlueChipGateway(seats, limits=keeper) as gateway:
            client = await clients.enter_async_context(hostile_client(gateway.port))
            await client.say(LINES[stage].encode())
            await until(come.get(stage, lambda: keeper.waiting == 1))
            behaving = asyncio.create_task(client.go_on(way))
            for _ in range(200):
                await asyncio.sleep(0)
            with suppress(TimeoutError):
                async with asyncio.timeout(0.2):
                    await seat.say_goodbye("over")
        assert keeper.waiting == 0
        behaving.cancel()


# A client that asks for many answers and is gone: asyncio complains of each lost one.


async def test_pings_of_a_client_that_is_gone_are_not_worth_a_word(
    caplog: pytest.LogCaptureFixture,
) -> None:
    loop = asyncio.get_running_loop()
    async with open_lobby() as lobby:
        with socket.create_connection(("127.0.0.1", int(lobby.url.rpartition(":")[2]))) as client:
            client.setblocking(False)  # noqa: FBT003 (the standard library's)
            await loop.sock_sendall(client, STAGES["before Hello"](lobby.tokens[WEST]))
            assert (await loop.sock_recv(client, 4096)).startswith(b"HTTP/1.1 101")
            client.send(FLOODS["pings"])
        await until(lambda: not lobby.gateway.limits.waiting)
    assert not caplog.records


async def test_lines_of_a_blue_chip_program_that_is_gone_are_not_worth_a_word(
    caplog: pytest.LogCaptureFixture,
) -> None:
    keeper, seats = ConnectionLimits(), OpenSeats()
    seats.offer(BlueChipSeat(Viewer(WEST), TEAMS))
    async with BlueChipGateway(seats, limits=keeper) as gateway:
        with socket.create_connection(("127.0.0.1", gateway.port)) as client:
            await until(lambda: keeper.waiting == 1)
            client.sendall(LINES["promised"].encode() + b"West ready for teams\r\n" * 100)
        await until(lambda: not keeper.waiting)
    assert not caplog.records
