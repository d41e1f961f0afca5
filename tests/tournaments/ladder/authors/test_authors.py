"""How one becomes an author of a ladder, and what somebody may try."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from bridge_arena.commands.ladder.backup import backup, restore
from bridge_arena.tournaments.events.event import Entrant
from bridge_arena.tournaments.events.tokens import Tokens, hash_of
from bridge_arena.tournaments.ladder.authors import newcomers
from bridge_arena.tournaments.ladder.authors.authors import Authors
from bridge_arena.tournaments.ladder.ladder_file import Registration
from bridge_arena.tournaments.ladder.orders import ADMINISTRATOR
from bridge_arena.tournaments.ladder.players import LadderError
from bridge_arena.tournaments.ladder.store import registration_store
from bridge_arena.tournaments.ladder.store.ladder_store import LadderStore
from bridge_arena.tournaments.ladder.store.registration_store import Answer
from bridge_arena.tournaments.store import StoreError
from tests.patience import PATIENCE
from tests.tournaments.ladder.ladders import ladder_file, opened


@pytest.fixture
def store(tmp_path: Path) -> Iterator[LadderStore]:
    with closing(opened(tmp_path / "results.sqlite", ladder_file("baseline", "random"))) as store:
        store.enter(Registration(Entrant(bot="remote:Mine", name="Mine"), "Ann"))
        yield store


@pytest.fixture
def authors(store: LadderStore, tmp_path: Path) -> Authors:
    return Authors(store, tmp_path / "tokens.json")


def test_a_token_is_one_authors_until_it_is_replaced(authors: Authors, tmp_path: Path) -> None:
    old, of_bo = authors.make_token("Ann"), authors.make_token("Bo")
    new = authors.make_token("Ann")
    assert [*map(authors.of_token, (old, new, of_bo))] == [None, "Ann", "Bo"]
    assert authors.of_hash(hash_of(new)) == "Ann"
    text = (tmp_path / "tokens.json").read_text()
    assert new not in text
    assert len(json.loads(text)["tokens"]) == 2


def test_no_other_token_is_an_authors(authors: Authors, tmp_path: Path) -> None:
    tokens = Tokens(tmp_path / "tokens.json")
    others = [tokens.create(owner) for owner in (ADMINISTRATOR, "Ann", "author", "author\n", "")]
    assert [*map(authors.of_token, (*others, "", "x", "\udcff", "x" * 10_000))] == [None] * 9
    assert authors.hash_if_author(others[0]) is None
    assert not authors.is_administrator(authors.make_token("administrator"))
    assert authors.is_administrator(others[0])


@pytest.mark.parametrize(
    "name",
    [
        "",
        " ",
        "Ann\nLee",
        " Ann",
        "Ann  Lee",
        "Ann\N{ZERO WIDTH SPACE}",
        "木",
        "a" * 101,
        "\x1b[2J",
    ],
)
def test_no_author_has_such_a_name(authors: Authors, tmp_path: Path, name: str) -> None:
    with pytest.raises(LadderError) as refused:
        authors.make_token(name)
    assert "\n" not in str(refused.value)
    if name:
        with pytest.raises(LadderError):
            authors.invite(name)
    assert not (tmp_path / "tokens.json").exists()


def test_an_invitation_makes_an_author_once(authors: Authors, store: LadderStore) -> None:
    secret = authors.invite()
    assert authors.invited(secret) == ""
    made = authors.accept(secret, "Zoë")
    assert made is not None
    assert (made[0], authors.of_token(made[1])) == ("Zoë", "Zoë")
    assert authors.accept(secret, "Eve") is None
    assert authors.invited(secret) is None
    assert store.authors.names() == {"Ann", "Zoë"}


def test_an_invitation_by_name_is_for_that_author(authors: Authors) -> None:
    secret = authors.invite("Ann")
    made = authors.accept(secret, "Eve")
    assert made is not None
    assert (made[0], authors.of_token(made[1])) == ("Ann", "Ann")


def test_who_is_invited_takes_no_name_of_another(authors: Authors) -> None:
    secret = authors.invite()
    for name in ("Ann", "ann", "A N N", "Eve\nEve", "e" * 61, ""):
        with pytest.raises(LadderError):
            authors.accept(secret, name)
    assert authors.accept(secret, "Eve") is not None  # the link is still good


@pytest.mark.parametrize("name", ["Eve", "EVE"])
def test_two_who_are_invited_at_once_become_no_one_author(
    authors: Authors, store: LadderStore, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    first, second = authors.invite(), authors.invite()
    check = newcomers.check_new_author
    racing: list[Future[tuple[str, str] | None]] = []

    def check_slowly(*facts: Any) -> None:
        check(*facts)
        if not racing:
            racing.append(others.submit(authors.accept, second, name))
            # Who is not made to wait is an author by now.
            wait(racing, timeout=0.2)

    monkeypatch.setattr(registration_store, "check_new_author", check_slowly)
    with ThreadPoolExecutor(1) as others:
        made = authors.accept(first, "Eve")
        assert made is not None
        with pytest.raises(LadderError, match="an author is called 'Eve' already"):
            racing[0].result(PATIENCE)
    assert authors.of_token(made[1]) == "Eve"
    assert store.authors.names() == {"Ann", "Eve"}
    assert authors.invited(second) == "", "the link is still good"


def test_a_name_that_is_promised_is_for_nobody_else(authors: Authors) -> None:
    for_zoe, for_anybody = authors.invite("Zoë"), authors.invite()
    authors.ask("Eve", "x", "", "")
    for name in ("Zoë", "ZOË", "eve"):
        with pytest.raises(LadderError, match="somebody else is to be called"):
            authors.accept(for_anybody, name)
        with pytest.raises(LadderError, match="somebody else is to be called"):
            authors.ask(name, "x", "", "")
    assert authors.accept(for_zoe, "") is not None
    authors.answer(1, Answer.REFUSED)
    assert authors.accept(for_anybody, "Eve") is not None


def test_a_request_for_a_name_that_was_promised_since_is_not_approved(
    authors: Authors, store: LadderStore
) -> None:
    _, secret = authors.ask("Zoë", "x", "", "")
    authors.invite("ZOË")
    with pytest.raises(LadderError, match="somebody else is to be called"):
        authors.answer(1, Answer.APPROVED)
    assert authors.collect(secret) is None
    assert [request.number for request in store.registration.waiting()] == [1]


def test_an_invitation_expires(
    authors: Authors, store: LadderStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = authors.invite()
    monkeypatch.setattr(registration_store, "now", lambda: "2999-01-01T00:00:00+00:00")
    assert authors.invited(secret) is None
    assert authors.accept(secret, "Eve") is None
    monkeypatch.setattr(registration_store, "MOST_INVITATIONS", 1)
    store.registration.invite("hash", "", "3000")  # what has expired makes room
    with pytest.raises(LadderError, match="1 invitations are open"):
        store.registration.invite("another", "", "3000")


def test_a_request_waits_for_the_administrator(authors: Authors, store: LadderStore) -> None:
    request, secret = authors.ask("Zoë", "Zed", "https://zed.example", "It plays Precision")
    assert authors.collect(secret) is None
    assert store.registration.waiting() == [request]
    assert "Zoë asks to be an author, of Zed (https://zed.example: It plays" in request.text
    assert authors.answer(1, Answer.APPROVED) == request
    made = authors.collect(secret)
    assert made is not None
    assert (made[0], authors.of_token(made[1])) == ("Zoë", "Zoë")
    assert authors.collect(secret) is None, "it is shown once"
    assert authors.of_token(made[1]) == "Zoë"
    with pytest.raises(LadderError, match="no request that waits has the number 1"):
        authors.answer(1, Answer.REFUSED)


def test_what_is_refused_gives_no_token(authors: Authors) -> None:
    _, secret = authors.ask("Zoë", "Zed", "", "")
    authors.answer(1, Answer.REFUSED)
    assert authors.collect(secret) is None
    authors.ask("Zoë", "Zed", "", "")  # may ask again


@pytest.mark.parametrize(
    ("author", "program", "home", "words"),
    [
        ("Ann", "x", "", ""),
        ("ANN", "x", "", ""),
        ("", "x", "", ""),
        ("x" * 10_000, "x", "", ""),
        ("Eve", "x" * 10_000, "", ""),
        ("Eve", "x", "", "x" * 10_000),
        ("Eve", "x", "", "a\x1b[2J"),
        ("Eve", "x", "javascript:alert(1)", ""),
    ],
)
def test_such_a_request_is_not_taken(
    authors: Authors, store: LadderStore, author: str, program: str, home: str, words: str
) -> None:
    with pytest.raises(LadderError):
        authors.ask(author, program, home, words)
    assert store.registration.waiting() == []


def test_requests_that_wait_are_bounded(authors: Authors, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registration_store, "MOST_WAITING", 2)
    authors.ask("A", "x", "", "")
    with pytest.raises(LadderError, match="somebody else is to be called 'A'"):
        authors.ask("A", "x", "", "")
    authors.ask("B", "x", "", "")
    with pytest.raises(LadderError, match="too many requests wait"):
        authors.ask("C", "x", "", "")
    authors.answer(1, Answer.REFUSED)
    authors.ask("C", "x", "", "")


def test_a_request_of_long_ago_is_forgotten(
    authors: Authors, store: LadderStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(registration_store, "now", lambda: "2000-01-01T00:00:00+00:00")
        _, secret = authors.ask("A", "x", "", "")
    authors.ask("A", "x", "", "")
    assert len(store.registration.waiting()) == 1
    assert authors.request(secret) is None


def test_what_authors_have_is_in_a_backup(
    authors: Authors, store: LadderStore, tmp_path: Path
) -> None:
    token, link = authors.make_token("Ann"), authors.invite()
    request, _ = authors.ask("Zoë", "Zed", "", "")
    store.authors.set_webhook("Ann", "https://hooks.example.org/ann")
    store.authors.describe("Mine", "Precision", "https://a.example/", None)
    store.close()
    backup(str(tmp_path), tmp_path / "kept")
    restore(tmp_path / "kept", str(tmp_path / "again"))
    with closing(LadderStore.open(tmp_path / "again" / "results.sqlite")) as other:
        restored = Authors(other, tmp_path / "again" / "tokens.json")
        assert restored.of_token(token) == "Ann"
        assert restored.invited(link) == ""
        assert other.registration.waiting() == [request]
        assert other.authors.webhook_for("Mine") == ("Ann", "https://hooks.example.org/ann")
        assert other.players() == store.players()


def test_of_two_who_asked_for_names_that_look_alike_one_is_approved(
    authors: Authors, monkeypatch: pytest.MonkeyPatch
) -> None:
    authors.ask("Eve", "x", "", "")
    with monkeypatch.context() as patch:  # as an earlier release took it
        patch.setattr(registration_store, "check_new_author", lambda *_: None)
        authors.ask("EVE", "x", "", "")
    authors.answer(2, Answer.APPROVED)
    with pytest.raises(LadderError, match="an author is called 'EVE' already"):
        authors.answer(1, Answer.APPROVED)


def test_what_makes_an_author_is_not_used_up_if_no_token_can_be_written(
    authors: Authors, store: LadderStore, tmp_path: Path
) -> None:
    broken = Authors(store, tmp_path / "gone" / "tokens.json")
    invitation = authors.invite()
    _, request = authors.ask("Bo", "Bot", "", "")
    authors.answer(1, Answer.APPROVED)
    with pytest.raises(StoreError, match="No such file"):
        broken.accept(invitation, "Cy")
    with pytest.raises(StoreError, match="No such file"):
        broken.collect(request)
    assert "Cy" not in store.authors.names()
    for made in (authors.accept(invitation, "Cy"), authors.collect(request)):
        assert made is not None
        assert authors.of_token(made[1]) == made[0]


def test_a_file_of_tokens_that_cannot_be_written_is_told(
    store: LadderStore, tmp_path: Path
) -> None:
    authors = Authors(store, tmp_path / "gone" / "tokens.json")
    with pytest.raises(StoreError, match="No such file"):
        authors.make_token("Ann")
