"""The bracket of a knock-out: who met whom in each round, and who went on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bridge_arena.reports.leaderboard.figures import EventFigures
from bridge_arena.tournaments import Format, Match, plan
from bridge_arena.tournaments.schedule.plan import Results, knock_out_winner

_LAST = {1: "Final", 2: "Semi-finals", 4: "Quarter-finals"}


@dataclass(frozen=True, slots=True)
class Pairing:
    number: int
    names: tuple[str, str]
    imps: int  # the first team's IMPs
    winner: int | None  # the place of the team that goes on, 0 or 1; None while that is open


@dataclass(frozen=True, slots=True)
class BracketRound:
    title: str
    number: int
    pairings: Sequence[Pairing]
    byes: Sequence[str]  # the teams that go on without an opponent


def bracket(figures: EventFigures) -> list[BracketRound]:
    """Return the rounds that are known; other formats than a knock-out have none."""
    event = figures.event
    if event.format is not Format.KNOCK_OUT:
        return []
    names = [entrant.name for entrant in event.entries]
    records = [table.record for table in figures.tables]
    results = Results(event, records)

    def pairing(match: Match) -> Pairing:
        outcome = results.outcome(match)
        home, visitors = (names[entry] for entry in match.entries)
        winner = None
        if outcome.is_over:
            winner = match.entries.index(knock_out_winner(event, match, results))
        return Pairing(match.number, (home, visitors), outcome.imps, winner)

    return [
        BracketRound(
            ({} if known.byes else _LAST).get(len(known.matches), f"Round {known.number}"),
            known.number,
            [pairing(match) for match in known.matches],
            [names[entry] for entry in known.byes],
        )
        for known in plan(event, records)
    ]
