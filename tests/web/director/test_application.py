"""The director's pages: who is admitted, what is shown and ruled, and attacks by strangers."""

from __future__ import annotations

import asyncio
import html
import re
import threading
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from bridge_arena.bridge.record import Room
from bridge_arena.tournaments import Director
from bridge_arena.tournaments.events.boards import GivenBoard
from bridge_arena.tournaments.events.event import Entrant
from bridge_arena.tournaments.formats.rules import Format
from bridge_arena.tournaments.schedule.event_files import STORE
from bridge_arena.tournaments.schedule.plan import plan
from bridge_arena.tournaments.schedule.rulings import (
    Adjust,
    Annul,
    Appeal,
    AppealState,
    Forfeit,
    Pause,
    Penalty,
    Readmit,
    TakeBack,
    Withdraw,
)
from bridge_arena.tournaments.store import Store
from bridge_arena.web.common import doors
from bridge_arena.web.director import application
from bridge_arena.web.director.application import DirectorPages
from bridge_arena.web.director.forms import KINDS
from tests.tournaments.ruled import play_round, rule
from tests.tournaments.scores import event, lost, record
from tests.web.director.desk import confirming, desk
from tests.web.seat.reception import PEOPLE, reception

SWISS = event(Format.SWISS, 4, rounds=3)

PENALTY = {"kind": "penalty", "entry": "e3", "amount": "2", "reason": "as it was"}

PATH = "rule?kind=adjust"

EVIL = "</p><script>alert(1)</script>"


# Links and cookies.


async def test_the_link_opens_the_pages_once_by_its_button_alone(tmp_path: Path) -> None:
    async with desk(tmp_path, SWISS, name="") as opened:
        for _ in range(2):
            assert (await opened.get(opened.link)).status == 200
        first, second = [await opened.post({"name": "Dirk"}, opened.link) for _ in range(2)]
        assert (first.status, first.headers["location"]) == (303, "../director/")
        assert (second.status, "set-cookie" in second.headers) == (410, False)
        assert (await opened.get(opened.link)).status == 410
        cookie, *flags = first.headers["set-cookie"].split("; ")
        assert set(flags) == {"HttpOnly", "Path=/director/", "SameSite=strict"}
        assert (await opened.get("/director/", cookie)).status == 200


async def test_the_secret_of_the_link_is_on_no_page_and_in_no_referrer(tmp_path: Path) -> None:
    async with desk(tmp_path, SWISS, name="") as opened:
        secret = opened.link.rpartition("/")[2]
        door = await opened.get(opened.link)
        assert door.headers["referrer-policy"] == "no-referrer"
        assert '<meta name="referrer" content="no-referrer">' in door.text
        await opened.enter()
        for page in (door, *[await opened.get(f"/director/{path}") for path in ("", PATH)]):
            assert page.status == 200
            assert secret not in page.text
        assert secret not in opened.cookie


async def test_the_director_gives_a_name_in_a_line(tmp_path: Path) -> None:
    async with desk(tmp_path, SWISS, name="") as opened:
        for name in ("", "  ", "a\nb", "a" * 501):
            answer = await opened.post({"name": name}, opened.link)
            assert answer.status == 400
            assert "Give your name" in answer.text
        await opened.enter("Dirk")
        assert "Director: Dirk" in (await opened.get("/director/")).text


@pytest.mark.parametrize(
    "cookie",
    ["", "arena-director-{port}=", "arena-director-{port}=guess", "arena-seat-{port}={secret}"],
)
async def test_whoever_has_not_used_the_link_sees_and_rules_nothing(
    cookie: str, tmp_path: Path
) -> None:
    async with desk(tmp_path, SWISS) as opened:
        known = await opened.checked(PENALTY)
        shown = cookie.format(port=opened.port, secret=opened.cookie.partition("=")[2])
        answers = [await opened.get(f"/director/{path}", shown) for path in ("", PATH)]
        answers += [await opened.post(fields, cookie=shown) for fields in (PENALTY, known)]
        for answer in answers:
            assert answer.status == 403
            assert "e3" not in answer.text
        assert opened.store.rulings() == []


