"""Events that end, and lose nothing, whatever clients do: with real processes all around."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from bridge_arena.bridge.record import BoardRecord
from bridge_arena.tournaments.play.in_process import play_match
from tests.end_to_end.arena import records_of, units_played, wait_until
from tests.end_to_end.hostile import WAYS, HostileClient, hello, hostile_client, upgrade
from tests.end_to_end.programs import awaiting, programs
from tests.end_to_end.serving import Served, served, token_of, visitors
from tests.patience import PATIENCE
from tests.server.tables import WEST

EVENT = """\
[event]
name = "Siege"
format = "match"
boards = {boards}
clock = "{clock}"
{keys}
[policies]
grace = 1
no_show = {no_show}

[[entry]]
bot = "{far}"

[[entry]]
bot = "random"
name = "near"
"""


def write_event(
    folder: Path,
    *,
    boards: int,
    clock: str = "60",
    no_show: float = 60,
    far: str = "remote:far",
    keys: str = "",
) -> None:
    text = EVENT.format(boards=boards, clock=clock, no_show=no_show, far=far, keys=keys)
    (folder / "event.toml").write_text(text)


def port_of(server: Served) -> int:
    return int(server.url.rpartition(":")[2])


def status_of(server: Served) -> int:
    """Return how the event ends; it must end."""
    server.process.wait(PATIENCE)
    return server.end()


def records(folder: Path) -> list[BoardRecord]:
    """Without what tells when they were played, and in what event."""
    found = records_of(folder / "match.pbn")
    return [replace(each, times=(), date="", event="") for each in found]


def what_was_done(record: BoardRecord) -> tuple[object, ...]:
    """Return what a table made of a board, without names."""
    return record.board, record.room, record.calls, record.cards, record.score, record.faults


@pytest.mark.slow
@pytest.mark.parametrize("way", ["floods", "half-closes", "drips"])
def test_an_event_ends_whatever_a_player_does(tmp_path: Path, way: str) -> None:
    # Who has left is waited for before the event begins, and again after its loss.
    write_event(tmp_path, boards=1, clock="0.2", no_show=20)
    token = token_of(tmp_path, "far")
    with (
        served(tmp_path, "--concurrency", "1") as server,
        hostile_client(port_of(server)) as player,
        visitors(tmp_path, "random", server.url, token, "NES"),
    ):
        player.say(upgrade(token))
        player.say(hello("W"))
        server.read_until(r"far \(W\) is here")
        player.go_on(way)
        assert status_of(server) == 0
    assert len(units_played(tmp_path / "out")) == 2
    faults = [fault for record in records(tmp_path / "out") for fault in record.faults]
    assert {fault.seat for fault in faults} == {WEST}


@pytest.mark.slow
def test_a_flood_of_wrong_tokens_is_a_few_clean_lines(tmp_path: Path) -> None:
    """Nothing that a stranger sends reaches the terminal or the log."""
    write_event(tmp_path, boards=1)
    token_of(tmp_path, "far")
    with served(tmp_path, "--concurrency", "1") as server:
        server.read_until("waiting for far")
        statuses: list[bytes] = []
        # A header with control characters is refused before the token is looked at.
        for guess in ["guess", "guess-\x1b[2J", "guess-\x07\x9b31m\x85"] * 20:
            with hostile_client(port_of(server)) as client:
                client.say(upgrade(guess))
                statuses.append(client.answer()[:12])
        refused = server.figure("arena_refused")
        server.process.send_signal(signal.SIGINT)
        assert server.end() == 3
        log = (tmp_path / "out" / "log.jsonl").read_text()
        everything = "\n".join(server.lines) + server.errors + log
    told = [line for line in server.lines if "token" in line]
    line = "a client from 127.0.0.1 was refused: its token is wrong or was replaced"
    assert told == [f"{line}; bots of far are missing"] * 4
    assert refused == statuses.count(b"HTTP/1.1 401") >= 20
    assert "guess" not in everything
    assert everything.replace("\n", "").isprintable()


@contextmanager
def siege(port: int, *, token: str, watching: str) -> Iterator[list[HostileClient]]:
    """A client for every way, and for as far as one can come that does not play."""
    whole = upgrade(token)
    with ExitStack() as clients:
        came = []
        for said in (b"", whole[:40], whole, whole + hello()[:9], upgrade(watching) + hello()):
            for way in WAYS:
                client = clients.enter_context(hostile_client(port))
                client.say(said)
                client.go_on(way)
                came.append(client)
        yield came


@pytest.mark.slow
def test_a_siege_changes_nothing(tmp_path: Path) -> None:
    write_event(tmp_path, boards=4, keys="seed = 5\npractice = true")
    token, watching = token_of(tmp_path, "far"), token_of(tmp_path, "--kibitzer")
    with (
        served(tmp_path, "--concurrency", "1") as server,
        siege(port_of(server), token=token, watching=watching),
    ):
        assert server.page("/health") == "ok\n"
        with (
            visitors(tmp_path, "baseline", server.url, token) as bots,
            siege(port_of(server), token=token, watching=watching),
        ):
            assert status_of(server) == 0
            assert [bot.wait(PATIENCE) for bot in bots] == [0] * 4
    expected = play_match("baseline", "random", 4, seed=5).records
    assert [what_was_done(each) for each in records(tmp_path / "out")] == [
        what_was_done(each) for each in expected
    ]


@pytest.mark.slow
def test_under_siege_an_event_is_interrupted_and_goes_on(tmp_path: Path) -> None:
    write_event(tmp_path, boards=30)
    token, watching = token_of(tmp_path, "far"), token_of(tmp_path, "--kibitzer")
    with served(tmp_path, "--concurrency", "1") as server:
        port = port_of(server)
        with visitors(tmp_path, "baseline", server.url, token) as bots:
            with siege(port, token=token, watching=watching):
                wait_until(lambda: len(units_played(tmp_path / "out")) > 4, "some boards")
                server.process.send_signal(signal.SIGTERM)
                assert status_of(server) == 3
            played = units_played(tmp_path / "out")
            with served(tmp_path, "--concurrency", "1", "--resume", port=port) as again:
                assert status_of(again) == 0
            assert [bot.wait(PATIENCE) for bot in bots] == [0] * 4
    units = units_played(tmp_path / "out")
    assert units[: len(played)] == played
    assert len(units) == len(set(units)) == 60


LINES = [b"", b'Connecting "far" as W', b'Connecting "far" as North using protocol version 18\r\n']


@pytest.mark.slow
def test_a_siege_of_blue_chip_disturbs_nobody(tmp_path: Path) -> None:
    write_event(tmp_path, boards=2, far="bluechip:far")
    with awaiting(tmp_path, "--concurrency", "1") as (server, port), ExitStack() as clients:
        for said in LINES[:2]:
            for way in WAYS:
                client = clients.enter_context(hostile_client(int(port)))
                client.say(said)
                client.go_on(way)
        with programs(tmp_path, "baseline", port, "far"):
            server.read_until("the event begins")
            for way in WAYS:
                client = clients.enter_context(hostile_client(int(port)))
                client.say(LINES[2])
                client.go_on(way)
            assert status_of(server) == 0
    played = records(tmp_path / "out")
    assert len(played) == 4
    assert all(record.is_finished and not record.faults for record in played)
