"""Tests that the examples of the documents do what the documents say."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.data import ROOT
from tests.end_to_end.arena import arena, summary_of
from tests.end_to_end.conftest import Here
from tests.recorded.field.club import write

EXAMPLES = ROOT / "docs" / "examples"
LOW_BOT = EXAMPLES / "low_bot.py"


@pytest.mark.parametrize("document", ["README.md", "docs/index.md", "docs/writing-a-bot.md"])
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
@pytest.mark.slow
def test_examples_play_a_match(tmp_path: Path, examples: tuple[str, str]) -> None:
    bots = [f"{name}=cmd:{sys.executable} {EXAMPLES / name}.py" for name in examples]
    ended = arena(tmp_path, "match", *bots, *"--boards 2 --seed 3 --out match".split())
    assert (ended.status, ended.errors) == (0, ""), ended
    summary = summary_of(tmp_path / "match")
    assert summary["boards"] == 2
    assert summary["names"] == list(examples)
    assert summary["forfeit"] is None
    assert [bot["conduct"]["illegal_actions"] for bot in summary["bots"]] == [0, 0]


def test_the_frames_of_an_analysis_load_as_shown(here: Here, tmp_path: Path) -> None:
    source = (EXAMPLES / "club_frames.py").read_text()
    assert f"```python\n{source}```" in (ROOT / "docs" / "analysing.md").read_text()
    for library in ("pandas", "polars", "pyarrow"):
        pytest.importorskip(library)
    write(tmp_path)
    options = "--format parquet --out club --workers 1"
    assert here("analyse", "club.pbn", *options.split()).status == 0
    command = [sys.executable, str(EXAMPLES / "club_frames.py"), "club"]
    ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert "4S" in ended.stdout
    assert "Ann-Bo" in ended.stdout


def test_every_link_between_documents_leads_somewhere() -> None:
    for document in [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]:
        text = document.read_text()
        for link in re.findall(r"\]\(([^)]*)", text) + re.findall(r'src(?:set)?="([^"]*)', text):
            target = link.split("#")[0]
            if target and "://" not in target:
                assert (document.parent / target).exists(), f"{document.name} links to {target}"
