"""The score of a match of teams in a sentence, for spectators and for those who play."""

from __future__ import annotations

from collections.abc import Sequence

from bridge_arena.base.wording import plural
from bridge_arena.tournaments import Outcome, Scoring

UNITS = {Scoring.BOARD_A_MATCH: "boards", Scoring.TOTAL_POINTS: "points"}
"""The units of a board's worth to a team, where it is not IMPs."""

_OF_MATCH = {Scoring.VP: "VP", Scoring.VP_DISCRETE: "VP", Scoring.BOARD_A_MATCH: "boards"}
"""The units of scores of matches that do not only say who is ahead by how much."""


def match_text(
    won: Outcome, scoring: Scoring, names: Sequence[str], own: int, *, is_over: bool = False
) -> str:
    """Return the score of a match in a sentence; "" before a board counts.

    Args:
        won: The outcome so far.
        scoring: That of the event.
        names: The names of home and visitors.
        own: The team that the sentence is about, HOME or VISITORS.
        is_over: Whether the event is over, although the match may have boards left.
    """
    us, them = names[own], names[1 - own]
    if len(won.forfeited) == 1:
        gone = won.forfeited[0]
        return f"{names[1 - gone]} beat {names[gone]} by forfeit."
    if not won.boards:
        return ""
    scores = won.scores(scoring)
    ours, theirs = scores[own], scores[1 - own]
    after = "" if is_over or won.is_over else f"After {plural(won.boards, 'board')}: "
    is_ruled = any(won.penalties) or won.visitors is not None
    unit = UNITS.get(scoring, "IMPs")
    if scoring in _OF_MATCH or is_ruled:
        what = _OF_MATCH.get(scoring, unit) + ", as ruled" * is_ruled
        return f"{after}{us} {ours:g} – {theirs:g} {them} ({what})."
    margin = plural(abs(round(ours)), unit.rstrip("s"))
    if not ours:
        return f"{after}{us} and {them} are level."
    if after:
        return f"{after}{us} is {'ahead of' if ours > 0 else 'behind'} {them} by {margin}."
    return f"{us} {'beat' if ours > 0 else 'lost to'} {them} by {margin}."
