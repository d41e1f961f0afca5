"""Tests of seats in a browser: who is admitted, what they are sent, and attacks by strangers."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

import pytest
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed, InvalidStatus

from bridge_arena.bridge.record import FaultKind
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.protocol.codec import text_of
from bridge_arena.protocol.messages import YourTurn
from bridge_arena.protocol.visibility import Viewer, visible
from bridge_arena.server.driver import play_board
from bridge_arena.server.players import LocalPlayer, Player
from bridge_arena.tournaments.schedule.rulings import Decision, Pause
from bridge_arena.web.common import serving
from bridge_arena.web.seat import browser_link
from bridge_arena.web.seat.application import EVENT_OVER, NOBODY_AWAITED
from tests.patience import PATIENCE
from tests.server.hostile import FLOODS
from tests.server.lobby import until
from tests.server.tables import Lowly, new_table
from tests.tournaments.ruled import rulings
from tests.web.live.halls import units
from tests.web.seat.reception import PEOPLE, SeatPages, heard, reception

SOUTH = Seat.SOUTH


def with_bob(desk: SeatPages) -> dict[Seat, Player]:
    """Bob, and bots at the other seats."""
    bots = {seat: LocalPlayer(Viewer(seat), Lowly({0: "1NT"})) for seat in SEATS if seat != SOUTH}
    return {**bots, SOUTH: desk.places["Bob"]}


# Links and cookies.


async def test_a_link_is_used_up_by_pressing_its_button_alone() -> None:
    async with reception() as desk:
        for method in ("GET", "HEAD", "GET"):
            assert (await desk.ask(method, desk.links["Bob"])).status == 200
        assert (
            "form-action 'self'"
            in (await desk.ask("GET", desk.links["Bob"])).headers["content-security-policy"]
        )
        first, second = [await desk.ask("POST", desk.links["Bob"]) for _ in range(2)]
        assert (first.status, first.headers["location"]) == (303, "../seat/")
        assert (second.status, "set-cookie" in second.headers) == (410, False)
        assert (await desk.ask("GET", desk.links["Bob"])).status == 410


async def test_the_cookie_is_for_the_seat_alone_and_no_script_reads_it() -> None:
    async with reception() as desk:
        answer = await desk.ask("POST", desk.links["Bob"])
        _, *flags = answer.headers["set-cookie"].split("; ")
        assert set(flags) == {"HttpOnly", "Path=/seat/", "SameSite=strict"}
        assert desk.links["Bob"].rpartition("/")[2] not in answer.headers["set-cookie"]


async def test_behind_a_proxy_with_tls_the_cookie_is_secure_and_its_name_opens_all() -> None:
    """The proxy passes on the names by which browsers call it."""
    async with reception(address="https://bridge.example/") as desk:
        name = "bridge.example"
        answer = await desk.ask("POST", desk.links["Bob"], host=name)
        cookie, *flags = answer.headers["set-cookie"].split("; ")
        assert set(flags) == {"HttpOnly", "Path=/seat/", "SameSite=strict", "Secure"}
        assert (await desk.ask("GET", "/seat/", cookie, host=name)).status == 200
        async with desk.window(cookie, f"https://{name}", host=name) as window:
            assert (await heard(window))["type"] == "Welcome"
        assert (await desk.ask("GET", "/seat/", cookie, host="evil.example")).status == 421


@pytest.mark.parametrize(
    "path", ["/seat/", "/seat/about", "/seat/waiting", "/seat/hint", "/seat/again"]
)
async def test_whoever_has_no_seat_is_shown_nothing(path: str) -> None:
    async with reception(hints=True) as desk:
        await desk.cookie("Bob")
        for guess in ("", f"arena-seat-{desk.port}=", f"arena-seat-{desk.port}=guess"):
            answer = await desk.ask("GET", path, guess)
            assert answer.status == 403
            assert "Bob" not in answer.text


async def test_guessed_links_open_nothing() -> None:
    async with reception() as desk:
        good = desk.links["Bob"]
        for guess in ("/sit/", "/sit/a", good[:-1], f"{good}a", "/sit/%00", f"/sit/{'a' * 5000}"):
            answer = await desk.ask("POST", guess)
            assert answer.status in (404, 410)
            assert "set-cookie" not in answer.headers
        assert (await desk.ask("POST", good)).status == 303


@pytest.mark.parametrize(
    "origin",
    [None, "null", "http://evil.example", "http://127.0.0.1", "http://127.0.0.1:1", "file://"],
)
async def test_a_page_of_another_place_is_not_let_in(origin: str | None) -> None:
    async with reception() as desk:
        cookie = await desk.cookie("Bob")
        with pytest.raises(InvalidStatus) as refused:
            await desk.window(cookie, origin)
        assert refused.value.response.status_code == 403
        assert not desk.places["Bob"].is_connected


async def test_without_a_cookie_there_is_no_seat() -> None:
    async with reception() as desk:
        cookie = await desk.cookie("Bob")
        for wrong in ("", cookie + "a", cookie.replace("seat", "chair"), "arena-seat-1=x"):
            with pytest.raises(InvalidStatus) as refused:
                await desk.window(wrong)
            assert refused.value.response.status_code == 403


async def test_a_cookie_opens_its_own_seat() -> None:
    async with reception() as desk:
        ann, bob = await desk.cookie("Ann"), await desk.cookie("Bob")
        async with desk.window(ann, seat="N") as north, desk.window(bob) as south:
            assert (await heard(north))["seat"] == "N"
            assert (await heard(south))["seat"] == "S"
        for seat in ("N", "E", "W", "SS", "*"):
            async with desk.window(bob, seat=seat) as window:
                with pytest.raises(ConnectionClosed) as closed:
                    await heard(window)
                assert closed.value.rcvd is not None
                assert closed.value.rcvd.code == NOBODY_AWAITED


async def test_a_person_who_comes_after_the_end_is_told_that_it_is_over() -> None:
    async with reception() as desk:
        cookie = await desk.cookie("Bob")
        desk.hall.people.close()
        async with desk.window(cookie) as window:
            with pytest.raises(ConnectionClosed) as closed:
                await heard(window)
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == EVENT_OVER


# What a seat is told.


async def test_a_seat_is_told_what_it_may_see_and_nothing_else() -> None:
    async with reception() as desk:
        async with desk.window(await desk.cookie("Bob")) as window:
            assert (await heard(window))["type"] == "Welcome"
            table = new_table()
            told: list[str] = []

            async def play() -> None:
                while True:
                    text = await window.recv()
                    assert isinstance(text, str)
                    told.append(text)
                    message = json.loads(text)
                    if message["type"] == "YourTurn":
                        await window.send(answer(message))
                    if message["type"] == "BoardEnd":
                        return

            async with asyncio.timeout(PATIENCE):
                await asyncio.gather(play(), play_board(table, with_bob(desk)))
        shown = [visible(event, Viewer(SOUTH)) for event in table.events]
        assert [timeless(text) for text in told] == [
            timeless(text_of(outgoing.message)) for outgoing in shown if outgoing is not None
        ]


def answer(turn: dict[str, object]) -> str:
    """The first of what is legal."""
    legal = turn["legal"]
    assert isinstance(legal, list)
    kind = {"type": "MakeCall", "call": legal[0]}
    if legal[0] != "Pass":
        kind = {"type": "PlayCard", "card": legal[0]}
    return json.dumps({**named(turn), **kind})


def named(turn: dict[str, object]) -> dict[str, object]:
    """Return what an answer says of its turn."""
    return {key: turn[key] for key in ("table", "board", "seq")}


def timeless(text: str) -> dict[str, object]:
    message: dict[str, object] = json.loads(text)
    return {key: value for key, value in message.items() if not key.endswith("seconds")}


async def test_nothing_is_told_of_a_board_that_is_not_to_be_shown_yet() -> None:
    async with reception() as desk:
        cookie = await desk.cookie("Bob")
        hall = desk.hall
        open_room, closed_room, *_ = units(PEOPLE)
        await hall.play(open_room)
        told = json.loads((await desk.ask("GET", "/seat/about", cookie)).text)
        assert told == {
            "players": {"N": "Ann", "E": "Them", "S": "Bob", "W": "Them"},
            "room": "Open room",
            "people": "N",
            "boards": 2,
            "scope": "match",
        }
        await hall.play(closed_room)
        hall.feeds[0].release({open_room.board})
        await hall.settle()
        told = json.loads((await desk.ask("GET", "/seat/about", cookie)).text)
        over = told["over"]
        assert (over["board"]["board"], over["href"]) == (1, "../boards/1-1-1.html")
        assert "thought" not in json.dumps(told)
        ((line,),) = [section["lines"] for section in told["scorecard"]]
        assert (line["board"], line["href"], line["worth"]) == (1, over["href"], 0)
        assert [table["name"] for table in over["tables"]] == ["Open room", "Closed room"]
        assert (await desk.ask("GET", over["href"].removeprefix(".."))).status == 200


async def test_nothing_is_told_of_a_board_in_play_even_where_others_watch_it() -> None:
    async with reception(broadcast="live") as desk:
        cookie = await desk.cookie("Bob")
        async with desk.window(cookie) as window:
            open_room, *_ = units(PEOPLE)
            playing = asyncio.create_task(desk.hall.begin(open_room, players=with_bob(desk)))
            while (await heard(window))["type"] != "YourTurn":
                pass
            await desk.hall.settle()
            assert desk.hall.arena.games
            told = json.loads((await desk.ask("GET", "/seat/about", cookie)).text)
            assert told.keys() == {"players", "room", "people", "boards", "scope"}
            assert (await desk.ask("GET", "/seat/again?key=1-1-1", cookie)).status == 404
            playing.cancel()


async def test_a_board_that_is_over_is_played_on_from_any_of_its_cards() -> None:
    async with reception() as desk:
        cookie = await desk.cookie("Bob")
        open_room, closed_room, *_ = units(PEOPLE)
        for unit in (open_room, closed_room):
            await desk.hall.play(unit)
        desk.hall.feeds[0].release({open_room.board})
        await desk.hall.settle()
        over = json.loads((await desk.ask("GET", "/seat/about", cookie)).text)["over"]
        cards = ".".join(each["card"] for each in over["board"]["tables"][0]["cards"])
        whole = await desk.ask("GET", f"/seat/again?key={over['key']}&cards={cards}", cookie)
        assert json.loads(whole.text)["score"] == over["tables"][0]["score"]
        for path, status in (("key=1-1-2", 404), (f"key={over['key']}&cards=SA.SA", 400)):
            assert (await desk.ask("GET", f"/seat/again?{path}", cookie)).status == status


async def test_the_others_are_told_for_whom_the_table_waits_and_who_is_away() -> None:
    async with reception() as desk:
        ann, bob = await desk.cookie("Ann"), await desk.cookie("Bob")
        desk.hall.people.begun(units(PEOPLE)[0])
        place = desk.places["Ann"]
        place.welcome = place.welcome.model_copy(update={"grace_seconds": 60})
        players: dict[Seat, Player] = {**with_bob(desk), Seat.NORTH: place}
        async with desk.window(ann, seat="N") as north:
            await heard(north)
        await until(lambda: not place.is_connected)
        told = json.loads((await desk.ask("GET", "/seat/waiting", bob)).text)
        assert told == {}, "whoever goes away out of turn tells a partner nothing"
        async with desk.window(bob) as south:
            async with desk.window(ann, seat="N") as north:
                playing = asyncio.create_task(play_board(new_table(), players))
                while (await heard(north))["type"] != "YourTurn":
                    pass
                told = json.loads((await desk.ask("GET", "/seat/waiting", bob)).text)
                assert told.keys() == {"N"}
                assert told["N"].keys() == {"turn"}
                assert 50 < told["N"]["turn"] <= 60
                assert json.loads((await desk.ask("GET", "/seat/waiting", ann)).text) == {}
            await until(lambda: not place.is_connected)
            told = json.loads((await desk.ask("GET", "/seat/waiting", bob)).text)
            assert 50 < told["N"]["away"] <= 60
            await heard(south)
            playing.cancel()


async def test_who_waits_is_told_that_the_event_is_paused(monkeypatch: pytest.MonkeyPatch) -> None:
    async with reception() as desk:
        bob, lobby = await desk.cookie("Bob"), desk.hall.arena.lobby
        made: list[Decision] = [Pause(entry=0)]
        monkeypatch.setattr(lobby, "_read_rulings", partial(rulings, made))
        for told in ("{}", '{"paused":{}}'):
            lobby.count()
            assert (await desk.ask("GET", "/seat/waiting", bob)).text == told
            made.append(Pause())


# What strangers and clumsy players do.


async def test_a_second_window_takes_the_seat_and_is_told_all_so_far() -> None:
    async with reception() as desk:
        cookie = await desk.cookie("Bob")
        async with desk.window(cookie) as first:
            assert (await heard(first))["type"] == "Welcome"
            players = with_bob(desk)
            playing = asyncio.create_task(play_board(new_table(), players))
            while (await heard(first))["type"] != "YourTurn":
                pass
            async with desk.window(cookie) as second:
                assert (await heard(second))["type"] == "Welcome"
                snapshot = await heard(second)
                assert snapshot["type"] == "Snapshot"
                assert snapshot["events"][-1]["type"] == "YourTurn"
                with pytest.raises(ConnectionClosed) as closed:
                    await heard(first)
                assert closed.value.rcvd is not None
                assert closed.value.rcvd.code == 1008
            playing.cancel()


async def flood(window: ClientConnection, texts: list[str]) -> None:
    """Send all, and listen."""
    async with asyncio.timeout(PATIENCE):
        for text in texts:
            await window.send(text)
        await heard(window)


async def test_a_frame_of_ten_megabytes_closes_its_connection() -> None:
    async with reception() as desk, desk.window(await desk.cookie("Bob")) as window:
        await heard(window)
        with pytest.raises(ConnectionClosed) as closed:
            await flood(window, ["a" * 10_000_000])
        assert closed.value.rcvd is None or closed.value.rcvd.code == 1009
        assert (await desk.ask("GET", "/")).status == 200


async def test_thousands_of_messages_close_their_connection() -> None:
    async with reception() as desk, desk.window(await desk.cookie("Bob")) as window:
        await heard(window)
        with pytest.raises(ConnectionClosed) as closed:
            await flood(window, ['{"type": "Explain"}'] * 5000)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1008


@asynccontextmanager
async def silent_page(desk: SeatPages, cookie: str) -> AsyncIterator[socket.socket]:
    """The socket of a page that never reads, and for which the network holds little."""
    with socket.socket() as page:
        page.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        page.setblocking(False)  # noqa: FBT003 (the standard library's)
        loop = asyncio.get_running_loop()
        await loop.sock_connect(page, ("127.0.0.1", desk.port))
        request = (
            f"GET /seat/socket/S HTTP/1.1\r\nHost: 127.0.0.1:{desk.port}\r\n"
            f"Origin: {desk.origin}\r\nCookie: {cookie}\r\nUpgrade: websocket\r\n"
            "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        )
        await loop.sock_sendall(page, request.encode())
        await until(lambda: desk.places["Bob"].is_connected)
        yield page


async def ping(page: socket.socket, times: int) -> None:
    """Send many thousand bytes of pings, several times. Raises OSError when the server cuts it."""
    async with asyncio.timeout(PATIENCE):
        for _ in range(times):
            await asyncio.get_running_loop().sock_sendall(page, FLOODS["pings"])


async def test_pings_whose_answers_are_not_read_close_their_connection() -> None:
    async with reception() as desk, silent_page(desk, await desk.cookie("Bob")) as page:
        with pytest.raises(ConnectionError):
            await ping(page, 1000)
        await until(lambda: not desk.places["Bob"].is_connected)


async def test_a_page_that_does_not_read_cannot_keep_a_connection_that_is_done_with(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(serving, "MOST_UNREAD", 2**30)
    monkeypatch.setattr(serving, "CLOSE_SECONDS", 0)
    monkeypatch.setattr(browser_link, "CLOSE_SECONDS", 0.01)
    async with reception() as desk:
        cookie = await desk.cookie("Bob")
        async with silent_page(desk, cookie) as page:
            await ping(page, 1000)
            async with desk.window(cookie) as window:
                assert (await heard(window))["type"] == "Welcome"
                with pytest.raises(ConnectionError):
                    await ping(page, 1000)


@pytest.mark.parametrize(
    "said",
    [
        b"\x81",
        "",
        "[]",
        "nonsense",
        "[" * 50_000,
        '{"type": "Hello", "name": "me"}',
        '{"type": "Thought", "table": "table", "board": 1, "seq": 3, "text": "hm"}',
        '{"type": "MakeCall", "table": "table", "board": 1, "seq": 3, "call": "8NT"}',
        '{"type": "Undo", "table": "table", "board": 1, "seq": 3}',
    ],
)
async def test_nonsense_is_a_fault_of_the_player(said: str | bytes) -> None:
    async with reception() as desk, desk.window(await desk.cookie("Bob")) as window:
        table = new_table()
        playing = asyncio.create_task(play_board(table, with_bob(desk)))
        while (await heard(window))["type"] != "YourTurn":
            pass
        await window.send(said)
        assert (await heard(window))["type"] == "Error"
        assert (await heard(window))["type"] == "YourTurn"
        assert [fault.kind for fault in table.faults] == [FaultKind.MALFORMED]
        playing.cancel()


async def test_a_person_who_is_gone_is_lost_as_a_bot_is() -> None:
    async with reception() as desk:
        async with desk.window(await desk.cookie("Bob")) as window:
            await heard(window)
        table = new_table()
        async with asyncio.timeout(PATIENCE):
            await play_board(table, with_bob(desk))
        assert table.faults[-1].kind is FaultKind.DISCONNECT


async def test_an_undo_begins_the_board_anew_in_the_browser() -> None:
    async with reception(undo=True) as desk, desk.window(await desk.cookie("Bob")) as window:
        table = new_table()
        playing = asyncio.create_task(play_board(table, with_bob(desk)))
        while (turn := await heard(window))["type"] != "YourTurn":
            pass
        bid = {"type": "MakeCall", "call": "7C"}  # who declares is asked again
        await window.send(json.dumps({**named(turn), **bid}))
        while (later := await heard(window))["type"] != "YourTurn":
            pass
        await window.send(json.dumps({**named(later), "type": "Undo"}))
        assert (await heard(window))["type"] == "BoardStart"
        while (again := await heard(window))["type"] != "YourTurn":
            pass
        assert timeless(json.dumps(again)) == timeless(json.dumps(turn))
        assert [fault.kind for fault in table.faults] == [FaultKind.UNDO]
        playing.cancel()


# Hints.


async def test_hints_are_given_where_the_event_allows_them() -> None:
    for hints in (True, False):
        async with reception(hints=hints) as desk:
            cookie = await desk.cookie("Bob")
            async with desk.window(cookie) as window:
                assert (await desk.ask("GET", "/seat/hint", cookie)).status in (200, 404)
                players = with_bob(desk)
                open_room, *_ = units(PEOPLE)
                playing = asyncio.create_task(desk.hall.begin(open_room, players=players))
                while (turn := await heard(window))["type"] != "YourTurn":
                    pass
                found = await desk.ask("GET", "/seat/hint", cookie)
                if hints:
                    hint = json.loads(found.text)
                    assert (hint["type"], hint["seq"]) == ("MakeCall", turn["seq"])
                    assert hint["call"] in turn["legal"]
                else:
                    assert found.status == 404
                playing.cancel()


def test_turns_are_told_to_one_seat_alone() -> None:
    """The fields that `timeless` leaves out of the comparison above hold no card."""
    assert {name for name in YourTurn.model_fields if name.endswith("seconds")} == {
        "seconds",
        "board_seconds",
        "match_seconds",
    }
