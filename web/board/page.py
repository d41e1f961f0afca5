"""The page of a board: its document, and the scripts and styles that draw it."""

from __future__ import annotations

from pathlib import Path

from bridge_arena.web.board.document import BoardDocument
from bridge_arena.web.common.pages import POLICY, embedded, environment

SCRIPTS = (
    "position.js",
    "symbols.js",
    "table.js",
    "board.js",
    "page.js",
    "settings.js",
)
"""The scripts of every board's page, in the order in which they are loaded."""


class BoardPages:
    """A maker of pages of boards."""

    def __init__(self, static: str) -> None:
        self._template = environment(Path(__file__).parent).get_template("page.html")
        self._static = static

    def page(
        self, document: BoardDocument, figures: str = "", *, has_call_costs: bool = False
    ) -> str:
        asking = ["figures.js"] * bool(figures) + ["calls.js"] * has_call_costs
        title = f"Board {document['board']}"
        return self._template.render(
            title=f"{title}: {document['title']}" if document["title"] else title,
            policy=POLICY,
            static=self._static,
            scripts=[*SCRIPTS, *asking],
            figures=figures,
            document=embedded(document),
        )
