"""People at tables of a ladder: what they may do and see, and what strangers may not."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed, InvalidStatus

from bridge_arena.bridge.seats import Seat
from bridge_arena.server.supervisor import StartError
from bridge_arena.tournaments.events.event import Entrant
from bridge_arena.tournaments.ladder.ladder_file import PeopleTables, Registration
from bridge_arena.tournaments.ladder.people import people_tables
from bridge_arena.tournaments.ladder.people.board_of_the_day import draw_day
from bridge_arena.tournaments.ladder.people.people_tables import Venues
from bridge_arena.tournaments.ladder.store.ladder_store import LadderStore
from bridge_arena.tournaments.ladder.store.people_store import KeptDay
from bridge_arena.web.ladder.people import open_tables, people_table, today
from bridge_arena.web.ladder.people import people as people_pages
from bridge_arena.web.ladder.people.people_table import Stage
from tests.patience import PATIENCE
from tests.tournaments.ladder.ladders import ladder_file, opened, play, venues
from tests.tournaments.scores import record
from tests.web.ladder.people.tables import Browser, Calendar, IdleVenues, People, people_at
from tests.web.seat.reception import heard

MARKUP = "<script>alert(1)</script>"

FORM = {"partner": "1", "opponents": "2", "boards": "2", "name": ""}


def _play(folder: Path) -> None:
    file = ladder_file("baseline", "random")
    file = replace(
        file,
        definition=file.definition.model_copy(update={"people": PeopleTables(tables=3)}),
    )
    path = folder / "results.sqlite"
    opened(path, file).close()
    play(path, venues(lambda event, unit: record(event, unit, 50)), 6, concurrency=1)


@pytest.fixture
def store(
    tmp_path: Path, copy_of_made: Callable[[Callable[[Path], object], Path], None]
) -> Iterator[LadderStore]:
    """A ladder whose first three matches are over, with tables for people."""
    copy_of_made(_play, tmp_path)
    with closing(LadderStore.open(tmp_path / "results.sqlite")) as store:
        yield store


async def table_of(browser: Browser, **form: str) -> str:
    """Open a table; return its path."""
    answer = await browser.post("/play/", **FORM | form)
    assert answer.status == 303, answer
    return "/play/" + answer.headers["location"]


async def until_seated(browser: Browser, path: str) -> None:
    """Wait until the seat of a browser is there."""
    while (await browser.get(path)).status != 303:
        pass


async def until_over(people: People) -> None:
    people.venues.go.set()
    await asyncio.gather(*(one.playing for one in people.tables._tables.values() if one.playing))


async def test_a_person_plays_boards_of_a_match_that_is_over_and_sees_its_results(
    store: LadderStore,
) -> None:
    async with people_at(store, Calendar()) as people:
        you, stranger = people.browser(), people.browser()
        page = (await you.get("/play/?opponents=2")).text
        # The best of the others is the partner.
        chosen = re.findall(r'<option value="(\d)" selected>', page)
        assert chosen == ["1", "2"]
        path = await table_of(you, name="Zoë")
        await until_seated(you, path)
        assert "Zoë" in (await you.get(f"{path}seat/")).text
        assert (await you.get(f"{path}boards/1/")).status == 404, "it is not played yet"
        await until_over(people)
        field = await you.get(f"{path}boards/1/")
        assert field.status == 200
        assert re.search(
            r"(baseline – random|random – baseline) \(match \d, open room\)", field.text
        )
        assert "50 points for North-South" in field.text
        assert (await you.get(f"{path}boards/1/replay")).status == 200
        for other in ("boards/1/", "boards/1/replay", "seat/", "seat/about"):
            assert (await stranger.get(path + other)).status == 404
        assert len({deal for each in visitors(store) for deal in store.people.deals_of(each)}) == 2


def visitors(store: LadderStore) -> set[str]:
    boards = [board for match in (1, 2, 3) for board in store.people.of_deal(f"{match}/1")]
    return {board.person for board in boards}


async def test_nobody_is_dealt_a_board_twice(store: LadderStore) -> None:
    async with people_at(store, Calendar()) as people:
        you = people.browser()
        dealt = []
        for _ in range(3):
            path = await table_of(you)
            one = people.tables.table(path.split("/")[3])
            assert one is not None
            await until_over(people)
            dealt += [deal.name for deal in one.table.deals]
        assert sorted(dealt) == ["1/1", "1/2", "2/1", "2/2", "3/1", "3/2"]
        again = await you.post("/play/", **FORM)
        assert (again.status, "you have not seen" in again.text) == (409, True)
        # Nothing is left of the table that could not begin.
        assert (await people.browser().post("/play/", **FORM)).status == 303


async def test_a_link_invites_each_other_to_one_seat_until_play_begins(store: LadderStore) -> None:
    async with people_at(store, Calendar()) as people:
        ann, bob, eve, late = (people.browser() for _ in range(4))
        path = await table_of(ann, name="Ann", invite="1")
        assert "Begin" in (await ann.get(path)).text
        assert "Sit down" in (await bob.get(path)).text
        assert (await bob.post(f"{path}begin")).status == 403, "who has no seat begins nothing"
        assert (await bob.post(path, seat="N", name=MARKUP)).status == 303
        # A seat is given once, and a browser has one; a name stands for one person.
        assert (await eve.post(path, seat="N", name="Eve")).status == 409
        assert (await eve.post(path, seat="S", name="Eve")).status == 409
        assert (await eve.post(path, seat="Q", name="Eve")).status == 409
        assert (await eve.post(path, seat="E", name="\uff21nn")).status == 409
        assert (await bob.post(path, seat="E", name="Bob")).status == 303
        one = people.tables.table(path.split("/")[3])
        assert one is not None
        assert {seat: guest.name for seat, guest in one.table.guests.items()} == {
            Seat.SOUTH: "Ann",
            Seat.NORTH: MARKUP,
        }
        shown = (await eve.get(path)).text
        assert MARKUP not in shown
        assert "&lt;script&gt;" in shown
        assert (await bob.post(f"{path}begin")).status == 303
        await until_seated(bob, path)
        assert (await late.post(path, seat="E", name="Late")).status == 409
        assert "They play already" in (await late.get(path)).text
        assert [seat for seat in "NESW" if (await late.get(f"{path}seat/")).status != 404] == []
        (event,) = people.venues.events
        assert event.entries[0].bot == "human:N & human:S & human:N & human:S"
        assert event.entries[1].bot == "random & random & random & random"
        await until_over(people)


async def test_who_leaves_a_table_frees_it_once_no_person_is_left(store: LadderStore) -> None:
    async with people_at(store, Calendar()) as people:
        ann, bob, eve = (people.browser() for _ in range(3))
        path = await table_of(ann, name="Ann", invite="1")
        page = (await bob.get(path)).text
        assert "<bdi>Ann</bdi>’s table, waiting to begin" in page
        assert "The table closes in 10 minutes" in page
        assert (await bob.post(path, seat="N", name="Bob")).status == 303
        assert (await eve.post(f"{path}leave")).status == 403, "who has no seat leaves none"
        assert (await ann.post(f"{path}leave", origin="https://evil.example")).status == 403
        assert (await ann.post(f"{path}begin")).status == 303
        await until_seated(ann, path)
        assert "Leave table" in (await ann.get(f"{path}seat/")).text
        one = people.tables.table(path.split("/")[3])
        assert one is not None
        assert (await ann.post(f"{path}leave")).status == 303
        stages = [one.table.stage]
        left = await bob.post(f"{path}leave")
        assert left.headers["location"] == "../../?partner=1&opponents=2&boards=2"
        stages.append(one.table.stage)
        assert stages == [Stage.PLAYING, Stage.OVER]
        assert "Everybody has left." in (await eve.get(path)).text
        assert 'value="Ann"' in (await ann.get("/play/")).text, "the name is remembered"


async def test_forms_of_other_sites_do_nothing(store: LadderStore) -> None:
    async with people_at(store, Calendar()) as people:
        you = people.browser()
        path = await table_of(you, invite="1")
        for origin in (None, "https://evil.example", "null", f"http://127.0.0.1:{people.port}0"):
            for where in ("/play/", path, f"{path}begin", "/today/"):
                assert (await you.post(where, origin=origin, **FORM)).status == 403
        one = people.tables.table(path.split("/")[3])
        assert one is not None
        assert one.table.stage is Stage.WAITING
        assert len(people.tables._tables) == 1


WRONG = [
    ({"partner": "3"}, 400),
    ({"partner": "9" * 10_000}, 413),
    ({"partner": "-1"}, 400),
    ({"opponents": "1 OR 1=1"}, 400),
    ({"boards": "3"}, 400),
    ({"boards": "9" * 100}, 400),
    ({"name": "x" * 31}, 400),
    ({"name": "a\u202eb"}, 400),
    ({"name": "x" * 10_000}, 413),
    ({"name": "\u3164"}, 400),
    ({"name": "\u2800 \ufe0f"}, 400),
    ({"name": "…!"}, 400),
    ({"name": "a" + "\u0301" * 20}, 400),
    ({"name": "RANDOM"}, 409),
    ({"name": "ｒａｎｄｏｍ"}, 409),
    ({"name": "ran\u034fdom"}, 409),
]
"""Fields that no form of the page sends, and the status of the answer."""


async def test_what_no_form_of_the_page_sends_opens_no_table(store: LadderStore) -> None:
    async with people_at(store, Calendar()) as people:
        for form, status in WRONG:
            answer = await people.browser().post("/play/", **FORM | form)
            assert (answer.status, form) == (status, form)
        assert not people.tables._tables


async def test_a_flood_opens_few_tables_and_those_that_nobody_begins_close(
    store: LadderStore,
) -> None:
    calendar = Calendar()
    async with people_at(store, calendar) as people:

        async def opened(address: str) -> int:
            answer = await people.browser(address).post("/play/", **FORM, invite="1")
            return answer.status

        # An address, or an IPv6 network, has no more than half of the tables.
        own = [await opened(f"2001:db8::{number}") for number in (1, 2)]
        assert own == [303, 429]
        others = [await opened(f"192.0.2.{number}") for number in (1, 2, 3)]
        assert others == [303, 303, 503]
        refused = await people.browser("192.0.2.4").post("/play/", **FORM)
        assert "One is free in 10 minutes at the latest." in refused.text
        calendar.seconds += open_tables.WAITING_SECONDS + 1
        assert await opened("192.0.2.2") == 303


async def test_who_asks_too_often_keeps_nobody_else_away(
    store: LadderStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(open_tables, "A_MINUTE", 4)
    calendar = Calendar()
    async with people_at(store, calendar) as people:

        async def asks(address: str, **form: str) -> int:
            return (await people.browser(address).post("/play/", **FORM | form)).status

        # No match has so many boards.
        flood = [await asks("192.0.2.1", boards="8") for _ in range(open_tables.A_MINUTE + 1)]
        at_once = open_tables.TABLES_AT_ONCE
        assert flood == [409] * at_once + [429] * (len(flood) - at_once)
        for number in range(2, 3 + open_tables.A_MINUTE):
            assert await asks(f"192.0.2.{number}", boards="8") == 409
        assert await asks("198.51.100.1") == 303
        calendar.seconds += 60 / open_tables.TABLES_A_MINUTE
        assert await asks("192.0.2.1") == 303


async def test_few_tables_begin_in_a_minute(
    store: LadderStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(open_tables, "A_MINUTE", 2)
    calendar = Calendar()
    async with people_at(store, calendar) as people:
        statuses = [(await people.browser().post("/play/", **FORM)).status for _ in range(3)]
        assert statuses == [303, 303, 429]
        calendar.seconds += 60
        assert (await people.browser().post("/play/", **FORM)).status == 303


async def test_only_players_that_cost_nothing_or_are_named_can_be_played_against(
    store: LadderStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(people_pages, "FORM_SECONDS", 0.0)
    for bot, name in (
        ("llm:model=x", "Model"),
        ("http:http://127.0.0.1:1", "Robot"),
        ("remote:Zed", "Zed"),
        ("oracle", "Cheat"),
    ):
        store.enter(Registration(Entrant(bot=bot, name=name)))
    async with people_at(store, Calendar()) as people:
        page = (await people.browser().get("/play/?player=5")).text
        names = set(re.findall(r"<option value=\"\d+\"[^>]*>([^<]+)<", page))
        assert names == {"baseline", "random"}
        assert "<bdi>Zed</bdi> is not available: its author runs it" in page
        settings = PeopleTables(tables=1, bots=("Model", "Zed"))
        store.define(store.definition().model_copy(update={"people": settings}))
        page = (await people.browser().get("/play/")).text
        assert set(re.findall(r"<option value=\"\d+\"[^>]*>([^<]+)<", page)) == {"Model"}
        store.define(store.definition().model_copy(update={"people": None}))
        assert "Nobody can be played against" in (await people.browser().get("/play/")).text
        assert (await people.browser().post("/play/", **FORM)).status == 404


@pytest.mark.slow
async def test_a_seat_is_told_its_own_cards_alone_and_a_table_ends_when_its_person_is_gone(
    store: LadderStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(people_tables, "AWAY_SECONDS", 0.2)
    async with people_at(store, Calendar(), Venues()) as people:
        you, stranger = people.browser(), people.browser()
        path = await table_of(you, opponents="1")
        await until_seated(you, path)
        one = people.tables.table(path.split("/")[3])
        assert one is not None
        assert one.playing is not None
        async with you.window(path, "S") as window:
            hands: list[str] = []
            while not hands:
                message = await heard(window)
                events = message["events"] if message["type"] == "Snapshot" else [message]
                hands += [event["hand"] for event in events if event["type"] == "BoardStart"]
                assert not any({"deal", "hands"} & event.keys() for event in events)
            deal = one.table.deals[0].given.board.deal
            assert hands == [str(deal[Seat.SOUTH])]
            for browser in (you, stranger):
                with pytest.raises(InvalidStatus):
                    async with browser.window(path.replace("tables/", "tables/x"), "S"):
                        pass
            with pytest.raises(InvalidStatus):
                async with stranger.window(path, "S"):
                    pass
        await asyncio.wait_for(one.playing, PATIENCE)
        assert one.table.stage is Stage.OVER
        assert "A player left the table" in (await stranger.get(path)).text
        assert (await you.get(f"{path}boards/1/")).status == 404


@pytest.mark.slow
async def test_a_person_who_lets_the_time_run_out_is_not_there(
    store: LadderStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(people_tables, "CLOCK", "0.05")
    async with people_at(store, Calendar(), Venues()) as people:
        you = people.browser()
        path = await table_of(you, opponents="1")
        await until_seated(you, path)
        one = people.tables.table(path.split("/")[3])
        assert one is not None
        assert one.playing is not None
        async with you.window(path, "S"):
            await asyncio.wait_for(one.playing, PATIENCE)
        assert one.table.trouble == "A player left the table."


async def test_a_table_whose_bot_cannot_play_is_over(store: LadderStore) -> None:
    class FailingVenues(IdleVenues):
        async def play(self, *args: object, **more: object) -> None:
            await super().play(*args, **more)  # type: ignore[arg-type]
            raise StartError("a secret path")

    venues = FailingVenues()
    async with people_at(store, Calendar(), venues) as people:
        you = people.browser()
        path = await table_of(you)
        await until_seated(you, path)
        async with you.window(path, "S") as window:
            venues.go.set()
            await until_over(people)
            with pytest.raises(ConnectionClosed):
                await until_closed(window)
        page = (await people.browser().get(path)).text
        assert "A bot could not play." in page
        assert "secret" not in page


async def until_closed(window: ClientConnection) -> None:
    while True:
        await heard(window)


@pytest.mark.slow
async def test_a_table_that_takes_too_long_is_over(
    store: LadderStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(people_table, "BOARD_SECONDS", 0.2)
    async with people_at(store, Calendar(), Venues()) as people:
        path = await table_of(people.browser())
        await until_over(people)
        assert "The time of this table is over." in (await people.browser().get(path)).text
        await asyncio.sleep(0)
        assert not [task for task in asyncio.all_tasks() if "LiveArena" in repr(task)]


# The board of the day.


async def test_everybody_plays_the_board_of_the_day_once_and_results_wait_for_midnight(
    store: LadderStore,
) -> None:
    calendar = Calendar()
    async with people_at(store, calendar) as people:
        await people.today._draw()
        ann, bob = people.browser(), people.browser()
        day = f"/today/{calendar.day}"
        answer = await ann.post("/today/", name="Ann")
        assert answer.status == 303, answer
        path = "/play/" + answer.headers["location"].removeprefix("../play/")
        await until_seated(ann, path)
        assert (await ann.post("/today/", name="Ann 2")).status == 409, "once for each browser"
        assert (await bob.post("/today/", name="ann")).status == 409, "a name is one person's"
        assert (await bob.post("/today/", name="Ｂaseline")).status == 409, "and no player's"
        assert (await bob.post(path, seat="N", name="Bob")).status == 409, "nobody is invited"
        await until_over(people)
        # Before midnight: the own result, and nothing of others, whichever way one asks.
        assert "Passed out" in (await ann.get("/today/")).text
        assert "Passed out" not in (await bob.get("/today/")).text
        about = (await ann.get(f"{path}seat/about")).text
        assert "bot" not in about
        assert '"worth"' not in about
        assert (await ann.get(f"{path}boards/1/")).headers["location"].endswith("/today/")
        assert (await ann.get(f"{path}boards/1/replay")).headers["location"].endswith("/today/")
        key = str(draw_day(store, calendar.day).sealing.key)  # type: ignore[union-attr]
        for hidden in (
            f"{day}/",
            f"{day}/1",
            f"{day}.pbn",
            f"/today/{calendar.day + timedelta(1)}/",
        ):
            for browser in (ann, bob):
                assert (await browser.get(hidden)).status == 404
        assert key not in (await ann.get("/today/")).text
        calendar.day += timedelta(1)
        page = (await bob.get(f"{day}/")).text
        assert "Ann" in page
        assert "baseline</bdi></a> <small>bot" in page
        assert key in page
        assert (await bob.get(f"{day}/1")).status == 200
        assert key in (await bob.get(f"{day}.pbn")).text
        for wrong in ("0", "4", "x", "1" * 4000):
            assert (await bob.get(f"{day}/{wrong}")).status == 404
        for wrong in ("2026-13-01", "x", "2026-11-28", "20261129", "9999-01-01"):
            assert (await bob.get(f"/today/{wrong}/")).status == 404


async def test_the_results_of_a_day_are_pages_that_are_kept_with_the_own_result_apart(
    store: LadderStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(today, "ON_PAGE", 2)
    calendar = Calendar()
    async with people_at(store, calendar) as people:
        await people.today._draw()
        people.venues.go.set()
        ann, day = people.browser(), f"/today/{calendar.day}/"
        for browser, name in ((ann, "Ann"), (people.browser(), "Bob")):
            assert (await browser.post("/today/", name=name)).status == 303
            await until_over(people)
        assert '<nav class="ups"' in (await ann.get("/today/own")).text
        assert (await people.browser().get("/today/own")).status == 404
        calendar.day += timedelta(1)
        pages = [await people.browser().get(f"{day}?page={number}") for number in (1, 2)]
        for page in pages:
            assert page.headers["etag"]
            assert len(re.findall(r"<small>", page.text)) == 2
            assert "Your result" not in page.text
        assert "Page 2 of 2" in pages[1].text
        for number in (1, 2):
            own = (await ann.get(f"{day}?page={number}")).text
            assert re.search(r'Your result.*class="own".*Ann.*All results', own, re.DOTALL)
        for wrong in ("0", "3", "x", "-1", "9" * 5000):
            assert (await ann.get(f"{day}?page={wrong}")).status == 404
        again = await people.browser().get(day)
        assert again.headers["etag"] == pages[0].headers["etag"]


async def test_days_that_do_not_exist_are_neither_looked_up_nor_kept(
    store: LadderStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    calendar = Calendar()
    async with people_at(store, calendar) as people:
        await people.today._draw()
        asked: list[str] = []
        read = store.people.day

        def counted(day: str) -> KeptDay | None:
            asked.append(day)
            return read(day)

        monkeypatch.setattr(store.people, "day", counted)
        first = calendar.day
        calendar.day += timedelta(days=9)
        for number in range(1, 30):
            before = first - timedelta(number)
            for path in (f"{before}/", f"{before}.pbn", f"{before}/1"):
                assert (await people.browser().get(f"/today/{path}")).status == 404
        assert asked == []
        gap = first + timedelta(days=5)
        assert (await people.browser().get(f"/today/{gap}/")).status == 404
        assert not people.today._ended._made


async def test_refusals_are_pages_that_lead_on(store: LadderStore) -> None:
    calendar = Calendar()
    async with people_at(store, calendar) as people:
        you = people.browser()
        for path, said in (
            ("/play/tables/x/", "There is no such table any more."),
            ("/play/tables/x/boards/1/", "There is no such table any more."),
            ("/play/tables/x/seat/", "There is no such page here."),
            ("/play/<script>", "There is no such page here."),
            (f"/today/{calendar.day}/", "This day is not over."),
        ):
            answer = await you.get(path)
            assert answer.status == 404
            assert said in answer.text
            assert "<script>" not in answer.text
            (play,) = re.findall(r'href="([./]*)play/">Play against', answer.text)
            assert play == "../" * (path.count("/") - 1)


async def test_a_board_that_is_not_over_at_midnight_counts_nowhere(store: LadderStore) -> None:
    calendar = Calendar()
    async with people_at(store, calendar) as people:
        await people.today._draw()
        assert (await people.browser().post("/today/", name="Ann")).status == 303
        day = calendar.day
        calendar.day += timedelta(1)
        await until_over(people)
        assert "Ann" not in (await people.browser().get(f"/today/{day}/")).text


async def test_an_address_plays_the_board_of_the_day_a_few_times(
    store: LadderStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(open_tables, "OF_ADDRESS", 100)
    monkeypatch.setattr(today, "MOST_A_DAY", 9)
    calendar = Calendar()
    async with people_at(store, calendar) as people:
        await people.today._draw()
        people.venues.go.set()

        async def plays(name: str, address: str) -> int:
            calendar.seconds += 60
            answer = await people.browser(address).post("/today/", name=name)
            await until_over(people)
            return answer.status

        own = [await plays(f"{number}", "192.0.2.7") for number in range(today.OF_ADDRESS + 1)]
        assert own == [303] * today.OF_ADDRESS + [429]
        # Two bots have played it too.
        others = [await plays(f"x{number}", f"192.0.2.{number + 10}") for number in range(3)]
        assert others == [303, 303, 409]


async def test_the_commitment_is_public_a_day_before_and_the_board_stays(
    store: LadderStore,
) -> None:
    calendar = Calendar()
    async with people_at(store, calendar) as people:
        assert "no board of the day here now" in (await people.browser().get("/today/")).text
        assert (await people.browser().post("/today/", name="Ann")).status == 503
        await people.today._draw()
        tomorrow = draw_day(store, calendar.day + timedelta(1))
        assert tomorrow is not None
        assert tomorrow.sealing.digest in (await people.browser().get("/today/")).text
        calendar.day += timedelta(1)
        await people.today._draw()
        assert tomorrow.sealing.digest in (await people.browser().get("/today/")).text
        assert draw_day(store, calendar.day) == tomorrow
