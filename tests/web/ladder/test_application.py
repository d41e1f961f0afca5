"""The pages of a ladder: what they show of matches, and who can give orders by them."""

from __future__ import annotations

import asyncio
import gzip
import json
import socket
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn
from urllib.request import Request, urlopen

import pytest

from bridge_arena.bridge.record import BoardRecord
from bridge_arena.commands.ladder.web_process import answering
from bridge_arena.tournaments.events.event import Entrant, Event
from bridge_arena.tournaments.events.tokens import Tokens, TokensError
from bridge_arena.tournaments.ladder.ladder_file import Registration
from bridge_arena.tournaments.ladder.leaderboard import LadderBoard
from bridge_arena.tournaments.ladder.orders import ADMINISTRATOR
from bridge_arena.tournaments.ladder.players import State
from bridge_arena.tournaments.ladder.store.alert_store import Alert, Kind
from bridge_arena.tournaments.ladder.store.ladder_store import LadderStore
from bridge_arena.tournaments.play.event_log import EventLog
from bridge_arena.tournaments.schedule.units import Unit
from bridge_arena.tournaments.store import StoreError
from bridge_arena.web.common.serving import address_of
from bridge_arena.web.ladder import application, player_pages
from bridge_arena.web.ladder import pages as pages_module
from bridge_arena.web.ladder.authors import orders_from_afar
from bridge_arena.web.ladder.pages import ALERTS
from bridge_arena.web.ladder.pages import State as PagesState
from tests.patience import PATIENCE
from tests.tournaments.ladder.ladders import ladder_file, opened, play, venues
from tests.tournaments.scores import record
from tests.web.live.serving import Answer, ask

MARKUP = "<script>document.title = 1</script>"


@dataclass
class Shown:
    """The pages of a ladder that are served."""

    port: int
    log: list[dict[str, object]]

    async def get(self, path: str, **headers: str) -> Answer:
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        return await ask(self.port, "GET", path, sent)

    async def ask(self, method: str, path: str) -> Answer:
        return await ask(self.port, method, path, {})

    async def order(self, body: bytes, token: str, **headers: str) -> Answer:
        sent = {"content-type": "application/json", "authorization": f"Bearer {token}"}
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        return await ask(self.port, "POST", "/api/v1/orders", sent, body)


class PowerCutError(Exception):
    """What ends a ladder in the middle of a board."""


def two_boards_then_a_power_cut(event: Event, unit: Unit) -> BoardRecord:
    if event.name == "Club 2" and unit.position > 0:
        raise PowerCutError
    return record(event, unit, 0)


def _play(folder: Path) -> None:
    path = folder / "results.sqlite"
    opened(path, ladder_file("baseline", "random")).close()
    with pytest.raises(PowerCutError):
        play(path, venues(two_boards_then_a_power_cut), None, concurrency=1)


@pytest.fixture
def store(
    tmp_path: Path, copy_of_made: Callable[[Callable[[Path], object], Path], None]
) -> Iterator[LadderStore]:
    """A ladder with a match that is over, and one of which a board is."""
    copy_of_made(_play, tmp_path)
    with closing(LadderStore.open(tmp_path / "results.sqlite")) as store:
        yield store


@asynccontextmanager
async def shown(store: LadderStore, folder: Path) -> AsyncIterator[Shown]:
    lines: list[dict[str, object]] = []
    log = EventLog()
    log.listeners.append(lambda what, **facts: lines.append({"event": what, **facts}))
    with socket.create_server(("127.0.0.1", 0)) as listener:
        async with answering(store, folder / "tokens.json", log, listener, address_of(listener)):
            yield Shown(listener.getsockname()[1], lines)


