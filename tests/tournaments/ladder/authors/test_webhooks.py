"""Webhooks of authors: who gets which alerts, and addresses that reach inside."""

from __future__ import annotations

import asyncio
import json
import ssl
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing
from functools import partial
from pathlib import Path
from queue import Queue

import pytest

from bridge_arena.tournaments.events.event import Entrant
from bridge_arena.tournaments.ladder.authors import public_post, webhooks
from bridge_arena.tournaments.ladder.authors.public_post import (
    PrivateAddressError,
    is_public,
    mistake,
    post_publicly,
)
from bridge_arena.tournaments.ladder.authors.webhooks import Webhooks
from bridge_arena.tournaments.ladder.ladder_file import Registration
from bridge_arena.tournaments.ladder.store.alert_store import Kind
from bridge_arena.tournaments.ladder.store.ladder_store import LadderStore
from bridge_arena.tournaments.ladder.watch.alerts import Alerts
from bridge_arena.tournaments.ladder.webhook import Webhook
from bridge_arena.tournaments.play.event_log import EventLog
from tests.patience import PATIENCE
from tests.tournaments.ladder.ladders import ladder_file, opened

INSIDE = [
    "127.0.0.1",
    "127.8.8.8",
    "0.0.0.0",
    "10.0.0.1",
    "172.16.0.1",
    "192.168.1.1",
    "100.64.0.1",  # of a provider's network
    "169.254.169.254",  # where clouds give keys away
    "192.0.0.192",
    "198.18.0.1",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "fe80::1",
    "fe80::1%eth0",
    "fec0::1",
    "fc00::1",
    "fd00:ec2::254",
    "ff02::1",
    "::ffff:127.0.0.1",
    "::ffff:169.254.169.254",
    "64:ff9b::7f00:1",
    "64:ff9b::a9fe:a9fe",
    "64:ff9b:1::1",
    "2002:7f00:1::",
    "2001:0:4136:e378:8000:63bf:80ff:fffe",
    "::127.0.0.1",
]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[LadderStore]:
    file = ladder_file("baseline", "random")
    with closing(opened(tmp_path / "results.sqlite", file)) as store:
        for name, author in (("Mine", "Ann"), ("Other", "Bo"), ("Quiet", "Cy")):
            store.enter(Registration(Entrant(bot=f"remote:{name}", name=name), author))
            store.authors.enter(author)
        yield store


@pytest.mark.parametrize("address", INSIDE)
async def test_no_address_inside_is_connected_to(address: str) -> None:
    assert not is_public(address)

    async def resolve(host: str, port: int) -> list[str]:
        assert (host, port) == ("hooks.example.org", 443)
        return ["93.184.215.14", address]  # of which one would do

    with pytest.raises(PrivateAddressError, match=r"hooks\.example\.org has no public address"):
        await post_publicly("https://hooks.example.org/x", {}, resolve)


@pytest.mark.parametrize("address", ["93.184.215.14", "2606:2800:21f:cb07:6820:80da:af6b:8b2c"])
def test_addresses_of_the_internet_are_public(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize("host", ["localhost", "127.1", "2130706433", "0x7f.1"])
async def test_names_that_mean_this_machine_are_refused_when_they_are_looked_up(host: str) -> None:
    with pytest.raises(OSError, match=host):
        await asyncio.wait_for(post_publicly(f"https://{host}:1/x", {}), PATIENCE)


async def test_a_name_that_is_none_is_no_more_than_a_failure() -> None:
    with pytest.raises(OSError, match="has no public address"):
        await post_publicly(f"https://{'a' * 70}.example/", {})


@pytest.mark.parametrize(
    "url",
    [
        "",
        "hooks.example.org",
        "http://hooks.example.org/",
        "ftp://hooks.example.org/",
        "https://",
        "https:///x",
        "https://hooks.example.org:0/",
        "https://hooks.example.org:99999/",
        "https://ann@hooks.example.org/",
        "https://hooks.example.org/a b",
        "https://hooks.example.org/\r\nX: y",
        "https://h\N{LATIN SMALL LETTER O WITH DIAERESIS}oks.example/",
        "https://[::1]/",
        "https://[::1",
        "https://127.0.0.1/",
        "https://169.254.169.254/latest/meta-data/",
        "https://localhost/",
        "https://a.localhost/",
        f"https://hooks.example.org/{'x' * 500}",
    ],
)
def test_what_cannot_be_a_webhook_is_refused_at_once(url: str) -> None:
    assert mistake(url) is not None


@pytest.mark.parametrize("url", ["https://hooks.example.org", "https://93.184.215.14:8443/a?b=c"])
def test_a_public_address_can_be_a_webhook(url: str) -> None:
    assert mistake(url) is None


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The certificate of hooks.example.org, and its key."""
    folder = tmp_path_factory.mktemp("tls")
    key, own = folder / "key.pem", folder / "cert.pem"
    words = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", own]
    name = ["-subj", "/CN=hooks.example.org", "-addext", "subjectAltName=DNS:hooks.example.org"]
    subprocess.run(["openssl", *map(str, words), *name], check=True, capture_output=True)
    return own, key


@asynccontextmanager
async def answering(
    certificate: tuple[Path, Path], answer: bytes, seen: list[bytes]
) -> AsyncIterator[int]:
    """The port of a server with TLS, which gives an answer and keeps the connection open."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*certificate)

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        length = int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
        seen.append(head + await reader.readexactly(length))
        writer.write(answer)
        await reader.read()
        writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0, ssl=context) as server:
        yield server.sockets[0].getsockname()[1]