async def test_guessed_links_open_nothing_and_use_nothing_up(tmp_path: Path) -> None:
    async with desk(tmp_path, SWISS, name="") as opened:
        good = opened.link
        guesses = ["/direct/", good[:-1], f"{good}a", "/direct/%00", f"/direct/{'a' * 5000}"]
        for guess in guesses + [f"/direct/{number:032}" for number in range(100)]:
            answer = await opened.post({"name": "Eve"}, guess)
            assert answer.status in (404, 410)
            assert "set-cookie" not in answer.headers
        await opened.enter()


@pytest.mark.parametrize("origin", ["", "null", "http://evil.example", "http://127.0.0.1:1"])
async def test_a_page_of_another_place_rules_nothing(origin: str, tmp_path: Path) -> None:
    """With the director's cookie, which a browser would not send for it."""
    async with desk(tmp_path, SWISS) as opened:
        known = await opened.checked(PENALTY)
        for fields in ({**PENALTY, "step": "check"}, known):
            assert (await opened.post(fields, origin=origin)).status == 403
        assert opened.store.rulings() == []


# Rulings.


async def test_a_ruling_is_checked_then_made_and_shown(tmp_path: Path) -> None:
    async with desk(tmp_path, SWISS) as opened:
        fields = {"kind": "adjust", "match": "1/1", "board": "1", "ns": "minus", "reason": "Seen"}
        answer = await opened.post({**fields, "step": "check"})
        assert answer.status == 200
        for text in (
            "Ruling 1",
            "board 1 of match 1/1 (e0 – e2): home minus; visitors plus",
            "As played: open room NS",
            "e0: rank 1, 10 IMPs -> rank 2, 2 IMPs",
            "rounds up to 1 are drawn, and are not drawn again",
            "round 2 is drawn otherwise:",
        ):
            assert text in html.unescape(answer.text)
        assert opened.store.rulings() == []
        made = await opened.post(confirming(answer))
        assert (made.status, made.headers["location"]) == (303, "./#rulings")
        (ruling,) = opened.store.rulings()
        assert (ruling.number, ruling.author, ruling.reason) == (1, "Dirk", "Seen")
        assert ruling.decision == Adjust(match="1/1", board=1, ns="minus", ew="plus")
        page = html.unescape((await opened.get("/director/")).text)
        assert "home minus; visitors plus</b>: in force" in page
        assert "as played: open room NS" in page


