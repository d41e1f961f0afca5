"""Tests of players who connect by themselves: who is there, and what becomes of one who leaves."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, closing
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path
from typing import NamedTuple, cast

import pytest

from bridge_arena.base.stopping import Stop
from bridge_arena.bots.baseline.bot import BaselineBot
from bridge_arena.bots.sdk.connection import Connection, ConnectionFailedError
from bridge_arena.bots.sdk.tables import play_table
from bridge_arena.bridge.record import BoardRecord
from bridge_arena.bridge.record import Room as TableRoom
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.protocol.messages import Hello, Welcome
from bridge_arena.protocol.session import ClientSession
from bridge_arena.protocol.visibility import Viewer
from bridge_arena.server.link import ClientLink
from bridge_arena.server.websocket_player import WebsocketPlayer
from bridge_arena.tournaments.events.event import Entrant, Event
from bridge_arena.tournaments.ladder import runner
from bridge_arena.tournaments.ladder.attendance import Attendance
from bridge_arena.tournaments.ladder.ladder_file import parse_ladder
from bridge_arena.tournaments.ladder.leaderboard import leaderboard
from bridge_arena.tournaments.ladder.places import Places
from bridge_arena.tournaments.ladder.players import AbsentError, Player, State
from bridge_arena.tournaments.ladder.remote_players import UPGRADE_SECONDS, RemotePlayers
from bridge_arena.tournaments.ladder.runner import LadderRunner
from bridge_arena.tournaments.ladder.store.ladder_store import LadderStore
from bridge_arena.tournaments.ladder.watch import consistency_checks
from bridge_arena.tournaments.ladder.watch.alerts import Alerts
from bridge_arena.tournaments.play.event_log import EventLog
from bridge_arena.tournaments.play.seating.waiting_room import MOST_WAITING, WaitingRoom
from bridge_arena.tournaments.play.venue import EventInPlay, PublicEndpoint, VenueOptions
from bridge_arena.tournaments.schedule.units import Unit
from tests.end_to_end.arena import wait_until
from tests.patience import PATIENCE
from tests.tournaments.ladder.ladders import Opens, QuickVenue, check_sums
from tests.tournaments.scores import record

FILE = """\
[ladder]
name = "Club"
boards = 2
[policies]
grace = 0
[[player]]
bot = "remote:one"
[[player]]
bot = "remote:other"
"""


class GoneError(Exception):
    """The bot's program has ended."""


class Team:
    """The four bots of a player, one for each seat, that connect again after each match."""

    def __init__(self, name: str, version: str = "1") -> None:
        self.name = name
        self.version = version
        # Called when a bot is about to call.
        self.before_call: Callable[[Seat], None] = lambda _: None
        self.may_come = threading.Event()
        self.may_come.set()
        self.is_over = False
        self.goodbyes: set[str] = set()  # why its sessions ended

    def sit(self, url: str, seat: Seat) -> None:
        """Take one seat in match after match, until all is over."""
        team = self

        class Member(BaselineBot):
            version = team.version

            def call(self, view):  # type: ignore[no-untyped-def]
                team.before_call(seat)
                return super().call(view)

        while not self.is_over:
            self.may_come.wait(PATIENCE)
            Member.version = self.version
            try:
                self.goodbyes.add(play_table(Member(), url, self.name, seat).goodbye)
            except (ConnectionFailedError, GoneError):
                continue


def leaving_once(name: str) -> Team:
    """A team whose North leaves at its first call, and comes back when it may.

    It leaves in the first room, from which it may see what is coming.
    """
    team, calls = Team(name), count()

    def leave(seat: Seat) -> None:
        if seat is Seat.NORTH and not next(calls):
            team.may_come.clear()
            raise GoneError

    team.before_call = leave
    return team


class Room:
    """A waiting room where all are here, and have no programs."""

    let_in = programs = None

    def __init__(self) -> None:
        self.says = ["1"]  # the versions of each player
        self.gone = ""  # who is not at its seats

    def look(self) -> None:
        pass

    def has(self, *_: object) -> bool:
        return True

    def versions(self, _: str) -> list[str]:
        return self.says

    def expect(self, *_: str) -> None:
        pass

    def is_seated(self, owner: str) -> bool:
        return owner != self.gone


