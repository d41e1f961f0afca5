"""The page of the event file's keys is what the classes tell."""

from __future__ import annotations

import re

from bridge_arena.tournaments.events.event_file import KEYS
from docs.generators import event_file_document as document
from tests.data import DOCS


def test_the_committed_page_is_what_the_classes_tell() -> None:
    committed = (DOCS / "reference" / document.NAME).read_text(encoding="utf-8")
    assert committed == document.markdown(), "run: python -m docs.generators.event_file_document"


def test_every_key_has_its_row_with_all_cells() -> None:
    rows = re.findall(r"^\| `(\w+)` \|(.+)\|$", document.markdown(), re.MULTILINE)
    told = [key for key, cells in rows if len(re.split(r"(?<!\\)\|", cells)) == 3 and cells.strip()]
    keys = [key for name in ("event", "entry", "policies") for key in KEYS[name]]
    assert told[: len(keys)] == keys


def test_a_type_tells_both_limits() -> None:
    row = re.search(r"^\| `trim` \| ([^|]+) \|", document.markdown(), re.MULTILINE)
    assert row is not None
    assert row[1] == "number, at least 0, below 0.5"