async def test_all_kinds_are_ruled_by_their_forms(tmp_path: Path) -> None:
    async with desk(tmp_path, SWISS) as opened:
        board = {"match": "1/1", "board": "1"}
        for fields in (
            {"kind": "adjust", **board, "room": "Open", "ns": "60% 4SE=, 40% 4SE-1"},
            {"kind": "annul", **board},
            PENALTY,
            {"kind": "withdraw", "entry": "e2", "round": "2"},
            {"kind": "readmit", "entry": "e2", "round": "3"},
            {"kind": "forfeit", "match": "1/2", "entry": "e3"},
            {"kind": "pause", "match": "", "entry": "e0"},
            {"kind": "appeal", "ruling": "3", "state": "open"},
            {"kind": "take-back", "ruling": "3"},
        ):
            await opened.rule(fields)
        weighted = "60% 4SE=, 40% 4SE-1"
        assert [one.decision for one in opened.store.rulings()] == [
            Adjust(match="1/1", board=1, room=Room.OPEN, ns=weighted, ew=weighted),
            Annul(match="1/1", board=1),
            Penalty(entry=3, amount=2),
            Withdraw(entry=2, round=2),
            Readmit(entry=2, round=3),
            Forfeit(match="1/2", entry=3),
            Pause(entry=0),
            Appeal(ruling=3, state=AppealState.OPEN),
            TakeBack(ruling=3),
        ]
        page = html.unescape((await opened.get("/director/")).text)
        assert "e3 loses 2</b>: taken back by ruling 9" in page
        appeal = (await opened.get("/director/rule?kind=appeal")).text
        assert '<option value="7"' in appeal
        assert '<option value="8"' not in appeal
        assert ">–</option>" not in appeal
        assert 'aria-label="Take ruling 3 back"' not in page
        assert 'aria-label="Take ruling 4 back"' in page


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"amount": "-1"}, "amount: a penalty is more than 0, and 100000 at most"),
        ({"amount": "9" * 400}, "amount: "),
        ({"amount": ""}, "amount: Field required"),
        ({"entry": "Nobody"}, "has no entry 'Nobody': e0, e1, e2, e3"),
        ({"reason": " "}, "reason: it must be one line of text"),
        ({"kind": "adjust", "match": "9/9", "board": "1", "ns": "plus"}, "has no match 9/9"),
        ({"kind": "adjust", "match": "1/1", "board": "9", "ns": "plus"}, "no board 9 of match"),
        ({"kind": "adjust", "match": "1/1", "board": "1", "ns": "9SE"}, "'9SE' is no score"),
        ({"kind": "adjust", "match": "1/1", "board": "1"}, "is no score"),
        ({"kind": "waive", "match": "1/1", "board": "1"}, "a team match has two rooms"),
        ({"kind": "take-back", "ruling": "7"}, "there is no ruling 7"),
    ],
)
async def test_what_cannot_be_ruled_is_said_in_the_form(
    fields: dict[str, str], why: str, tmp_path: Path
) -> None:
    async with desk(tmp_path, SWISS) as opened:
        answer = await opened.post({**PENALTY, **fields, "step": "check"})
        assert answer.status == 400
        assert why in html.unescape(answer.text)
        assert 'role="alert"' in answer.text
        assert opened.store.rulings() == []


async def test_a_form_that_is_sent_twice_makes_one_ruling(tmp_path: Path) -> None:
    async with desk(tmp_path, SWISS) as opened:
        known = await opened.checked(PENALTY)
        answers = await asyncio.gather(*(opened.post(known) for _ in range(3)))
        assert [answer.status for answer in answers] == [303, 303, 303]
        assert len(opened.store.rulings()) == 1


async def test_a_form_that_is_out_of_date_rules_nothing_and_says_what_came(tmp_path: Path) -> None:
    async with desk(tmp_path, SWISS) as opened:
        known = await opened.checked(PENALTY)
        rule(opened.store, Penalty(entry=1, amount=3))
        answer = await opened.post(known)
        assert answer.status == 409
        assert "ruling 1 was made by Dirk: e1 loses 3" in answer.text
        assert len(opened.store.rulings()) == 1
        play_round(opened.store, 2)
        answer = await opened.post(confirming(answer))
        assert answer.status == 409
        assert "round 2 was drawn" in answer.text
        assert len(opened.store.rulings()) == 1
        assert (await opened.post(confirming(answer))).status == 303
        assert [one.number for one in opened.store.rulings()] == [1, 2]


async def test_a_ruling_between_the_last_check_and_the_store_is_not_overlooked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with desk(tmp_path, SWISS) as opened:
        known = await opened.checked(PENALTY)
        honest = Director.rule

        def after_another(self: Director, ruling: Any) -> bool:
            monkeypatch.undo()
            rule(opened.store, Pause())
            return honest(self, ruling)

        monkeypatch.setattr(Director, "rule", after_another)
        answer = await opened.post(known)
        assert answer.status == 409
        assert "ruling 1 was made by Dirk: the event pauses" in answer.text
        assert [one.decision for one in opened.store.rulings()] == [Pause()]


async def test_what_was_given_is_there_when_it_is_changed(tmp_path: Path) -> None:
    async with desk(tmp_path, SWISS) as opened:
        known = await opened.checked(PENALTY)
        answer = await opened.post({**known, "step": "change"})
        assert answer.status == 200
        for text in ('<option value="e3" selected>', 'value="2"', 'value="as it was"'):
            assert text in answer.text
        assert opened.store.rulings() == []


