"""The page of a board: its document, and the scripts and styles that draw it."""

from __future__ import annotations

from pathlib import Path

from bridge_arena.web.board.document import BoardDocument
from bridge_arena.web.common.embedding import embedded
from bridge_arena.web.common.pages import environment
from bridge_arena.web.common.policy import POLICY

SCRIPTS = (
    "position.js",
    "faces.js",
    "table.js",
    "board.js",
    "page.js",
    "settings.js",
)
"""Of every board's page, in the order in which they are loaded."""


class BoardPages:
    """Makes pages of boards. `static`: address of the scripts' folder, seen from the pages."""

    def __init__(self, static: str) -> None:
        self._template = environment(Path(__file__).parent).get_template("page.html")
        self._static = static

    def page(
        self, document: BoardDocument, figures: str = "", *, has_call_costs: bool = False
    ) -> str:
        """Return the page of a board. `figures`: what the server calls the board that computes
        double-dummy figures for the page, and what calls cost if `has_call_costs`; "" where
        none does."""
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
