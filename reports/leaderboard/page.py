"""`leaderboard.html`: one self-contained page, whose tables are sorted by a click on a heading."""

from __future__ import annotations

from pathlib import Path

from bridge_arena.oracle.ledger import Role
from bridge_arena.reports.common.page import templates
from bridge_arena.reports.common.replay_pages import FOLDER, LIST, MATCHES, address_of
from bridge_arena.reports.leaderboard import columns, wording
from bridge_arena.reports.leaderboard.bracket import bracket
from bridge_arena.reports.leaderboard.figures import Leaderboard
from bridge_arena.reports.leaderboard.links import Links
from bridge_arena.tournaments.statistics.means import Mean

_DARKEST = 45
"""The colour in per cent of a meeting of _FULL or more IMPs per board."""

_FULL = 4.0


MOST_RANKED = 60
"""The most entries in tables of ratings and results; the standings have all entries."""

MOST_DETAILED = 24
"""The most entries in tables of details."""

MOST_MEETING = 12
"""The most entries in the table of meetings, which has a cell for each two of them."""

MOST_ROWS = 60
"""The most matches or boards; the lists beside the replays have all of them."""

MOST_BROKEN = 40
"""The most broken promises, divided equally between the entries."""


def render(board: Leaderboard, up: str = "") -> str:
    """Return the page; the same figures give the same bytes.

    Args:
        board: The figures.
        up: The address of the page that lists events; "" if there is none.

    Returns:
        The HTML.
    """
    environment = templates(Path(__file__).parent)
    environment.filters["shade"] = _shade
    script = (Path(__file__).parent / "sorting.js").read_text(encoding="utf-8")
    return environment.get_template("leaderboard.html").render(
        board=board,
        up=up,
        script=script,
        most_ranked=MOST_RANKED,
        most_detailed=MOST_DETAILED,
        most_meeting=MOST_MEETING,
        most_rows=MOST_ROWS,
        most_broken=max(1, MOST_BROKEN // max(1, len(board.entries))),
        matches_list=f"{FOLDER}/{address_of(MATCHES)}",
        boards_list=f"{FOLDER}/{address_of(LIST)}",
        title=wording.title(board),
        headline=wording.headline(board),
        notices=wording.notices(board),
        links=Links(board),
        roles=list(Role),
        columns=columns,
        p_text=wording.meeting_p_text,
        bracket=bracket,
        **_plots(board),
    )


def _plots(board: Leaderboard) -> dict[str, object]:
    """Return the plots by name, as trusted markup, and the parts of the ledger's bars."""
    if not (board.has_teams or board.has_comparisons):
        return {"plots": {}, "bars": ()}
    from bridge_arena.reports.leaderboard import plots  # noqa: PLC0415  matplotlib is slow to load

    return {"plots": plots.draw(board), "bars": plots.PARTS}


def _shade(mean: Mean) -> int:
    """Return the colour of a meeting in per cent."""
    return min(_DARKEST, round(_DARKEST * abs(mean.mean or 0.0) / _FULL))
