"""`arena match`: what is refused before a bot is started."""

from __future__ import annotations

from pathlib import Path

import pytest

from bridge_arena.commands.main import UNUSABLE, run


@pytest.mark.parametrize(
    ("team", "why"),
    [
        ("Ли=random", "'Ли' has no letter of Latin-1"),
        ("?=random", "'?' has no letter of Latin-1"),
        (f"{'x' * 201}=random", "is a name of 201 characters"),
        (f"cmd:bot {'-v ' * 99}", "is a name of 300 characters"),
    ],
)
def test_a_name_that_the_results_cannot_tell_is_refused(
    team: str, why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["match", "baseline", team, "--out", str(tmp_path / "run")]) == UNUSABLE
    error = capsys.readouterr().err
    assert why in error
    assert error.endswith("name it by TITLE=BOT\n")
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("command", [["match"], ["play", "--partner"], ["lab", "--play"]])
def test_more_boards_than_a_match_can_have(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bots = ["random"] if command[0] == "play" else ["natural", "baseline"]
    words = [*command, *bots, "--boards", "100001", "--out", str(tmp_path / "run")]
    assert run(words) == UNUSABLE
    text = "arena: a match has 100,000 boards at most, not 100,001: see --boards\n"
    assert capsys.readouterr().err == text
    assert not (tmp_path / "run").exists()
