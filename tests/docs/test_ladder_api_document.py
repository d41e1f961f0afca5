"""The OpenAPI document of ladders is what the code does."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

from docs.generators import ladder_api_document as document
from tests.data import DOCS

PAGE = (DOCS / "ladder-api.md").read_text(encoding="utf-8")


def test_the_committed_files_are_what_the_code_generates() -> None:
    committed = (DOCS / document.NAME).read_text(encoding="utf-8"), PAGE
    assert committed == (document.text(), document.page(PAGE)), (
        "run: python -m docs.generators.ladder_api_document"
    )


def test_the_command_writes_both_files(tmp_path: Path) -> None:
    (tmp_path / document.PAGE).write_text(PAGE, encoding="utf-8")
    command = [sys.executable, "-m", "docs.generators.ladder_api_document", str(tmp_path)]
    subprocess.run(command, check=True)
    assert (tmp_path / document.NAME).read_text(encoding="utf-8") == document.text()
    assert (tmp_path / document.PAGE).read_text(encoding="utf-8") == PAGE


def test_every_address_has_its_row_in_the_page() -> None:
    rows = re.findall(r"^\| `(?:GET|POST) (/\S+)` \|", PAGE, re.MULTILINE)
    assert sorted(rows) == sorted(json.loads(document.text())["paths"])


def test_every_object_of_the_document_is_described() -> None:
    schemas = json.loads(document.text())["components"]["schemas"]
    for reference in re.findall(r'"#/components/schemas/(\w+)"', document.text()):
        assert reference in schemas
    for schema in schemas.values():
        assert schema["description"]
