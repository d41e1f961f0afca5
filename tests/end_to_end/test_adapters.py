"""Players of other libraries, in processes of their own."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.data import DOCS
from tests.end_to_end.arena import arena, summary_of

pytestmark = pytest.mark.slow

EXAMPLES = DOCS / "examples" / "adapters"


@pytest.mark.parametrize(
    "names", [("policy_bot", "openspiel_bot"), ("function_bot", "policy_bot")], ids="-".join
)
def test_players_of_other_libraries_play_a_match(tmp_path: Path, names: tuple[str, str]) -> None:
    bots = [f"{name}=cmd:{sys.executable} {EXAMPLES / name}.py" for name in names]
    ended = arena(tmp_path, "match", *bots, *"--boards 2 --seed 3 --out match".split())
    assert (ended.status, ended.errors) == (0, ""), ended
    summary = summary_of(tmp_path / "match")
    assert summary["names"] == list(names)
    assert summary["forfeit"] is None
    assert [bot["conduct"]["illegal_actions"] for bot in summary["bots"]] == [0, 0]
