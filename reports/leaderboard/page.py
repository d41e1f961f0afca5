"""`leaderboard.html`: one self-contained page, whose tables sort by a click on a heading."""

from __future__ import annotations

from pathlib import Path

from bridge_arena.oracle.ledger import Role
from bridge_arena.reports.common.page import templates
from bridge_arena.reports.common.replay_pages import FOLDER, LIST, MATCHES, address_of
from bridge_arena.reports.leaderboard import wording
from bridge_arena.reports.leaderboard.bracket import bracket
from bridge_arena.reports.leaderboard.figures import Leaderboard
from bridge_arena.reports.leaderboard.links import Links
from bridge_arena.tournaments.statistics.means import Mean

_DARKEST = 45
"""Per cent of colour that a meeting of _FULL IMPs per board has on the page."""

_FULL = 4.0


MOST_RANKED = 60
"""Entries in tables of how good they are at most, the first; the standings have them all."""

MOST_DETAILED = 24
"""Entries in tables of details at most."""

MOST_MEETING = 12
"""Entries in the table of meetings, which has their square."""

MOST_ROWS = 60
"""Matches or boards at most, the first; lists beside the replays have them all."""

MOST_BROKEN = 40
"""Broken promises at most, of each entry as many as of any other."""


def render(board: Leaderboard, up: str = "") -> str:
    """The page; the same figures give the same bytes. `up`: the address of the page that lists
    events; "" where there is none."""
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
        interval=wording.interval_text,
        rating=wording.rating_text,
        ahead=wording.ahead_text,
        p_text=wording.meeting_p_text,
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
