"""Our bots over our own Blue Chip gateway: as over websockets, and as processes."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from dataclasses import replace

import pytest

from bridge_arena.bots.registry import parse
from bridge_arena.bots.sdk.bluechip import play_bluechip
from bridge_arena.bots.sdk.client import Bot
from bridge_arena.bots.sdk.tables import play_table
from bridge_arena.bridge.record import BoardRecord
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.bridge.seeds import DealKey
from bridge_arena.protocol.bluechip.spelling import Quirks
from bridge_arena.server.clock import TimeControl
from bridge_arena.server.driver import play_board
from bridge_arena.server.players import Player
from bridge_arena.server.table import Table
from tests.data import ROOT
from tests.end_to_end.arena import ARENA
from tests.end_to_end.conftest import Here
from tests.patience import PATIENCE
from tests.server.bluechip_hall import TEAMS, Hall, open_hall
from tests.server.lobby import open_lobby

SEED = 77
KEY = DealKey.of_seed(SEED)
NAMES = ("n", "e", "s", "w")


async def play(players: dict[Seat, Player], boards: int) -> list[BoardRecord]:
    records: list[BoardRecord] = []
    for number in range(1, boards + 1):
        board = KEY.board(number)
        north, east, south, west = (KEY.seat_seed(number, seat) for seat in SEATS)
        table = Table("A1", board, (north, east, south, west), TimeControl(60.0))
        await play_board(table, players)
        records.append(table.record(NAMES))
    return records


async def over_websockets(make: Callable[[], Bot], boards: int) -> list[BoardRecord]:
    async with asyncio.timeout(PATIENCE), open_lobby() as lobby:
        threads = [
            asyncio.create_task(
                asyncio.to_thread(play_table, make(), lobby.url, lobby.tokens[seat])
            )
            for seat in SEATS
        ]
        seated = {seat: await lobby.player(seat) for seat in SEATS}
        records = await play(dict(seated), boards)
        for player in seated.values():
            await player.say_goodbye("over")
        await asyncio.gather(*threads)
    return records


async def over_bluechip(make: Callable[[], Bot], boards: int, quirks: Quirks) -> list[BoardRecord]:
    def sit(hall: Hall, seat: Seat) -> None:
        address = ("127.0.0.1", hall.port)
        team = TEAMS[seat.side]
        play_bluechip(make(), address, team=team, seat=seat, quirks=quirks, seed=SEED)

    async with asyncio.timeout(PATIENCE), open_hall(dict.fromkeys(SEATS, quirks)) as hall:
        threads = [asyncio.create_task(asyncio.to_thread(sit, hall, seat)) for seat in SEATS]
        seated = {seat: await hall.player(seat) for seat in SEATS}
        records = await play(dict(seated), boards)
        for player in seated.values():
            await player.say_goodbye("over")
        await asyncio.gather(*threads)
    return records


STRANGE = Quirks(letters="upper", card="suit-rank", card_case="lower", stop=False, timing=False)


@pytest.mark.parametrize(
    ("bot", "boards", "quirks"),
    [
        ("random", 8, Quirks()),
        ("baseline", 8, STRANGE),
        ("natural", 8, Quirks()),
        pytest.param("minimax", 4, Quirks(), marks=pytest.mark.slow),
        pytest.param("montecarlo:worlds=5", 2, Quirks(), marks=pytest.mark.slow),
        pytest.param("alphamu:worlds=2,depth=1", 1, Quirks(), marks=pytest.mark.slow),
    ],
)
async def test_the_protocol_makes_no_difference_to_the_play(
    bot: str, boards: int, quirks: Quirks
) -> None:
    _, make = parse(bot)
    expected = await over_websockets(make, boards)
    assert all(record.is_finished and not record.faults for record in expected)
    # Blue Chip has no words for what a player thinks.
    silent = [replace(record, thoughts=()) for record in expected]
    assert await over_bluechip(make, boards, quirks) == silent


# As processes.


@pytest.mark.slow
async def test_four_bots_play_as_programs_over_blue_chip() -> None:
    environment = {key: value for key, value in os.environ.items() if "ARENA_" not in key}
    environment |= {"PYTHONPATH": str(ROOT)}

    async def start(hall: Hall, seat: Seat) -> asyncio.subprocess.Process:
        return await asyncio.create_subprocess_exec(
            *ARENA,
            *("bot", "baseline", "--bluechip", f"127.0.0.1:{hall.port}"),
            *("--seat", seat.letter, "--team", TEAMS[seat.side], "--quirk", "stop=no"),
            env=environment,
            stderr=asyncio.subprocess.PIPE,
        )

    async with asyncio.timeout(PATIENCE), open_hall() as hall:
        programs = [await start(hall, seat) for seat in SEATS]
        try:
            seated = {seat: await hall.places[seat].seated for seat in SEATS}
            records = await play(dict(seated), 4)
            for player in seated.values():
                await player.say_goodbye("over")
            errors = [(await program.communicate())[1] for program in programs]
        finally:
            for program in programs:
                if program.returncode is None:
                    program.kill()
    assert errors == [b""] * 4
    assert [program.returncode for program in programs] == [0] * 4
    assert all(record.is_finished and not record.faults for record in records)


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--bluechip", "nowhere"], "--bluechip is 'nowhere', expected HOST:PORT"),
        (["--bluechip", "x:1", "--quirk", "tea=5"], "there is no quirk 'tea=5'"),
        (["--bluechip", "x:1", "--quirk", "card=7"], "quirk card is '7', expected one of rank-"),
        (["--bluechip", "x:1", "--seat", "Q"], "'Q' is not a seat"),
        (["--team", "A"], "--team and --quirk are for --bluechip"),
    ],
)
def test_options_of_blue_chip_that_make_no_sense_are_refused(
    here: Here, options: list[str], complaint: str
) -> None:
    assert complaint in here("bot", "random", *options).complaint(2)


def test_a_cheat_does_not_play_over_blue_chip(here: Here) -> None:
    complaint = here("bot", "oracle", "--bluechip", "x:1").complaint(2)
    assert complaint == "oracle must see all hands, which Blue Chip never shows"


def test_an_address_without_a_manager_is_told_in_one_line(here: Here) -> None:
    complaint = here("bot", "random", "--bluechip", "127.0.0.1:1").complaint(1)
    assert complaint.startswith("cannot connect to 127.0.0.1:1: ")
