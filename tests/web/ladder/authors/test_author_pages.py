"""The pages of an author: what they show, what they order, and what somebody may try."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from threading import Event, Semaphore

import pytest

from bridge_arena.bridge.seats import Seat
from bridge_arena.protocol.codec import encode
from bridge_arena.protocol.messages import Goodbye
from bridge_arena.server.websocket_player import Direction
from bridge_arena.tournaments.events.event import Entrant
from bridge_arena.tournaments.events.tokens import Tokens
from bridge_arena.tournaments.ladder.authors import author_records
from bridge_arena.tournaments.ladder.authors.author_records import OwnMatch
from bridge_arena.tournaments.ladder.ladder_file import Registration
from bridge_arena.tournaments.ladder.orders import ADMINISTRATOR
from bridge_arena.tournaments.ladder.players import Player, State
from bridge_arena.tournaments.ladder.store.alert_store import Alert, Kind
from bridge_arena.tournaments.ladder.store.ladder_store import LadderStore
from bridge_arena.tournaments.ladder.wire_logs import WireLogs
from bridge_arena.tournaments.play.seating.seats import EntrySeat
from bridge_arena.web.ladder.authors import author_pages, orders_from_afar
from tests.patience import PATIENCE
from tests.web.ladder.authors.author_doors import doors, played, token_in
from tests.web.live.serving import ask

MARKUP = '"><script>document.title = 1</script>'


@pytest.fixture(scope="module")
def club_as_played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("club")
    played(folder).close()
    return folder


@pytest.fixture
def store(club_as_played: Path, tmp_path: Path) -> Iterator[LadderStore]:
    shutil.copytree(club_as_played, tmp_path, dirs_exist_ok=True)
    with closing(LadderStore.open(tmp_path / "results.sqlite")) as store:
        yield store


# Who is let in.


async def test_an_author_signs_in_by_the_token_and_out(store: LadderStore, tmp_path: Path) -> None:
    async with doors(store, tmp_path) as opened:
        browser = opened.browser()
        assert "Your token" in (await browser.get("/author/")).text
        token = opened.authors.make_token("Ann")
        answer = await browser.sign_in(f" {token}\n")
        assert (answer.status, answer.headers["location"]) == (303, "./")
        cookie = answer.headers["set-cookie"]
        for part in ("HttpOnly", "SameSite=strict", "Path=/author/"):
            assert part in cookie
        assert token not in cookie
        page = (await browser.get("/author/")).text
        assert "Players of <bdi>Ann</bdi>" in page
        assert token not in page
        kept = dict(browser.cookies)
        assert (await browser.post("/author/leave", {})).status == 303
        for cookies in (browser.cookies, kept):
            browser.cookies = cookies
            assert "Your token" in (await browser.get("/author/")).text


async def test_nobody_else_is_let_in(store: LadderStore, tmp_path: Path) -> None:
    tokens = Tokens(tmp_path / "tokens.json")
    of_others = [tokens.create(owner) for owner in (ADMINISTRATOR, "Mine", "Ann")]
    async with doors(store, tmp_path) as opened:
        browser = opened.browser()
        old = opened.authors.make_token("Ann")
        opened.authors.make_token("Ann")
        for wrong in (*of_others, old, "", "x" * 5000, "\N{SNOWMAN}"):
            answer = await browser.sign_in(wrong)
            assert (answer.status, "set-cookie" in answer.headers) == (403, False)
            assert "No author of this ladder has this token." in answer.text
        for name in (f"arena-author-{opened.port}", "token"):
            browser.cookies = {name: of_others[0]}
            assert "Your token" in (await browser.get("/author/")).text
            assert (await browser.get("/author/players/1/")).status == 403


async def test_a_flood_of_wrong_tokens_locks_nobody_out(store: LadderStore, tmp_path: Path) -> None:
    async with doors(store, tmp_path) as opened:
        browser = opened.browser()
        for number in range(100):
            assert (await browser.sign_in(f"{number}")).status == 403
        await opened.author("Ann")


async def test_a_token_that_is_replaced_ends_what_was_opened_with_it(
    store: LadderStore, tmp_path: Path
) -> None:
    async with doors(store, tmp_path) as opened:
        browser = await opened.author("Ann")
        assert (await browser.get("/author/players/1/")).status == 200
        opened.authors.make_token("Ann")
        assert (await browser.get("/author/players/1/")).status == 403
        assert (await browser.order(order="pause", player="Mine")).status == 403
    assert store.players()[1].state is State.ACTIVE


async def test_browsers_of_one_token_are_bounded(
    store: LadderStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(author_pages, "MOST_BROWSERS", 2)
    async with doors(store, tmp_path) as opened:
        token, other = opened.authors.make_token("Ann"), await opened.author("Bo")
        browsers = [opened.browser() for _ in range(3)]
        for browser in browsers:
            await browser.sign_in(token)
        statuses = [(await one.get("/author/players/1/")).status for one in browsers]
        assert statuses == [403, 200, 200]
        assert (await other.get("/author/players/2/")).status == 200


# Requests that other sites make.


@pytest.mark.parametrize("origin", ["", "null", "https://evil.example", "http://127.0.0.1:1"])
async def test_a_form_of_another_site_does_nothing(
    store: LadderStore, tmp_path: Path, origin: str
) -> None:
    async with doors(store, tmp_path) as opened:
        browser = await opened.author("Ann")
        form = {"order": "pause", "player": "Mine"}
        assert (await browser.post("/author/order", form, origin=origin)).status == 403
        token = opened.authors.make_token("Bo")
        answer = await browser.post("/author/enter", {"token": token}, origin=origin)
        assert (answer.status, "set-cookie" in answer.headers) == (403, False)
        assert (await browser.post("/author/leave", {}, origin=origin)).status == 403
    assert store.players()[1].state is State.ACTIVE


async def test_signing_in_leads_nowhere_else(store: LadderStore, tmp_path: Path) -> None:
    async with doors(store, tmp_path) as opened:
        browser, token = opened.browser(), opened.authors.make_token("Ann")
        form = {"token": token, "next": "https://evil.example", "url": "//evil.example"}
        answer = await browser.post("/author/enter?next=//evil.example", form)
        assert answer.headers["location"] == "./"


@pytest.mark.parametrize(
    ("form", "headers", "status"),
    [
        ({"order": "pause"}, {}, 400),
        ({"order": "stop", "player": "Mine"}, {}, 400),
        ({"order": "pause", "player": "Mine", "dir": "/"}, {}, 400),
        ({"order": "withdraw", "number": "x"}, {}, 400),
        ({"order": "withdraw", "number": "1" * 5000}, {}, 400),
        ({"order": "status", "width": "80"}, {}, 400),
        ({"order": "add", "name": "x" * 5000}, {}, 400),
        ({"order": "add", "name": "x" * 10_000}, {}, 413),
        ({"order": "pause", "player": "Mine"}, {"content_type": "text/plain"}, 415),
        ({"order": "pause", "player": "Mine"}, {"content_type": "application/json"}, 415),
    ],
)
async def test_what_is_no_order_of_a_form_changes_nothing(
    store: LadderStore,
    tmp_path: Path,
    form: dict[str, str],
    headers: dict[str, str],
    status: int,
) -> None:
    before = store.players()
    async with doors(store, tmp_path) as opened:
        browser = await opened.author("Ann")
        assert (await browser.post("/author/order", form, **headers)).status == status
    assert store.players() == before


# What is shown.


async def test_an_author_sees_times_faults_thoughts_and_log_of_own_bots_alone(
    store: LadderStore, tmp_path: Path
) -> None:
    async with doors(store, tmp_path) as opened:
        browser = await opened.author("Ann")
        page = (await browser.get("/author/players/1/matches/1/?board=1")).text
        for own in ("fault of", "thought of", "output of", "log of"):
            assert f"{own} Mine in 1" in page
            assert f"{own} Other" not in page
        for secret in ("in 2", "/secret", "77777"):
            assert secret not in page
        without = (await browser.get("/author/players/1/matches/1/")).text
        assert "thought of" not in without
        assert '<a href="?board=1#thoughts">1</a>' in without


async def keep_messages(store: LadderStore, folder: Path) -> None:
    """Keep a message to each player of matches 1 and 2."""
    logs, players = WireLogs(folder), store.players().values()
    for number in (1, 2):
        match = logs.of_match(number, players)
        for player in players:
            seat = EntrySeat(player.entrant.known_players[0], Seat.NORTH)
            log = match.of_seat(seat)
            assert log is not None
            log(Direction.SENT, encode(Goodbye(reason=f"goodbye of {player.name} in {number}")))
        match.close()


async def test_an_author_has_the_messages_of_own_bots_alone(
    store: LadderStore, tmp_path: Path
) -> None:
    name, folder = "messages.jsonl", "/author/players/1/matches"
    async with doors(store, tmp_path) as opened:
        ann, bo, stranger = await opened.author("Ann"), await opened.author("Bo"), opened.browser()
        assert name not in (await ann.get(f"{folder}/1/")).text
        assert (await ann.get(f"{folder}/1/{name}")).status == 404
        await keep_messages(store, tmp_path)
        assert f'href="{name}"' in (await ann.get(f"{folder}/1/")).text
        answer = await ann.get(f"{folder}/1/{name}")
        assert answer.headers["content-disposition"].startswith("attachment")
        assert answer.headers["cache-control"] == "no-store"
        (line,) = answer.text.splitlines()
        assert json.loads(line)["message"]["reason"] == "goodbye of Mine in 1"
        assert "goodbye of Other in 1" in (await bo.get(f"/author/players/2/matches/1/{name}")).text
        # Of another author's, of a match in play, and with a wrong token there are none.
        assert (await bo.get(f"{folder}/1/{name}")).status == 404
        assert (await ann.get(f"{folder}/2/{name}")).status == 404
        assert (await stranger.get(f"{folder}/1/{name}")).status == 403
        bearer = {"authorization": f"Bearer {opened.authors.make_token('Bo')}"}
        answer = await ask(opened.port, "GET", f"{folder}/1/{name}", bearer)
        assert answer.status == 403
        for path in (
            f"{folder}/1/../../../2/matches/1/{name}",
            f"{folder}/1/%2e%2e/%2e%2e/%2e%2e/2/matches/1/{name}",
            f"{folder}/1/..%2f..%2f2%2f1.msgpack",
            f"{folder}/..%2f2%2f1/{name}",
            f"/author/players/..%2f2/matches/1/{name}",
            f"/author/players/1/matches/1%00/{name}",
            "/author/wire/1/1.msgpack",
            "/wire/1/1.msgpack",
        ):
            assert (await ann.get(path)).status == 404


async def test_a_name_that_begins_as_anothers_opens_nothing_of_the_other(tmp_path: Path) -> None:
    # As an earlier release let it come.
    with closing(await asyncio.to_thread(played, tmp_path, "Mine / 1")) as store:
        async with doors(store, tmp_path) as opened:
            ann, bo = await opened.author("Ann"), await opened.author("Bo")
            of_ann = (await ann.get("/author/players/1/matches/1/?board=1")).text
            of_bo = (await bo.get("/author/players/2/matches/1/?board=1")).text
    for own in ("fault of", "thought of", "output of", "log of"):
        assert (f"{own} Mine in 1" in of_ann, f"{own} Mine / 1 in 1" in of_ann) == (True, False)
        assert (f"{own} Mine in 1" in of_bo, f"{own} Mine / 1 in 1" in of_bo) == (False, True)


async def test_of_large_logs_the_end_is_searched(
    store: LadderStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    day = store.archive.latest(1)[0].ended[:10]
    lines = (tmp_path / "log.jsonl").read_bytes()
    (tmp_path / "log.jsonl").rename(tmp_path / f"log-{day}.jsonl")
    (tmp_path / "log.jsonl").write_bytes(lines.replace(b" of Mine", b" of tomorrow"))
    (tmp_path / "log-2000-01-01.jsonl").write_bytes(lines)
    async with doors(store, tmp_path) as opened:
        browser, path = await opened.author("Ann"), "/author/players/1/matches/1/"
        for most, is_there in ((len(lines), True), (len(lines) // 2, False), (0, False)):
            monkeypatch.setattr(author_records, "MOST_BYTES", most)
            page = (await browser.get(path)).text
            assert ("output of Mine" in page, "of tomorrow" in page) == (is_there, False)


async def test_nothing_of_a_match_in_play_is_shown(store: LadderStore, tmp_path: Path) -> None:
    assert [match.number for match in store.open_matches()] == [2]
    async with doors(store, tmp_path) as opened:
        browser = await opened.author("Ann")
        page = (await browser.get("/author/players/1/")).text
        assert ("matches/1/" in page, "matches/2/" in page) == (True, False)
        assert (await browser.get("/author/players/1/matches/2/")).status == 404


async def test_nobody_reads_what_another_author_may(store: LadderStore, tmp_path: Path) -> None:
    private = Alert(Kind.PLAYER, "Other", "Other cannot play: no /secret/bot", "2026-11-29T02:00")
    store.alerts.put(Kind.PLAYER, "Other", private)
    store.authors.enter("Bo")
    store.authors.set_webhook("Bo", "https://hooks.example.org/secret")
    async with doors(store, tmp_path) as opened:
        ann, bo, stranger = await opened.author("Ann"), await opened.author("Bo"), opened.browser()
        paths = ("players/2/", "players/2/matches/1/", "players/2/matches/1/?board=1")
        for path in paths:
            assert (await bo.get(f"/author/{path}")).status == 200
            assert (await ann.get(f"/author/{path}")).status == 404
            assert (await stranger.get(f"/author/{path}")).status == 403
        missing = await ann.get("/author/players/9/")
        others = await ann.get("/author/players/2/")
        assert (missing.status, missing.text) == (others.status, others.text)
        assert "no /secret/bot" in (await bo.get("/author/")).text
        assert "hooks.example.org/secret" in (await bo.get("/author/")).text
        for path in ("", "players/1/", "players/1/matches/1/"):
            page = (await ann.get(f"/author/{path}")).text
            assert "secret" not in page


@pytest.mark.parametrize(
    "path",
    [
        "players/0/",
        "players/x/",
        "players/" + "9" * 5000 + "/",
        "players/1/matches/9/",
        "players/1/matches/0/",
        "players/1/matches/-1/",
        "players/1/matches/" + "9" * 5000 + "/",
        "players/1/matches/1/?board=3",
        "players/1/matches/1/?board=x",
        "players/1/?before=x",
        "players/1/?before=1 OR 1=1",
    ],
)
async def test_there_is_no_such_page(store: LadderStore, tmp_path: Path, path: str) -> None:
    async with doors(store, tmp_path) as opened:
        browser = await opened.author("Ann")
        assert (await browser.get(f"/author/{path.replace(' ', '%20')}")).status == 404


async def test_texts_are_no_markup(store: LadderStore, tmp_path: Path) -> None:
    store.enter(Registration(Entrant(bot="remote:x", name=MARKUP), MARKUP))
    alert = Alert(Kind.PLAYER, MARKUP, MARKUP, "2026-11-29T02:00")
    store.alerts.put(Kind.PLAYER, MARKUP, alert)
    version = store.add_version(3, MARKUP)
    store.note_presence(3, version.number, is_there=True)
    store.authors.describe(MARKUP, MARKUP, "https://example.org/", MARKUP)
    async with doors(store, tmp_path) as opened:
        browser = await opened.author(MARKUP)
        for path in ("", "players/3/"):
            page = await browser.get(f"/author/{path}")
            assert page.status == 200
            assert "<script>document" not in page.text
            assert "&lt;script&gt;document" in page.text
        answer = await browser.order(order="test", new=MARKUP, base=MARKUP, sprt=MARKUP)
        assert (answer.status, "<script>document" in answer.text) == (400, False)


async def test_pages_of_authors_are_kept_by_nobody_on_the_way(
    store: LadderStore, tmp_path: Path
) -> None:
    async with doors(store, tmp_path) as opened:
        browser = await opened.author("Ann")
        for path in ("", "players/1/", "players/1/matches/1/"):
            headers = (await browser.get(f"/author/{path}")).headers
            assert headers["cache-control"] == "no-store"
            assert "form-action 'self'" in headers["content-security-policy"]
            assert "content-encoding" not in headers


async def test_an_author_who_floods_the_own_pages_is_turned_away_alone(
    store: LadderStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(author_pages, "LOOKS_AT_ONCE", 2)
    monkeypatch.setattr(author_pages, "LOOKS_A_SECOND", 0.001)
    async with doors(store, tmp_path) as opened:
        ann, bo = await opened.author("Ann"), await opened.author("Bo")
        path = "/author/players/1/matches/1/"
        answers = [await ann.get(path) for _ in range(4)]
        assert [answer.status for answer in answers] == [200, 200, 429, 429]
        assert int(answers[-1].headers["retry-after"]) > 0
        assert (await bo.get("/author/players/2/matches/1/")).status == 200


async def test_an_author_reads_one_page_at_a_time_and_others_read_meanwhile(
    store: LadderStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    searches, searched, search_on = Semaphore(0), author_records.own_match, Event()

    def search(store: LadderStore, folder: Path, player: Player, number: int) -> OwnMatch | None:
        searches.release()
        assert search_on.wait(PATIENCE)
        return searched(store, folder, player, number)

    monkeypatch.setattr(author_pages, "own_match", search)
    async with doors(store, tmp_path) as opened:
        ann, bo, cy = [await opened.author(name) for name in ("Ann", "Bo", "Cy")]
        slow = [
            asyncio.create_task(ann.get("/author/players/1/matches/1/")),
            asyncio.create_task(bo.get("/author/players/2/matches/1/")),
        ]
        for _ in slow:
            assert await asyncio.to_thread(searches.acquire, timeout=PATIENCE)
        for path in ("", "players/1/", "players/1/matches/1/"):
            assert (await ann.get(f"/author/{path}")).status == 429
        assert (await cy.get("/author/")).status == 200
        search_on.set()
        assert [answer.status for answer in await asyncio.gather(*slow)] == [200, 200]
        assert (await ann.get("/author/")).status == 200


# Orders.


async def test_an_author_runs_own_players_by_forms(store: LadderStore, tmp_path: Path) -> None:
    async with doors(store, tmp_path) as opened:
        browser = await opened.author("Ann")
        assert "New joins the ladder" in (await browser.order(order="add", name="New")).text
        made = await browser.order(order="token", player="New")
        assert Tokens(tmp_path / "tokens.json").owner(token_in(made.text)) == "New"
        assert "Mine plays no more" in (await browser.order(order="pause", player="Mine")).text
        assert "Mine plays again" in (await browser.order(order="resume", player="Mine")).text
        said = await browser.order(
            order="describe", player="Mine", system="2/1", home="https://a.example/", news="Faster"
        )
        assert "Mine has another system and home page and text of news" in said.text
        asked = await browser.order(order="test", new="Mine", base="Other", sprt="imp0=0 imp1=1")
        assert "test 1 begins" in asked.text
        assert "Withdraw test 1" in (await browser.get("/author/")).text
        assert "is withdrawn" in (await browser.order(order="withdraw", number="1")).text
        url = "https://hooks.example.org/ann"
        assert "hooks.example.org" in (await browser.order(order="webhook", url=url)).text
        assert url in (await browser.get("/author/")).text
        refused = await browser.order(order="pause", player="Other")
        assert (refused.status, "no player of yours" in refused.text) == (400, True)
        assert url not in str(opened.log)
        assert token_in(made.text) not in str(opened.log)
        assert {line["author"] for line in opened.log} == {"Ann"}


@pytest.mark.parametrize("address", ["ws://ladder.example.org:7770", ""])
async def test_an_author_is_told_where_the_bots_connect(
    store: LadderStore, tmp_path: Path, address: str
) -> None:
    told = f"ARENA_URL={address}" if address else "who runs the ladder to which address"
    async with doors(store, tmp_path, address) as opened:
        link = f"/join/{opened.authors.invite()}"
        assert told in (await opened.browser().post(link, {"author": "Cy"})).text
        ann = await opened.author("Ann")
        assert told in (await ann.order(order="add", name="New")).text
        assert told in (await ann.order(order="token", player="New")).text
        assert told in (await ann.get("/author/")).text
        assert told in (await ann.get("/author/players/3/")).text
        assert "ARENA_URL" not in (await ann.get("/author/players/1/")).text
        given = {"order": "add", "bot": "remote:Newer"}
        assert told in (await opened.give(opened.authors.make_token("Ann"), given)).text


async def test_an_author_sees_when_the_webhook_fails(store: LadderStore, tmp_path: Path) -> None:
    url = "https://hooks.example.org/"
    async with doors(store, tmp_path) as opened:
        ann, bo = await opened.author("Ann"), await opened.author("Bo")
        await ann.order(order="webhook", url=url)
        assert "No alert has been posted there yet." in (await ann.get("/author/")).text
        store.authors.note_post("Ann", url, f"it failed {MARKUP}")
        page = (await ann.get("/author/")).text
        assert "not posted: <bdi>it failed &#34;&gt;&lt;script" in page
        assert "it failed" not in (await bo.get("/author/")).text
        store.authors.note_post("Ann", url, "")
        assert "the last alert was posted." in (await ann.get("/author/")).text


async def test_an_author_orders_from_afar_what_the_forms_order(
    store: LadderStore, tmp_path: Path
) -> None:
    async with doors(store, tmp_path) as opened:
        token = opened.authors.make_token("Ann")
        done = await opened.give(token, {"order": "pause", "player": "Mine"})
        assert (done.status, json.loads(done.text)["done"][:4]) == (200, "Mine")
        told = await opened.give(token, {"order": "status", "width": 80})
        assert ("Mine: paused" in told.text, "Other:" in told.text) == (True, False)
        for order in (
            {"order": "pause", "player": "Other"},
            {"order": "ban", "player": "Mine"},
            {"order": "describe", "player": "Other", "news": "forged"},
        ):
            refused = await opened.give(token, order)
            assert (refused.status, "done" in refused.text) == (400, False)
        opened.authors.make_token("Ann")
        assert (await opened.give(token, {"order": "resume", "player": "Mine"})).status == 401
    assert [one.state for one in store.players().values()] == [State.PAUSED, State.ACTIVE]


async def test_who_sends_no_token_is_told_how(store: LadderStore, tmp_path: Path) -> None:
    async with doors(store, tmp_path) as opened:
        for headers in ({}, {"authorization": "Bearer"}, {"authorization": "x" * 40}):
            answer = await ask(opened.port, "POST", "/api/v1/orders", headers, b"{}")
            assert (answer.status, answer.headers["www-authenticate"]) == (401, "Bearer")
            assert "send the header Authorization, as Bearer" in answer.text
        assert "the token is wrong" in (await opened.give("x" * 40, {})).text


async def test_orders_of_an_author_fill_no_disk(store: LadderStore, tmp_path: Path) -> None:
    async with doors(store, tmp_path) as opened:
        token, long = opened.authors.make_token("Ann"), "x" * 2001
        for order in (
            {"order": "add", "bot": f"remote:{long}"},
            {"order": "add", "bot": "remote:New", "name": long},
            {"order": "add", "bot": "remote:New", "author": long},
            {"order": "add", "bot": "remote:New", "clock": long},
            {"order": "pause", "player": long},
            {"order": "token", "player": long},
            {"order": "describe", "player": long, "news": ""},
            {"order": "describe", "player": "Mine", "news": long},
            {"order": "describe", "player": "Mine", "system": long},
            {"order": "describe", "player": "Mine", "home": long},
            {"order": "test", "new": long, "base": "Other"},
            {"order": "test", "new": "Mine", "base": long},
            {"order": "test", "new": "Mine", "base": "Other", "sprt": long},
            {"order": "webhook", "url": f"https://a.example/{long}"},
            {"order": long},
            {long: 1},
        ):
            assert (await opened.give(token, order)).status == 400, order
        assert max(len(json.dumps(line)) for line in opened.log) < 1000
        opened.log.clear()
        refused = await opened.give(token, {"order": "token", "player": long[1:]})
        assert refused.status == 400
        assert len(json.dumps(opened.log)) < 3000


async def test_no_author_takes_the_orders_of_others(
    store: LadderStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(orders_from_afar, "MOST_OF_AUTHOR", 3)
    async with doors(store, tmp_path) as opened:
        ann, bo = opened.authors.make_token("Ann"), opened.authors.make_token("Bo")
        administrator = Tokens(tmp_path / "tokens.json").create(ADMINISTRATOR)
        pause: dict[str, object] = {"order": "pause", "player": "Mine"}
        statuses = [(await opened.give(ann, pause)).status for _ in range(5)]
        assert statuses == [200, 200, 200, 429, 429]
        browser = opened.browser()
        await browser.sign_in(ann)
        assert (await browser.order(order="pause", player="Mine")).status == 429
        assert (await opened.give(bo, {"order": "pause", "player": "Other"})).status == 200
        assert (await opened.give(administrator, pause)).status == 200


async def test_a_version_cannot_be_forged(store: LadderStore, tmp_path: Path) -> None:
    before = store.versions()
    async with doors(store, tmp_path) as opened:
        token = opened.authors.make_token("Ann")
        for order in (
            {"order": "add", "bot": "remote:Other", "name": "Other"},
            {"order": "add", "bot": "remote:Mine", "name": "Mine"},
            {"order": "version", "player": "Other", "identity": "forged"},
            {"order": "describe", "player": "Mine", "identity": "forged"},
            {"order": "token", "player": "Other"},
        ):
            assert (await opened.give(token, order)).status == 400
    assert store.versions() == before
    assert [one.entrant.bot for one in store.players().values()] == ["baseline", "random"]
