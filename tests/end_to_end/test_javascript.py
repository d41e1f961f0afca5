"""The example bot in JavaScript, installed from its lock file and played with as it is."""

from __future__ import annotations

import asyncio
import json
import math
import re
import shutil
import ssl
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager, suppress
from pathlib import Path

import pytest
from websockets.asyncio.server import ServerConnection, serve
from websockets.typing import Subprotocol

from bridge_arena.bridge.seats import Seat
from bridge_arena.protocol.codec import decode_client, encode, frame
from bridge_arena.protocol.messages import HELLO_LATE, SUBPROTOCOL, Goodbye, Welcome
from tests.data import ROOT
from tests.end_to_end.arena import arena, log_of, records_of, summary_of
from tests.end_to_end.serving import served, token_of
from tests.late_imports import late_imports
from tests.server.lobby import open_lobby
from tests.server.sandbox.sandboxes import needs_sandbox

with late_imports():
    import trustme

pytestmark = pytest.mark.slow

EXAMPLE = Path("docs") / "examples" / "javascript"
VECTORS = Path("docs") / "protocol.vectors.json"

OLDEST_NODE = 18

NO_REGISTRY = re.compile(r"ENOTFOUND|EAI_AGAIN|ECONN|ETIMEDOUT|ENETUNREACH|ENOTCACHED|network")
"""The messages of npm when it cannot reach the registry."""

ENCODE = """
    import { readFileSync } from "node:fs";
    import { encode } from "@msgpack/msgpack";
    for (const frame of JSON.parse(readFileSync(0, "utf8")))
        console.log(Buffer.from(encode(frame)).toString("hex"));
"""


