"""What the documents show is what the code does."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.data import ROOT

EXAMPLES = ROOT / "docs" / "examples"
LOW_BOT = EXAMPLES / "low_bot.py"


@pytest.mark.parametrize("document", ["README.md", "docs/writing-a-bot.md"])
def test_a_document_shows_the_ten_line_bot_as_it_is(document: str) -> None:
    source = LOW_BOT.read_text()
    assert f"```python\n{source}```" in (ROOT / document).read_text()
    assert len([line for line in source.splitlines() if line.strip()]) <= 10


@pytest.mark.parametrize("example", ["points_bot.py", "claiming_bot.py", "worlds_bot.py"])
def test_a_longer_example_is_shown_as_it_is(example: str) -> None:
    source = (EXAMPLES / example).read_text()
    assert f"```python\n{source}```" in (ROOT / "docs" / "writing-a-bot.md").read_text()


@pytest.mark.parametrize(
    "example", ["low_bot.py", "points_bot.py", "claiming_bot.py", "worlds_bot.py"]
)
def test_an_example_plays_a_match(tmp_path: Path, example: str) -> None:
    bot = f"example=cmd:{sys.executable} {EXAMPLES / example}"
    command = [sys.executable, "-m", "bridge_arena.commands.main", "match", bot, "random"]
    subprocess.run(
        [*command, "--boards", "2", "--seed", "3", "--out", tmp_path / "match"], check=True
    )
    summary = json.loads((tmp_path / "match" / "summary.json").read_text())
    assert summary["boards"] == 2
    assert summary["names"] == ["example", "random"]
    assert summary["forfeit"] is None
    assert [bot["conduct"]["illegal_actions"] for bot in summary["bots"]] == [0, 0]


def test_every_link_between_documents_leads_somewhere() -> None:
    for document in [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]:
        for link in document.read_text().split("](")[1:]:
            target = link.split(")")[0].split("#")[0]
            if target and "://" not in target:
                assert (document.parent / target).exists(), f"{document.name} links to {target}"
