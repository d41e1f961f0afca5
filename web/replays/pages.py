"""The pages and scripts of replays.

A page holds its tables as long as they are small. Otherwise each table has a script of its own,
which is loaded when somebody looks at the table.
"""

from __future__ import annotations

from collections.abc import Iterator

from bridge_arena.web.board.document import BoardDocument, Links, Table
from bridge_arena.web.board.of_records import document_of
from bridge_arena.web.common.embedding import embedded
from bridge_arena.web.replays.replay import ReplayPage

IN_PAGE = 120_000
"""The most bytes of tables that a page holds."""


def document(page: ReplayPage, links: Links) -> BoardDocument:
    """Return the document of a page."""
    holds_tables = _holds_tables(page)
    tables: list[Table] = []
    for place, table in enumerate(page.tables):
        summary = table.summary(page.start + place + 1)
        if holds_tables:
            tables.append({**summary, **table.rest()})
        else:
            tables.append({**summary, "script": page.script(place)})
    replay = page.replay
    found = document_of(replay.board, replay.title, tables)
    found["links"] = links
    if replay.outcome:
        found["outcome"] = replay.outcome
    if replay.parts:
        found["parts"] = replay.told_parts()
    return found


def scripts(page: ReplayPage) -> Iterator[tuple[str, str]]:
    """Yield address and text of the scripts to which the page's document refers."""
    if not _holds_tables(page):
        for place in range(len(page.tables)):
            yield page.script(place), script(page, place)


def script(page: ReplayPage, place: int) -> str:
    """Return the script that loads a table, by its place on the page."""
    rest = embedded(page.tables[place].rest())
    return f'Arena.tableLoaded("{page.script(place)}", {rest});\n'


def _holds_tables(page: ReplayPage) -> bool:
    if len(page.tables) > 2:
        return False
    return sum(len(embedded(table.rest()).encode()) for table in page.tables) <= IN_PAGE