async def test_no_address_rules(tmp_path: Path) -> None:
    async with desk(tmp_path, SWISS) as opened:
        known = await opened.checked(PENALTY)
        query = "&".join(f"{name}={value}" for name, value in known.items()).replace(" ", "+")
        assert (await opened.get(f"/director/rule?{query}")).status == 200
        assert (await opened.get(f"/director/?{query}")).status == 200
        assert opened.store.rulings() == []


# Forms.


@pytest.mark.parametrize(
    ("format_", "without"),
    [
        (Format.SWISS, set()),
        (Format.KNOCK_OUT, {"readmit"}),
        (Format.PAIRS, {"forfeit"}),
        (Format.INDIVIDUAL, {"forfeit"}),
    ],
)
async def test_the_kinds_that_fit_the_format_have_forms(
    format_: Format, without: set[str], tmp_path: Path
) -> None:
    entries = 4 if format_.is_teams else 8
    async with desk(tmp_path, event(format_, entries), rounds=1) as opened:
        page = (await opened.get("/director/")).text
        for kind in KINDS:
            offered = kind not in ("take-back", "appeal") and kind not in without
            assert (f'href="rule?kind={kind}"' in page) == offered
            answer = await opened.get(f"/director/rule?kind={kind}")
            assert answer.status == 200
            assert format_.is_teams or 'name="room"' not in answer.text
        penalty = (await opened.get("/director/rule?kind=penalty")).text
        assert ('name="match"' in penalty) == (format_ is Format.KNOCK_OUT)


async def test_a_form_has_the_boards_and_entries_of_its_match(tmp_path: Path) -> None:
    async with desk(tmp_path, event(Format.SWISS, 4, rounds=2, boards=2)) as opened:
        adjust = (await opened.get("/director/rule?kind=adjust&match=1/1")).text
        assert '<option value="1/1" selected>1/1: e0 – e2</option>' in adjust
        assert '<option value="2">2: open room NS' in adjust
        forfeit = (await opened.get("/director/rule?kind=forfeit&match=1/1")).text
        assert '<option value="e2">' in forfeit
        assert '<option value="e3">' not in forfeit


async def test_only_boards_that_were_lost_are_waived(tmp_path: Path) -> None:
    swiss = event(Format.SWISS, 4, rounds=2, boards=2)
    async with desk(tmp_path, swiss, rounds=0) as opened:
        matches = plan(swiss, [])[0].matches
        (first, *_, last), (other, *_) = (list(match.units()) for match in matches)
        records = {one: record(swiss, one) for one in (first, other)}
        records[last] = lost(swiss, last, 0)
        boards = {one.board: GivenBoard(kept.board, ()) for one, kept in records.items()}
        assert opened.store.schedule(matches, boards)
        for one, kept in records.items():
            opened.store.save(one, kept)
        for path in ("rule?kind=waive", "rule?kind=waive&match=1/2"):
            waive = (await opened.get(f"/director/{path}")).text
            assert re.findall('<option value="([0-9/]+)"', waive) == ["1/1", "2"]


# What strangers and clumsy directors do.


async def test_texts_of_others_are_no_markup(tmp_path: Path) -> None:
    entries = tuple(Entrant(bot="random", name=f"{EVIL}{number}") for number in range(4))
    evil = SWISS.model_copy(update={"name": EVIL, "entries": entries})
    async with desk(tmp_path, evil, name=EVIL) as opened:
        fields = {**PENALTY, "entry": f"{EVIL}3", "reason": EVIL}
        pages = [await opened.post({**fields, "step": "check"})]
        await opened.rule(fields)
        pages += [
            await opened.post({**fields, "entry": EVIL, "step": "check"}),
            await opened.post({**fields, "amount": EVIL, "match": EVIL, "step": "check"}),
            await opened.get("/director/"),
            await opened.get("/director/rule?kind=adjust&match=%22%3E%3Cscript%3E"),
            await opened.get(opened.link),
        ]
        for page in pages:
            assert "&lt;script&gt;" in page.text
            assert "<script>" not in page.text


