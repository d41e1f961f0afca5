"""Where ratings on a ladder come from: the auction, and the roles of play.

The IMPs of each cause are fitted to strengths as those of all boards are to ratings, so that a
version is not thought a good bidder for having met bad ones. The parts of a version add up to its
rating, if the IMPs of all boards are split.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bridge_arena.tournaments.ladder.strength.scores import against
from bridge_arena.tournaments.ladder.strength.sums import Sums
from bridge_arena.tournaments.ladder.strength.weeks import CAUSES

Floats = NDArray[np.float64]


def causes_of_ratings(sums: Sums, imps: Floats, anchor: int) -> dict[int, dict[str, float]]:
    """Return the IMPs a board of each cause against a version, by the numbers of versions.

    A version is left out if no chain of boards whose IMPs are split connects it with that.

    Args:
        sums: The sums of pairs, of which the numbers of split boards count.
        imps: The IMPs of all versions on these boards by `CAUSES`, of shape (versions, 4).
        anchor: The number of the version.
    """
    one, other = sums.pairs.T - 1
    boards = np.zeros((len(imps), len(imps)))
    boards[one, other] = boards[other, one] = sums.split_boards
    index, inverse = against(boards, anchor)
    strengths = inverse @ imps[index]
    of_others = zip(index + 1, strengths, strict=True)
    named = {int(own): dict(zip(CAUSES, parts.tolist(), strict=True)) for own, parts in of_others}
    return named | ({anchor: dict.fromkeys(CAUSES, 0.0)} if named else {})
