"""`arena token`: whose token it is, by any name that the event file has."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bridge_arena.commands.main import DONE, UNUSABLE, run

EVENT = """\
[event]
name = "Visitors"
format = "round-robin"
boards = 1

[[entry]]
bot = "remote:visitor"
name = "The visitor"

[[entry]]
bot = "random & remote:far"
name = "Mixed"

[[entry]]
bot = "remote:one & remote:two"
name = "Both"

[[entry]]
bot = "remote:The visitor"
name = "two"
"""


@pytest.fixture
def event(tmp_path: Path) -> Path:
    path = tmp_path / "visitors.toml"
    path.write_text(EVENT)
    return path


@pytest.mark.parametrize(
    ("named", "owner"),
    [
        ("The visitor", "The visitor"),  # an entry's own name, though it stands behind remote: too
        ("visitor", "The visitor"),
        ("Mixed", "Mixed / far"),
        ("far", "Mixed / far"),
        ("Mixed / far", "Mixed / far"),
        ("one", "Both / one"),
        ("Both / two", "Both / two"),
        ("two", "two"),
    ],
)
def test_a_token_is_made_by_any_name_of_a_remote_player(
    named: str, owner: str, event: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["token", str(event), named]) == DONE
    assert capsys.readouterr().err.startswith(f"the token of {owner};")
    kept = json.loads(event.with_suffix(".tokens.json").read_text())["tokens"]
    assert list(kept.values()) == [owner]


@pytest.mark.parametrize(
    ("named", "complaint"),
    [
        ("Both", "'Both' is more than one: Both / one, Both / two"),
        ("random", "has no remote entry 'random' (there are: The visitor, Mixed / far, "),
    ],
)
def test_a_name_of_no_remote_player_or_of_several_is_told(
    named: str, complaint: str, event: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["token", str(event), named]) == UNUSABLE
    error = capsys.readouterr().err
    assert complaint in error
    assert len(error.splitlines()) == 1
    assert not event.with_suffix(".tokens.json").exists()
