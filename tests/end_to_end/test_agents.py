"""Agents at the table: the MCP package's own client, real processes, real bots."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from socket import create_server
from typing import Any

import pytest

from tests.data import ROOT
from tests.end_to_end.arena import (
    ARENA,
    interrupt,
    log_of,
    records_of,
    started,
    summary_of,
    wait_until,
    write_bot,
)
from tests.end_to_end.conftest import FinishedMatch, Here
from tests.end_to_end.serving import served, token_of
from tests.late_imports import late_imports
from tests.patience import PATIENCE

with late_imports():
    import httpx2
    from mcp import Client, StdioServerParameters, stdio_client
    from mcp.client import stdio
    from mcp.client.streamable_http import streamable_http_client

MATCH = "mcp --partner baseline --against baseline --boards 2 --seed 3 --out m".split()


def environment(folder: Path) -> dict[str, str]:
    kept = {key: value for key, value in os.environ.items() if not key.startswith("ARENA_")}
    kept |= {"PYTHONPATH": str(ROOT), "ARENA_CACHE": "", "ARENA_PROGRESS": "0", "COLUMNS": "100"}
    return {**kept, "PWD": str(folder)}


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """The client kills what it has started some seconds after it has left."""
    monkeypatch.setattr(stdio, "PROCESS_TERMINATION_TIMEOUT", PATIENCE)


@asynccontextmanager
async def agent(folder: Path, *arguments: str) -> AsyncIterator[Client]:
    """A client that has started `arena` with these arguments in `folder`."""
    server = StdioServerParameters(
        command=sys.executable,
        args=["-m", "bridge_arena.commands.main", *arguments],
        env=environment(folder),
        cwd=folder,
    )
    with (folder / "errors").open("w") as errors:
        async with asyncio.timeout(PATIENCE), Client(stdio_client(server, errors)) as client:
            yield client


async def told(client: Client, tool: str, **arguments: object) -> dict[str, Any]:
    answer = await client.call_tool(tool, arguments)
    assert not answer.is_error, answer.content
    told: dict[str, Any] = answer.structured_content
    return told


async def played(client: Client, actions: int | None = None) -> dict[str, Any]:
    """Answer turns with the first legal action, once with a claim of all tricks, to the end or
    until so many; the last situation."""
    situation = await told(client, "wait")
    done = 0
    claimed: set[int] = set()
    while situation["state"] != "over" and done != actions:
        turn = situation["turn"]
        if turn is None:
            situation = await told(client, "wait")
            continue
        done += 1
        first = turn["legal"][0]
        if turn["action"] == "call":
            # The agent declares, and cannot make it.
            bid = "7C" if "7C" in turn["legal"] else first
            situation = await told(client, "call", call=bid)
        elif turn["may_claim"] and situation["board"]["board"] not in claimed:
            claimed.add(situation["board"]["board"])
            over = [trick for trick in situation["board"]["tricks"] if trick["winner"]]
            situation = await told(client, "claim", tricks=13 - len(over))
            assert situation["news"] == "your claim was not accepted: play goes on"
        else:
            situation = await told(client, "play", card=first)
    return situation


@pytest.mark.slow
async def test_an_agent_that_leaves_comes_back_and_plays_the_match_to_its_end(
    tmp_path: Path,
) -> None:
    """Over standard input and output."""
    async with agent(tmp_path, *MATCH) as client:
        await played(client, 3)
    errors = (tmp_path / "errors").read_text()
    assert errors.rstrip().endswith("interrupted; go on with: arena mcp --resume m")
    async with agent(tmp_path, "mcp", "--resume", "m") as client:
        ending = (await played(client))["news"]
        result = await told(client, "result")
    summary = summary_of(tmp_path / "m")
    assert ending == f"the match is over: {summary['imps']:+d} IMPs for your team over 2 boards"
    assert result["ending"] == ending
    records = records_of(tmp_path / "m" / "match.pbn")
    assert len(records) == 4
    own = [record for record in records if record.room == "Open"]
    assert [each["score"] for each in result["boards"]] == [record.score for record in own]
    assert {record.players[2] for record in own} == {"Your team"}
    assert (tmp_path / "m" / "report.html").exists()
    claims = [line["accepted"] for line in log_of(tmp_path / "m") if line["event"] == "claim"]
    assert claims == [False, False]


ADDRESS = re.compile(r"the seat is at (http://\S+)")
SECRET = re.compile(r"Authorization: Bearer (\S+)")


def read(process: subprocess.Popen[str], pattern: re.Pattern[str]) -> str:
    assert process.stdout is not None
    for line in process.stdout:
        if found := pattern.search(line):
            return found[1]
    raise AssertionError(pattern)


@asynccontextmanager
async def visitor(address: str, secret: str) -> AsyncIterator[Client]:
    """A client over HTTP."""
    async with (
        asyncio.timeout(PATIENCE),
        httpx2.AsyncClient(headers={"Authorization": f"Bearer {secret}"}, timeout=60) as http,
        Client(streamable_http_client(address, http_client=http)) as client,
    ):
        yield client


@pytest.mark.slow
async def test_an_agent_plays_over_http_and_nobody_else_gets_the_seat(tmp_path: Path) -> None:
    with started(tmp_path, *MATCH, "--http", "--port", "0") as process:
        address, secret = read(process, ADDRESS), read(process, SECRET)
        with pytest.raises(BaseExceptionGroup):
            async with visitor(address, "a guess"):
                pass
        async with visitor(address, secret) as client:
            before = await played(client, 2)
            with pytest.raises(BaseExceptionGroup):
                async with visitor(address, secret):
                    pass
            assert (await told(client, "view"))["turn"] == before["turn"]
        async with visitor(address, secret) as client:  # who said goodbye may come back
            assert (await told(client, "view"))["board"] == before["board"]
            assert (await played(client))["state"] == "over"
            assert len((await told(client, "result"))["boards"]) == 2
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=PATIENCE)
        assert (process.returncode, errors) == (0, "")
        assert "results in m" in output
    assert len(records_of(tmp_path / "m" / "match.pbn")) == 4


SPY = """
import os, pathlib
pathlib.Path("seen").write_text(repr([name for name in os.environ if "SECRET" in name]))
import time; time.sleep(60)
"""


@pytest.mark.slow
def test_no_bot_is_told_the_secret_of_the_seat(tmp_path: Path) -> None:
    spy = write_bot(tmp_path, "spy", SPY)
    command = ("mcp", "--against", spy, "--boards", "1", "--out", "m", "--http", "--port", "0")
    with started(tmp_path, *command, environment={"ARENA_MCP_SECRET": "known"}) as process:
        address = read(process, ADDRESS)
        answer = httpx2.post(address, headers={"Authorization": "Bearer known"})
        assert answer.status_code == 400, "not 401: the secret is the one that was given"
        seen = tmp_path / "seen"
        wait_until(lambda: seen.exists() and seen.read_text() != "", "the spy has started")
        assert seen.read_text() == "[]"
        ended = interrupt(process)
    assert "known" not in ended.output + ended.errors
    assert ended.complaint(3).startswith("interrupted; go on with: arena mcp --resume m --http")


EVENT = """\
[event]
name = "Cup"
format = "match"
boards = 2
seed = 3
practice = true

