"""The files that name the version and the date of the release agree."""

from __future__ import annotations

import re
import tomllib

from tests.data import ROOT


def _text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def test_the_changelog_and_the_citation_name_the_version_of_the_package() -> None:
    version = tomllib.loads(_text("pyproject.toml"))["project"]["version"]
    release = re.search(
        r"^## (\d[\d.]*), (\d{4}-\d{2}-\d{2})$", _text("CHANGELOG.md"), re.MULTILINE
    )
    assert release is not None
    citation = dict(
        re.findall(r"^(version|date-released): (.+)$", _text("CITATION.cff"), re.MULTILINE)
    )
    assert citation == {"version": version, "date-released": release[2]}
    assert release[1] == version


def test_the_changelog_begins_with_what_is_not_released() -> None:
    assert re.findall(r"^## (\w+)", _text("CHANGELOG.md"), re.MULTILINE)[0] == "Unreleased"
