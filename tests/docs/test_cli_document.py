"""The page of the command line is what the commands tell of themselves."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from bridge_arena.commands.command_list import COMMANDS
from docs.generators import cli_document as document
from tests.data import DOCS


def test_the_committed_page_is_what_the_commands_tell() -> None:
    committed = (DOCS / "reference" / document.NAME).read_text(encoding="utf-8")
    assert committed == document.markdown(), "run: python -m docs.generators.cli_document"


def test_the_command_writes_the_page(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "docs.generators.cli_document", tmp_path], check=True)
    assert [path.name for path in tmp_path.iterdir()] == [document.NAME]


def test_every_command_has_its_section() -> None:
    sections = re.findall(r"^## arena (.+)$", document.markdown(), re.MULTILINE)
    assert sections == list(COMMANDS)


def test_every_row_has_three_cells() -> None:
    rows = [line for line in document.markdown().splitlines() if line.startswith("|")]
    assert len(rows) > 100
    assert {len(re.split(r"(?<!\\)\|", row)) for row in rows} == {5}
