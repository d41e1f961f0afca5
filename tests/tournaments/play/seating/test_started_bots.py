"""Bots that are started here: what becomes of a process that nobody waits for any more."""

from __future__ import annotations

import asyncio
import os
import re
import stat
import sys
import tempfile
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from signal import SIGKILL
from typing import Any

import pytest

from bridge_arena.base.concurrency import processors
from bridge_arena.bots.sdk.connection import Connection, ConnectionFailedError
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.protocol.codec import decode_server
from bridge_arena.protocol.messages import Error
from bridge_arena.protocol.session import ClientSession
from bridge_arena.server.connection_limits import ConnectionLimits
from bridge_arena.server.faults import SeatFault
from bridge_arena.server.gateway import Gateway
from bridge_arena.server.supervisor import BotProcess, StartError, Supervisor
from bridge_arena.server.table import Table
from bridge_arena.server.websocket_player import Noted
from bridge_arena.tournaments.events.entries import Entry, EntryError, parse_entry
from bridge_arena.tournaments.events.event import Entrant, EventPolicies
from bridge_arena.tournaments.formats.rules import Format
from bridge_arena.tournaments.play.event_log import EventLog
from bridge_arena.tournaments.play.seating.roster import Roster
from bridge_arena.tournaments.play.seating.seats import (
    Conditions,
    EntrySeat,
    SeatingError,
    WebsocketSeats,
)
from bridge_arena.tournaments.play.seating.started_bots import StartedBots
from tests.patience import PATIENCE
from tests.server.lobby import until
from tests.server.tables import new_table, turn_of
from tests.tournaments.scores import event

RANDOM = EntrySeat(parse_entry("random"), Seat.NORTH)

SLEEPER = (sys.executable, "-c", "import time; time.sleep(600)")


def started_table() -> Table:
    table = new_table()
    table.start(0.0)
    return table


def take_no_note(entry_seat: EntrySeat, **where: str) -> Noted:
    def note(news: str, *, back: bool) -> None:
        del news, back

    del entry_seat, where
    return note


def entry_seat(*command: str) -> EntrySeat:
    return EntrySeat(Entry("sleeper", "", command), Seat.NORTH)


@asynccontextmanager
async def open_processes() -> AsyncIterator[tuple[StartedBots, Gateway]]:
    gateway = Gateway(lambda _: None)
    conditions = Conditions("event", policies=EventPolicies(grace=30.0))
    places = WebsocketSeats(conditions, 3, gateway.limits, take_no_note)
    async with gateway, StartedBots(places, gateway, EventLog(), conditions) as processes:
        yield processes, gateway


async def test_a_bot_that_is_lost_while_it_is_started_again_is_stopped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with open_processes() as (processes, _), asyncio.timeout(PATIENCE):
        seated_bot = await processes.call(entry_seat(*SLEEPER))
        seated_bot.settle()
        first, start = seated_bot.bot, processes.start
        assert first is not None
        started: list[BotProcess] = []

        async def lose_and_start(entry_seat: EntrySeat, token: str) -> BotProcess:
            seated_bot.leave()
            seated_bot.send_away("lost")
            started.append(await start(entry_seat, token))
            return started[0]

        monkeypatch.setattr(processes, "start", lose_and_start)
        first.signal(SIGKILL)
        await until(lambda: bool(started))
        assert await started[0].ended() == "killed by SIGKILL"


async def test_a_bot_of_the_sdk_is_told_to_print_warnings_alone() -> None:
    """The end of what a bot printed is kept for the log, where it says why the bot failed."""
    script = "import os; print(os.environ['ARENA_LOG'])"
    async with open_processes() as (processes, _), asyncio.timeout(PATIENCE):
        seated_bot = await processes.call(entry_seat(sys.executable, "-c", script))
        assert seated_bot.bot is not None
        assert await seated_bot.bot.ended() == "exit status 0: warning"


