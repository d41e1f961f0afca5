"""The page of the results' formats is what the store's tables and the code of the log tell."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bridge_arena.bridge.record import Fault, FaultKind
from bridge_arena.bridge.seats import Seat
from bridge_arena.tournaments.play.event_log import facts_of
from docs.generators import results_document as document
from tests.data import DOCS, ROOT


def test_the_committed_page_is_what_the_code_tells() -> None:
    committed = (DOCS / "reference" / document.NAME).read_text(encoding="utf-8")
    assert committed == document.markdown(), "run: python -m docs.generators.results_document"


_MORE = {
    "where": {"unit", "board"},
    "facts_of": set(facts_of(Fault(Seat.NORTH, FaultKind.STALL, 0, ""), "NESW")),
    "_log_bot": {"bot", "output"},
}
"""The values that stand behind `**where`, `**facts_of(...)` and a call of `_log_bot`."""


def test_every_line_of_the_log_is_described_with_its_values() -> None:
    written: dict[str, set[str]] = {}
    for name, values in _log_lines():
        written.setdefault(name, set()).update(values)
    # `connection` also has what the seats pass on.
    written["connection"].add("table")
    assert written == {name: set(values) for name, (_, values) in document.LINES.items()}


def _log_lines() -> Iterator[tuple[str, set[str]]]:
    """The name and the named values of every line of the log in the code."""
    for folder in ("tournaments", "web", "bridge_arena/commands"):
        for path in (ROOT / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                match node:
                    case ast.Call(
                        func=ast.Attribute(
                            attr="write" | "_log_bot" as function,
                            value=ast.Name(id="log" | "self") | ast.Attribute(attr="_log"),
                        ),
                        args=[ast.Constant(value=str(name)), *_],
                        keywords=keywords,
                    ):
                        values = {keyword.arg for keyword in keywords if keyword.arg is not None}
                        for keyword in keywords:
                            if keyword.arg is None and name != "connection":
                                spread = ast.unparse(keyword.value).partition("(")[0]
                                values |= _MORE.get(spread, set())
                        yield name, values | _MORE.get(function, set())
