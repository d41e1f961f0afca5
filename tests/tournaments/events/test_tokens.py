"""Tokens: made once, known by their hashes."""

from __future__ import annotations

import json
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from bridge_arena.tournaments.events.tokens import Tokens, TokensError, tokens_path
from bridge_arena.tournaments.play.venue import KIBITZER


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tokens_path(tmp_path / "event.toml")


def test_a_token_is_its_owners(path: Path) -> None:
    tokens = Tokens(path)
    one, other = tokens.create("one"), tokens.create("other")
    assert (tokens.owner(one), tokens.owner(other)) == ("one", "other")
    assert tokens.owner("one") is None
    assert tokens.owner("") is None


def test_a_kibitzers_token_is_no_entrys(path: Path) -> None:
    tokens = Tokens(path)
    assert tokens.owner(tokens.create(KIBITZER)) == KIBITZER
    assert not tokens.has("one")


def test_only_hashes_are_kept_and_nobody_else_may_read_them(path: Path) -> None:
    token = Tokens(path).create("one")
    assert token not in path.read_text()
    assert path.stat().st_mode & 0o777 == 0o600
    names = {each.name for each in path.parent.iterdir()}
    assert names == {"event.tokens.json", ".event.tokens.json.lock"}
    assert not (path.parent / ".event.tokens.json.lock").read_bytes()


def test_tokens_are_not_to_be_guessed(path: Path) -> None:
    tokens = Tokens(path)
    made = {tokens.create("one") for _ in range(50)}
    assert len(made) == 50
    assert min(map(len, made)) >= 43  # 256 bits in base64


def test_a_new_token_replaces_the_one_before_also_for_who_has_read_the_file(path: Path) -> None:
    serving, making = Tokens(path), Tokens(path)
    assert not serving.has("one")
    first = making.create("one")
    assert serving.owner(first) == "one"
    second = making.create("one")
    assert serving.owner(first) is None
    assert serving.owner(second) == "one"


def test_two_makers_of_tokens_in_turn_lose_none(path: Path) -> None:
    first, second = Tokens(path), Tokens(path)
    one = first.create("one")
    other = second.create("other")
    third = first.create("third")
    owners = [Tokens(path).owner(token) for token in (one, other, third)]
    assert owners == ["one", "other", "third"]


def test_many_makers_of_tokens_at_once_lose_none(path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda name: Tokens(path).create(name), map(str, range(40))))
    assert [Tokens(path).owner(token) for token in made] == list(map(str, range(40)))


@pytest.mark.parametrize(
    "text",
    ["", "tokens", "[]", "{}", '{"version": 1}', '{"version": 1, "tokens": 3}', "\x00\xff"],
)
def test_what_is_no_file_of_tokens_is_an_error_and_is_left_as_it_is(path: Path, text: str) -> None:
    path.write_text(text)
    with pytest.raises(TokensError, match=r"event\.tokens\.json: this is no file of tokens"):
        Tokens(path).has("one")
    with pytest.raises(TokensError):
        Tokens(path).create("one")
    assert path.read_text() == text


def test_a_later_version_is_not_guessed_at(path: Path) -> None:
    path.write_text(json.dumps({"version": 2, "tokens": {}}))
    with pytest.raises(TokensError, match="version 2 is not known"):
        Tokens(path).has("one")


def test_a_file_that_is_spoilt_while_it_is_served_counts_as_it_was(path: Path) -> None:
    tokens = Tokens(path)
    token = tokens.create("one")
    path.write_text("spoilt")
    assert tokens.owner(token) == "one"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written_gets_no_token(path: Path) -> None:
    path.parent.chmod(0o500)
    with pytest.raises(TokensError, match="Permission denied"):
        Tokens(path).create("one")


def test_a_folder_that_does_not_exist_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(TokensError, match="No such file or directory"):
        Tokens(tmp_path / "nowhere" / "x.json").create("one")
