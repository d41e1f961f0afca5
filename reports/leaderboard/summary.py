"""The figures as the plain values of `leaderboard.json`.

The keys are documented in docs/leaderboards.md and stable.
"""

from __future__ import annotations

from collections.abc import Iterable

from bridge_arena.reports.common.values import Json, rounded, values
from bridge_arena.reports.leaderboard.figures import EventFigures, Leaderboard, RankedEntry
from bridge_arena.reports.leaderboard.links import Links
from bridge_arena.reports.leaderboard.wording import notices
from bridge_arena.tournaments.events.event import terms


def summary(board: Leaderboard) -> Json:
    """Return all figures, ready for `json.dumps`."""
    links = Links(board)
    found: Json = {
        "notices": notices(board),
        "entries": [_entry(entry, links) for entry in board.entries],
        "head_to_head": [values(meeting) for meeting in board.met],
        "events": [rounded(_event(number, links)) for number in range(len(board.events))],
    }
    return found


def _entry(entry: RankedEntry, links: Links) -> Json:
    found = values(entry) | {"withdrawn": entry.withdrawn}
    for told, broken in zip(found["explanations"]["worst"], entry.explanations.worst, strict=True):
        told["event"], told["replay"] = links.of_table(broken.record)
    return found


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
                "board": each.board.number,
                "tables": len(each.tables),
                "scores": [
                    score
                    and {
                        "round": table.played.match[0],
                        "table": table.played.match[1],
                        "north_south": score.north_south,
                        "east_west": score.east_west,
                        "cross_imps": score.imps,
                    }
                    for table, score in zip(each.tables, each.scores, strict=True)
                ],
                "replay": links.of_board(number, each),
            }
            for each in figures.boards
        ],
    }


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