def run(folder: Path, *command: str, given: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, cwd=folder, input=given, capture_output=True, text=True, check=False
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the example with what it needs, beside the vectors as in the project."""
    if shutil.which("node") is None or shutil.which("npm") is None:
        pytest.skip("there is no Node with npm here")
    root = tmp_path_factory.mktemp("javascript")
    version = run(root, "node", "--version").stdout.strip()
    if int(version.removeprefix("v").partition(".")[0]) < OLDEST_NODE:
        pytest.skip(f"Node {version} is older than {OLDEST_NODE}")
    copy = root / EXAMPLE
    shutil.copytree(ROOT / EXAMPLE, copy, ignore=shutil.ignore_patterns("node_modules"))
    shutil.copy(ROOT / VECTORS, root / VECTORS)
    installed = run(
        copy, "npm", "ci", "--no-audit", "--no-fund", "--fetch-retries=1", "--fetch-timeout=30000"
    )
    if installed.returncode and NO_REGISTRY.search(installed.stderr):
        pytest.skip("npm cannot reach its registry")
    assert installed.returncode == 0, installed.stderr
    return copy


class TestVectors:
    def test_the_msgpack_library_agrees(self, folder: Path) -> None:
        ended = run(folder, "node", "--test", "--test-reporter=tap")
        assert ended.returncode == 0, ended.stdout
        vectors = json.loads((ROOT / VECTORS).read_text())
        refused = [vector for vector in vectors["refused"] if vector["from"] == "server"]
        expected = sum(len(vectors[kind]) for kind in ("messages", "frames", "read"))
        assert f"\n# pass {expected + len(refused)}\n" in ended.stdout

    def test_the_server_reads_what_it_writes(self, folder: Path) -> None:
        vectors = json.loads((ROOT / VECTORS).read_text())
        frames = [[vector["json"]] for vector in vectors["messages"] if vector["from"] == "client"]
        command = ["node", "--input-type=module", "--eval", ENCODE]
        ended = run(folder, *command, given=json.dumps(frames))
        assert ended.returncode == 0, ended.stderr
        written = ended.stdout.split()
        assert len(written) == len(frames) > 10
        for expected, text in zip(frames, written, strict=True):
            read = [
                message.model_dump(exclude_none=True)
                for message in decode_client(bytes.fromhex(text))
            ]
            assert json.loads(json.dumps(read)) == expected


class TestTheBot:
    def test_the_bot_plays_and_claims_without_a_fault(self, folder: Path, tmp_path: Path) -> None:
        ended = arena(
            tmp_path, "match", f"js={_entry(folder)}", "baseline", "--boards", "12", "--seed", "3",
            "--concurrency", "3", "--claims", "checked", "--out", "match",
        )  # fmt: skip
        assert ended.status == 0, ended
        summary = summary_of(tmp_path / "match")
        assert summary["boards"] == 12
        assert summary["forfeit"] is None
        assert summary["bots"][0]["conduct"]["illegal_actions"] == 0
        log = log_of(tmp_path / "match")
        assert [line["faults"] for line in log if line["event"] == "board_ended"] == [[]] * 24
        ours = [line for line in log if line["event"] == "claim" and line["entry"] == "js"]
        assert ours
        assert all(claim["accepted"] and claim["tricks"] > 0 for claim in ours)
        outputs = [line for line in log if line["event"] == "bot_output"]
        assert {line["output"] for line in outputs if line["bot"].startswith("js")} == {""}

    @needs_sandbox
    def test_the_bot_plays_in_a_sandbox_as_it_is(self, folder: Path, tmp_path: Path) -> None:
        command = ["match", f"js={_entry(folder)}", "baseline", "--boards", "2"]
        ended = arena(tmp_path, *command, "--isolation", "sandbox", "--out", "match")
        assert ended.status == 0, ended
        assert summary_of(tmp_path / "match")["bots"][0]["conduct"]["illegal_actions"] == 0

    def test_the_bot_passes_the_check(self, folder: Path, tmp_path: Path) -> None:
        ended = arena(tmp_path, "check-bot", "--json", "--", "node", str(folder / "bot.mjs"))
        found = json.loads(ended.output)
        points = found["points"]
        assert [point for point in points if point["status"] == "failed"] == []
        assert ended.status == 0, ended
        assert found["counts"]["passed"] >= 30
        assert found["bot"]["name"] == "js-bot"

    def test_the_bot_says_what_it_misses(self, folder: Path) -> None:
        ended = run(folder, "env", "-u", "ARENA_URL", "node", "bot.mjs")
        assert ended.returncode == 2
        assert ended.stderr.splitlines() == [
            "ARENA_URL and ARENA_TOKEN are not set: the arena or its organiser gives them"
        ]


EVENT = """\
[event]
name = "Visitors"
format = "match"
boards = 12
seed = 5
practice = true

[[entry]]
bot = "remote:far"

[[entry]]
bot = "baseline"
"""

CUTS = 6

CUT_AFTER = 2_000
"""Bytes from the server, of some 10,000 to each seat: one table plays all boards."""


class TestFromElsewhere:
    async def test_the_bot_comes_back_when_its_connections_are_cut(
        self, folder: Path, tmp_path: Path
    ) -> None:
        (tmp_path / "event.toml").write_text(EVENT)
        token = token_of(tmp_path, "far")
        with served(tmp_path, "--concurrency", "1") as server:
            port = int(server.url.rpartition(":")[2])
            async with _bad_line(port) as url:
                with _bots(folder, url, token) as bots:
                    status = await asyncio.to_thread(server.end)
                    assert [await asyncio.to_thread(bot.wait) for bot in bots] == [0] * 4
        assert status == 0
        log = log_of(tmp_path / "out")
        news = [line["news"] for line in log if line["event"] == "connection"]
        assert news.count("back") == CUTS
        assert [line["faults"] for line in log if line["event"] == "board_ended"] == [[]] * 24

        command = ["match", f"far={_entry(folder)}", "baseline", "--boards", "12", "--seed", "5"]
        assert arena(tmp_path, *command, "--out", "here").status == 0
        there, here = (
            [(record.calls, record.cards, record.score) for record in records_of(path)]
            for path in (tmp_path / "out" / "match.pbn", tmp_path / "here" / "match.pbn")
        )
        assert there == here

    @pytest.mark.parametrize("is_secure", [True, False], ids=["TLS", "plain"])
    async def test_the_bot_names_the_other_scheme(self, folder: Path, *, is_secure: bool) -> None:
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER) if is_secure else None
        if tls is not None:
            trustme.CA().issue_cert("127.0.0.1").configure_cert(tls)
        async with open_lobby(tls=tls) as lobby:
            _, _, rest = lobby.url.partition(":")
            url = f"{'ws' if is_secure else 'wss'}:{rest}"
            with _bot(folder, url, "token", "N", errors=subprocess.PIPE) as bot:
                assert bot.stderr is not None
                told = (await asyncio.to_thread(bot.stderr.readline)).decode()
        has = "has TLS" if is_secure else "has no TLS"
        assert told.rstrip().endswith(f": if the server {has}, its address is {lobby.url}")

    async def test_the_bot_comes_back_when_its_hello_was_late(self, folder: Path) -> None:
        hellos = []

        async def converse(connection: ServerConnection) -> None:
            hellos.append(await connection.recv())
            if len(hellos) == 1:
                await connection.close(HELLO_LATE, "too late")
                return
            welcome = Welcome(table="A1", seat=Seat.NORTH)
            await connection.send(frame([encode(welcome), encode(Goodbye(reason="over"))]))
            await connection.close()

        protocols = [Subprotocol(SUBPROTOCOL)]
        async with serve(converse, "127.0.0.1", 0, subprotocols=protocols) as server:
            port = next(iter(server.sockets)).getsockname()[1]
            with _bot(folder, f"ws://127.0.0.1:{port}", "token", "N") as bot:
                assert await asyncio.to_thread(bot.wait) == 0
        assert len(hellos) == 2


def _entry(folder: Path) -> str:
    return f"cmd:node {folder / 'bot.mjs'}"


@contextmanager
def _bots(folder: Path, url: str, token: str) -> Iterator[list[subprocess.Popen[bytes]]]:
    """Run the bot in each seat, and kill it when the context is left."""
    with ExitStack() as running:
        yield [running.enter_context(_bot(folder, url, token, seat)) for seat in "NESW"]


@contextmanager
def _bot(
    folder: Path, url: str, token: str, seat: str, errors: int = subprocess.DEVNULL
) -> Iterator[subprocess.Popen[bytes]]:
    """Run the bot in one seat, and kill it when the context is left."""
    where = (f"ARENA_URL={url}", f"ARENA_TOKEN={token}", f"ARENA_SEAT={seat}")
    command = ["env", *where, "node", str(folder / "bot.mjs")]
    with subprocess.Popen(command, stderr=errors) as bot:
        try:
            yield bot
        finally:
            bot.kill()


@asynccontextmanager
async def _bad_line(port: int) -> AsyncIterator[str]:
    """The address of a line to the server on which the first CUTS connections break."""
    connected = 0

    async def connect(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal connected
        connected += 1
        limit = CUT_AFTER if connected <= CUTS else math.inf
        from_server, to_server = await asyncio.open_connection("127.0.0.1", port)
        with suppress(OSError):
            await asyncio.gather(
                _forward(reader, to_server, math.inf), _forward(from_server, writer, limit)
            )
        to_server.transport.abort()
        writer.transport.abort()

    async with await asyncio.start_server(connect, "127.0.0.1", 0) as line:
        yield f"ws://127.0.0.1:{line.sockets[0].getsockname()[1]}"


async def _forward(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, limit: float
) -> None:
    """Pass on what comes until its end. Raises ConnectionError after `limit` bytes."""
    while data := await reader.read(512):
        limit -= len(data)
        if limit < 0:
            raise ConnectionResetError
        writer.write(data)
        await writer.drain()
    writer.close()