def open_store(folder: Path, text: str = FILE) -> LadderStore:
    file = parse_ladder(text, folder / "club.toml")
    store = LadderStore.open(folder / "results.sqlite", file.definition)
    for registration in file.registrations:
        store.enter(registration)
    return store


def endpoint() -> PublicEndpoint:
    """A free port; the token of a player is its name."""
    return PublicEndpoint("127.0.0.1", 0, None, lambda token: token, None, announce=lambda _: None)


class OpenLadder(NamedTuple):
    """A ladder that players may come to, and what it has said."""

    runner: LadderRunner
    room: WaitingRoom
    said: list[str]


@asynccontextmanager
async def open_ladder(
    folder: Path, boards: int, public: PublicEndpoint
) -> AsyncIterator[OpenLadder]:
    """Open a ladder that ends when so many boards have begun."""
    said: list[str] = []
    with (
        closing(LadderStore.open(folder / "results.sqlite")) as store,
        EventLog(folder / "log.jsonl") as log,
    ):
        async with WaitingRoom(public) as room:
            options = VenueOptions(waiting_room=room)
            stop = Stop(boards=boards)
            ladder = LadderRunner(store, folder, log, Places(2), said.append, stop, options)
            yield OpenLadder(ladder, room, said)


async def played(folder: Path, teams: list[Team], boards: int) -> list[str]:
    """Play a ladder until so many boards have begun; return what was said."""
    with ThreadPoolExecutor(4 * len(teams)) as threads:
        async with open_ladder(folder, boards, endpoint()) as ladder:
            for team in teams:
                for seat in SEATS:
                    threads.submit(team.sit, ladder.room.url, seat)
            try:
                async with asyncio.timeout(PATIENCE):
                    await ladder.runner.run()
            finally:
                for team in teams:
                    team.is_over = True
                    team.may_come.set()
    return ladder.said


async def play_quickly(
    folder: Path, room: Room, opens: Opens, stop: Stop, clock: Callable[[], float]
) -> list[str]:
    """Play a ladder at one table, without bots; return what was said."""
    said: list[str] = []
    with (
        closing(LadderStore.open(folder / "results.sqlite")) as store,
        EventLog(folder / "log.jsonl") as log,
    ):
        options = VenueOptions(waiting_room=cast(WaitingRoom, room))
        places = Places(1, opens)
        await LadderRunner(store, folder, log, places, said.append, stop, options, clock).run()
    return said


async def until_adjourned(folder: Path) -> None:
    log = folder / "log.jsonl"
    await until(lambda: log.exists() and '"match_adjourned"' in log.read_text(), "it is adjourned")


async def until(holds: Callable[[], bool], what: str) -> None:
    await asyncio.to_thread(wait_until, holds, what)


async def test_players_meet_again_and_again(tmp_path: Path) -> None:
    open_store(tmp_path).close()
    teams = [Team("one"), Team("other", "2.0")]
    await played(tmp_path, teams, 4)
    assert teams[0].goodbyes == teams[1].goodbyes == {"the match is over"}
    with closing(open_store(tmp_path)) as store:
        (sums,) = store.sums().values()
        identities = [version.identity for version in store.versions().values()]
    assert (sums.matches, sums.boards, sums.left, sums.faults) == (2, 4, (0, 0), (0, 0))
    assert sums.first_home == 1
    assert [identity.split()[:2] for identity in identities] == [
        ["baseline", "1"],
        ["baseline", "2.0"],
    ]


@pytest.mark.slow
async def test_a_match_is_adjourned_while_a_player_is_gone(tmp_path: Path) -> None:
    open_store(tmp_path).close()
    one, other = leaving_once("one"), Team("other")

    async def come_back() -> None:
        await until_adjourned(tmp_path)
        with closing(LadderStore.open(tmp_path / "results.sqlite")) as store:
            # The other player's bots come again.
            gone = [(1, ("one",))]
            await until(
                lambda: [(one.number, one.gone) for one in leaderboard(store).adjourned] == gone,
                "the leaderboard says who is gone",
            )
        one.may_come.set()

    said, _ = await asyncio.gather(played(tmp_path, [one, other], 2), come_back())
    assert any(line.startswith("match 1: one (N) is lost: ") for line in said)
    assert any(line.endswith(" is adjourned: one left") for line in said)
    with closing(open_store(tmp_path)) as store:
        (sums,) = store.sums().values()
        assert not store.open_matches()
    assert (sums.matches, sums.boards, sums.left) == (1, 2, (1, 0))
    assert (tmp_path / "log.jsonl").read_text().count('"event": "event_began", "match": 1') == 2


