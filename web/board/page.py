"""The page of a board: its document, and the scripts and styles that draw it."""

from __future__ import annotations

from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from bridge_arena.web.board.document import BoardDocument
from bridge_arena.web.common.embedding import embedded

STATIC = Path(__file__).parent.parent / "static"
"""The folder of scripts and styles."""

SCRIPTS = ("position.js", "faces.js", "table.js", "board.js", "page.js", "settings.js")
"""Of a board's page, in the order in which they are loaded."""


class BoardPages:
    """Makes pages of boards. `static`: address of the scripts' folder, seen from the pages."""

    def __init__(self, static: str) -> None:
        environment = Environment(
            loader=FileSystemLoader(Path(__file__).parent),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
        )
        self._template = environment.get_template("page.html")
        self._static = static

    def page(self, document: BoardDocument) -> str:
        """Return the page of a board."""
        title = f"Board {document['board']}"
        return self._template.render(
            title=f"{title}: {document['title']}" if document["title"] else title,
            static=self._static,
            scripts=SCRIPTS,
            document=embedded(document),
        )
