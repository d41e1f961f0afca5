"""Tests of alerts: what is told once, what is kept, and what a webhook is sent."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Semaphore, Thread
from typing import Any

import pytest

from bridge_arena.tournaments.ladder import webhook
from bridge_arena.tournaments.ladder.players import State
from bridge_arena.tournaments.ladder.store.alert_store import Kind
from bridge_arena.tournaments.ladder.store.consistency_store import Check
from bridge_arena.tournaments.ladder.store.ladder_store import LadderStore
from bridge_arena.tournaments.ladder.watch.alerts import LONGEST, Alerts
from bridge_arena.tournaments.ladder.watch.consistency_checks import ConsistencyChecks
from bridge_arena.tournaments.ladder.webhook import Webhook, mistake
from bridge_arena.tournaments.play.event_log import EventLog
from bridge_arena.tournaments.store import StoreError
from bridge_arena.web.ladder.pages import ALERTS
from tests.tournaments.ladder.ladders import ladder_file, opened, play, venues
from tests.tournaments.scores import record


@pytest.fixture
def store(tmp_path: Path) -> Iterator[LadderStore]:
    with closing(
        LadderStore.open(tmp_path / "results.sqlite", ladder_file("random", "baseline").definition)
    ) as store:
        yield store


class Told:
    """What is told of alerts, in the log and on the terminal."""

    def __init__(self, store: LadderStore, hook: Webhook | None = None) -> None:
        self.lines: list[str] = []
        self.events: list[tuple[str, str]] = []
        log = EventLog()
        log.listeners.append(lambda _, state, kind, **__: self.events.append((state, kind)))
        self.alerts = Alerts(store, log, self.lines.append, hook)


@pytest.mark.parametrize("state", [State.RETIRED, State.BANNED])
def test_what_a_player_was_accused_of_is_over_once_it_is_gone(tmp_path: Path, state: State) -> None:
    path = tmp_path / "results.sqlite"
    with closing(opened(path, ladder_file("random", "baseline", "natural"))) as store:
        alerts = Alerts(store, EventLog(), lambda _: None)
        alerts.begin(Kind.AUDIT, "random", "random sees more than it should")

    def in_force() -> int:
        play(path, venues(record), 2)
        with closing(LadderStore.open(path)) as store:
            return len(store.alerts.in_force())

    assert in_force() == 1
    with closing(LadderStore.open(path)) as store:
        store.set_state("random", State.PAUSED)
    assert in_force() == 1
    with closing(LadderStore.open(path)) as store:
        store.set_state("random", state)
    assert in_force() == 0


def test_a_change_of_a_player_that_is_gone_and_still_at_play_is_no_alert(
    store: LadderStore,
) -> None:
    told = Told(store)
    registration = ladder_file("random", "baseline").registrations[0]
    store.enter(registration)
    version = store.add_version(1, "a")
    store.consistency.add(1, Check(1, "key", "", ()), has_changed=True)
    checks = ConsistencyChecks(store.consistency, store.definition(), told.alerts)
    for state in (State.ACTIVE, State.RETIRED, State.RETIRED):
        store.set_state("random", state)
        checks.look(store.players()[1], version)
    assert told.events == [("began", "version"), ("ended", "version")]


def test_only_what_changes_is_told(store: LadderStore) -> None:
    told = Told(store)
    for _ in range(3):
        told.alerts.begin(Kind.PLAYER, "Ann", "Ann cannot play")
    told.alerts.begin(Kind.PLAYER, "Bo", "Bo cannot play")
    for _ in range(3):
        told.alerts.end(Kind.PLAYER, "Ann")
        told.alerts.end(Kind.CLOCK)
    told.alerts.note(Kind.TEST, "Ann", "Ann is better than Bo")
    assert told.lines == [
        "Ann cannot play",
        "Bo cannot play",
        "over: Ann cannot play",
        "Ann is better than Bo",
    ]
    assert told.events == [
        ("began", "player"),
        ("began", "player"),
        ("ended", "player"),
        ("noted", "test"),
    ]
    assert [(one.subject, one.text) for one in store.alerts.in_force()] == [
        ("Bo", "Bo cannot play")
    ]


def test_pages_have_words_for_all_kinds() -> None:
    assert ALERTS.keys() == {*Kind}


def test_an_alert_keeps_its_time_when_its_text_changes(store: LadderStore) -> None:
    told = Told(store)
    told.alerts.begin(Kind.DISK, "", "one")
    (first,) = store.alerts.in_force()
    told.alerts.begin(Kind.DISK, "", "\x1b[31mother\n" + "x" * 1000)
    (second,) = store.alerts.in_force()
    assert (second.since, len(second.text)) == (first.since, LONGEST)
    assert second.text.isprintable()
    assert len(told.lines) == 2


def test_an_alert_of_a_run_before_ends(store: LadderStore) -> None:
    Told(store).alerts.begin(Kind.DISK, "", "the disk is full")
    later = Told(store)
    later.alerts.begin(Kind.DISK, "", "the disk is full")
    assert later.lines == []
    later.alerts.end(Kind.DISK)
    assert later.lines == ["over: the disk is full"]
    assert store.alerts.in_force() == []


def test_what_the_store_cannot_keep_is_kept_later(
    store: LadderStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise StoreError("it does not answer")

    told = Told(store)
    told.alerts.begin(Kind.DISK, "", "the disk is full")
    with monkeypatch.context() as context:
        context.setattr(store.alerts, "put", broken)
        told.alerts.begin(Kind.STORE, "", "it does not answer")
        told.alerts.end(Kind.DISK)
        told.alerts.look()
    assert [one.kind for one in store.alerts.in_force()] == [Kind.DISK]
    told.alerts.look()
    assert [one.kind for one in store.alerts.in_force()] == [Kind.STORE]


class Receiver(ThreadingHTTPServer):
    """A server that takes what is posted, and answers with the statuses that it is given."""

    daemon_threads = True

    def __init__(self, *statuses: int) -> None:
        self.bodies: list[dict[str, Any]] = []
        self.posts = Semaphore(0)  # released at each post
        self.may_answer = Event()
        self.may_answer.set()
        self.paths: list[str] = []
        self._statuses = list(statuses)
        super().__init__(("127.0.0.1", 0), _Handler)

    def status(self) -> int:
        return self._statuses.pop(0) if self._statuses else 200

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/secret"


class _Handler(BaseHTTPRequestHandler):
    server: Receiver

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.bodies.append(json.loads(body))
        self.server.paths.append(self.path)
        self.server.posts.release()
        self.server.may_answer.wait(60)
        self.send_response(self.server.status())
        self.send_header("Location", "/elsewhere")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def do_GET(self) -> None:
        self.do_POST()

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def receiving(*statuses: int) -> Iterator[Receiver]:
    with Receiver(*statuses) as server:
        thread = Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield server
        finally:
            server.may_answer.set()
            server.shutdown()
            thread.join()


def test_a_webhook_gets_each_alert_once(store: LadderStore) -> None:
    with receiving(503, 302) as server:
        hook = Webhook(server.url, pauses=(0.0, 0.0))
        told = Told(store, hook)
        told.alerts.begin(Kind.PLAYER, "Ann <b>", "Ann <b> cannot play")
        told.alerts.begin(Kind.PLAYER, "Ann <b>", "Ann <b> cannot play, for another reason")
        told.alerts.end(Kind.PLAYER, "Ann <b>")
        assert all(server.posts.acquire(timeout=60) for _ in range(4))
        hook.close(60)
    assert hook.trouble == ""
    # The first was refused, and then sent elsewhere, where nobody went.
    assert [(one["alert"], one["text"]) for one in server.bodies] == [
        *3 * [("began", "Ann <b> cannot play")],
        ("ended", "Ann <b> cannot play, for another reason"),
    ]
    assert {*server.paths} == {"/secret"}
    assert server.bodies[0].keys() == {
        "ladder",
        "alert",
        "kind",
        "subject",
        "text",
        "since",
        "time",
    }
    assert (server.bodies[0]["ladder"], server.bodies[0]["kind"]) == ("Club", "player")


def test_a_webhook_that_hangs_is_told_and_costs_no_time(
    store: LadderStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(webhook, "MOST_WAITING", 5)
    with receiving() as server:
        server.may_answer.clear()
        hook = Webhook(server.url, seconds=60, pauses=())
        told = Told(store, hook)
        told.alerts.note(Kind.TEST, "Ann", "0")
        assert server.posts.acquire(timeout=60)
        for number in range(1, 20):
            told.alerts.note(Kind.TEST, "Ann", str(number))
        told.alerts.look()
        assert told.lines[-1] == "alerts cannot be posted: 5 alerts wait, and others are left out"
        assert [one.kind for one in store.alerts.in_force()] == [Kind.WEBHOOK]
        server.may_answer.set()
        hook.close(60)
        told.alerts.look()
    assert [one["text"] for one in server.bodies] == ["0", "1", "2", "3", "4", "5"]
    assert store.alerts.in_force() == []


def test_a_webhook_that_does_not_answer_is_given_up(store: LadderStore) -> None:
    with receiving() as server:
        server.may_answer.clear()
        hook = Webhook(server.url, seconds=0.05, pauses=())
        told = Told(store, hook)
        told.alerts.note(Kind.TEST, "Ann", "Ann is better")
        hook.close(60)
    told.alerts.look()
    assert told.lines[-1] == "alerts cannot be posted: it did not answer within 0.05 s"


def test_a_webhook_that_nobody_hears_is_told_without_its_address(store: LadderStore) -> None:
    with receiving() as server:
        url = server.url
    hook = Webhook(url, pauses=(0.0,))
    told = Told(store, hook)
    told.alerts.note(Kind.TEST, "Ann", "Ann is better")
    hook.close(60)
    told.alerts.look()
    assert told.lines[-1].startswith("alerts cannot be posted: the service cannot be reached")
    assert "secret" not in told.lines[-1]


@pytest.mark.parametrize(
    "url",
    [3, "", "club", "ftp://example.org", "https://", "https://a:b:c", "http://a b", "http://é"],
)
def test_what_is_no_address_of_a_webhook_is_refused(url: object) -> None:
    assert mistake(url) is not None
    assert mistake("https://hooks.example.org:8443/T0/B1?x=1") is None
