"""Tests of the place that a client gets: by its session, its seat, and what is free."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence
from functools import partial
from typing import Any

import pytest

from bridge_arena.bots.sdk import tables as tables_module
from bridge_arena.bots.sdk.client import Bot, run
from bridge_arena.bots.sdk.connection import Connection, ConnectionFailedError
from bridge_arena.bots.sdk.tables import Stay, play_table
from bridge_arena.bridge.record import FaultKind
from bridge_arena.bridge.seats import Seat
from bridge_arena.protocol.messages import Hello, Welcome
from bridge_arena.protocol.visibility import Viewer
from bridge_arena.server.faults import SeatFault
from bridge_arena.server.seating import Seating, SeatRefusedError
from bridge_arena.server.websocket_player import WebsocketPlayer
from tests.patience import PATIENCE
from tests.server.links import Client
from tests.server.lobby import connected, hand_bot, open_lobby, until
from tests.server.tables import EAST, NORTH, WEST, in_no_time


def places(*seats: Seat) -> list[WebsocketPlayer]:
    """One at each of as many tables."""
    return [
        WebsocketPlayer(
            Viewer(seat),
            Welcome(table=f"t{number}", seat=seat, tables=len(seats), session=f"s{number}"),
        )
        for number, seat in enumerate(seats)
    ]


async def sit(seating: Seating, **hello: object) -> tuple[WebsocketPlayer, Client]:
    place = seating.claim(Hello(name="x", **hello))  # type: ignore[arg-type]
    client = Client()
    await client.attach(place)
    return place, client


def refusal(seating: Seating, **hello: object) -> str:
    with pytest.raises(SeatRefusedError) as refused:
        seating.claim(Hello(name="x", **hello))  # type: ignore[arg-type]
    return str(refused.value)


def test_places_are_given_away_in_order() -> None:
    async def claim() -> None:
        one, two = places(NORTH, NORTH)
        seating = Seating([one, two])
        assert (await sit(seating))[0] is one
        assert (await sit(seating))[0] is two
        assert refusal(seating) == "every seat of this token is taken"
        assert refusal(Seating()) == "every seat of this token is taken"

    in_no_time(claim())


def test_a_seat_is_asked_for_by_name() -> None:
    async def claim() -> None:
        north, east = places(NORTH, EAST)
        seating = Seating([north, east])
        assert refusal(seating, seat=WEST) == "this token is for no table in seat W"
        assert (await sit(seating, seat=EAST))[0] is east
        assert refusal(seating, seat=EAST) == "seat E of this token is taken"
        assert (await sit(seating))[0] is north

    in_no_time(claim())


def test_a_free_place_comes_before_one_that_has_lost_its_bot() -> None:
    async def claim() -> None:
        one, two, three = places(NORTH, NORTH, NORTH)
        seating = Seating([one, two, three])
        _, first = await sit(seating)
        _, second = await sit(seating)
        second.lose(two)
        first.lose(one)
        assert (await sit(seating))[0] is three
        assert (await sit(seating))[0] is one
        assert (await sit(seating))[0] is two
        assert refusal(seating) == "every seat of this token is taken"

    in_no_time(claim())


def test_a_session_leads_to_its_own_place_whoever_sits_there() -> None:
    async def claim() -> None:
        one, two = places(NORTH, NORTH)
        seating = Seating([one, two])
        await sit(seating)
        await sit(seating)
        assert seating.claim(Hello(name="x", resume="s1")) is two
        # Its session says more than the seat that it wants.
        assert seating.claim(Hello(name="x", resume="s0", seat=EAST)) is one
        assert refusal(seating, resume="s7") == "every seat of this token is taken"
        assert refusal(seating, resume="s") == "every seat of this token is taken"

    in_no_time(claim())


def test_a_bot_that_took_a_lost_place_is_not_pushed_out_by_the_one_before() -> None:
    """At several tables a bot may connect to the next one just as it has lost the one before."""

    async def claim() -> None:
        one, two = places(NORTH, NORTH)
        seating = Seating([one, two])
        _, first = await sit(seating)
        _, second = await sit(seating)
        second.lose(two)
        first.lose(one)
        assert (await sit(seating))[0] is one
        assert one.welcome.session not in ("s0", "s1", "")
        # The first bot has the place that is left, and the second none.
        assert (await sit(seating, resume="s0"))[0] is two
        assert refusal(seating, resume="s1") == "every seat of this token is taken"
        for place in (one, two):
            assert seating.claim(Hello(name="x", resume=place.welcome.session)) is place

    in_no_time(claim())


def test_no_session_leads_to_a_place_without_a_session() -> None:
    async def claim() -> None:
        place = WebsocketPlayer(Viewer(NORTH), Welcome(table="t", seat=NORTH))
        seating = Seating([place])
        _, client = await sit(seating)
        assert refusal(seating, resume="") == "every seat of this token is taken"
        client.lose(place)
        await sit(seating)
        assert place.welcome.session == ""

    in_no_time(claim())


def test_places_come_and_go() -> None:
    async def claim() -> None:
        old, new = places(NORTH), places(NORTH)
        seating = Seating()
        seating.open(old)
        assert seating.claim(Hello(name="x")) is old[0]
        seating.close(old)
        assert refusal(seating) == "every seat of this token is taken"
        assert refusal(seating, resume="s0") == "every seat of this token is taken"
        seating.open(new)
        assert seating.claim(Hello(name="x")) is new[0]
        new[0].seated.cancel()
        assert refusal(seating) == "every seat of this token is taken"

    in_no_time(claim())


@pytest.mark.parametrize("strict", [False, True])
def test_a_complaint_spoils_a_place_where_only_the_bot_can_have_come(*, strict: bool) -> None:
    async def claim() -> None:
        one, two = places(NORTH, NORTH)
        seating = Seating([one, two], strict=strict)
        await sit(seating)
        fault = SeatFault(FaultKind.MALFORMED, "no Hello")
        seating.complain(fault)
        assert one.seated.exception() is None
        assert two.seated.done() == strict
        if strict:
            assert two.seated.exception() is fault
            assert refusal(seating) == "every seat of this token is taken"
        seating.complain(fault)  # there may be none left to spoil

    in_no_time(claim())


def test_a_started_process_takes_each_place_once() -> None:
    """It gets a lost place back by its session; a stolen token opens no place."""

    async def claim() -> None:
        one, two = places(NORTH, NORTH)
        seating = Seating([one, two], strict=True)
        _, client = await sit(seating)
        client.lose(one)
        assert seating.claim(Hello(name="x", resume="s0")) is one
        assert seating.claim(Hello(name="x")) is two
        assert refusal(seating) == "every seat of this token is taken"
        # What is started in its place has a token of its own.
        assert Seating([one, two], strict=True).claim(Hello(name="x")) is two

    in_no_time(claim())


# With the SDK, over sockets.


class Idle(Bot):
    """Is never asked."""


def run_quietly(**settings: str) -> str | None:
    """Run a bot as its program would; what it ended with."""
    try:
        run(Idle, **settings)
    except SystemExit as end:
        return str(end.code)
    return None


async def seated_at(all_of: Sequence[WebsocketPlayer]) -> None:
    async with asyncio.timeout(PATIENCE):
        for place in all_of:
            await place.seated


async def test_one_token_seats_a_bot_at_all_of_its_tables() -> None:
    async with open_lobby() as lobby:
        three = places(WEST, WEST, WEST)
        lobby.admissions["three"] = Seating(three)
        running = asyncio.create_task(asyncio.to_thread(run_quietly, url=lobby.url, token="three"))
        await seated_at(three)
        assert {place.hello for place in three} == {"Idle"}
        for place in three:
            await place.say_goodbye("over")
        assert await running is None
        assert lobby.gateway.refused == 0


async def test_a_bot_may_come_to_only_some_of_its_tables() -> None:
    """Whoever runs the event sees which, and may wait for the rest."""
    async with open_lobby() as lobby:
        three = places(WEST, WEST, WEST)
        lobby.admissions[lobby.tokens[WEST]] = Seating(three)
        async with hand_bot(lobby, WEST) as first:
            await first.hear()
            assert first.session.welcome == three[0].welcome
            assert [place.seated.done() for place in three] == [True, False, False]
            async with hand_bot(lobby, WEST) as second:
                await second.hear()
                assert second.session.welcome == three[1].welcome
                assert [place.is_connected for place in three] == [True, True, False]


async def test_the_sdk_tries_a_seat_that_is_not_free_for_as_long_as_it_is_patient(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tables_module, "PATIENCE", 0.1)
    async with open_lobby() as lobby, hand_bot(lobby, WEST) as sitting:
        await sitting.hear()
        settings = {"url": lobby.url, "token": lobby.tokens[WEST]}
        end = await asyncio.to_thread(run_quietly, **settings)
        assert end == "taken: every seat of this token is taken"
        assert lobby.gateway.refused >= 2
        end = await asyncio.to_thread(run_quietly, **settings, seat="E")
        assert end == "taken: this token is for no table in seat E"
        # A token that is none is no better the second time.
        refused = lobby.gateway.refused
        end = await asyncio.to_thread(run_quietly, url=lobby.url, token="wrong")
        assert end is not None
        assert "the token is wrong" in end
        assert lobby.gateway.refused == refused + 1


async def test_a_place_that_becomes_free_is_taken_by_a_bot_that_waits() -> None:
    async with open_lobby(grace=30.0) as lobby:
        async with hand_bot(lobby, WEST) as sitting:
            await sitting.hear()
            settings = {"url": lobby.url, "token": lobby.tokens[WEST]}
            running = asyncio.create_task(asyncio.to_thread(run_quietly, **settings))
            await until(lambda: lobby.gateway.refused >= 1)
        await until(lambda: lobby.places[WEST].is_connected)
        await until(lambda: lobby.places[WEST].hello == "Idle")
        await lobby.places[WEST].say_goodbye("over")
        assert await running is None


async def test_a_seat_where_all_is_over_is_only_for_who_sat_there() -> None:
    """The next seat may be opened before the one that is over is closed, as in a ladder."""
    async with open_lobby() as lobby:
        (old,) = places(WEST)
        seating = lobby.admissions[lobby.tokens[WEST]] = Seating([old])
        async with hand_bot(lobby, WEST) as bot:
            await bot.hear()
            await old.say_goodbye("over")
        assert seating.claim(Hello(name="x", resume=old.welcome.session)) is old
        assert refusal(seating) == "every seat of this token is taken"
        seating.open(new := places(WEST))
        assert seating.claim(Hello(name="x")) is new[0]


async def test_who_comes_back_only_to_hear_goodbye_is_not_lost_again() -> None:
    told: list[str] = []

    def note(news: str, *, back: bool) -> None:
        told.append("back" if back else news)

    async with open_lobby(grace=PATIENCE) as lobby:
        place = lobby.places[WEST]
        place._noted = note
        async with hand_bot(lobby, WEST) as bot:
            await bot.hear()
        await until(lambda: not place.is_connected and bool(told))
        parting = asyncio.create_task(place.say_goodbye("over"))
        async with hand_bot(lobby, WEST) as again:
            while again.session.goodbye is None:
                await again.hear()
        await parting
    assert told[1:] == ["back"]


async def test_a_bot_that_has_lost_its_place_may_have_another() -> None:
    async with open_lobby() as lobby, connected(lobby.url, lobby.tokens[WEST]):
        seating = Seating(old := places(WEST))
        lobby.admissions["remote"] = seating
        running = asyncio.create_task(asyncio.to_thread(run_quietly, url=lobby.url, token="remote"))
        await seated_at(old)
        seating.close(old)
        seating.open(new := places(WEST))
        old[0].part("lost its seat: timeout")
        await seated_at(new)
        await new[0].say_goodbye("over")
        assert await running is None


async def test_a_process_that_takes_its_own_lost_place_goes_on_at_all_tables(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A bot is started in another's place. The first table's connection is lost just as it is to
    sit down at the second, and it sits down at the first again, before the first thread is back."""
    is_lost, is_taken = threading.Event(), threading.Event()
    threads: list[int] = []

    class Unlucky(Connection):
        def __init__(self, url: str, token: str, *, is_sure: bool) -> None:
            me = threading.get_ident()
            assert not threads or (is_taken if me == threads[0] else is_lost).wait(PATIENCE)
            threads.append(me)
            super().__init__(url, token, is_sure=is_sure)

        def receive(self) -> bytes:
            if len(threads) == 1 and self.is_welcome:
                raise ConnectionFailedError("lost")
            self.is_welcome = True
            return super().receive()

        is_welcome = False

    one, two = places(WEST, WEST)
    async with open_lobby() as lobby:
        lobby.admissions[lobby.tokens[WEST]] = Seating([one, two])
        async with hand_bot(lobby, WEST) as killed, hand_bot(lobby, WEST) as too:
            await killed.hear()
            await too.hear()
        await until(lambda: not one.is_connected and not two.is_connected)
        monkeypatch.setattr(tables_module, "Connection", Unlucky)
        settings = {"url": lobby.url, "token": lobby.tokens[WEST]}
        running = asyncio.create_task(asyncio.to_thread(run_quietly, **settings))
        await until(lambda: one.hello == "Idle" and not one.is_connected)
        is_lost.set()
        await until(lambda: one.is_connected)
        is_taken.set()
        await until(lambda: two.is_connected or running.done())
        for place in (one, two):
            await place.say_goodbye("over")
        assert await running is None
        assert threads == [threads[0], threads[1], threads[0]]