async def test_the_boards_of_a_match_are_shown_once_it_is_over_and_never_before(
    store: LadderStore, tmp_path: Path
) -> None:
    assert [match.number for match in store.open_matches()] == [2]
    async with shown(store, tmp_path) as pages:
        leaderboard = (await pages.get("/")).text
        assert 'href="matches/1/"' in leaderboard
        assert 'href="matches/2/"' not in leaderboard
        over = await pages.get("/matches/1/")
        assert over.status == 200
        title = "Match 1: baseline and random tie"
        assert f"<h1>{title}</h1>" in over.text
        assert over.text.count("baseline") == 2, "in the title of the page, and its heading"
        board = await pages.get("/matches/1/boards/board-1.html")
        assert title in board.text
        for page, up in ((over, "../"), (board, "../../")):
            assert f'href="{up}" rel="up">All matches</a>' in page.text
            assert f'href="{up}../" rel="up">Leaderboard</a>' in page.text
        for path in (
            "2/",
            "2/boards/board-1.html",
            "2/boards/board-1.json",
            "3/",
            "0/",
            "x/",
            "-1/",
            "%D9%A3/",
            "9" * 5000,
            "1.0/",
        ):
            assert (await pages.get(f"/matches/{path}")).status == 404


def packed_page(port: int) -> bytes:
    """The leaderboard as a browser is sent it."""
    request = Request(f"http://127.0.0.1:{port}/", headers={"accept-encoding": "gzip"})
    with urlopen(request, timeout=PATIENCE) as answer:
        return gzip.decompress(answer.read())


def changes(port: int, version: int) -> None:
    """Read the stream until the pages have changed so often."""
    with urlopen(f"http://127.0.0.1:{port}/changes", timeout=PATIENCE) as stream:
        for line in stream:
            if f'"version":{version}' in line.decode():
                return
    raise AssertionError