async def test_a_bot_that_is_started_again_has_another_token(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with open_processes() as (processes, _), asyncio.timeout(PATIENCE):
        start, tokens = processes.start, list[str]()

        async def note_and_start(entry_seat: EntrySeat, token: str) -> BotProcess:
            tokens.append(token)
            return await start(entry_seat, token)

        monkeypatch.setattr(processes, "start", note_and_start)
        seated_bot = await processes.call(entry_seat(*SLEEPER))
        seated_bot.settle()
        first = seated_bot.bot
        assert first is not None
        first.signal(SIGKILL)
        await until(lambda: seated_bot.bot is not first)
        token, another = tokens
        assert another != token
        assert processes.seating(token) is None
        assert processes.seating(another) is not None


async def test_a_bot_that_is_lost_at_a_table_is_waited_for_at_no_other() -> None:
    async with open_processes() as (processes, gateway), asyncio.timeout(PATIENCE):
        seated_bot = await processes.call(entry_seat(*SLEEPER))
        assert gateway.limits.expected > 0
        seated_bot.send_away("refused: it left")
        assert gateway.limits.expected == 0
        for place in seated_bot.places:
            with pytest.raises(SeatFault, match="crash: refused: it left"):
                await place.act(turn_of(started_table()))


async def test_a_bot_that_cannot_be_started_is_not_expected() -> None:
    async with open_processes() as (processes, gateway):
        with pytest.raises(StartError):
            await processes.call(entry_seat("/no/such/program"))
        assert gateway.limits.expected == 0


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The variables that the bot which was started last was given."""
    start, told = Supervisor.start, dict[str, str]()

    async def note_and_start(
        supervisor: Supervisor,
        name: str,
        command: Sequence[str],
        environment: Mapping[str, str],
        *rest: Any,
    ) -> BotProcess:
        told.update(environment)
        return await start(supervisor, name, command, environment, *rest)

    monkeypatch.setattr(Supervisor, "start", note_and_start)
    return told


async def test_a_bot_that_does_not_sit_down_has_no_token_any_more(told: dict[str, str]) -> None:
    policies = EventPolicies(start=0.1)
    async with Roster(Conditions("event", policies=policies), EventLog(), 3) as roster:
        with pytest.raises(SeatingError, match=r"did not connect within 0\.1 s"):
            await roster.fill([entry_seat(*SLEEPER)])
        with pytest.raises(ConnectionFailedError, match="the token is wrong"):
            await asyncio.to_thread(Connection, told["ARENA_URL"], told["ARENA_TOKEN"])


class TestTheSocketOfBotsOfTheSdk:
    """What others could do with the Unix socket by which bots of the SDK come."""

    @staticmethod
    def path_of(told: Mapping[str, str]) -> Path:
        scheme, _, path = told["ARENA_URL"].partition(":")
        assert scheme == "ws+unix"
        return Path(path)

    async def test_no_other_user_can_open_it(self, told: dict[str, str]) -> None:
        async with Roster(Conditions("event"), EventLog(), 1) as roster:
            await roster.fill([RANDOM])
            path = self.path_of(told)
            for place, mode in ((path, 0o600), (path.parent, 0o700)):
                assert stat.S_IMODE(place.stat().st_mode) == mode
                assert place.stat().st_uid == os.geteuid()
            if os.geteuid() == 0:
                knock = (
                    "import os, socket; os.setgroups([]); os.setgid(65534); os.setuid(65534); "
                    f"socket.socket(socket.AF_UNIX).connect({str(path)!r})"
                )
                stranger = await asyncio.create_subprocess_exec(
                    *(sys.executable, "-c", knock), stderr=PIPE
                )
                _, error = await stranger.communicate()
                assert b"PermissionError" in error
        assert not path.parent.exists()

    async def test_it_opens_by_the_token_of_a_bot_alone_and_shows_no_pages(
        self, told: dict[str, str]
    ) -> None:
        async with Roster(Conditions("event"), EventLog(), 1) as roster:
            await roster.fill([RANDOM])
            for token in ("", "guessed"):
                with pytest.raises(ConnectionFailedError, match="the token is wrong"):
                    await asyncio.to_thread(Connection, told["ARENA_URL"], token)
            reader, writer = await asyncio.open_unix_connection(self.path_of(told))
            writer.write(b"GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert (await reader.read()).startswith(b"HTTP/1.1 426 ")
            writer.close()

    async def test_the_bot_s_own_token_opens_no_second_seat(self, told: dict[str, str]) -> None:
        async with Roster(Conditions("event"), EventLog(), 1) as roster:
            await roster.fill([RANDOM])
            await asyncio.to_thread(self._ask_for_a_seat, told, "every seat of this token is taken")

    @staticmethod
    def _ask_for_a_seat(told: Mapping[str, str], refusal: str) -> None:
        with Connection(told["ARENA_URL"], told["ARENA_TOKEN"]) as connection:
            connection.send(ClientSession("stranger").hello())
            (error,) = decode_server(connection.receive())
            assert isinstance(error, Error)
            assert refusal in error.text

    async def test_a_crowd_at_it_keeps_no_bot_out(self, told: dict[str, str]) -> None:
        async with Roster(Conditions("event"), EventLog(), 1) as roster, asyncio.timeout(PATIENCE):
            roster.limit_others(12)
            await roster.fill([RANDOM])
            crowd = [await asyncio.open_unix_connection(self.path_of(told)) for _ in range(40)]
            await roster.fill([replace(RANDOM, seat=Seat.SOUTH)])
            for _, writer in crowd:
                writer.close()

    async def test_other_programs_come_by_the_network(self, told: dict[str, str]) -> None:
        async with open_processes() as (processes, gateway):
            await processes.call(entry_seat(*SLEEPER))
            assert told["ARENA_URL"] == gateway.url

    async def test_without_room_for_it_bots_come_by_the_network(
        self, told: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        deep = tmp_path / ("deep" * 30)
        deep.mkdir()
        monkeypatch.setattr(tempfile, "tempdir", str(deep))
        async with Roster(Conditions("event"), EventLog(), 1) as roster:
            await roster.fill([RANDOM])
            assert told["ARENA_URL"].startswith("ws://127.0.0.1:")
        assert not list(deep.iterdir())

    async def test_without_a_temporary_folder_bots_come_by_the_network(
        self, told: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "none"))
        async with Roster(Conditions("event"), EventLog(), 1) as roster:
            await roster.fill([RANDOM])
            assert told["ARENA_URL"].startswith("ws://127.0.0.1:")


def memory_of(pid: int) -> bytes:
    """All that a process can read in its memory."""
    parts = []
    with Path(f"/proc/{pid}/maps").open() as maps, open(f"/proc/{pid}/mem", "rb", 0) as memory:  # noqa: PTH123 (unbuffered)
        for line in maps:
            place, may, *_ = line.split()
            start, end = (int(part, 16) for part in place.split("-"))
            if may.startswith("r") and "[v" not in line:
                memory.seek(start)
                parts.append(memory.read(end - start))
    return b"".join(parts)


def parent_of(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def descriptors_of(pid: int) -> list[str]:
    """The kinds of what a process has open."""
    behind = [str(each.readlink()) for each in Path(f"/proc/{pid}/fd").iterdir()]
    return sorted(each.partition(":")[0] for each in behind)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
async def test_a_bot_that_ships_has_nothing_of_the_token_of_another_seat(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """They are forked from one process, which has no token at all, nor a variable that is kept
    from the bots. Each finds its own token by the same search, and has no descriptor but those of
    its input, its output, its end and its one connection.
    """
    monkeypatch.setenv("ITS_KEY", "a-key-that-is-kept")
    tokens: dict[int, bytes] = {}
    start = Supervisor.start

    async def note_and_start(
        supervisor: Supervisor,
        name: str,
        command: Sequence[str],
        environment: Mapping[str, str],
        *rest: Any,
    ) -> BotProcess:
        bot = await start(supervisor, name, command, environment, *rest)
        tokens[bot.pid] = environment["ARENA_TOKEN"].encode()
        return bot

    monkeypatch.setattr(Supervisor, "start", note_and_start)
    entries = [parse_entry("baseline"), parse_entry("deepq")]
    async with Roster(Conditions("event", secrets=["ITS_KEY"]), EventLog(), 1) as roster:
        await roster.fill(EntrySeat(entry, seat) for entry in entries for seat in SEATS)
        assert len(tokens) == 8
        (parent,) = {parent_of(pid) for pid in tokens}
        held = memory_of(parent)
        assert [token for token in tokens.values() if token in held] == []
        assert b"a-key-that-is-kept" not in held
        for pid, own in tokens.items():
            held = memory_of(pid)
            assert [token for token in tokens.values() if token in held] == [own]
            assert b"a-key-that-is-kept" not in held
            assert descriptors_of(pid) == ["/dev/null", "pipe", "pipe", "pipe", "socket"]


@pytest.mark.parametrize("has_class", [False, True])
async def test_a_bot_has_the_folder_the_variables_and_the_clock_that_are_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, has_class: bool
) -> None:
    monkeypatch.setenv("OURS", "passed")
    (tmp_path / "mine.py").write_text(
        "import os, pathlib, sys\n"
        "from bridge_arena import Bot\n"
        "class Mine(Bot):\n"
        "    def __init__(self):\n"
        "        assert '/of/mine' in sys.path\n"
        '        sys.exit(f\'{pathlib.Path.cwd()} {os.environ["OURS"]} {os.environ["SET"]}\')\n'
    )
    bot = "mine.py:Mine" if has_class else f"cmd:{sys.executable} -c 'import mine; mine.Mine()'"
    env = ("OURS", "SET=here", "PYTHONPATH=/of/mine")
    own = Entrant(bot=bot, name="own", env=env, clock="5", start=PATIENCE)
    entrants = (own.located(tmp_path), Entrant(bot="random", name="other"))
    conditions = Conditions.of(event(Format.MATCH, 0, clock="60 lag=1", entries=entrants), "")
    mine, other = (EntrySeat(entrant.players[0], Seat.NORTH) for entrant in entrants)
    async with Roster(conditions, EventLog(), 1) as roster:
        with pytest.raises(SeatingError, match=f"exit status 1: {tmp_path} passed here"):
            await roster.fill([mine])
    seats = WebsocketSeats(conditions, 1, ConnectionLimits(), take_no_note)
    welcomes = [seats.make(entry_seat)[0].welcome for entry_seat in (mine, other)]
    assert [(each.action_seconds, each.lag_seconds) for each in welcomes] == [(5, 0), (60, 1)]


def test_a_variable_that_is_not_set_is_named_before_anything_starts() -> None:
    entrants = [Entrant(bot="random", name=name) for name in "ab"]
    entrants[1] = entrants[1].model_copy(update={"env": ("NOT_SET_HERE",)})
    unset = event(Format.MATCH, 0, entries=tuple(entrants))
    with pytest.raises(EntryError, match=r"b: the variable NOT_SET_HERE is not set \(env\)"):
        Conditions.of(unset, "")


async def test_a_variable_that_is_passed_by_name_comes_into_no_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ITS_KEY", "a-key-that-is-kept")
    script = "import os, sys; sys.exit(os.environ['ITS_KEY'])"
    bot = f'cmd:{sys.executable} -c "{script}"'
    entrants = (
        Entrant(bot=bot, name="own", env=("ITS_KEY",)),
        Entrant(bot="random", name="other"),
    )
    conditions = Conditions.of(event(Format.MATCH, 0, entries=entrants), "")
    with EventLog(tmp_path / "log.jsonl") as log:
        async with Roster(conditions, log, 1) as roster:
            with pytest.raises(SeatingError, match=rf"exit status 1: {re.escape('*' * 18)}"):
                await roster.fill([EntrySeat(entrants[0].players[0], Seat.NORTH)])
    assert "a-key-that-is-kept" not in (tmp_path / "log.jsonl").read_text()


async def test_a_bot_that_repeats_its_key_and_its_token_puts_them_in_no_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ITS_KEY", "a-key-that-is-kept")
    script = "import os, sys; sys.exit(str([os.environ[n] for n in ('ITS_KEY', 'ARENA_TOKEN')]))"
    entry = Entry("bot", "", (sys.executable, "-c", script), secrets=("ITS_KEY",))
    with EventLog(tmp_path / "log.jsonl") as log:
        async with Roster(Conditions("event", secrets=["ITS_KEY"]), log, 1) as roster:
            with pytest.raises(SeatingError) as caught:
                await roster.fill([EntrySeat(entry, Seat.NORTH)])
    masked = f"exit status 1: ['{'*' * 18}', '{'*' * 32}']"
    assert masked in str(caught.value)
    assert masked in (tmp_path / "log.jsonl").read_text()
    assert "a-key-that-is-kept" not in (tmp_path / "log.jsonl").read_text()


async def test_a_bot_that_ships_is_started_again_when_it_is_killed() -> None:
    async with (
        Roster(
            Conditions("event", policies=EventPolicies(grace=PATIENCE)), EventLog(), 1
        ) as roster,
        asyncio.timeout(PATIENCE),
    ):
        seat = EntrySeat(parse_entry("baseline"), Seat.NORTH)
        await roster.fill([seat])
        seated_bot = roster.seated_bots({Seat.NORTH: seat})[Seat.NORTH]
        first = seated_bot.bot
        assert first is not None
        first.signal(SIGKILL)
        assert await first.ended() == "killed by SIGKILL"
        await until(lambda: seated_bot.bot is not first)
        assert seated_bot.bot is not None
        await until(lambda: seated_bot.is_connected)
        assert seated_bot.bot.pid != first.pid


async def test_no_more_bots_load_at_once_than_there_are_processors(tmp_path: Path) -> None:
    """Each notes when it begins to load and when it has loaded; it sits down after that."""
    path = tmp_path / "slow.py"
    path.write_text(
        "import os\n"
        "from bridge_arena.bots.baseline.bot import BaselineBot\n"
        "def note(what):\n"
        f"    with open({str(tmp_path / 'notes')!r}, 'a') as notes:\n"
        "        print(what, file=notes, flush=True)\n"
        "note('begins')\n"
        "sum(range(2_000_000))\n"
        "note('has loaded')\n"
        "class Slow(BaselineBot):\n"
        "    pass\n"
    )
    entries = [parse_entry(f"{path}:Slow").named(name) for name in "abcd"]
    async with Roster(Conditions("event"), EventLog(), 1) as roster:
        await roster.fill(EntrySeat(entry, seat) for entry in entries for seat in SEATS)
    loading = most = 0
    lines = (tmp_path / "notes").read_text().splitlines()
    for line in lines:
        loading += 1 if line == "begins" else -1
        most = max(most, loading)
    assert len(lines) == 32
    assert most <= processors()
