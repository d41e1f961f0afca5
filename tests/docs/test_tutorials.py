"""The tutorials set up the arena in one way, which `docs/installing.md` begins with."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.data import DOCS

TUTORIALS = sorted(path for path in DOCS.glob("tutorials/*.md") if path.name != "index.md")


@pytest.mark.parametrize("tutorial", TUTORIALS, ids=[path.stem for path in TUTORIALS])
def test_a_tutorial_begins_in_the_environment_of_the_checkout(tutorial: Path) -> None:
    document = tutorial.read_text(encoding="utf-8")
    way = r"    \./dev (--with \w+ )?arena --version\n    source \.venv/bin/activate\n    .*cd "
    assert re.search(way, document)
    assert "[Installing](../installing.md)" in document
    # But for the PyTorch that needs no GPU, nothing is installed in another way.
    torch = "./dev pip install torch --index-url https://download.pytorch.org/whl/cpu\n"
    assert "pip install" not in document.replace(torch, "")


def test_the_page_on_installing_begins_with_the_way_of_the_tutorials() -> None:
    document = (DOCS / "installing.md").read_text(encoding="utf-8")
    assert "    ./dev arena --version\n    source .venv/bin/activate\n" in document
