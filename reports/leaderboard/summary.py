"""The figures as the plain values of `leaderboard.json`.

The keys are documented in docs/leaderboards.md and stable. Numbers are rounded to six
decimals, so that the same results always give the same text.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from bridge_arena.oracle.ledger import Role
from bridge_arena.reports.common.explanations import Broken
from bridge_arena.reports.leaderboard.figures import (
    EntryFigures,
    EventFigures,
    GroupRating,
    Leaderboard,
    Meeting,
    Place,
)
from bridge_arena.reports.leaderboard.links import Links
from bridge_arena.reports.leaderboard.play import LedgerFigures
from bridge_arena.reports.leaderboard.wording import notices, total_points
from bridge_arena.reports.match.summary import (
    ROLE_KEYS,
    Json,
    broken_values,
    explanation_values,
    mean_values,
    rounded,
)
from bridge_arena.tournaments.events.event_terms import terms
from bridge_arena.tournaments.statistics.means import Mean


def summary(board: Leaderboard) -> Json:
    """All figures, ready for `json.dumps`."""
    links = Links(board)
    return {
        "notices": notices(board),
        "entries": [_entry(entry, links) for entry in board.entries],
        "head_to_head": _meetings(board),
        "events": [_event(number, links) for number in range(len(board.events))],
    }


def _entry(entry: EntryFigures, links: Links) -> Json:
    conduct, times = entry.conduct, entry.timing
    return {
        "name": entry.name,
        "rating": _rating(entry.rating),
        "imps_per_board": mean_values(entry.imps),
        "adjusted_boards": entry.adjusted,
        "cross_imps": mean_values(entry.cross_imps),
        "victory_points": {
            **mean_values(entry.victory_points),
            "total": rounded(total_points(entry.victory_points)),
        },
        "matches": {"won": entry.won, "drawn": entry.drawn, "lost": entry.lost},
        "standings": [_place(place) for place in entry.places],
        "tricks_vs_dd": {
            "declarer": mean_values(entry.tricks.declarer),
            "defence": mean_values(entry.tricks.defence),
        },
        "ledger": _ledger(entry.ledger),
        "explanations": {
            **explanation_values(entry.explanations),
            "worst": [_broken(each, links) for each in entry.explanations.broken],
        },
        "timing": {
            "actions": times.actions,
            "mean_ms": rounded(times.mean_ms),
            "p99_ms": rounded(times.p99_ms),
            "tables": times.boards,
            "table_ms": rounded(times.board_ms),
        },
        "conduct": {
            "timeouts": conduct.timeouts,
            "illegal_actions": conduct.illegal,
            "malformed": conduct.malformed,
            "lost_players": conduct.lost_players,
            "lost_boards": conduct.lost_boards,
            "faults": {kind.value: count for kind, count in conduct.kinds.items()},
            "withdrawn": entry.withdrawn,
        },
    }


def _broken(broken: Broken, links: Links) -> Json:
    event, replay = links.of_table(broken.record)
    return {"event": event, **broken_values(broken), "replay": replay}


def _rating(rating: GroupRating | None) -> Json | None:
    if rating is None:
        return None
    low, high = rating.estimate.interval or (None, None)
    return {
        "imps_per_board": rounded(rating.estimate.value),
        "standard_error": rounded(rating.estimate.standard_error),
        "low": rounded(low),
        "high": rounded(high),
        "ahead_of_next": rating.ahead
        and {
            "imps_per_board": rounded(rating.ahead.value),
            "standard_error": rounded(rating.ahead.standard_error),
            "p_value": rounded(rating.ahead.p_value),
        },
        "group": rating.group,
        "group_size": rating.size,
    }


def _place(place: Place) -> Json:
    standing = place.standing
    return {
        "event": place.event,
        "rank": standing.rank,
        "score": rounded(standing.score),
        "unit": place.unit,
        "matches": standing.matches,
        "won": standing.won,
        "drawn": standing.drew,
        "byes": standing.byes,
        "boards": standing.boards,
        "imps": rounded(standing.imps),
        "withdrawn": standing.withdrawn,
    }


def _ledger(ledger: LedgerFigures) -> Json:
    return {
        "boards": ledger.boards,
        "imps_per_board": {
            "all": mean_values(ledger.imps),
            "auction": mean_values(ledger.auction),
            "own": _by_role(ledger.own),
            "opponents": _by_role(ledger.opponents),
        },
        "tricks_lost_per_board": _by_role(ledger.tricks),
    }


def _by_role(means: Mapping[Role, Mean]) -> Json:
    return {key: mean_values(means[role]) for role, key in ROLE_KEYS.items()}


def _meetings(board: Leaderboard) -> list[Json]:
    """Each pair once, in the order of the entries."""
    order = [entry.name for entry in board.entries]
    met = (
        board.meetings.get((first, second))
        for place, first in enumerate(order)
        for second in order[place + 1 :]
    )
    return [_meeting(meeting) for meeting in met if meeting]


def _meeting(meeting: Meeting) -> Json:
    return {
        "first": meeting.first,
        "second": meeting.second,
        "imps": meeting.total,
        "imps_per_board": mean_values(meeting.imps),
        "p_value": rounded(meeting.p_value),
        "deals_with_swing": meeting.deals,
        "too_few_deals": meeting.is_too_small,
    }


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
                        "north_south": rounded(score.north_south),
                        "east_west": rounded(score.east_west),
                        "cross_imps": rounded(score.imps),
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