async def at_loopback(host: str, _: int) -> list[str]:
    assert host in ("hooks.example.org", "other.example.org")
    return ["127.0.0.1"]


def loopback_is_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take the loopback address for a public one of another machine."""
    monkeypatch.setattr(public_post, "is_public", lambda address: address == "127.0.0.1")
    monkeypatch.setattr(public_post, "is_own", lambda _: False)


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        (b"HTTP/1.1 204 No Content\r\n\r\n", 204),
        (b"HTTP/1.0 200\r\nLocation: https://elsewhere.example\r\n", 200),
        (b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1/\r\n\r\n", 302),
        (b"HTTP/1.1 " + b"2" * 100_000, None),
        (b"220 mail.example.org ESMTP\r\n", None),
    ],
)
async def test_a_message_is_posted_and_only_the_status_is_read(
    certificate: tuple[Path, Path],
    monkeypatch: pytest.MonkeyPatch,
    answer: bytes,
    status: int | None,
) -> None:
    seen: list[bytes] = []
    trusted = ssl.create_default_context(cafile=certificate[0])
    loopback_is_elsewhere(monkeypatch)

    async with answering(certificate, answer, seen) as port:
        url = f"https://hooks.example.org:{port}/a?b=c"
        posting = post_publicly(url, {"a": "<b>"}, at_loopback, trusted)
        if status is None:
            with pytest.raises(OSError, match="speaks no HTTP"):
                await asyncio.wait_for(posting, PATIENCE)
        else:
            assert await asyncio.wait_for(posting, PATIENCE) == status
    (request,) = seen
    head, _, body = request.partition(b"\r\n\r\n")
    assert head.startswith(f"POST /a?b=c HTTP/1.1\r\nHost: hooks.example.org:{port}\r\n".encode())
    assert json.loads(body) == {"a": "<b>"}


async def test_no_address_of_this_machine_is_connected_to_though_it_is_public(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(public_post, "is_public", lambda _: True)
    with pytest.raises(PrivateAddressError, match=r"hooks\.example\.org has no public address"):
        await post_publicly("https://hooks.example.org:1/", {}, at_loopback)


@pytest.mark.parametrize(
    "what", ["nothing", "silence", "no TLS", "another's certificate", "a certificate of nobody"]
)
async def test_all_that_does_not_show_the_certificate_looks_as_if_it_did_not_answer(
    certificate: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    """Otherwise an author could find the open ports of machines that only this one can reach."""
    seen: list[bytes] = []
    host = "other.example.org" if what == "another's certificate" else "hooks.example.org"
    trusted = None if what == "a certificate of nobody" else certificate[0]
    context = ssl.create_default_context(cafile=trusted)
    loopback_is_elsewhere(monkeypatch)

    async def greet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"" if what == "silence" else b"220 mail.example.org ESMTP\r\n")
        await reader.read()
        writer.close()

    async with (
        answering(certificate, b"HTTP/1.1 204 No Content\r\n\r\n", seen) as secure,
        await asyncio.start_server(greet, "127.0.0.1", 0) as server,
    ):
        plain = server.sockets[0].getsockname()[1]
        port = secure if "certificate" in what else 1 if what == "nothing" else plain
        posting = post_publicly(f"https://{host}:{port}/", {}, at_loopback, context)
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(posting, 0.5)
    assert not seen


def test_an_author_gets_alerts_of_own_players_alone(store: LadderStore) -> None:
    posted: Queue[tuple[str, object]] = Queue()

    async def post(url: str, message: dict[str, object]) -> int:
        posted.put((url, message["text"]))
        return 200

    store.authors.set_webhook("Ann", "https://a.example/old")
    store.authors.set_webhook("Bo", "https://b.example/")
    with closing(Webhooks(None, store.authors, post)) as hooks:
        alerts = Alerts(store, EventLog(), lambda _: None, hooks)
        alerts.note(Kind.TEST, "Mine", "Mine is better")
        alerts.begin(Kind.PLAYER, "Other", "Other cannot play")
        for kind, subject in ((Kind.DISK, ""), (Kind.PLAYER, "Quiet"), (Kind.PLAYER, "baseline")):
            alerts.begin(kind, subject, "a secret of others")
        first = {posted.get(timeout=PATIENCE) for _ in range(2)}
        assert first == {
            ("https://a.example/old", "Mine is better"),
            ("https://b.example/", "Other cannot play"),
        }
        store.authors.set_webhook("Ann", "https://a.example/new")
        alerts.note(Kind.TEST, "Mine", "Mine is worse")
        assert posted.get(timeout=PATIENCE) == ("https://a.example/new", "Mine is worse")
        store.authors.set_webhook("Ann", "")
        alerts.note(Kind.TEST, "Mine", "Mine is gone")
    assert posted.empty()


def test_an_author_is_told_what_came_of_the_last_alert(
    store: LadderStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = iter([404, OSError("no route\n" + "x" * 5000), 204])

    async def post(_: str, __: dict[str, object]) -> int:
        answer = next(answers)
        if isinstance(answer, OSError):
            raise answer
        assert isinstance(answer, int)
        return answer

    monkeypatch.setattr(webhooks, "Webhook", partial(Webhook, pauses=()))
    assert store.authors.last_post("Nobody") is None
    store.authors.set_webhook("Ann", "https://a.example/")
    for told in ("it answered with the status 404", "no route", ""):
        with closing(Webhooks(None, store.authors, post)) as hooks:
            Alerts(store, EventLog(), lambda _: None, hooks).note(Kind.TEST, "Mine", "a text")
        last = store.authors.last_post("Ann")
        assert last is not None
        assert last.trouble.startswith(told)
        assert len(last.trouble) <= webhooks.LONGEST_TROUBLE
        assert bool(last.trouble) == bool(told)
    # An alert that was on its way to an earlier address says nothing of this one.
    store.authors.set_webhook("Ann", "https://a.example/new")
    store.authors.note_post("Ann", "https://a.example/", "late")
    assert store.authors.last_post("Ann") is None


@pytest.mark.parametrize("tells_of_ann", [True, False])
def test_who_has_no_address_any_more_takes_no_place_of_another(
    store: LadderStore, monkeypatch: pytest.MonkeyPatch, *, tells_of_ann: bool
) -> None:
    posted: Queue[tuple[str, object]] = Queue()

    async def post(url: str, message: dict[str, object]) -> int:
        posted.put((url, message["text"]))
        return 200

    monkeypatch.setattr(webhooks, "MOST_OF_AUTHORS", 1)
    store.authors.set_webhook("Ann", "https://a.example/")
    store.authors.set_webhook("Bo", "https://b.example/")
    with closing(Webhooks(None, store.authors, post)) as hooks:
        alerts = Alerts(store, EventLog(), lambda _: None, hooks)
        alerts.note(Kind.TEST, "Mine", "Mine is better")
        assert posted.get(timeout=PATIENCE) == ("https://a.example/", "Mine is better")
        alerts.note(Kind.TEST, "Other", "Other finds no place")
        store.authors.set_webhook("Ann", "")
        if tells_of_ann:
            alerts.note(Kind.TEST, "Mine", "Mine is gone")
            assert len(hooks._of_authors) == 0
        alerts.note(Kind.TEST, "Other", "Other is better")
        assert posted.get(timeout=PATIENCE) == ("https://b.example/", "Other is better")
    assert posted.empty()
