"""The bracket of a knock-out: who met whom in each round, and who went on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bridge_arena.base.wording import plural
from bridge_arena.reports.leaderboard.figures import EventFigures
from bridge_arena.tournaments import Format, Match, Outcome, Scoring, plan
from bridge_arena.tournaments.schedule.plan import Results, knock_out_winner

_LAST = {1: "Final", 2: "Semi-finals", 4: "Quarter-finals"}


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two teams that met, or one that had a bye."""

    names: Sequence[str]
    winner: int | None  # the place of the team that goes on; None while that is open
    reason: str  # why it goes on; "" while that is open
    entry: int | None  # the entry that goes on; None while that is open


@dataclass(frozen=True, slots=True)
class BracketRound:
    title: str
    number: int
    pairings: Sequence[Pairing]  # those that meet next are beside each other


def bracket(figures: EventFigures) -> list[BracketRound]:
    """Return the rounds that are known; other formats than a knock-out have none."""
    event = figures.event
    if event.format is not Format.KNOCK_OUT:
        return []
    names = [entrant.name for entrant in event.entries]
    results = Results(event, [table.played.result for table in figures.tables])

    def pairing(match: Match) -> Pairing:
        outcome = results.outcome(match)
        met = [names[entry] for entry in match.entries]
        if not outcome.is_over:
            return Pairing(met, None, "", None)
        entry = knock_out_winner(event, match, results)
        return Pairing(met, match.entries.index(entry), _reason(outcome, event.scoring), entry)

    rounds: list[BracketRound] = []
    follows: dict[int, int] = {}  # the place of each entry in the round after
    for known in reversed(list(plan(event, results))):
        pairings = [pairing(match) for match in known.matches]
        pairings += [Pairing([names[entry]], 0, "bye", entry) for entry in known.byes]
        last = len(follows)
        pairings.sort(key=lambda one: last if one.entry is None else follows.get(one.entry, last))
        title = ({} if known.byes else _LAST).get(len(known.matches), f"Round {known.number}")
        rounds.insert(0, BracketRound(title, known.number, pairings))
        entries_of = {names[entry]: entry for entry in range(len(names))}
        met = [entries_of[name] for one in pairings for name in one.names]
        follows = {entry: place for place, entry in enumerate(met)}
    return rounds


def _reason(outcome: Outcome, scoring: Scoring) -> str:
    """Return why a team goes on."""
    if len(outcome.forfeited) == 1:
        return "by forfeit"
    if outcome.forfeited:
        return "as the better seed: both gave up"
    if outcome.winner(scoring) is None:
        return f"as the better seed: level after {plural(outcome.boards, 'board')}"
    if scoring is Scoring.BOARD_A_MATCH:
        fewer, more = sorted(outcome.scores(scoring))
        return f"by {more:g} boards to {fewer:g}"
    if scoring is Scoring.TOTAL_POINTS:
        return f"by {plural(abs(outcome.points), 'point')}"
    return f"by {plural(abs(outcome.imps), 'IMP')}"
