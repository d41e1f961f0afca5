"""The key of an event that was committed to, kept until it begins."""

from __future__ import annotations

from pathlib import Path

import pytest

from bridge_arena.tournaments.events.sealed_deals import (
    KeyFileError,
    Sealing,
    key_path,
    read_key,
    write_key,
)
from bridge_arena.tournaments.formats.rules import Format
from tests.tournaments.scores import event


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return key_path(tmp_path / "cup.toml")


def sealed() -> Sealing:
    return Sealing.of(event(Format.MATCH, 2, seed=None))


def test_a_key_comes_back_and_only_its_owner_may_read_it(path: Path) -> None:
    assert path.name == "cup.key.json"
    assert read_key(path) is None
    sealing = sealed()
    write_key(path, sealing)
    assert read_key(path) == sealing
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_key_file_is_never_overwritten(path: Path) -> None:
    """Otherwise a published commitment would be broken."""
    first = sealed()
    write_key(path, first)
    with pytest.raises(KeyFileError, match="exists already: the event is committed to"):
        write_key(path, sealed())
    assert read_key(path) == first


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is no file of a deal key"),
        ("[]", "is no file of a deal key"),
        ('{"version": 1, "definition": "", "key": "00"}', "is no file of a deal key"),
        ('{"version": 2}', "version 2 is not known"),
    ],
)
def test_a_file_that_is_no_key_file_is_refused(path: Path, text: str, words: str) -> None:
    path.write_text(text)
    with pytest.raises(KeyFileError, match=words):
        read_key(path)


def test_a_key_in_a_folder_that_cannot_be_used_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(KeyFileError, match="cannot write"):
        write_key(tmp_path / "nowhere" / "cup.key.json", sealed())
    with pytest.raises(KeyFileError, match="Is a directory"):
        read_key(tmp_path)
