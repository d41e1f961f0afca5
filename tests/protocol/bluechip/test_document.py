"""Check that the document lists exactly the quirks that exist."""

from __future__ import annotations

from dataclasses import fields
from typing import get_args, get_type_hints

from bridge_arena.protocol.bluechip.spelling import Quirks
from tests.data import DOCS

DOCUMENT = DOCS / "bluechip.md"


def test_every_quirk_is_in_the_table_with_its_values_and_its_default_first() -> None:
    rows = [
        [cell.strip() for cell in line.split("|")[1:3]]
        for line in DOCUMENT.read_text().splitlines()
        if line.startswith("| `")
    ]
    told = {row[0].strip("`"): [word.strip(" `") for word in row[1].split(",")] for row in rows}
    kinds = get_type_hints(Quirks)
    assert list(told) == [field.name for field in fields(Quirks)]
    for field in fields(Quirks):
        kind = kinds[field.name]
        values = ["yes", "no"] if kind is bool else list(get_args(kind))
        assert sorted(told[field.name]) == sorted(values)
        first = Quirks.parse([f"{field.name}={told[field.name][0]}"])
        assert first == Quirks(), field.name
