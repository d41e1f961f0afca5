"""The bracket of a knock-out: who met whom in each round, and who went on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bridge_arena.base.wording import plural
from bridge_arena.tournaments import Event, Format, Match, Outcome, Scoring, plan
from bridge_arena.tournaments.schedule.plan import Results, bracket_places, knock_out_winner

_LAST = {1: "Final", 2: "Semi-finals", 4: "Quarter-finals"}


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two teams that met, or one that had a bye."""

    names: Sequence[str]
    entries: Sequence[int]  # by their numbers
    winner: int | None  # the place of the team that goes on; None while that is open
    reason: str  # why it goes on; "" while that is open
    match: Match | None  # None for a bye


@dataclass(frozen=True, slots=True)
class BracketRound:
    title: str
    number: int
    pairings: Sequence[Pairing]  # those that meet next are beside each other


def bracket(event: Event, results: Results) -> list[BracketRound]:
    """Return the rounds that are known; other formats than a knock-out have none."""
    if event.format is not Format.KNOCK_OUT:
        return []
    names = [entrant.name for entrant in event.entries]
    places = bracket_places(event)

    def pairing(match: Match) -> Pairing:
        outcome = results.deciding(match).outcome(match)
        met = [names[entry] for entry in match.entries]
        if not outcome.is_over:
            return Pairing(met, match.entries, None, "", match)
        entry = knock_out_winner(event, match, results)
        reason = _reason(outcome, event.scoring)
        return Pairing(met, match.entries, match.entries.index(entry), reason, match)

    rounds = []
    for known in plan(event, results):
        met = {places[match.entries[0]]: pairing(match) for match in known.matches}
        met |= {
            places[entry]: Pairing([names[entry]], [entry], 0, "bye", None) for entry in known.byes
        }
        title = ({} if known.byes else _LAST).get(len(known.matches), f"Round {known.number}")
        rounds.append(BracketRound(title, known.number, [met[place] for place in sorted(met)]))
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
        unit, margin = "point", abs(outcome.points)
    else:
        unit, margin = "IMP", abs(outcome.imps)
    if any(outcome.penalties) or outcome.visitors is not None:
        fewer, more = sorted(outcome.scores(scoring))
        return f"by {more:g} {unit}s to {fewer:g}, as ruled"
    return f"by {plural(margin, unit)}"
