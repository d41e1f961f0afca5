"""A seed gives the same match of the learned bots on every processor."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bots.kernels import OLDEST, skip_unless_possible
from tests.end_to_end.arena import arena, untimed


@pytest.mark.weekly(part="kernels")
@pytest.mark.parametrize(("bot", "other"), [("neural", "fastplay"), ("qtable", "deepq")])
def test_learned_bots_call_and_play_the_same(tmp_path: Path, bot: str, other: str) -> None:
    skip_unless_possible(OLDEST)
    match = ["match", bot, other, "--boards", "2", "--seed", "7"]
    here = arena(tmp_path, *match, "--out", "here")
    there = arena(tmp_path, *match, "--out", "there", environment=OLDEST)
    assert (here.status, there.status) == (0, 0), here.errors + there.errors
    assert untimed(tmp_path / "here" / "match.pbn") == untimed(tmp_path / "there" / "match.pbn")