async def test_a_process_goes_on_where_a_server_begins_anew_with_fewer_tables_or_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    gone: list[Stay] = []

    def noted(*table: Any, **how: Any) -> Stay:
        gone.append(stay := play_table(*table, **how))
        return stay

    monkeypatch.setattr(tables_module, "play_table", noted)
    async with open_lobby() as lobby:
        seating = Seating(tables := places(WEST, WEST, WEST))
        lobby.admissions[lobby.tokens[WEST]] = seating
        settings = {"url": lobby.url, "token": lobby.tokens[WEST]}
        running = asyncio.create_task(asyncio.to_thread(run_quietly, **settings))
        await seated_at(tables)
        for number, ended in ((1, 2), (2, 2), (1, 3)):
            before, tables = tables, places(*[WEST] * number)
            for place in tables:
                place.renew_session()  # what the server was before, it does not know
            seating.close(before)
            seating.open(tables)
            for place in before:
                place.lose_process("the server ends")
            await seated_at(tables)
            await until(partial(has_length, gone, ended))
        assert [stay.goodbye for stay in gone] == [""] * 3
        for place in tables:
            await place.say_goodbye("over")
        assert await running is None
        assert len(gone) == 4


def has_length(some: Sequence[object], length: int) -> bool:
    return len(some) == length
