"""The checkpoint: what is in it stays, and only its own replay goes on with it."""

from __future__ import annotations

from pathlib import Path

import pytest

from bridge_arena.recorded.checkpoint import Checkpoint, CheckpointError

SETUP = {"file": "a.pbn 123", "bot": "random"}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "checkpoint.jsonl"
    with Checkpoint(path, SETUP) as checkpoint:
        checkpoint.save("replay/1/bot", pbn="[Event]")
        checkpoint.save("replay/1/dd", tricks=9)
    return path


def test_units_that_were_saved_are_there_again(path: Path) -> None:
    with Checkpoint(path, SETUP) as checkpoint:
        assert checkpoint.get("replay/1/bot") == {"pbn": "[Event]"}
        assert checkpoint.get("replay/1/dd") == {"tricks": 9}
        assert checkpoint.get("replay/1/oracle") is None


def test_a_checkpoint_is_only_added_to(path: Path) -> None:
    before = path.read_bytes()
    with Checkpoint(path, SETUP) as checkpoint:
        assert path.read_bytes() == before
        checkpoint.save("replay/2/bot", pbn="")
    assert path.read_bytes() == before + b'{"unit": "replay/2/bot", "pbn": ""}\n'


def test_a_line_that_was_cut_off_does_not_count(path: Path) -> None:
    before = path.read_bytes()
    path.write_bytes(before[:-3])
    with Checkpoint(path, SETUP) as checkpoint:
        assert checkpoint.get("replay/1/bot") is not None
        assert checkpoint.get("replay/1/dd") is None
        checkpoint.save("replay/1/dd", tricks=9)
    assert path.read_bytes() == before


def test_a_checkpoint_of_another_replay_is_refused(path: Path) -> None:
    before = path.read_bytes()
    with pytest.raises(CheckpointError, match=r"another run \(bot random, not baseline\)"):
        Checkpoint(path, {**SETUP, "bot": "baseline"})
    assert path.read_bytes() == before


def test_a_checkpoint_without_a_result_can_begin_otherwise(tmp_path: Path) -> None:
    path = tmp_path / "checkpoint.jsonl"
    Checkpoint(path, SETUP).close()
    other = {**SETUP, "bot": "baseline"}
    with Checkpoint(path, other) as checkpoint:
        checkpoint.save("replay/1/dd", tricks=9)
    Checkpoint(path, other).close()


@pytest.mark.parametrize("text", ["hello\n", '{"unit": 1}\n{}\n', "[1]\n[2]\n"])
def test_a_file_that_is_no_checkpoint_is_refused_and_kept(tmp_path: Path, text: str) -> None:
    path = tmp_path / "checkpoint.jsonl"
    path.write_text(text)
    with pytest.raises(CheckpointError, match=r"it is no checkpoint$"):
        Checkpoint(path, SETUP)
    assert path.read_text() == text