[[entry]]
bot = "baseline & remote:Ada & baseline & baseline"
name = "Ours"

[[entry]]
bot = "baseline"
name = "Theirs"
"""


@pytest.mark.slow
async def test_an_agent_plays_a_seat_of_an_event_with_several_tables(tmp_path: Path) -> None:
    (tmp_path / "event.toml").write_text(EVENT)
    token = token_of(tmp_path, "Ours / Ada")
    with served(tmp_path, "--concurrency", "2") as server:
        arguments = ("mcp", "--url", server.url, "--token", token, "--seat", "S")
        async with agent(tmp_path, *arguments) as client:
            situation = await played(client)
            assert situation["news"] == "the event is over"
            assert len((await told(client, "result"))["boards"]) == 2
        assert server.end() == 0
    assert len(records_of(tmp_path / "out" / "match.pbn")) == 4


def test_unusable_arguments_end_with_one_line(here: Here) -> None:
    def complaint(*arguments: str) -> str:
        return here("mcp", *arguments).complaint(2)

    elsewhere = ("--url", "ws://127.0.0.1:1")
    assert complaint("--token", "t") == "no server to play on: give --url or set ARENA_URL"
    assert complaint(*elsewhere) == "no seat to take: give --token or set ARENA_TOKEN"
    assert "no option of a match" in complaint(*elsewhere, "--token", "t", "--boards", "2")
    assert "is not a seat" in complaint(*elsewhere, "--token", "t", "--seat", "Q")
    assert "comes by itself" in complaint("--against", "remote:X")
    assert "name a bot" in complaint("--partner", "human:Ann")
    assert "give only DIR" in complaint("--resume", "m", "--boards", "2")


def test_arena_mcp_goes_on_only_with_a_match_that_it_began(
    here: Here, finished_match: FinishedMatch
) -> None:
    folder = str(finished_match.folder)
    assert here("mcp", "--resume", folder).complaint(2) == f"{folder} was not begun by arena mcp"


def test_a_taken_port_leaves_nothing_behind(here: Here, tmp_path: Path) -> None:
    with create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert f"cannot listen on 127.0.0.1 port {port}: " in here(
            *MATCH, "--http", "--port", port
        ).complaint(2)
    assert not (tmp_path / "m").exists()


@pytest.mark.slow
def test_standard_output_has_nothing_but_messages(here: Here, tmp_path: Path) -> None:
    initialize = {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    }
    asked = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": initialize})
    ended = subprocess.run(
        [*ARENA, *MATCH],
        cwd=tmp_path,
        env=environment(tmp_path),
        input=f"no message\n{asked}\n",
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert ended.returncode == 3
    assert [json.loads(line)["jsonrpc"] for line in ended.stdout.splitlines()]
    assert "2 boards in both rooms" in ended.stderr
    assert "comes by itself" in here("match", "--resume", "m").complaint(2)
