"""The flagship: learned bidding, and cards chosen by networks and the solver."""

from __future__ import annotations

from collections.abc import Iterator
from operator import mul

from bridge_arena.bots.champion.fit import (
    boards_of,
    calls_fit,
    cards_fit,
    like_us,
    strangers,
    thinned,
)
from bridge_arena.bots.fastplay.net import position_of, promised_to
from bridge_arena.bots.fastplay.net import shipped as play_net
from bridge_arena.bots.library.bidding_systems import BiddingBot, SystemName
from bridge_arena.bots.library.double_dummy import lowest_of_equals
from bridge_arena.bots.library.learning.layers import Array
from bridge_arena.bots.library.sampling.beliefs import beliefs
from bridge_arena.bots.library.sampling.sampler import Hands
from bridge_arena.bots.montecarlo.bot import MonteCarloBot
from bridge_arena.bots.montecarlo.card_choice import Evaluation, Merits
from bridge_arena.bridge.cards import Card, Hand
from bridge_arena.bridge.record import MadeCall
from bridge_arena.protocol.view import View

_DRAWN = 2  # the worlds that are drawn for each one that is solved

_SHARE = 2.0
"""How much a trick that the network says a lead costs counts, beside one that the solver says."""


class ChampionBot(MonteCarloBot):
    """A player that puts together what the other bots have, within a budget of seconds.

    It bids by the networks of `neural`, and plays cards as `montecarlo` does, on layouts that fit
    the calls and cards of the other players, as networks judge them.

    Args:
        budget: Seconds for a card, 0 for no limit; a limited bot decides on the layouts that it
            could look at in time, so what it does depends on the machine.
        worlds: The most layouts for a card.
        bidding: The bidding system.
    """

    name = "champion"
    batch = 96
    raced_tricks = 13  # to weigh a world costs more than to solve it, from the third trick on

    def __init__(
        self, budget: float = 1.0, worlds: int = 150, bidding: SystemName = "neural"
    ) -> None:
        super().__init__(worlds, budget=budget, bidding=bidding)

    def call(self, view: View) -> MadeCall:
        """Return the call that the bidding system chooses."""
        return BiddingBot.call(self, view)

    def merits(self, view: View, evaluation: Evaluation) -> Merits:
        """Return how well the cards serve the objective, the costs of opening leads included."""
        merits = super().merits(view, evaluation)
        return merits if view.playing.cards else with_costs(merits, evaluation, self._costs(view))

    def unsolved(self, view: View) -> Card:
        """Return the card that costs least by the network."""
        costs = self._costs(view)
        return min(view.legal_cards(), key=lambda card: (costs[card], card))

    def batches(self, view: View, count: int) -> Iterator[list[Hands]]:
        """Yield worlds that fit what the others did, of twice as many."""
        promised = promised_to(view, beliefs(view, self.system))
        partner = like_us() if self.bidding == "neural" else strangers()
        for worlds in super().batches(view, count * _DRAWN):
            # Towards the end of the play few layouts are left, and each is drawn many times.
            rows = {world: row for row, world in enumerate(dict.fromkeys(worlds))}
            boards = boards_of(list(rows), view)
            weights = calls_fit(boards, view, partner, strangers())
            weights *= cards_fit(play_net(), boards, view, promised)
            weights = weights[[rows[world] for world in worlds]]
            yield thinned(worlds, weights, -(-len(worlds) // _DRAWN), self.rng)

    def _costs(self, view: View) -> Array:
        """Return what the network says each card costs, in tricks."""
        costs: Array = play_net().costs(position_of(view, beliefs(view, self.system)))[0]
        return costs


def with_costs(merits: Merits, evaluation: Evaluation, costs: Array) -> Merits:
    """Return the merits of leads, less the tricks that a network says each card costs, 52.

    The solver thinks that everybody will see all hands, and values leads by a few layouts. The
    network has learned from thousands of boards what hands like this should lead. A trick is worth
    what it is worth between the leads of the most and the fewest tricks. Touching cards stay equal:
    the lowest speaks for all.
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
