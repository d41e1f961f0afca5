"""Blue Chip programs as players: they keep their seats from match to match, and are there then."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from bridge_arena.bots.baseline.bot import BaselineBot
from bridge_arena.bots.sdk.bluechip import play_bluechip
from bridge_arena.bots.sdk.client import Bot
from bridge_arena.bots.sdk.connection import ConnectionFailedError
from bridge_arena.bridge.record import MadeCall
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.protocol.view import View
from bridge_arena.server.websocket_player import unnoted
from bridge_arena.tournaments.events.event import Entrant
from bridge_arena.tournaments.ladder.players import AbsentError, Player, State
from bridge_arena.tournaments.ladder.remote_players import RemotePlayers
from bridge_arena.tournaments.ladder.store.ladder_store import LadderStore
from bridge_arena.tournaments.play.seating.connecting_players import BlueChipBots
from bridge_arena.tournaments.play.seating.seats import EntrySeat, SeatingError
from bridge_arena.tournaments.play.seating.waiting_room import WaitingRoom
from tests.patience import PATIENCE
from tests.tournaments.ladder.test_remote_players import (
    GoneError,
    Team,
    endpoint,
    open_ladder,
    open_store,
    until,
)

FILE = """\
[ladder]
name = "Club"
boards = 2
[policies]
grace = 0
[[player]]
bot = "remote:one"
[[player]]
bot = "bluechip:A"
"""


@pytest.fixture
def threads() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(16) as threads:
        yield threads


def come(
    threads: ThreadPoolExecutor, room: WaitingRoom, seat: Seat, make: type[Bot] = BaselineBot
) -> asyncio.Future[None]:
    """A program of team A comes; it is done at the end of its session."""
    assert room.programs is not None
    host, port = room.programs.address.split()
    play = partial(play_bluechip, make(), (host, int(port)), team="a", seat=seat)
    return asyncio.get_running_loop().run_in_executor(threads, play)


async def played(
    folder: Path, threads: ThreadPoolExecutor, boards: int, north: type[Bot] = BaselineBot
) -> list[str]:
    """Play a ladder until so many boards have begun; return what was said."""
    open_store(folder, FILE).close()
    other = Team("one")
    public = replace(endpoint(), bluechip_port=0)
    async with open_ladder(folder, boards, public) as ladder:
        for seat in SEATS:
            threads.submit(other.sit, ladder.room.url, seat)
        running = asyncio.create_task(ladder.runner.run())
        programs = ladder.room.programs
        assert programs is not None
        await until(lambda: bool(programs._seats), "seats are offered")
        seated = [
            come(threads, ladder.room, seat, north if seat is Seat.NORTH else BaselineBot)
            for seat in SEATS
        ]
        if north is not BaselineBot:
            with pytest.raises(GoneError):
                await seated[0]
            seated[0] = come(threads, ladder.room, Seat.NORTH)
        async with asyncio.timeout(PATIENCE):
            await running
        other.is_over = True
    # Their sessions end with the ladder, and not before.
    await asyncio.gather(*seated)
    return ladder.said


async def test_programs_play_match_after_match_in_one_session(
    tmp_path: Path, threads: ThreadPoolExecutor
) -> None:
    await played(tmp_path, threads, 4)
    with closing(LadderStore.open(tmp_path / "results.sqlite")) as store:
        (sums,) = store.sums().values()
    assert (sums.matches, sums.boards, sums.left, sums.faults) == (2, 4, (0, 0), (0, 0))


async def test_a_match_is_adjourned_until_a_program_is_back(
    tmp_path: Path, threads: ThreadPoolExecutor
) -> None:
    class Leaving(BaselineBot):
        def call(self, view: View) -> MadeCall:
            raise GoneError(view.number)

    said = await played(tmp_path, threads, 2, Leaving)
    assert any(line.startswith("match 1: A (N) is lost") for line in said)
    with closing(LadderStore.open(tmp_path / "results.sqlite")) as store:
        (sums,) = store.sums().values()
    assert (sums.matches, sums.boards, sums.left) == (1, 2, (0, 1))


def player(number: int, bot: str, state: State = State.ACTIVE) -> Player:
    return Player(number, Entrant(bot=bot, name=f"{number}"), "", state)


async def test_who_is_banned_loses_its_seat(threads: ThreadPoolExecutor) -> None:
    async with WaitingRoom(replace(endpoint(), bluechip_port=0)) as room:
        players, one = RemotePlayers(room, lambda: 0.0), player(1, "bluechip:A")
        players.look([one])
        assert players.version(one) is None
        seated = [come(threads, room, seat) for seat in SEATS]
        await until(lambda: players.version(one) == "", "all are there")
        players.look([replace(one, state=State.BANNED)])
        for program in seated:
            with pytest.raises(ConnectionFailedError):
                await program
        with pytest.raises(ConnectionFailedError, match="not expected here"):
            await come(threads, room, Seat.NORTH)


async def test_a_seat_that_is_offered_no_more_is_not_filled() -> None:
    """A player is banned after its match was drawn, and before it has sat down."""
    async with WaitingRoom(replace(endpoint(), bluechip_port=0)) as room:
        entry, seat = player(1, "bluechip:A").program_seats[0]
        bots = BlueChipBots(room.limits, lambda *_: unnoted, room.programs)
        with pytest.raises(SeatingError, match="let in no more"):
            await bots.call(EntrySeat(entry, seat))


async def test_a_team_is_of_one_player() -> None:
    async with WaitingRoom(replace(endpoint(), bluechip_port=0)) as room:
        players, one, other = (
            RemotePlayers(room, lambda: 0.0),
            player(1, "bluechip:A"),
            player(2, "bluechip:a:timing=no"),
        )
        players.look([one, other])
        assert players.version(one) is None
        with pytest.raises(AbsentError, match="1 has the same team"):
            players.version(other)


async def test_programs_need_a_port() -> None:
    async with WaitingRoom(endpoint()) as room:
        with pytest.raises(AbsentError, match="give --bluechip-port"):
            RemotePlayers(room, lambda: 0.0).version(player(1, "bluechip:A"))