async def test_a_page_is_made_for_a_state_and_sent_again_only_if_that_changed(
    store: LadderStore,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(application, "LOOK_SECONDS", 0.0)
    async with shown(store, tmp_path) as pages:
        first = await pages.get("/")
        tag = first.headers["etag"]
        again = await pages.get("/", if_none_match=tag)
        assert (again.status, again.text) == (304, "")
        assert again.headers["vary"] == first.headers["vary"] == "accept-encoding"
        plain = first.text.encode()
        assert await asyncio.to_thread(packed_page, pages.port) == plain
        store.set_state("random", State.PAUSED)
        await asyncio.to_thread(changes, pages.port, 2)
        assert '<td class="state paused">paused</td>' in (await pages.get("/")).text


async def test_pages_tell_neither_texts_of_strangers_as_markup_nor_paths_of_this_machine(
    store: LadderStore, tmp_path: Path
) -> None:
    player = Entrant(bot="cmd:/secret/program", name=MARKUP, dir="/secret")
    store.enter(Registration(player, MARKUP), Path("/secret"))
    store.alerts.put(Kind.PLAYER, MARKUP, Alert(Kind.PLAYER, MARKUP, "no /secret/program", "2026"))
    async with shown(store, tmp_path) as pages:
        for path in ("/", "/status"):
            text = (await pages.get(path)).text
            assert "&lt;script&gt;document" in text
            assert MARKUP not in text
            assert "secret" not in text


async def test_pages_that_cannot_be_made_are_said_to_be_away_and_come_back(
    store: LadderStore,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    answers = threading.Event()

    def state_of(store: LadderStore) -> PagesState:
        if not answers.is_set():
            raise StoreError("the server is restarting")
        return pages_module.state_of(store)

    monkeypatch.setattr(application, "LOOK_SECONDS", 0.0)
    monkeypatch.setattr(application, "state_of", state_of)
    async with shown(store, tmp_path) as pages:
        assert (await pages.get("/")).status == 503
        answers.set()
        await asyncio.to_thread(changes, pages.port, 1)
        assert (await pages.get("/")).status == 200


def test_every_kind_of_alert_has_words_for_everybody() -> None:
    assert set(ALERTS) == set(Kind)


@pytest.mark.parametrize(
    ("body", "headers", "status", "says"),
    [
        (b"{}", {"authorization": ""}, 401, "header Authorization"),
        (b"{}", {"authorization": "Bearer "}, 401, "header Authorization"),
        (b"{}", {"authorization": "Basic eDp4"}, 401, "header Authorization"),
        (
            b"{}",
            {"authorization": "", "cookie": "token=TOKEN"},
            401,
            "send the header Authorization",
        ),
        (b"{}", {"content_type": "text/plain"}, 415, "application/json"),
        (b"order=ban", {"content_type": "application/x-www-form-urlencoded"}, 415, "json"),
        (b"{}", {}, 400, "order"),
        (b'{"order": "ban", "player": 1}', {}, 400, "player: expected a text"),
        (b'{"order": "ban", "player": "nobody"}', {}, 400, "no player is called 'nobody'"),
        (b'{"order": "add", "bot": "cmd:touch x"}', {}, 400, "from afar only bots that ship"),
        (b"[" * 8000, {}, 400, "no JSON"),
        (b" " * 9000, {}, 413, ""),
    ],
)
async def test_what_is_no_order_of_the_administrator_changes_nothing(
    store: LadderStore,
    tmp_path: Path,
    body: bytes,
    headers: dict[str, str],
    status: int,
    says: str,
) -> None:
    token = Tokens(tmp_path / "tokens.json").create(ADMINISTRATOR)
    before = store.players()
    async with shown(store, tmp_path) as pages:
        sent = {name: value.replace("TOKEN", token) for name, value in headers.items()}
        answer = await pages.order(body, token, **sent)
        assert (answer.status, says in answer.text) == (status, True), answer
        if status == 400:
            # Whoever has the token, and is refused, is in the log too.
            assert pages.log[-1]["outcome"] == json.loads(answer.text)["error"]
            kinds = [line["order"]["order"] for line in pages.log[:-1]]  # type: ignore[index]
            assert kinds in ([], [pages.log[-1]["kind"]])
        else:
            assert pages.log == []
        assert token not in str(pages.log)
    assert store.players() == before


async def test_orders_need_the_last_token_of_the_administrator(
    store: LadderStore, tmp_path: Path
) -> None:
    tokens = Tokens(tmp_path / "tokens.json")
    ban = json.dumps({"order": "ban", "player": "random"}).encode()
    of_player, old = tokens.create("Zoë"), tokens.create(ADMINISTRATOR)
    token = tokens.create(ADMINISTRATOR)
    async with shown(store, tmp_path) as pages:
        for wrong in (of_player, old, token[:-1], *(["x"] * 30)):
            assert (await pages.order(ban, wrong)).status == 401
        answer = await pages.order(ban, token)
        assert (answer.status, answer.text) == (200, '{"done":"random is banned"}')
        assert pages.log == [
            {"event": "order_from_afar", "order": json.loads(ban), "author": ""},
            {
                "event": "order_from_afar_ended",
                "kind": "ban",
                "author": "",
                "outcome": "done",
            },
        ]
        new = tokens.create(ADMINISTRATOR)
        assert (await pages.order(ban, token)).status == 401
        statuses = [
            (await pages.order(ban, new)).status for _ in range(orders_from_afar.MOST_ORDERS)
        ]
        assert statuses == [200] * (orders_from_afar.MOST_ORDERS - 1) + [429]
    assert [one.state for one in store.players().values()] == [State.ACTIVE, State.BANNED]


async def test_an_order_is_in_the_log_before_anything_is_done_and_a_token_never(
    store: LadderStore,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    token = Tokens(tmp_path / "tokens.json").create(ADMINISTRATOR)
    store.enter(Registration(Entrant(bot="remote:Ann", name="Ann"), ""))
    order = {"order": "token", "player": "Ann"}
    async with shown(store, tmp_path) as pages:
        seen: list[object] = []

        def create(self: Tokens, owner: str) -> str:
            del self
            seen.extend(pages.log)
            if len(pages.log) > 1:
                raise TokensError(f"/secret: no room for {owner}")
            return "of Ann"

        monkeypatch.setattr(Tokens, "create", create)
        answer = await pages.order(json.dumps(order).encode(), token)
        assert (answer.status, answer.text) == (200, '{"done":"of Ann"}')
        assert seen == [{"event": "order_from_afar", "order": order, "author": ""}]
        answer = await pages.order(json.dumps(order).encode(), token)
        assert (answer.status, "secret" in answer.text) == (503, False), answer
        outcomes = [line["outcome"] for line in pages.log if "outcome" in line]
        assert outcomes == ["done", "/secret: no room for Ann"]


async def test_the_administrator_reads_from_afar_what_the_terminal_shows(
    store: LadderStore, tmp_path: Path
) -> None:
    token = Tokens(tmp_path / "tokens.json").create(ADMINISTRATOR)
    async with shown(store, tmp_path) as pages:
        answer = await pages.order(b'{"order": "status", "width": 80}', token)
        lines = json.loads(answer.text)["done"].splitlines()
        assert (lines[0], pages.log) == ("nobody plays the ladder", [])
        assert "Club after 1 match" in [line.rstrip() for line in lines]


async def test_a_player_has_a_page(store: LadderStore, tmp_path: Path) -> None:
    store.enter(Registration(Entrant(bot="natural", name=MARKUP), MARKUP))
    async with shown(store, tmp_path) as pages:
        assert 'href="players/1/"' in (await pages.get("/")).text
        page = await pages.get("/players/1/")
        assert page.status == 200
        for text in (
            "<bdi>baseline</bdi>",
            '<a href="../2/"><bdi>random</bdi></a>',
            '<a href="../../matches/1/">Match 1</a>',
            "not yet sure",
        ):
            assert text in page.text
        assert "Match 2" not in page.text, "it is not over"
        again = await pages.get("/players/1/", if_none_match=page.headers["etag"])
        assert (again.status, again.text) == (304, "")
        earlier = await pages.get("/players/1/?before=1")
        assert (earlier.status, "Match 1" in earlier.text) == (200, False)
        # Who has not come has none, nor has anything that is no number.
        for path in ("3/", "99/", "0/", "x/", "1/?before=x", "1/?before=1&before=2"):
            assert (await pages.get(f"/players/{path}")).status == 404


async def test_a_name_is_no_markup_on_the_page_of_its_player(tmp_path: Path) -> None:
    path = tmp_path / "results.sqlite"
    with closing(opened(path, ladder_file("baseline", "random"))) as store:
        store.enter(Registration(Entrant(bot="natural", name=MARKUP), MARKUP))
        store.set_state("random", State.RETIRED)
    level = venues(lambda event, unit: record(event, unit, 0))
    await asyncio.to_thread(play, path, level, 8, concurrency=1)
    with closing(LadderStore.open(path)) as store:
        async with shown(store, tmp_path) as pages:
            for number in (1, 3):
                page = await pages.get(f"/players/{number}/")
                assert page.status == 200
                assert MARKUP not in page.text
                assert "&lt;script&gt;document.title" in page.text


async def test_a_page_of_a_player_is_made_once_for_as_long_as_it_stays(
    store: LadderStore,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made: list[int] = []
    make = player_pages.page_of_player

    def counted(store: LadderStore, board: LadderBoard, *, number: int) -> str:
        made.append(number)
        return make(store, board, number=number) or ""

    monkeypatch.setattr(player_pages, "page_of_player", counted)
    monkeypatch.setattr(application, "STAY_SECONDS", 0)
    async with shown(store, tmp_path) as pages:
        await asyncio.gather(*(pages.get("/players/1/") for _ in range(3)))
        assert made == [1]
        store.alerts.put(Kind.DISK, "", Alert(Kind.DISK, "", "full", "2026"))
        await asyncio.to_thread(changes, pages.port, 2)
        assert (await pages.get("/players/1/")).status == 200
        assert made == [1, 1]


async def test_a_fault_in_the_making_of_pages_ends_them(
    store: LadderStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who began them sees it, and begins them again; they never stay as they were."""

    def failing(_: LadderStore) -> NoReturn:
        raise RuntimeError("a fault")

    monkeypatch.setattr(application, "state_of", failing)
    with pytest.RaisesGroup(pytest.RaisesExc(RuntimeError, match="a fault")):
        async with shown(store, tmp_path):
            await asyncio.Event().wait()


async def test_what_authors_say_is_text_and_leads_elsewhere_without_a_word(
    store: LadderStore, tmp_path: Path
) -> None:
    store.authors.describe("baseline", MARKUP, "https://a.example/?b&c", MARKUP)
    store.authors.describe("random", "https://cards.example/", None, None)
    async with shown(store, tmp_path) as pages:
        page = (await pages.get("/players/1/")).text
        link = '<a href="https://a.example/?b&amp;c" rel="nofollow noopener noreferrer ugc">'
        assert link in page
        assert (MARKUP in page, page.count("&lt;script&gt;document.title")) == (False, 2)
        other = (await pages.get("/players/2/")).text
        assert 'href="https://cards.example/" rel="nofollow noopener noreferrer ugc"' in other
