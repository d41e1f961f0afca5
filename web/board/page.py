"""The pages that show a board: one has its document, the other loads those of a whole folder."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from bridge_arena.web.board.document import BoardDocument, Link
from bridge_arena.web.common.pages import embedded, page_of

Range = tuple[str, int, int, str]
"""Names that differ in a number: what is before it, its first and last value, what is after it."""

_DRAWING = ("position.js", "symbols.js", "table.js", "board.js")

SCRIPTS = (*_DRAWING, "page.js", "sharing.js", "settings.js")
"""The scripts of the page of one board, in the order in which they are loaded."""

BOARDS_SCRIPTS = ("boards.js", *_DRAWING, "sharing.js", "settings.js")
"""The scripts of the page of all boards of a folder."""


def board_page(
    document: BoardDocument,
    static: str,
    figures: str = "",
    *,
    has_call_costs: bool = False,
    ups: Sequence[Link] = (),
) -> str:
    """Return the page of one board, with scripts and styles from the folder `static`.

    It asks for double-dummy figures under the name `figures`, or not at all if that is "". `ups`
    are the pages above those to which the document itself has links.
    """
    asking = ["figures.js"] * bool(figures) + ["calls.js"] * has_call_costs
    title = f"Board {document['board']}"
    return page_of(
        _TEMPLATE,
        title=f"{title}: {document['title']}" if document["title"] else title,
        static=static,
        scripts=[*SCRIPTS, *asking],
        figures=figures,
        data=embedded(document),
        up=None,
        ups=ups,
    )


def boards_page(
    files: Sequence[Sequence[Range]], up: Link, static: str, ups: Sequence[Link] = ()
) -> str:
    """Return the page of all boards of a folder, which shows the one that its address names.

    `files` has the names of the boards that each of the scripts `boards-1.js` and so on loads. From
    an address without a board the reader goes `up`. `ups` are the pages above that.
    """
    return page_of(
        _TEMPLATE,
        title="Boards",
        static=static,
        scripts=BOARDS_SCRIPTS,
        figures="",
        data=embedded({"files": files}),
        up=up,
        ups=ups,
    )


_TEMPLATE = Path(__file__).with_name("page.html")
