"""The parts of the weekly tests are those that CONTRIBUTING.md asks for."""

from __future__ import annotations

import re
from pathlib import Path

from tests.data import ROOT

MARK = re.compile(r'mark\.weekly\(part="(\w+)"\)')

ROW = re.compile(r"^\| .* \| `(\w+)` \|$", re.MULTILINE)


def test_contributing_says_which_change_asks_for_each_part() -> None:
    files = Path(ROOT, "tests").rglob("*.py")
    marked = {part for file in files for part in MARK.findall(file.read_text(encoding="utf-8"))}
    asked = ROW.findall((ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"))
    assert sorted(asked) == sorted([*marked, "properties"])
