"""A ladder for programs: what each address answers, and what attacks on it get."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, closing
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from bridge_arena.board_files.records import read_records
from bridge_arena.bridge.record import BoardRecord
from bridge_arena.tournaments.events.event import Entrant, Event
from bridge_arena.tournaments.ladder.ladder_file import Registration
from bridge_arena.tournaments.ladder.store import ladder_store
from bridge_arena.tournaments.ladder.store.alert_store import Alert, Kind
from bridge_arena.tournaments.ladder.store.ladder_store import LadderStore
from bridge_arena.tournaments.ladder.strength.sums import SWINGS, PairSums
from bridge_arena.tournaments.schedule.units import Unit
from bridge_arena.web.common import streams
from bridge_arena.web.ladder import application
from bridge_arena.web.ladder.programs import api, results_stream
from tests.patience import PATIENCE
from tests.tournaments.ladder.ladders import ladder_file, opened, play, venues
from tests.tournaments.scores import record
from tests.web.ladder.test_application import MARKUP, PowerCutError, Shown, shown, store

__all__ = ["store"]

TEXTS = ("/ladder", "/players", "/versions", "/matches", "/tests", "/players/1", "/pairs/1/2")


async def read(pages: Shown, path: str) -> Any:
    answer = await pages.get(f"/api/v1{path}")
    assert answer.status == 200, (path, answer)
    assert answer.headers["content-type"] == "application/json"
    return json.loads(answer.text)


def every_swing(imps: int, boards: int) -> tuple[int, ...]:
    return tuple(boards * (swing == imps) for swing in SWINGS)


def win(store: LadderStore, boards: int = 16) -> int:
    """End a match in which the first version has won each board by an IMP; return its number."""
    match = store.draw(1, 2)
    store.end(match, PairSums(every_swing(1, boards), 1, 1, 60.0, (0, 0), (0, 0), 0))
    return match.number


async def test_what_a_ladder_tells_of_players_and_matches(
    store: LadderStore, tmp_path: Path
) -> None:
    async with shown(store, tmp_path) as pages:
        ladder = await read(pages, "/ladder")
        assert ladder == {
            "name": "Club",
            "anchor": "baseline",
            "is_played": False,
            "matches": 1,
            "boards": 2,
            "waiting": [],
            "in_play": ladder["in_play"],
            "adjourned": [],
            "circles": [],
        }
        (begun,) = ladder["in_play"]
        assert begun["number"] == 2
        players = (await read(pages, "/players"))["players"]
        assert [one["name"] for one in players] == ["baseline", "random"]
        own = await read(pages, "/players/1")
        assert own["versions"][0]["version"] == own["version"] == players[0]["version"]
        (opponent,) = (await read(pages, "/players/1/opponents"))["opponents"]
        assert (opponent["opponent"]["name"], opponent["gain"], opponent["boards"]) == (
            "random",
            0.0,
            2,
        )
        pair = await read(pages, "/pairs/2/1")
        assert (pair["player"]["name"], pair["opponent"]["name"]) == ("random", "baseline")
        assert (pair["interval"], pair["is_stronger"]) == (
            [-one + 0.0 for one in reversed(opponent["interval"])],
            None,
        )
        matches = await read(pages, "/matches?player=1")
        assert matches == {"next": None, "matches": [await read(pages, "/matches/1")]}
        assert matches["matches"][0]["home"]["number"] in (1, 2)


async def test_the_boards_of_a_match_are_the_same_in_all_forms(
    store: LadderStore, tmp_path: Path
) -> None:
    async with shown(store, tmp_path) as pages:
        tables = (await read(pages, "/matches/1/boards"))["tables"]
        assert [(one["board"], one["room"], one["imps"]) for one in tables] == [
            (1, "Open", 0),
            (1, "Closed", 0),
            (2, "Open", 0),
            (2, "Closed", 0),
        ]
        for form in ("pbn", "lin"):
            answer = await pages.get(f"/api/v1/matches/1/boards.{form}")
            assert answer.headers["cache-control"] == "public, max-age=3600"
            file = tmp_path / f"boards.{form}"
            file.write_text(answer.text, encoding="latin-1")
            records = list(read_records(file))
            assert [str(one.board.deal) for one in records] == [one["deal"] for one in tables]


async def test_nothing_of_a_match_in_play_but_its_teams_is_told(tmp_path: Path) -> None:
    path, played = tmp_path / "results.sqlite", count()

    def five_boards_then_a_power_cut(event: Event, unit: Unit) -> BoardRecord:
        if next(played) == 10:
            raise PowerCutError
        return record(event, unit, 0)

    opened(path, ladder_file("baseline", "random", boards=4)).close()
    with pytest.raises(PowerCutError):
        await asyncio.to_thread(play, path, venues(five_boards_then_a_power_cut), None)
    with closing(LadderStore.open(path)) as store:
        await check_that_boards_are_hidden(store, tmp_path)


async def check_that_boards_are_hidden(store: LadderStore, folder: Path) -> None:
    match = store.archive.boards_of(2)
    assert match is not None
    cards = {str(record.board.deal) for _, record in match.results()}
    assert cards
    async with shown(store, folder) as pages:
        for path in ("", "/boards", "/boards.pbn", "/boards.lin"):
            answer = await pages.get(f"/api/v1/matches/2{path}")
            assert answer.status == 404
            assert "error" in json.loads(answer.text)
        for path in TEXTS:
            text = (await pages.get(f"/api/v1{path}")).text
            assert not any(deal in text for deal in cards)


async def test_pages_lead_to_the_next_ones(store: LadderStore, tmp_path: Path) -> None:
    for _ in range(4):
        win(store)
    async with shown(store, tmp_path) as pages:
        for path, key in (("/matches", "matches"), ("/versions", "versions")):
            found: list[int] = []
            following: str | None = "?limit=1"
            while following is not None:
                page = await read(pages, path + following)
                assert len(page[key]) == 1
                found.append(page[key][0]["number"])
                following = page["next"]
            assert found == sorted(found, reverse=True)
            every = await read(pages, path)
            assert ([one["number"] for one in every[key]], every["next"]) == (found, None)
        page = await read(pages, "/matches?limit=2&player=1")
        assert page["next"] == "?limit=2&player=1&before=5"


BAD_QUERIES = {
    "?limit=0": "limit: expected a whole number from 1 to 200",
    "?limit=201": "limit: expected a whole number from 1 to 200",
    "?limit=-1": "limit: expected a whole number",
    "?limit=" + "9" * 200: "limit: expected a whole number",
    "?limit=%D9%A3": "limit: expected a whole number",
    "?limit=1.0": "limit: expected a whole number",
    "?limit=": "limit: expected a whole number from 1 to 200",
    "?limit=%2B5": "limit: expected a whole number",
    "?player=1%20OR%201=1": "player: expected a whole number",
    "?player=1';DROP%20TABLE%20ladder_match;--": "player: expected a whole",
    "?before=0": "before: expected a whole number from 1 to 999999999",
    "?limit=1&limit=2": "a parameter is given twice",
    "?name=Ann": "'name' is no parameter: there are limit, before, player",
    "?%3Cscript%3E=1": "'<script>' is no parameter",
    "?" + "&".join(f"a{number}=1" for number in range(3000)): "at most 300 letters",
}


async def test_a_query_that_cannot_be_read_is_refused_by_name(
    store: LadderStore, tmp_path: Path
) -> None:
    async with shown(store, tmp_path) as pages:
        for query, says in BAD_QUERIES.items():
            answer = await pages.get(f"/api/v1/matches{query}")
            assert (answer.status, answer.headers["content-type"]) == (400, "application/json")
            assert says in json.loads(answer.text)["error"], query
        assert (await pages.get("/api/v1/matches")).status == 200


async def test_its_address_leads_to_the_document(store: LadderStore, tmp_path: Path) -> None:
    async with shown(store, tmp_path) as pages:
        for page in ("/", "/players/1/", "/matches/"):
            assert 'api/v1/">API</a>' in (await pages.get(page)).text
        answer = await pages.get("/api/v1/")
        assert (answer.status, answer.headers["location"]) == (307, "openapi.json")


async def test_what_is_not_there_is_refused_in_json(store: LadderStore, tmp_path: Path) -> None:
    async with shown(store, tmp_path) as pages:
        for path in (
            *("/nothing", "/players/3", "/players/0", "/players/-1", "/players/%D9%A3"),
            *("/players/1.0", "/players/" + "9" * 5000, "/players/1%20OR%201=1", "/pairs/1/1"),
            *("/pairs/1/9", "/matches/9", "/matches/1/boards.xml", "/matches?player=9"),
            "/matches/1/../2/boards",
        ):
            answer = await pages.get(f"/api/v1{path}")
            assert (answer.status, list(json.loads(answer.text))) == (404, ["error"]), path
        for method, path in (("POST", "/players"), ("DELETE", "/matches/1"), ("PUT", "/results")):
            answer = await pages.ask(method, f"/api/v1{path}")
            assert (answer.status, list(json.loads(answer.text))) == (405, ["error"])


async def test_who_has_not_come_yet_is_told_with_its_number(tmp_path: Path) -> None:
    path = tmp_path / "results.sqlite"
    opened(path, ladder_file("baseline", "random")).close()
    with closing(LadderStore.open(path)) as ladder:
        async with shown(ladder, tmp_path) as pages:
            waiting = (await read(pages, "/ladder"))["waiting"]
            assert waiting[0] == {"number": 1, "name": "baseline"}
            answer = await pages.get("/api/v1/players/1")
            assert (answer.status, json.loads(answer.text)) == (
                404,
                {"error": "player 1 has not come yet"},
            )


async def test_pages_of_other_sites_may_ask_with_what_they_have_and_give_no_orders(
    store: LadderStore, tmp_path: Path
) -> None:
    async with shown(store, tmp_path) as pages:
        for path in ("/players", "/players/1", "/results", "/openapi.json"):
            answer = await pages.ask("OPTIONS", f"/api/v1{path}")
            assert (answer.status, answer.headers["access-control-allow-origin"]) == (204, "*")
            allowed = answer.headers["access-control-allow-headers"]
            assert allowed == "if-none-match, last-event-id"
        for method in ("OPTIONS", "GET", "PUT"):
            answer = await pages.ask(method, "/api/v1/orders")
            assert (answer.status, list(json.loads(answer.text))) == (405, ["error"])
            assert not [name for name in answer.headers if name.startswith("access-control")]
        answer = await pages.ask("HEAD", "/api/v1/results")
        assert answer.headers["access-control-allow-origin"] == "*"
        assert answer.headers["cross-origin-resource-policy"] == "cross-origin"


async def test_an_answer_is_sent_once_to_who_keeps_it(store: LadderStore, tmp_path: Path) -> None:
    async with shown(store, tmp_path) as pages:
        first = await pages.get("/api/v1/players")
        tag = first.headers["etag"]
        others = ", ".join(f'"{number:032x}"' for number in range(1000))
        for tags in (tag, f"W/{tag}", f"{others}, {tag}", "*"):
            again = await pages.get("/api/v1/players", if_none_match=tags)
            assert (again.status, again.text, again.headers["etag"]) == (304, "", tag)
        assert (await pages.get("/api/v1/players", if_none_match=others)).status == 200
        head = await pages.ask("HEAD", "/api/v1/players")
        assert (head.status, head.text, head.headers["etag"]) == (200, "", tag)
        for answer in (first, head, await pages.get("/api/v1/nothing")):
            assert answer.headers["access-control-allow-origin"] == "*"
            assert answer.headers["cross-origin-resource-policy"] == "cross-origin"
        order = await pages.order(b"{}", "")
        assert order.status == 401
        assert "access-control-allow-origin" not in order.headers


async def test_who_asks_too_often_has_to_wait_and_others_do_not(
    store: LadderStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(api, "AT_ONCE", 3)
    monkeypatch.setattr(api, "RATE", 0.01)
    async with shown(store, tmp_path) as pages:
        answers = [
            await pages.get("/api/v1/ladder", x_forwarded_for=f"forged, {forged}, 192.0.2.1")
            for forged in range(4)
        ]
        assert [one.status for one in answers] == [200, 200, 200, 429]
        assert 90 <= int(answers[3].headers["retry-after"]) <= 101
        assert "requests a second" in json.loads(answers[3].text)["error"]
        assert (await pages.get("/api/v1/results", x_forwarded_for="192.0.2.1")).status == 429
        assert (await pages.get("/api/v1/ladder", x_forwarded_for="192.0.2.2")).status == 200
        assert (await pages.get("/api/v1/ladder")).status == 200


async def test_answers_tell_neither_paths_of_this_machine_nor_alerts(
    store: LadderStore, tmp_path: Path
) -> None:
    player = Entrant(bot="cmd:/secret/program", name=MARKUP, dir="/secret")
    store.enter(Registration(player, MARKUP), Path("/secret"))
    store.note_presence(3, store.add_version(3, "1").number, is_there=True)
    store.alerts.put(Kind.PLAYER, MARKUP, Alert(Kind.PLAYER, MARKUP, "no /secret/program", "2026"))
    async with shown(store, tmp_path) as pages:
        for path in (*TEXTS, "/players/3", "/openapi.json"):
            answer = await pages.get(f"/api/v1{path}")
            assert answer.status == 200
            assert "secret" not in answer.text.replace("client_secret", "")
            assert str(tmp_path) not in answer.text
        assert json.loads((await pages.get("/api/v1/players/3")).text)["name"] == MARKUP


# The stream of results.


@asynccontextmanager
async def stream(pages: Shown, last: str = "") -> AsyncIterator[asyncio.StreamReader]:
    """The stream of results, once it has begun."""
    reader, writer = await asyncio.open_connection("127.0.0.1", pages.port)
    sent = f"last-event-id: {last}\r\n" if last else ""
    path = "/api/v1/results"
    writer.write(f"GET {path} HTTP/1.1\r\nhost: 127.0.0.1:{pages.port}\r\n{sent}\r\n".encode())
    await reader.readuntil(b": hello\n\n")
    try:
        yield reader
    finally:
        writer.close()


async def numbers(reader: asyncio.StreamReader, count: int) -> list[int]:
    """The numbers of the next matches of a stream."""
    found = []
    async with asyncio.timeout(PATIENCE):
        for _ in range(count):
            await reader.readuntil(b"id: ")
            number = int(await reader.readline())
            assert await reader.readline() == b"event: result\n"
            data = (await reader.readline()).removeprefix(b"data: ")
            assert json.loads(data)["number"] == number
            found.append(number)
    return found


async def until(pages: Shown, path: str, numbers: Sequence[int]) -> None:
    """Wait until the latest matches are those of these numbers."""
    while True:
        matches = (await read(pages, path))["matches"]
        if [one["number"] for one in matches] == list(numbers):
            return


async def test_results_come_as_matches_end_and_again_to_who_missed_them(
    store: LadderStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(application, "LOOK_SECONDS", 0.01)
    monkeypatch.setattr(application, "REST", 0)
    monkeypatch.setattr(api, "AT_ONCE", 10**6)
    # Results of the same second may come twice.
    seconds = count()
    monkeypatch.setattr(ladder_store, "now", lambda: f"2099-01-01T00:00:{next(seconds):02}+00:00")
    async with shown(store, tmp_path) as pages:
        await until(pages, "/matches", [1])
        third = store.draw(1, 2)
        assert win(store) == 4
        await until(pages, "/matches", [4, 1])
        # The earlier match ends later, and is told later.
        store.end(third, PairSums(every_swing(2, 4), 1, 1, 60.0, (0, 0), (0, 0), 0))
        await until(pages, "/matches", [4, 3, 1])
        async with AsyncExitStack() as streams:
            readers = [
                await streams.enter_async_context(stream(pages, last))
                for last in ("1", "2", "3", "999", "")
            ]
            assert await numbers(readers[0], 2) == [4, 3]
            assert await numbers(readers[1], 3) == [1, 4, 3], "the number is not known"
            fifth = win(store)
            for reader in readers:
                assert await numbers(reader, 1) == [fifth]
        for wrong in ("x", "-1", "\u0663".encode().decode("latin-1"), "1" * 20, "1 OR 1=1"):
            answer = await pages.get("/api/v1/results", last_event_id=wrong)
            assert (answer.status, list(json.loads(answer.text))) == (400, ["error"])


async def test_streams_are_few_for_each_address_and_end_with_their_readers(
    store: LadderStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(results_stream, "MOST_OF_ONE", 2)
    async with shown(store, tmp_path) as pages:
        host = b"host: 127.0.0.1:%d\r\n\r\n" % pages.port
        readers = [await asyncio.open_connection("127.0.0.1", pages.port) for _ in range(2)]
        for reader, writer in readers:
            writer.write(b"GET /api/v1/results HTTP/1.1\r\n" + host)
            await reader.readuntil(b": hello\n\n")
        assert (await pages.get("/api/v1/results")).status == 429
        assert (await pages.ask("HEAD", "/api/v1/results")).status == 429
        for _, writer in readers:
            writer.close()
        statuses = {429}
        while statuses == {429}:
            statuses = {(await pages.ask("HEAD", "/api/v1/results")).status}
        assert statuses == {200}


async def test_a_reader_that_never_reads_is_dropped(
    store: LadderStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(application, "LOOK_SECONDS", 0.01)
    monkeypatch.setattr(application, "REST", 0)
    monkeypatch.setattr(api, "AT_ONCE", 10**6)
    monkeypatch.setattr(results_stream, "_event", lambda *_: streams.http_chunk(b"x" * 2**24))
    async with shown(store, tmp_path) as pages, stream(pages) as lazy:
        for matches in ([3, 1], [4, 3, 1], [5, 4, 3, 1]):
            win(store)
            await until(pages, "/matches", matches)
        with pytest.raises((ConnectionError, asyncio.IncompleteReadError)):
            await lazy.readexactly(3 * 2**24)
