"""The flagship: bidding that looks ahead, and cards chosen by networks and the solver."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from bridge_arena.bots.champion.fit import (
    boards_of,
    calls_fit,
    cards_fit,
    like_us,
    strangers,
    thinned,
)
from bridge_arena.bots.champion.leads import with_costs
from bridge_arena.bots.champion.lookahead import gains
from bridge_arena.bots.fastplay.net import shipped as play_net
from bridge_arena.bots.fastplay.seen import position_of, promised_to
from bridge_arena.bots.library.bidding_systems import SystemName
from bridge_arena.bots.library.learning.layers import Array
from bridge_arena.bots.library.sampling.beliefs import beliefs
from bridge_arena.bots.library.sampling.sampler import Hands
from bridge_arena.bots.library.tables.net import shipped as tables_net
from bridge_arena.bots.montecarlo.bot import MonteCarloBot
from bridge_arena.bots.montecarlo.evaluation import Evaluation
from bridge_arena.bots.montecarlo.objective import Merits
from bridge_arena.bots.montecarlo.parallel import is_up
from bridge_arena.bots.neural.net import shipped as bidding_nets
from bridge_arena.bridge.cards import Card
from bridge_arena.bridge.record import MadeCall
from bridge_arena.protocol.view import View

_AUCTION_WORLDS = 256
"""The most worlds in which auctions are completed."""

_LEAST_GAIN = 0.5
"""The IMPs that a call must gain on average: so many worlds flatter it less."""

_FIRST = 4
"""The calls after which it looks ahead: before, too much is to come."""

_DRAWN = 6
"""The worlds that are drawn for each one in which an auction is completed."""

_DEALT = 2
"""The worlds that are drawn for each one that is solved: cards tell less than calls."""


class ChampionBot(MonteCarloBot):
    """A player that puts together what the other bots have, within a budget of seconds.

    It bids by the networks of `neural`. If calls are close, the networks complete the auction after
    each of them in many layouts, and the contracts are scored by the estimate of double-dummy
    tables. Cards are played as `montecarlo` plays them. All layouts fit the calls and cards of the
    other players, as the networks judge them.

    Args:
        budget: Seconds for an action, 0 for no limit; a limited bot decides on the layouts that it
            could look at in time, so what it does depends on the machine.
        worlds: The most layouts for a card.
        bidding: The bidding system.
    """

    name = "champion"
    batch = 96

    def __init__(
        self, budget: float = 1.0, worlds: int = 150, bidding: SystemName = "neural"
    ) -> None:
        super().__init__(worlds, budget=budget, bidding=bidding)
        if bidding == "neural":
            self.least_gain = _LEAST_GAIN

    def options(self, view: View) -> list[MadeCall]:
        """Return the calls to compare, the system's choice first."""
        options = super().options(view)
        return options[:1] if len(view.calls) < _FIRST else options

    def gains(
        self, view: View, options: Sequence[MadeCall], until: float | None
    ) -> Sequence[Sequence[float]]:
        """Return the IMPs that each call gains over the first, in each world."""
        if self.bidding != "neural":
            return super().gains(view, options, until)
        found: list[list[float]] = [[] for _ in options]
        rng = np.random.default_rng(int(self.rng.random() * 2**53))
        calls = [option.call for option in options]
        for batch in self.batches(view, _AUCTION_WORLDS):
            boards = boards_of(batch, view)
            more = gains(bidding_nets(), tables_net(), boards, view.auction, calls, rng)
            for gain, each in zip(found, more.tolist(), strict=True):
                gain.extend(each)
            if is_up(until):
                break
        return found

    def merits(self, view: View, evaluation: Evaluation) -> Merits:
        """Return how well the cards serve the objective, the costs of opening leads included."""
        merits = super().merits(view, evaluation)
        return merits if view.playing.cards else with_costs(merits, evaluation, self._costs(view))

    def unsolved(self, view: View) -> Card:
        """Return the card that costs least by the network."""
        costs = self._costs(view)
        return min(view.legal_cards(), key=lambda card: (costs[card], card))

    def batches(self, view: View, count: int) -> Iterator[list[Hands]]:
        """Yield worlds that fit what the others did, of several times as many."""
        promised = None if view.play is None else promised_to(view, beliefs(view, self.system))
        partner = like_us() if self.bidding == "neural" else strangers()
        # The look ahead has the networks bid for the opponents too.
        opponents = strangers() if view.play else partner
        times = _DRAWN if promised is None else _DEALT
        for drawn in super().batches(view, count * times):
            # Towards the end of the play few layouts are left, and each is drawn many times.
            rows = {world: row for row, world in enumerate(dict.fromkeys(drawn))}
            boards = boards_of(list(rows), view)
            weights = calls_fit(boards, view, partner, opponents)
            if promised is not None:
                weights *= cards_fit(play_net(), boards, view, promised)
            weights = weights[[rows[world] for world in drawn]]
            yield thinned(drawn, weights, -(-len(drawn) // times), self.rng)

    def _costs(self, view: View) -> Array:
        """Return what the network says each card costs, in tricks."""
        costs: Array = play_net().costs(position_of(view, beliefs(view, self.system)))[0]
        return costs
