"""The files of a leaderboard: a page, a table for programs, and all figures.

`leaderboard.html` is self-contained, and its tables are sorted by a click on a heading. The keys of
`leaderboard.json` are documented in docs/leaderboards.md and stable.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from bridge_arena.base.files import replace_file
from bridge_arena.oracle.ledger import Role
from bridge_arena.reports.common import rulings
from bridge_arena.reports.common.columns import Column, csv_text
from bridge_arena.reports.common.page import templates
from bridge_arena.reports.common.replay_pages import FOLDER, LIST, MATCHES, list_address
from bridge_arena.reports.common.rulings import rulings_values
from bridge_arena.reports.common.values import Json, rounded, values, write_json
from bridge_arena.reports.leaderboard import columns, wording
from bridge_arena.reports.leaderboard.bracket import bracket
from bridge_arena.reports.leaderboard.columns import CSV
from bridge_arena.reports.leaderboard.event_figures import EventFigures
from bridge_arena.reports.leaderboard.figures import Leaderboard, RankedEntry
from bridge_arena.reports.leaderboard.links import Links
from bridge_arena.reports.leaderboard.plots import PARTS, draw
from bridge_arena.reports.leaderboard.scorecards import recap
from bridge_arena.tournaments.events.event import terms
from bridge_arena.tournaments.schedule.standings import Standing
from bridge_arena.tournaments.statistics.means import Mean

PAGE = "leaderboard.html"
TABLE = "leaderboard.csv"
SUMMARY = "leaderboard.json"

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

    `up` is the address of the page that lists events; "" if there is none.
    """
    links = Links(board)

    def standing_columns(event: EventFigures, number: int) -> list[Column[Standing]]:
        def scorecard(standing: Standing) -> str:
            return links.of_scorecard(number, standing.entry)

        return columns.standing_columns(event, scorecard)

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
        matches_list=f"{FOLDER}/{list_address(MATCHES)}",
        boards_list=f"{FOLDER}/{list_address(LIST)}",
        wording=wording,
        labels=wording.labels(board),
        how_texts=wording.how_texts(board),
        links=links,
        standing_columns=standing_columns,
        recaps=[recap(event) for event in board.events],
        roles=list(Role),
        columns=columns,
        brackets=[bracket(event.event, event.so_far) for event in board.events],
        rulings=rulings,
        plots=draw(board),
        parts=PARTS,
    )


def _shade(mean: Mean) -> int:
    """Return the colour of a meeting in per cent."""
    return min(_DARKEST, round(_DARKEST * abs(mean.mean or 0.0) / _FULL))


def summary(board: Leaderboard) -> Json:
    """Return all figures, ready for `json.dumps`."""
    links = Links(board)
    return {
        "notices": [*wording.how_texts(board), *wording.notices(board)],
        "entries": [_entry(entry, links) for entry in board.entries],
        "head_to_head": [values(meeting) for meeting in board.met],
        "events": [rounded(_event(number, links)) for number in range(len(board.events))],
    }


def _entry(entry: RankedEntry, links: Links) -> Json:
    shown = values(entry) | {"withdrawn": entry.withdrawn}
    worst = shown["explanations"]["worst"]
    for promise, broken in zip(worst, entry.explanations.worst, strict=True):
        promise["event"], promise["replay"] = links.of_table(broken.played)
    return shown


def _event(number: int, links: Links) -> Json:
    figures = links.board.events[number]
    return {
        "name": figures.event.name,
        "format": figures.event.format.value,
        "scoring": figures.event.scoring.value,
        "mode": figures.event.mode.value,
        "deals": figures.provenance.values,
        "terms": dict(terms(figures.event)),
        "entries": [entrant.name for entrant in figures.event.entries],
        "matches": list(_matches(number, figures, links)),
        "boards": [
            {
                "board": tables.board.number,
                "tables": len(tables.tables),
                "scores": [
                    score
                    and {
                        "round": table.played.match[0],
                        "table": table.played.match[1],
                        "north_south": score.north_south,
                        "east_west": score.east_west,
                        "cross_imps": score.imps,
                    }
                    for table, score in zip(tables.tables, tables.scores, strict=True)
                ],
                "replay": links.of_board(number, tables),
            }
            for tables in figures.boards
        ],
    } | rulings_values(figures.rulings)


def _matches(number: int, figures: EventFigures, links: Links) -> Iterable[Json]:
    for match in figures.matches:
        points = match.victory_points
        yield {
            "round": match.round,
            "match": match.number,
            "home": match.names[0],
            "visitors": match.names[1],
            "boards": match.outcome.boards,
            "imps": match.outcome.imps,
            "victory_points": list(points) if points else None,
            "forfeited_by": list(match.forfeited),
            "replay": links.of_match(number, match) if match.boards else None,
        }


def write_leaderboard(board: Leaderboard, folder: Path, up: str = "") -> None:
    """Write the three files into a folder. Raises OSError.

    `web.replays` writes the replays to which the page links; `up` is as in `render`.
    """
    folder.mkdir(parents=True, exist_ok=True)
    write_json(folder / SUMMARY, summary(board))
    replace_file(folder / TABLE, csv_text(CSV, board.entries).encode())
    replace_file(folder / PAGE, render(board, up).encode())
