"""The commands about authors of a ladder."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from bridge_arena.commands.main import UNUSABLE, run
from bridge_arena.tournaments.ladder.authors.authors import Authors
from bridge_arena.tournaments.ladder.orders import ADMINISTRATOR
from bridge_arena.tournaments.ladder.store.ladder_store import LadderStore
from tests.tournaments.ladder.ladders import ladder_file, opened


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LadderStore]:
    monkeypatch.chdir(tmp_path)
    with closing(opened(tmp_path / "results.sqlite", ladder_file("baseline", "random"))) as store:
        yield store


@pytest.fixture
def authors(store: LadderStore, tmp_path: Path) -> Authors:
    return Authors(store, tmp_path / "tokens.json")


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """What a command prints that succeeds."""
    assert run(["ladder", *words]) == 0, capsys.readouterr().err
    return capsys.readouterr().out


def test_a_token_of_an_author_is_made_here(
    authors: Authors, capsys: pytest.CaptureFixture[str]
) -> None:
    token = printed(capsys, "token", ".", "--author", "Ann").strip()
    assert authors.of_token(token) == "Ann"
    assert not authors.is_administrator(token)
    other = printed(capsys, "token", ".", "--administrator").strip()
    assert authors.is_administrator(other)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["token", ".", "--author", "Ann", "--administrator"], "name a player, or give"),
        (["token", ".", "Mine", "--author", "Ann"], "name a player, or give"),
        (["token", ".", "--author", ADMINISTRATOR], "a line of 1 to 100 printable characters"),
        (["token", "https://a.example", "--author", "Ann"], "does not go from afar"),
        (["invite", "https://a.example"], "does not go from afar"),
        (["invite", ".", "--author", "A\nB"], "a line of 1 to 100 printable characters"),
        (["approve", "https://a.example", "1"], "does not go from afar"),
        (["refuse", ".", "7"], "no request that waits has the number 7"),
        (["webhook", ".", "https://hooks.example.org"], "set by the URL of the pages"),
        (["describe", ".", "baseline"], "nothing is told"),
        (["describe", ".", "nobody", "--system", "x"], "no player is called 'nobody'"),
        (["describe", ".", "baseline", "--news", "x"], "has no version yet"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_line(
    store: LadderStore, capsys: pytest.CaptureFixture[str], words: list[str], says: str
) -> None:
    assert run(["ladder", *words]) == UNUSABLE
    (line,) = capsys.readouterr().err.splitlines()
    assert says in line
    assert store.authors.names() == set()


def test_an_invitation_is_printed_as_a_path(
    authors: Authors, capsys: pytest.CaptureFixture[str]
) -> None:
    path = printed(capsys, "invite", ".", "--author", "Ann").strip()
    found = re.fullmatch(r"/join/([\w-]{43})", path)
    assert found is not None
    assert authors.invited(found[1]) == "Ann"


def test_requests_are_shown_and_answered(
    authors: Authors, capsys: pytest.CaptureFixture[str]
) -> None:
    _, secret = authors.ask("Zoë", "Zed", "https://zed.example/", "It plays Precision")
    for number in range(3):
        authors.ask(f"Eve {number}", "x", "", "")
    status = printed(capsys, "status", ".")
    line = "request 1: Zoë asks to be an author, of Zed (https://zed.example/: It plays Precision)"
    assert line in status.splitlines()
    assert '"author": "Zo' in printed(capsys, "status", ".", "--json")
    assert printed(capsys, "approve", ".", "1") == "request 1 of Zoë is approved\n"
    refused = printed(capsys, "refuse", ".", "2", "3", "4")
    assert refused.splitlines()[-1] == "request 4 of Eve 2 is refused"
    assert authors.collect(secret) is not None
    assert "request" not in printed(capsys, "status", ".")


def test_a_player_is_described(store: LadderStore, capsys: pytest.CaptureFixture[str]) -> None:
    said = printed(capsys, "describe", ".", "random", "--system", "Any", "--home", "")
    assert said == "random has another system and home page\n"
    assert store.players()[2].system == "Any"
