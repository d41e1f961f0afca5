"""The flagship: learned bidding, and cards chosen by networks and the solver."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from bridge_arena.bots.champion.fit import (
    boards_of,
    calls_fit,
    cards_fit,
    like_us,
    strangers,
    thinned,
)
from bridge_arena.bots.fastplay.net import promised_to
from bridge_arena.bots.fastplay.net import shipped as play_net
from bridge_arena.bots.library.bidding_systems import BiddingBot, SystemName
from bridge_arena.bots.library.sampling.beliefs import beliefs
from bridge_arena.bots.library.sampling.sampler import Hands
from bridge_arena.bots.montecarlo.bot import MonteCarloBot
from bridge_arena.bots.montecarlo.card_choice import Evaluation, Merits, advised
from bridge_arena.bridge.record import MadeCall
from bridge_arena.protocol.view import View

_DRAWN = 2  # the worlds that are drawn for each one that is solved

_LEADS = 2.0
"""As how many layouts the network counts at an opening lead, for each that is solved."""


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
        super().__init__(worlds, budget=budget, bidding=bidding, advice=0)

    def call(self, view: View) -> MadeCall:
        """Return the call that the bidding system chooses."""
        return BiddingBot.call(self, view)

    def weighing(self, view: View) -> Callable[[Evaluation], Merits]:
        """Heed the network for opening leads only, but more than the solver."""
        weigh = super().weighing(view)
        if view.playing.cards:
            return weigh
        costs = self.costs(view)

        def of_leads(evaluation: Evaluation) -> Merits:
            layouts = _LEADS * sum(evaluation.counts)
            return advised(weigh(evaluation), evaluation, costs, layouts)

        return of_leads

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
