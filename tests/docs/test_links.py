"""Links within the documentation lead to files that are there, and to headings in them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.data import DOCS, ROOT

DOCUMENTS = [
    *ROOT.glob("*.md"),
    *(path for path in DOCS.rglob("*.md") if "node_modules" not in path.parts),
    *(ROOT / "benchmarks").rglob("*.md"),
    *(ROOT / "research").rglob("*.md"),
]

_FENCED = re.compile(r"^( *)(```+).*?^\1\2 *$", re.DOTALL | re.MULTILINE)
_LINK = re.compile(r"\]\(([^()\s]+)\)")
_HEADING = re.compile(r"^#{1,6} +(.+?) *$", re.MULTILINE)
_TOCTREE = re.compile(r"^```\{toctree\}\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def links(document: Path) -> list[str]:
    return _LINK.findall(_FENCED.sub("", document.read_text(encoding="utf-8")))


def anchors(document: Path) -> set[str]:
    """Return what a forge, and the site, call the headings of a document."""
    found: Counter[str] = Counter()
    names = set()
    for heading in _HEADING.findall(_FENCED.sub("", document.read_text(encoding="utf-8"))):
        text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
        name = re.sub(r"[^\w\- ]", "", text).replace(" ", "-")
        names.add(f"{name}-{found[name]}" if found[name] else name)
        found[name] += 1
    return names


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_link_leads_to_a_file_and_a_heading(document: Path) -> None:
    broken = []
    for link in links(document):
        if re.match(r"[a-z]+:", link):
            continue
        target, _, anchor = link.partition("#")
        path = (document.parent / target).resolve() if target else document
        if not path.exists() or (anchor and anchor not in anchors(path)):
            broken.append(link)
    assert broken == []


def test_every_page_is_in_one_tree_of_the_site() -> None:
    found: Counter[Path] = Counter()
    for document in DOCUMENTS:
        for entry in _entries(document):
            found[(document.parent / f"{entry}.md").resolve()] += 1
    pages = {path.resolve() for path in DOCUMENTS if path.is_relative_to(DOCS)}
    pages.remove((DOCS / "index.md").resolve())
    assert found == Counter(dict.fromkeys(pages, 1))


def _entries(document: Path) -> Iterator[str]:
    for tree in _TOCTREE.findall(document.read_text(encoding="utf-8")):
        yield from (line for line in tree.split("\n") if line and not line.startswith(":"))
