"""The boards on which a player of a ladder gained most, and those on which it lost most."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from bridge_arena.tournaments.ladder.store.match_archive import EndedMatch
from bridge_arena.tournaments.ladder.store.played_boards import NONE


@dataclass(frozen=True, slots=True)
class BoardGain:
    """What a player gained on a board of a match."""

    imps: int  # below 0 for a loss
    board: int  # the number of the board
    match: EndedMatch
    opponent: int  # the number of the version that it met


def best_and_costliest(
    matches: Sequence[EndedMatch], versions: Collection[int], count: int
) -> tuple[list[BoardGain], list[BoardGain]]:
    """Return so many boards on which versions gained most, and on which they lost most.

    Of equal ones those come first that come first in the matches. A match of two of the versions
    is seen from its home team.
    """
    every = [one.swings for one in matches]
    swings, lengths = np.concatenate([np.empty(0, np.int8), *every]), [len(one) for one in every]
    sides = np.repeat([1 if one.versions[0] in versions else -1 for one in matches], lengths)
    gains = np.where(swings == NONE, 0, sides * swings.astype(np.int64))
    starts = np.cumsum([0, *lengths])

    def of_board(place: int) -> BoardGain:
        number = int(np.searchsorted(starts, place, "right")) - 1
        match = matches[number]
        home, visitors = match.versions
        opponent = visitors if sides[place] > 0 else home
        return BoardGain(int(gains[place]), place - int(starts[number]) + 1, match, opponent)

    best, costliest = (
        [of_board(int(place)) for place in order[:count] if gains[place]]
        for order in (np.argsort(-gains, kind="stable"), np.argsort(gains, kind="stable"))
    )
    return [one for one in best if one.imps > 0], [one for one in costliest if one.imps < 0]


def imps_of(match: EndedMatch, versions: Collection[int]) -> int:
    """Return the IMPs of a match, seen from that one of its versions which is among some."""
    return match.imps if match.versions[0] in versions else -match.imps
