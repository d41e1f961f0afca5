"""What came of an event so far, as the lobby shows it: standings, rounds, matches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from bridge_arena.bridge.record import BoardRecord
from bridge_arena.reports.leaderboard.bracket import bracket
from bridge_arena.tournaments import Event, Format, Match, plan, standings
from bridge_arena.tournaments.schedule.plan import Results
from bridge_arena.tournaments.schedule.rulings import Ruling

Row = dict[str, object]

MOST_IN_CROSSTABLE = 24
"""The most entries in a crosstable, which has a cell for each two of them."""


def has_crosstable(event: Event) -> bool:
    """Return whether a table of all entries against all says more than the list of matches."""
    everybody_meets = event.format in (Format.ROUND_ROBIN, Format.SWISS)
    return everybody_meets and len(event.entries) <= MOST_IN_CROSSTABLE


class Scoreboard(NamedTuple):
    standings: Row
    rounds: Sequence[Row]  # those that are known, with their matches
    ranks: Sequence[int]  # the rank of each entry
    added: int  # the boards, at all tables, that a knock-out added to break ties


def scoreboard(
    event: Event, records: Sequence[BoardRecord], rulings: Sequence[Ruling] = ()
) -> Scoreboard:
    """Return what came of an event by these records alone, and the director's rulings."""
    results = Results(event, records, rulings)
    names = {entrant.name: entry for entry, entrant in enumerate(event.entries)}
    rounds: list[Row] = []
    for in_bracket in bracket(event, results):
        matches = [
            ({} if pairing.match is None else _match(event, pairing.match, results))
            | {
                "entries": [names[name] for name in pairing.names],
                "winner": pairing.winner,
                "reason": pairing.reason,
            }
            for pairing in in_bracket.pairings
        ]
        rounds.append({"title": in_bracket.title, "matches": matches})
    planned = plan(event, results)
    for known in () if rounds else planned:
        matches = [_match(event, match, results) for match in known.matches]
        byes: list[Row] = [{"entries": [entry], "reason": "bye"} for entry in known.byes]
        rounds.append({"title": f"Round {known.number}", "matches": matches + byes})
    ranked = standings(event, results)
    rows: list[Row] = [
        {
            "rank": standing.rank,
            "name": event.entries[standing.entry].name,
            "score": round(standing.score, 2),
            "boards": standing.boards,
            "withdrawn": standing.withdrawn,
        }
        for standing in ranked.entries
    ]
    in_order = sorted(ranked.entries, key=lambda standing: standing.entry)
    ranks = [standing.rank for standing in in_order]
    added = sum(
        len(match.rooms) * (len(match.boards) - event.boards)
        for known in (planned if event.format is Format.KNOCK_OUT else ())
        for match in known.matches
    )
    return Scoreboard({"unit": ranked.unit, "rows": rows}, rounds, ranks, added)


def _match(event: Event, match: Match, results: Results) -> Row:
    """Return a match as far as it was played; pairs and individuals have no score of their own."""
    row: Row = {
        "key": f"{match.round}-{match.number}",
        "entries": list(match.entries),
        "of": len(match.boards),
    }
    if not event.format.is_teams:
        boards = sum(record.is_done for record in results.of(match))
        return row | {"boards": boards, "isOver": boards == len(match.boards)}
    outcome = results.outcome(match)
    if outcome.boards or outcome.forfeited:
        row["scores"] = [round(score, 2) for score in outcome.scores(event.scoring)]
    return row | {"boards": outcome.boards, "isOver": outcome.is_over}
