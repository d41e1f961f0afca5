"""What the best other choice gains on the one that was made, over layouts.

The best of several is partly the luckiest: its mean over the layouts that it was chosen by is
too high. So it is chosen on one half of the layouts, and its mean taken on the other; then the
halves change places.
"""

from __future__ import annotations

import numpy as np

from bridge_arena.recorded.audit.luck import Numbers
from bridge_arena.tournaments.statistics.means import Mean


def best_other(gains: Numbers) -> tuple[int, Mean]:
    """Which of the other choices is best over all layouts, and the mean gain of those that were
    best on the other half. `gains`: of each other choice in each layout, an even number."""
    taken = np.empty(gains.shape[1])
    for half in (0, 1):
        best = gains[:, half::2].mean(axis=1).argmax()
        taken[1 - half :: 2] = gains[best, 1 - half :: 2]
    return int(gains.mean(axis=1).argmax()), Mean.of(taken.tolist())