@pytest.mark.parametrize(
    ("body", "content", "status"),
    [
        (b"a" * 1_000_000, None, 413),
        (b"kind=penalty&kind=annul", None, 400),
        ("kind=ä".encode(), None, 400),
        (b"kind=%ff", None, 400),
        (b"&".join(b"a%d=" % number for number in range(100)), None, 400),
        (b"kind=bribe", None, 404),
        (b"", None, 404),
        (b"kind=penalty&step=rule&entry=e0&amount=1&reason=a&known=" + b"9" * 5000, None, 400),
        (b'{"kind": "penalty"}', "application/json", 415),
        (b"--a\r\n", "multipart/form-data; boundary=a", 415),
    ],
)
async def test_a_body_that_is_no_form_is_refused(
    body: bytes, content: str | None, status: int, tmp_path: Path
) -> None:
    async with desk(tmp_path, SWISS) as opened:
        sent = {} if content is None else {"content": content}
        answer = await opened.post(body, **sent)
        assert answer.status == status
        assert (await opened.get("/director/")).status == 200
        assert opened.store.rulings() == []


async def test_a_form_that_does_not_come_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doors, "REQUEST_SECONDS", 0.0)
    async with desk(tmp_path, SWISS, name="") as opened:
        reader, writer = await asyncio.open_connection("127.0.0.1", opened.port)
        writer.write(
            f"POST {opened.link} HTTP/1.1\r\nHost: 127.0.0.1:{opened.port}\r\n"
            f"Origin: http://127.0.0.1:{opened.port}\r\n"
            "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 10\r\n\r\n".encode()
        )
        assert b" 408 " in await reader.readline()
        writer.close()


async def test_a_crowd_of_requests_is_not_queued(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each would read all results."""
    async with desk(tmp_path, SWISS) as opened:
        may_go_on = threading.Event()
        honest = Director

        def slow(*arguments: Any) -> Director:
            may_go_on.wait()
            return honest(*arguments)

        monkeypatch.setattr(application, "Director", slow)
        asked = [
            asyncio.create_task(opened.get("/director/"))
            for _ in range(application.MOST_WAITING + 3)
        ]
        done: set[asyncio.Task[Any]] = set()
        while len(done) < 3:
            done, _ = await asyncio.wait(asked, return_when=asyncio.FIRST_COMPLETED)
        may_go_on.set()
        statuses = sorted([answer.status for answer in await asyncio.gather(*asked)])
        assert statuses == [200] * application.MOST_WAITING + [503] * 3


async def test_results_are_shown_but_no_cards(tmp_path: Path) -> None:
    """Other tables may have still to play the boards, and a director may play too."""
    async with desk(tmp_path, event(Format.SWISS, 4, rounds=2, boards=4)) as opened:
        paths = ["", *(f"rule?kind={kind}&match=1/1" for kind in KINDS)]
        pages = [await opened.get(f"/director/{path}") for path in paths]
        annul = {"kind": "annul", "match": "1/1", "reason": "a", "step": "check"}
        text = "".join(page.text for page in [*pages, await opened.post(annul)])
        assert "board" in text
        for _, record in opened.store.results():
            for holding in re.split(r"[ .:]", str(record.board.deal)):
                assert len(holding) < 4 or holding not in text


async def test_a_seat_and_the_key_of_spectators_open_no_page_of_the_director(
    tmp_path: Path,
) -> None:
    with closing(Store.create(tmp_path / STORE, PEOPLE)) as store:
        pages = DirectorPages(store, "http://127.0.0.1/", "")
        async with reception(director=pages) as opened:
            _, _, secret = (await opened.cookie("Bob")).partition("=")
            for cookie in ("", f"arena-seat-{opened.port}={secret}"):
                for path in ("/director/", "/director/rule?kind=annul"):
                    assert (await opened.ask("GET", path, cookie)).status == 403
            forged = f"arena-director-{opened.port}={secret}"
            assert (await opened.ask("GET", "/director/", forged)).status == 403
            # The link is no seat's either, and is not used up by one who takes it for that.
            link = urlsplit(pages.link).path
            assert (await opened.ask("POST", link.replace("/direct/", "/sit/"))).status == 410
            assert (await opened.ask("GET", link)).status == 200
