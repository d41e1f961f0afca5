"""The pages of trainings say what the records of the weights that ship say."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_group

from bridge_arena.commands.train.main import train
from tests.data import DOCS, ROOT

FILES = sorted((ROOT / "bots").rglob("record.json"))

RECORDS = {record["trains"]: record for record in (json.loads(file.read_text()) for file in FILES)}

PAGES = dict.fromkeys(("qplay", "sarsa", "dqn"), "declarers")
"""The pages of trainings that have none of their own."""

COUNTS = {"pairs": ("random_pairs", "pairs"), "boards": ("boards",), "check": ("checked_boards",)}
"""How records call the numbers of data that an option gives."""


def section_of(name: str) -> str:
    page = (DOCS / "training" / f"{PAGES.get(name, name)}.md").read_text()
    _, heading, section = page.partition("\n## The weights that ship\n")
    assert heading
    return section


def options_of(name: str, section: str) -> dict[str, Any]:
    """Return the options of the command on the page, those by default too."""
    (line,) = [line for line in section.splitlines() if line.startswith(f"    arena train {name}")]
    _, _, _, *words = shlex.split(line)
    return get_group(train).commands[name].make_context(name, words).params


@pytest.mark.parametrize("name", RECORDS)
def test_the_command_is_that_of_the_record(name: str) -> None:
    record = RECORDS[name]
    settings = record["settings"]
    data = settings.get("data", {})
    section = section_of(name)
    options = options_of(name, section)
    if name == "neural" and options.get("start"):
        del options["auctions"]  # nothing is imitated, and the setting of this name is another
    compared = options.keys() & settings.keys()
    assert compared
    for option in compared:
        assert options[option] == settings[option], option
    for option in COUNTS.keys() & options.keys() - compared:
        if isinstance(options[option], int):
            (key,) = set(COUNTS[option]) & data.keys()
            assert options[option] == data[key], option
    if "tricks" in data:
        given = options["tricks"]
        assert data["tricks"]["name"] == (given.name if given else "shipped")
    for option in ("means", "openings", "check"):
        if data.get(option) and options.get(option):
            given = options[option]
            paths = given if isinstance(given, list) else [given]
            assert [Path(path).name for path in paths] == [file["name"] for file in data[option]]


@pytest.mark.parametrize("name", RECORDS)
def test_the_page_tells_how_much_data_there_was(name: str) -> None:
    data = RECORDS[name]["settings"].get("data", {})
    section = section_of(name)
    for key, number in data.items():
        if isinstance(number, int) and number:
            assert f"{number:,}" in section, key
    for row in ("| data |", "| time", "| should end with"):
        assert row in section, row


def test_every_training_has_one_record() -> None:
    assert len(RECORDS) == len(FILES)


def test_every_training_has_its_page() -> None:
    trainings = get_group(train).commands.keys() - {"deals", "evaluate"}
    assert trainings == RECORDS.keys()
    pages = {path.stem for path in (DOCS / "training").glob("*.md")}
    assert pages == {PAGES.get(name, name) for name in trainings}