async def test_who_comes_in_another_version_leaves_the_board_that_it_had_begun(
    tmp_path: Path,
) -> None:
    open_store(tmp_path).close()
    one, other = leaving_once("one"), Team("other")

    async def come_back() -> None:
        await until_adjourned(tmp_path)
        one.version = "2"
        one.may_come.set()

    await asyncio.gather(played(tmp_path, [one, other], 3), come_back())
    with closing(open_store(tmp_path)) as store:
        versions = {
            (one.player, one.identity.split()[1]): number
            for number, one in store.versions().items()
        }
        sums = store.sums()[versions[1, "1"], versions[2, "1"]]
    assert (sums.boards, sums.imps, sums.left) == (1, -3, (1, 0))
    check_sums(tmp_path / "results.sqlite", 2)


async def test_who_changes_between_the_rooms_of_a_board_leaves_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "LOOK_SECONDS", 0.0)
    open_store(tmp_path).close()
    room, tables = Room(), count(1)

    def result(event: Event, unit: Unit) -> BoardRecord:
        if next(tables) == 3:  # the first of the second board
            room.gone, room.says = "one", ["2"]
        return record(event, unit, 90 if unit.room is TableRoom.OPEN else 0)

    def opens(play: EventInPlay, _: VenueOptions) -> QuickVenue:
        room.gone = ""
        return QuickVenue(play, result)

    await play_quickly(tmp_path, room, opens, Stop(boards=4), partial(next, count()))
    with closing(open_store(tmp_path)) as store:
        sums = store.sums()[1, 2]
    assert (sums.boards, sums.imps, sums.left) == (2, 3, (1, 1))
    check_sums(tmp_path / "results.sqlite", 2)


@pytest.mark.slow
async def test_bots_that_connect_by_themselves_play_consistency_checks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(consistency_checks, "EVERY", 4)
    monkeypatch.setattr(consistency_checks, "BOARDS", 1)
    open_store(tmp_path).close()
    await played(tmp_path, [Team("one"), Team("other")], 8)
    with closing(open_store(tmp_path)) as store:
        (sums,) = store.sums().values()
        checks = store.consistency.checks(1)
        assert not store.alerts.in_force()
    assert (sums.matches, sums.left) == (4, (0, 0))
    assert len(checks) > 1
    assert len({check.plays for check in checks}) == 1
    assert None not in checks[0].plays


async def test_who_comes_and_goes_without_a_board_rests(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "LOOK_SECONDS", 0.0)
    open_store(tmp_path).close()
    stop, seconds, began = Stop(), count(), []

    class Deserted(QuickVenue):
        async def seat(self, units: Iterable[Unit]) -> None:
            await super().seat(units)
            began.append(next(seconds))
            if len(began) == 3:
                stop.order()

    room = Room()
    room.gone = "one"
    await play_quickly(
        tmp_path,
        room,
        lambda play, _: Deserted(play, lambda *_: pytest.fail("no board begins")),
        stop,
        partial(next, seconds),
    )
    first, second, third = began
    assert second - first >= 60
    assert third - second >= 120


async def test_who_leaves_between_the_boards_of_a_check_is_told_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "LOOK_SECONDS", 0.0)
    monkeypatch.setattr(consistency_checks, "EVERY", 4)
    open_store(tmp_path).close()
    room = Room()

    checks = count()

    def result(event: Event, unit: Unit) -> BoardRecord:
        # After the first table of its first check.
        is_check = [team.name for team in event.entries] == ["one", "baseline"]
        room.gone = "one" if is_check and not next(checks) else ""
        return record(event, unit, 0)

    class AllCome(QuickVenue):
        async def seat(self, units: Iterable[Unit]) -> None:
            await super().seat(units)
            room.gone = ""

    said = await play_quickly(
        tmp_path,
        room,
        lambda play, _: AllCome(play, result),
        Stop(boards=4),
        partial(next, count()),
    )
    assert "one left a consistency check, and has to begin it anew" in said
    with closing(open_store(tmp_path)) as store:
        (check,) = store.consistency.checks(1)
    assert check.number == 1
    assert None not in check.plays


