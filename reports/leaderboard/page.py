"""`leaderboard.html`: one self-contained page, whose tables sort by a click on a heading."""

from __future__ import annotations

from pathlib import Path

from bridge_arena.oracle.ledger import Role
from bridge_arena.reports.common.page import templates
from bridge_arena.reports.common.tables import TablesOfBoard
from bridge_arena.reports.leaderboard import wording
from bridge_arena.reports.leaderboard.bracket import bracket
from bridge_arena.reports.leaderboard.figures import Leaderboard
from bridge_arena.reports.leaderboard.links import Links
from bridge_arena.tournaments.statistics.means import Mean

_DARKEST = 45
"""Per cent of colour that a meeting of _FULL IMPs per board has on the page."""

_FULL = 4.0


def render(board: Leaderboard) -> str:
    """The page; the same figures give the same bytes."""
    environment = templates(Path(__file__).parent)
    environment.filters["shade"] = _shade
    return environment.get_template("leaderboard.html").render(
        board=board,
        title=wording.title(board),
        headline=wording.headline(board),
        notices=wording.notices(board),
        links=Links(board),
        roles=list(Role),
        interval=wording.interval_text,
        rating=wording.rating_text,
        ahead=wording.ahead_text,
        p_text=wording.meeting_p_text,
        names=_names,
        bracket=bracket,
        **_plots(board),
    )


def _plots(board: Leaderboard) -> dict[str, object]:
    """The plots by name, trusted markup, and the parts of the ledger's bars."""
    if not (board.has_teams or board.has_comparisons):
        return {"plots": {}, "bars": ()}
    from bridge_arena.reports.leaderboard import plots  # noqa: PLC0415  matplotlib is slow to load

    return {"plots": plots.draw(board), "bars": plots.PARTS}


def _shade(mean: Mean) -> int:
    """Per cent of colour."""
    return min(_DARKEST, round(_DARKEST * abs(mean.mean or 0.0) / _FULL))


def _names(tables: TablesOfBoard) -> list[str]:
    """All who played a board."""
    return list(dict.fromkeys(name for table in tables.tables for name in table.names))
