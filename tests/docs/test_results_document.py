"""The page of the results' formats is what the store's tables and the code of the log tell."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from docs.generators import results_document as document
from tests.data import DOCS, ROOT


def test_the_committed_page_is_what_the_code_tells() -> None:
    committed = (DOCS / "reference" / document.NAME).read_text(encoding="utf-8")
    assert committed == document.markdown(), "run: python -m docs.generators.results_document"


def test_every_line_of_the_log_is_described_with_its_values() -> None:
    written: dict[str, set[str]] = {}
    for name, values in _log_lines():
        written.setdefault(name, set()).update(values)
    # `connection` also has what the seats pass on.
    written["connection"].add("table")
    assert written == {name: set(values) for name, (_, values) in document.LINES.items()}


def _log_lines() -> Iterator[tuple[str, set[str]]]:
    """The name and the named values of every call of `EventLog.write` in the code."""
    for folder in ("tournaments", "bridge_arena/commands"):
        for path in (ROOT / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                match node:
                    case ast.Call(
                        func=ast.Attribute(
                            attr="write",
                            value=ast.Name(id="log" | "self") | ast.Attribute(attr="_log"),
                        ),
                        args=[ast.Constant(value=str(name))],
                        keywords=keywords,
                    ):
                        yield name, {each.arg for each in keywords if each.arg is not None}