def test_who_comes_in_ever_other_versions_has_one(tmp_path: Path) -> None:
    room = Room()
    with closing(open_store(tmp_path)) as store:
        alerts = Alerts(store, EventLog(), lambda _: None)
        remote = RemotePlayers(cast(WaitingRoom, room), lambda: 0.0)
        attendance = Attendance(store, EventLog(), alerts, remote, lambda: 0.0)
        attendance.load()
        for version in ("1", "2", "1", "3"):
            room.says = [version]
            attendance.look(())
            assert attendance.versions == attendance.present == store.versions()
            identities = [one.identity.split()[0] for one in store.versions().values()]
            assert identities == [version] * 2


async def test_who_leaves_while_others_sit_down_gets_no_seat(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with WaitingRoom(endpoint()) as room:
        door = room._door("one")
        guests = [door.claim(Hello(name="Bot")) for _ in range(2)]
        link = cast(ClientLink, object())
        seated = []

        class Place:
            async def attach(self, link: ClientLink) -> None:
                seated.append(link)
                guests[1].lose(link, "it ended")

        monkeypatch.setattr(door, "seat_for", lambda _: Place())
        for guest in guests:
            await guest.attach(link)
        await room.seat("one")
        assert seated == [link]
        assert not room.has("one", [Seat.NORTH])


async def test_so_many_wait_and_no_more() -> None:
    async with WaitingRoom(endpoint()) as room:

        def wait() -> Connection:
            connection = Connection(room.url, "one")
            connection.__enter__()
            connection.send(ClientSession("Bot", version="1").hello())
            return connection

        waiting = [await asyncio.to_thread(wait) for _ in range(MOST_WAITING)]
        await until(lambda: room.has("one", SEATS * (MOST_WAITING // 4)), "all wait")
        assert room.versions("one") == ["Bot 1"]
        assert not room.has("other", [Seat.NORTH])
        surplus = await asyncio.to_thread(wait)
        await asyncio.to_thread(surplus.receive)  # the reason
        with pytest.raises(ConnectionFailedError):
            await asyncio.to_thread(surplus.receive)
        for connection in (surplus, *waiting):
            await asyncio.to_thread(connection.__exit__, None, None, None)
        await until(lambda: not room.has("one", [Seat.NORTH]), "nobody waits")


class Visitor:
    """A bot that connects by itself."""

    def __init__(self, url: str, token: str, version: str, seat: Seat | None) -> None:
        self.connection = Connection(url, token)
        self.connection.__enter__()
        self.session = ClientSession("Bot", version=version, seat=seat)

    def say_hello(self) -> Visitor:
        self.connection.send(self.session.hello())
        return self

    def why_cut(self) -> ConnectionFailedError:
        """Return why the connection ended, after whatever else was sent."""
        try:
            while True:
                self.connection.receive()
        except ConnectionFailedError as error:
            return error


Come = Callable[..., Awaitable[Visitor]]


@pytest.fixture
def come() -> Iterator[Come]:
    """How visitors come; they are gone at the end."""
    here: list[Visitor] = []

    async def come(
        room: WaitingRoom, token: str, version: str = "1", seat: Seat | None = None
    ) -> Visitor:
        here.append(await asyncio.to_thread(Visitor, room.url, token, version, seat))
        return here[-1]

    yield come
    for visitor in here:
        visitor.connection.close()


async def test_a_new_token_cuts_off_who_came_with_the_old_one(come: Come) -> None:
    """A token was stolen: nothing that the thief has begun goes on when there is another."""
    owners = {"stolen": "one"}
    public = replace(endpoint(), owner=owners.get)
    async with WaitingRoom(public) as room:
        place = WebsocketPlayer(Viewer(Seat.NORTH), Welcome(table="table 1", session="own"))
        room.seating("one").open([place])
        seated = (await come(room, "stolen", "1", Seat.NORTH)).say_hello()
        await until(lambda: place.is_connected, "a seat is taken")
        waiting = (await come(room, "stolen", "1", Seat.EAST)).say_hello()
        await until(lambda: room.has("one", [Seat.EAST]), "a bot waits")
        silent = await come(room, "stolen")  # it has shown the token, and says Hello only later
        room.look()
        assert room.is_seated("one")

        owners.clear()
        owners["new"] = "one"
        room.look()
        assert not room.is_seated("one")
        assert not room.has("one", [Seat.EAST])
        for thief in (seated, waiting):
            error = await asyncio.to_thread(thief.why_cut)
            assert error.is_final
            assert "its token was replaced" in str(error)
        silent.say_hello()
        await asyncio.to_thread(silent.why_cut)
        with pytest.raises(ConnectionFailedError, match="the token is wrong or was replaced"):
            await come(room, "stolen")
        assert not room.has("one", [Seat.EAST])
        # Whoever has the new token takes the seat, in a session that the thief does not know.
        (await come(room, "new", "1", Seat.NORTH)).say_hello()
        await until(lambda: place.is_connected, "the seat is taken again")
        assert place.welcome.session != "own"


async def test_a_new_token_counts_as_soon_as_somebody_has_it(come: Come) -> None:
    owners = {"stolen": "one"}
    async with WaitingRoom(replace(endpoint(), owner=owners.get)) as room:
        thief = (await come(room, "stolen")).say_hello()
        await until(lambda: room.has("one", [Seat.NORTH]), "a bot waits")
        owners.clear()
        owners["new"] = "one"
        (await come(room, "new")).say_hello()
        assert (await asyncio.to_thread(thief.why_cut)).is_final
        await until(lambda: room.has("one", [Seat.NORTH]), "the other waits")


async def test_who_is_banned_is_cut_off_and_not_let_in(come: Come) -> None:
    async with WaitingRoom(endpoint()) as room:
        banned = (await come(room, "one")).say_hello()
        await until(lambda: room.has("one", [Seat.NORTH]), "a bot waits")
        entrant = Entrant(bot="remote:one", name="one")
        players = RemotePlayers(room, lambda: 0.0)
        players.look([Player(1, entrant, "", State.BANNED)])
        error = await asyncio.to_thread(banned.why_cut)
        assert error.is_final
        assert "its player is banned" in str(error)
        with pytest.raises(ConnectionFailedError, match=r"\(its player is banned\)") as refused:
            await come(room, "one")
        assert refused.value.is_final
        with pytest.raises(
            ConnectionFailedError, match="the token is wrong"
        ):  # strangers read that
            await come(room, "other")
        players.look([Player(1, entrant, "", State.ACTIVE)])
        (await come(room, "one")).say_hello()
        await until(lambda: room.has("one", [Seat.NORTH]), "it waits again")


async def test_a_match_is_played_by_one_version(come: Come) -> None:
    async with WaitingRoom(endpoint()) as room:
        room.expect("one", "Bot 1")
        place = WebsocketPlayer(Viewer(Seat.NORTH), Welcome(table="table 1"))
        room.seating("one").open([place])
        (await come(room, "one", "2", Seat.NORTH)).say_hello()
        await until(lambda: room.has("one", [Seat.NORTH]), "another version waits")
        await room.seat("one")
        assert not place.is_connected
        (await come(room, "one", "1", Seat.NORTH)).say_hello()
        await until(lambda: place.is_connected, "the version of the match sits down")


def test_a_version_that_comes_seat_by_seat_is_no_mixture() -> None:
    room = Room()
    room.says = ["Bot 1"]
    now = 0.0
    players = RemotePlayers(cast(WaitingRoom, room), lambda: now)
    player = Player(1, Entrant(bot="remote:one", name="one"), "", State.ACTIVE)
    assert players.version(player) == "Bot 1"
    room.says = ["Bot 1", "Bot 2"]
    assert players.version(player) is None
    now = UPGRADE_SECONDS / 2
    assert players.version(player) is None
    room.says = ["Bot 2"]
    assert players.version(player) == "Bot 2"
    room.says, now = ["Bot 2", "Bot 3"], 100.0
    assert players.version(player) is None
    now += UPGRADE_SECONDS
    with pytest.raises(AbsentError, match="of different versions: Bot 2, Bot 3"):
        players.version(player)
