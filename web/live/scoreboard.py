"""What came of an event so far, as the lobby shows it: standings, rounds, matches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from bridge_arena.bridge.record import BoardRecord, Room
from bridge_arena.reports.common.wording import contract_text
from bridge_arena.reports.leaderboard.bracket import bracket
from bridge_arena.tournaments import Event, Format, Match, Outcome, Unit, plan, standings
from bridge_arena.tournaments.schedule.plan import Results
from bridge_arena.tournaments.schedule.rulings import Ruling
from bridge_arena.web.common.streams import Encoded
from bridge_arena.web.live.rooms import key_of

Row = dict[str, object]

PlayedUnits = Sequence[tuple[Unit, BoardRecord]]

LARGE_SWING = 10
"""The least IMPs of a swing that the lobby shows."""

MOST_IN_CROSSTABLE = 24
"""The most entries in a crosstable, which has a cell for each two of them."""


def has_crosstable(event: Event) -> bool:
    """Return whether a table of all entries against all says more than the list of matches."""
    everybody_meets = event.format in (Format.ROUND_ROBIN, Format.SWISS)
    return everybody_meets and len(event.entries) <= MOST_IN_CROSSTABLE


class Scoreboard(NamedTuple):
    standings: Row
    rounds: Encoded[Row]  # those that are known, with their matches
    ranks: Sequence[int]  # the rank of each entry
    added: int  # the tables of known rounds that came to those of the event, or fell away: below 0
    swing: Row | None  # the latest large swing; None if there is none
    results: Results  # the results that it shows
    outcomes: Mapping[str, Outcome]  # of the matches of teams, by their ids


def scoreboard(
    event: Event, played: PlayedUnits = (), rulings: Sequence[Ruling] = ()
) -> Scoreboard:
    """Return what came of an event by these units alone, the latest last, and by the rulings."""
    results = Results(event, [record for _, record in sorted(played, key=_place)], rulings)
    rounds = Encoded[Row]()
    planned: list[Match] = []
    if event.format is Format.KNOCK_OUT:
        for in_bracket in bracket(event, results):
            matches = [
                ({} if pairing.match is None else _match(event, pairing.match, results))
                | {
                    "entries": list(pairing.entries),
                    "winner": pairing.winner,
                    "reason": pairing.reason,
                }
                for pairing in in_bracket.pairings
            ]
            rounds.append({"title": in_bracket.title, "matches": matches})
            planned += [
                pairing.match for pairing in in_bracket.pairings if pairing.match is not None
            ]
    else:
        for known in plan(event, results):
            matches = [_match(event, match, results) for match in known.matches]
            byes: list[Row] = [{"entries": [entry], "reason": "bye"} for entry in known.byes]
            rounds.append({"title": f"Round {known.number}", "matches": matches + byes})
            planned += known.matches
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
    added = sum(map(results.added, planned))
    is_teams = event.format.is_teams
    swing = _latest_swing(played, results) if is_teams else None
    outcomes = {match.id: results.outcome(match) for match in planned} if is_teams else {}
    _ = rounds.json  # encoded here, as large events are counted in a thread
    table: Row = {"unit": ranked.unit, "rows": rows}
    return Scoreboard(table, rounds, ranks, added, swing, results, outcomes)


def _place(played: tuple[Unit, BoardRecord]) -> tuple[int, int, int, bool]:
    """Return the sort key of the schedule."""
    unit, _ = played
    return unit.match.round, unit.match.number, unit.position, unit.room is Room.CLOSED


def _latest_swing(played: PlayedUnits, results: Results) -> Row | None:
    for unit, record in reversed(played):
        match = unit.match
        counted = results.swings(match).get(record.board)
        if counted is None or abs(counted.imps) < LARGE_SWING:
            continue
        key = key_of(unit)
        at_tables = {other.room: of for other, of in played if key_of(other) == key}
        return {
            "key": key,
            "board": record.board.number,
            "imps": abs(counted.imps),
            "entries": list(match.entries if counted.imps > 0 else match.entries[::-1]),
            "results": [_result(at_tables.get(room)) for room in match.rooms],
            # Only rulings make an adjusted board worth that much.
            "isRuled": counted.adjusted,
        }
    return None


def _result(record: BoardRecord | None) -> str:
    """Return a result as on a score sheet; `Pass` if all passed, "" if there is none."""
    if record is None or not record.is_finished:
        return ""
    if record.contract is None:
        return "Pass"
    return contract_text(record.contract, record.tricks)


def _match(event: Event, match: Match, results: Results) -> Row:
    """Return a match as far as it was played; pairs and individuals have no score of their own."""
    row: Row = {
        "key": f"{match.round}-{match.number}",
        "entries": list(match.entries),
        "of": results.countable(match),
    }
    if not event.format.is_teams:
        boards = results.countable(match) - results.unplayed(match)
        return row | {"boards": boards, "isOver": not results.left(match)}
    outcome = results.outcome(match)
    if outcome.boards or outcome.forfeited:
        row["scores"] = [round(score, 2) for score in outcome.scores(event.scoring)]
    return row | {"boards": outcome.boards, "isOver": outcome.is_over}
