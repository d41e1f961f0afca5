"""The page of files and variables has every variable that the code looks up."""

from __future__ import annotations

import re
from itertools import chain

from tests.data import DOCS, ROOT

_PLACES = ("base", "bots", "bridge_arena/commands", "conformance", "oracle", "server", "tests")
_SHELL_SETS = "_ARENA_COMPLETE"


def test_every_environment_variable_has_its_row() -> None:
    page = (DOCS / "reference" / "files.md").read_text(encoding="utf-8")
    files = chain.from_iterable((ROOT / place).rglob("*.py") for place in _PLACES)
    code = "\n".join(path.read_text(encoding="utf-8") for path in files).replace(_SHELL_SETS, "")
    told = set(re.findall(r"^\| `(ARENA_\w+)`", page, re.MULTILINE))
    assert told == set(re.findall(r"\bARENA_[A-Z_]*[A-Z]\b", code))
