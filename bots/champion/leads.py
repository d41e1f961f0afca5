"""Opening leads by the solver's judgement together with that of a network.

The solver thinks that everybody will see all hands, and values leads by a few layouts. The network
has learned from thousands of boards what hands like this should lead.
"""

from __future__ import annotations

from operator import mul

from bridge_arena.bots.library.equals import lowest_of_equals
from bridge_arena.bots.library.learning.layers import Array
from bridge_arena.bots.montecarlo.evaluation import Evaluation
from bridge_arena.bots.montecarlo.objective import Merits
from bridge_arena.bridge.cards import Hand

_SHARE = 2.0
"""How much a trick that the network says a lead costs counts, beside one that the solver says."""


def with_costs(merits: Merits, evaluation: Evaluation, costs: Array) -> Merits:
    """Return the merits of leads with what a network says that they cost.

    A trick is worth what it is worth between the leads of the most and the fewest tricks. Touching
    cards stay equal: the lowest speaks for all.

    Args:
        merits: The merits of the leads.
        evaluation: The worlds that they come from.
        costs: The tricks that the network says each card costs, 52.

    Returns:
        The merits, less the costs.
    """
    drawn = sum(evaluation.counts)
    means = {
        card: sum(map(mul, evaluation.counts, tricks)) / drawn
        for card, tricks in evaluation.tricks.items()
    }
    most, fewest = max(means, key=means.__getitem__), min(means, key=means.__getitem__)
    spread = means[most] - means[fewest]
    worth = max(merits[most][0] - merits[fewest][0], 0) / spread if spread else drawn
    hand = Hand.of(merits).mask
    lowest = lowest_of_equals(hand, ~hand)
    return {
        card: (
            merit - _SHARE * worth * float(costs[max(low for low in lowest if low <= card)]),
            points,
        )
        for card, (merit, points) in merits.items()
    }
