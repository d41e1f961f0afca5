"""How one becomes an author by the pages, and what somebody may try."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from bridge_arena.tournaments.ladder.store.ladder_store import LadderStore
from bridge_arena.tournaments.ladder.store.registration_store import Answer
from bridge_arena.web.ladder.authors import joining
from tests.tournaments.ladder.ladders import opened as store_of
from tests.web.ladder.authors.author_doors import FILE, Browser, club, doors, token_in

MARKUP = "<script>document.title = 1</script>"

ASKED = {"author": "Zoë", "program": "Zed", "home": "https://zed.example/", "words": "It plays"}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[LadderStore]:
    with closing(store_of(tmp_path / "results.sqlite", club())) as store:
        yield store


async def ask(browser: Browser, **headers: str) -> str:
    """The address of a request that was taken."""
    answer = await browser.post("/join/", ASKED, **headers)
    assert answer.status == 303, answer.text
    location = answer.headers["location"]
    assert location.startswith("requests/")
    return f"/join/{location}"


async def test_a_request_is_approved_and_shows_the_token_once(
    store: LadderStore, tmp_path: Path
) -> None:
    async with doors(store, tmp_path) as opened:
        browser, stranger = opened.browser(), opened.browser()
        assert "Become an author" in (await browser.get("/join/")).text
        own = await ask(browser)
        assert "It waits for the administrator" in (await browser.get(own)).text
        assert (await browser.post(own, {})).status == 410  # not yet
        assert [request.author for request in store.registration.waiting()] == ["Zoë"]
        opened.authors.answer(1, Answer.APPROVED)
        for _ in range(2):  # what only follows links uses nothing up
            assert "Show my token" in (await browser.get(own)).text
        shown = await browser.post(own, {})
        assert shown.status == 200
        assert shown.headers["cache-control"] == "no-store"
        token = token_in(shown.text)
        assert opened.authors.of_token(token) == "Zoë"
        assert (await stranger.post(own, {})).status == 410
        assert "the token was shown" in (await stranger.get(own)).text
        assert (await browser.sign_in(token)).status == 303
        assert own.rpartition("/")[2] not in str(opened.log)
        assert [line["event"] for line in opened.log] == ["author_asked", "author_came"]


async def test_a_request_that_is_refused_says_so(store: LadderStore, tmp_path: Path) -> None:
    async with doors(store, tmp_path) as opened:
        browser = opened.browser()
        own = await ask(browser)
        opened.authors.answer(1, Answer.REFUSED)
        assert "It was refused." in (await browser.get(own)).text
        assert (await browser.post(own, {})).status == 410


async def test_without_the_key_open_authors_come_by_invitation_alone(tmp_path: Path) -> None:
    file = club(FILE.replace('open = "approve"\n', ""))
    with closing(store_of(tmp_path / "results.sqlite", file)) as store:
        async with doors(store, tmp_path) as opened:
            browser = opened.browser()
            for answer in (await browser.get("/join/"), await browser.post("/join/", ASKED)):
                assert (answer.status, "by invitation" in answer.text) == (404, True)
            assert store.registration.waiting() == []
            link = f"/join/{opened.authors.invite()}"
            assert (await browser.get(link)).status == 200


async def test_an_invitation_is_used_once_by_its_button(store: LadderStore, tmp_path: Path) -> None:
    async with doors(store, tmp_path) as opened:
        browser, link = opened.browser(), f"/join/{opened.authors.invite()}"
        for _ in range(2):
            assert "Your name" in (await browser.get(link)).text
        for taken in ("Ann", "ANN", ""):
            answer = await browser.post(link, {"author": taken})
            assert (answer.status, "<pre>" in answer.text) == (400, False)
        shown = await browser.post(link, {"author": "Zoë"})
        assert opened.authors.of_token(token_in(shown.text)) == "Zoë"
        for again in (await browser.post(link, {"author": "Eve"}), await browser.get(link)):
            assert (again.status, "<pre>" in again.text) == (410, False)
        assert "Eve" not in store.authors.names()


async def test_an_invitation_by_name_makes_no_other_author(
    store: LadderStore, tmp_path: Path
) -> None:
    async with doors(store, tmp_path) as opened:
        browser, link = opened.browser(), f"/join/{opened.authors.invite('Ann')}"
        assert "It is for <bdi>Ann</bdi>" in (await browser.get(link)).text
        shown = await browser.post(link, {"author": "Bo"})
        assert opened.authors.of_token(token_in(shown.text)) == "Ann"


@pytest.mark.parametrize("origin", ["", "null", "https://evil.example"])
async def test_a_form_of_another_site_makes_no_author(
    store: LadderStore, tmp_path: Path, origin: str
) -> None:
    async with doors(store, tmp_path) as opened:
        browser, link = opened.browser(), f"/join/{opened.authors.invite()}"
        own = await ask(browser)
        opened.authors.answer(1, Answer.APPROVED)
        for path in ("/join/", link, own):
            assert (await browser.post(path, {"author": "Eve"}, origin=origin)).status == 403
        assert store.registration.waiting() == []
        assert (await browser.post(own, {})).status == 200  # nothing was used up


@pytest.mark.parametrize("secret", ["x", "requests/x", "x" * 5000, "requests/%00", "%C3%B6"])
async def test_a_guessed_link_opens_nothing(
    store: LadderStore, tmp_path: Path, secret: str
) -> None:
    async with doors(store, tmp_path) as opened:
        browser = opened.browser()
        for answer in (
            await browser.get(f"/join/{secret}"),
            await browser.post(f"/join/{secret}", {"author": "Eve"}),
        ):
            assert (answer.status, "opens nothing" in answer.text) == (410, True)


@pytest.mark.parametrize(
    ("changed", "status"),
    [
        ({"author": "x" * 10_000}, 413),
        ({"author": "x" * 61}, 400),
        ({"author": "mine\N{ZERO WIDTH SPACE}"}, 400),
        ({"author": "\N{FULLWIDTH LATIN CAPITAL LETTER A}nn"}, 400),
        ({"author": ""}, 400),
        ({"program": "x" * 501}, 400),
        ({"words": "x" * 501}, 400),
        ({"home": "javascript:alert(1)"}, 400),
    ],
)
async def test_such_a_request_is_not_taken(
    store: LadderStore, tmp_path: Path, changed: dict[str, str], status: int
) -> None:
    async with doors(store, tmp_path) as opened:
        assert (await opened.browser().post("/join/", ASKED | changed)).status == status
    assert store.registration.waiting() == []


async def test_texts_of_strangers_are_no_markup(store: LadderStore, tmp_path: Path) -> None:
    async with doors(store, tmp_path) as opened:
        browser = opened.browser()
        texts = dict.fromkeys(("author", "program", "words"), MARKUP)
        taken = await browser.post("/join/", texts | {"home": ""})
        pages = [await browser.get(f"/join/{taken.headers['location']}")]
        pages.append(await browser.post("/join/", texts | {"home": MARKUP}))
        pages.append(await browser.post(f"/join/{opened.authors.invite()}", {"author": "<b>" * 99}))
        for page in pages:
            assert "<script>document" not in page.text
            assert "<b><b>" not in page.text


async def test_requests_that_are_not_taken_turn_nobody_away(
    store: LadderStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(joining, "ALL_AT_ONCE", 1)
    async with doors(store, tmp_path) as opened:
        browser = opened.browser()
        for taken in ("Ann", "", "x" * 61, *["ANN"] * 10):
            assert (await browser.post("/join/", ASKED | {"author": taken})).status == 400
        assert (await browser.post("/join/", ASKED)).status == 303


async def test_a_flood_of_requests_is_turned_away_and_others_are_not(
    store: LadderStore, tmp_path: Path
) -> None:
    async with doors(store, tmp_path) as opened:
        browser = opened.browser()
        from_one = {"x_forwarded_for": "203.0.113.7"}
        statuses = []
        for number in range(joining.REQUESTS_AT_ONCE + 2):
            form = ASKED | {"author": f"Zoë {number}"}
            answer = await browser.post("/join/", form, **from_one)
            statuses.append(answer.status)
        assert statuses == [303] * joining.REQUESTS_AT_ONCE + [429] * 2
        assert int(answer.headers["retry-after"]) > 0
        other = await browser.post("/join/", ASKED, x_forwarded_for="203.0.113.7, 198.51.100.9")
        assert other.status == 303, "the last address is that of the proxy's client"


async def test_guesses_are_turned_away(
    store: LadderStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(joining, "LOOKS_AT_ONCE", 3)
    async with doors(store, tmp_path) as opened:
        browser = opened.browser()
        statuses = [(await browser.get(f"/join/{number}")).status for number in range(5)]
        assert statuses[:3] == [410] * 3
        assert statuses[3:] == [429] * 2
