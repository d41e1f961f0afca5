"""The page of a board: its document, and the scripts and styles that draw it."""

from __future__ import annotations

from pathlib import Path

from bridge_arena.web.board.document import BoardDocument
from bridge_arena.web.common.pages import embedded, page_of

SCRIPTS = (
    "position.js",
    "symbols.js",
    "table.js",
    "board.js",
    "page.js",
    "settings.js",
)
"""The scripts of every board's page, in the order in which they are loaded."""


def board_page(
    document: BoardDocument, static: str, figures: str = "", *, has_call_costs: bool = False
) -> str:
    """Return the page of a board.

    Args:
        static: The address of the folder of scripts and styles.
        figures: The name under which the page asks for double-dummy figures; "" if it does not.
        has_call_costs: Whether it can ask for the costs of calls.
    """
    asking = ["figures.js"] * bool(figures) + ["calls.js"] * has_call_costs
    title = f"Board {document['board']}"
    return page_of(
        Path(__file__).with_name("page.html"),
        title=f"{title}: {document['title']}" if document["title"] else title,
        static=static,
        scripts=[*SCRIPTS, *asking],
        figures=figures,
        document=embedded(document),
    )
