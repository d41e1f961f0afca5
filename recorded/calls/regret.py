"""The gain of the best other choice over the one that was made, over layouts.

The best of several choices is partly the luckiest: its mean over the layouts by which it was chosen
is too high. So it is chosen on one half of the layouts, and its mean is taken on the other; then
the halves change places.
"""

from __future__ import annotations

import numpy as np

from bridge_arena.recorded.audit.luck import Numbers
from bridge_arena.tournaments.statistics.means import Mean


def best_other(gains: Numbers) -> tuple[int, Mean]:
    """Return the best of the other choices, and its mean gain."""
    taken = np.empty(gains.shape[1])
    for half in (0, 1):
        best = gains[:, half::2].mean(axis=1).argmax()
        taken[1 - half :: 2] = gains[best, 1 - half :: 2]
    return int(gains.mean(axis=1).argmax()), Mean.of(taken.tolist())
