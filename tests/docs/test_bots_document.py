"""The page of the bots, and their tables in the benchmarks, are what the figures say."""

from __future__ import annotations

from docs.generators.bots_document import NAME, RESULTS, markdown, results
from tests.data import ROOT

HOW = "run: python -m docs.generators.bots_document"


def test_the_committed_page_is_what_the_figures_tell() -> None:
    page = ROOT / "docs" / "reference" / NAME
    assert page.read_text(encoding="utf-8") == markdown(), HOW


def test_the_tables_of_the_benchmarks_are_what_the_figures_tell() -> None:
    page = (ROOT / RESULTS).read_text(encoding="utf-8")
    assert results(page) == page, HOW
    assert page.count("<!-- strength -->") == page.count("<!-- end -->") == 1
