"""What the documents show is what the code does."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.data import ROOT
from tests.end_to_end.arena import arena, summary_of

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
    "examples", [("low_bot", "points_bot"), ("claiming_bot", "worlds_bot")], ids="-".join
)
def test_examples_play_a_match(tmp_path: Path, examples: tuple[str, str]) -> None:
    bots = [f"{name}=cmd:{sys.executable} {EXAMPLES / name}.py" for name in examples]
    ended = arena(tmp_path, "match", *bots, *"--boards 2 --seed 3 --out match".split())
    assert (ended.status, ended.errors) == (0, ""), ended
    summary = summary_of(tmp_path / "match")
    assert summary["boards"] == 2
    assert summary["names"] == list(examples)
    assert summary["forfeit"] is None
    assert [bot["conduct"]["illegal_actions"] for bot in summary["bots"]] == [0, 0]


def test_every_link_between_documents_leads_somewhere() -> None:
    for document in [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]:
        for link in document.read_text().split("](")[1:]:
            target = link.split(")")[0].split("#")[0]
            if target and "://" not in target:
                assert (document.parent / target).exists(), f"{document.name} links to {target}"
