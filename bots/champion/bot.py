"""The flagship: bidding that looks ahead, and cards chosen by networks and the solver."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import mul

import numpy as np
from numpy.typing import NDArray

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
from bridge_arena.bots.library.bidding_systems import SystemName
from bridge_arena.bots.library.double_dummy import lowest_of_equals
from bridge_arena.bots.library.learning.layers import Array
from bridge_arena.bots.library.many_auctions.auctions import Auctions
from bridge_arena.bots.library.many_auctions.boards import Boards, bid_out, imps
from bridge_arena.bots.library.sampling.beliefs import beliefs
from bridge_arena.bots.library.sampling.sampler import Hands
from bridge_arena.bots.library.tables.net import TablesNet, drawn
from bridge_arena.bots.library.tables.net import shipped as tables_net
from bridge_arena.bots.montecarlo.bot import MonteCarloBot
from bridge_arena.bots.montecarlo.card_choice import Evaluation, Merits
from bridge_arena.bots.montecarlo.parallel import is_up
from bridge_arena.bots.neural.net import Nets
from bridge_arena.bots.neural.net import shipped as bidding_nets
from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.calls import Call
from bridge_arena.bridge.cards import Card, Hand
from bridge_arena.bridge.record import MadeCall
from bridge_arena.protocol.view import View

_AUCTION_WORLDS = 256  # the most worlds in which auctions are completed
_LEAST_GAIN = 0.5  # the IMPs that a call must gain on average: so many worlds flatter it less
_FIRST = 4  # the calls after which it looks ahead: before, too much is to come
_DRAWN = 6  # the worlds that are drawn for each one in which an auction is completed
_DEALT = 2  # the worlds that are drawn for each one that is solved: cards tell less than calls
_DRAWS = 4  # how often the tricks of a world are drawn

_SHARE = 2.0
"""How much a trick that the network says a lead costs counts, beside one that the solver says."""


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
        options = super().options(view)
        return options[:1] if len(view.calls) < _FIRST else options

    def gains(
        self, view: View, options: Sequence[MadeCall], until: float | None
    ) -> Sequence[Sequence[float]]:
        if self.bidding != "neural":
            return super().gains(view, options, until)
        gained: list[list[float]] = [[] for _ in options]
        rng = np.random.default_rng(int(self.rng.random() * 2**53))
        calls = [option.call for option in options]
        for batch in self.batches(view, _AUCTION_WORLDS):
            boards = boards_of(batch, view)
            more = gains(bidding_nets(), tables_net(), boards, view.auction, calls, rng)
            for of_call, of_worlds in zip(gained, more.tolist(), strict=True):
                of_call.extend(of_worlds)
            if is_up(until):
                break
        return gained

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
        for worlds in super().batches(view, count * times):
            # Towards the end of the play few layouts are left, and each is drawn many times.
            rows = {world: row for row, world in enumerate(dict.fromkeys(worlds))}
            boards = boards_of(list(rows), view)
            weights = calls_fit(boards, view, partner, opponents)
            if promised is not None:
                weights *= cards_fit(play_net(), boards, view, promised)
            weights = weights[[rows[world] for world in worlds]]
            yield thinned(worlds, weights, -(-len(worlds) // times), self.rng)

    def _costs(self, view: View) -> Array:
        """Return what the network says each card costs, in tricks."""
        costs: Array = play_net().costs(position_of(view, beliefs(view, self.system)))[0]
        return costs


def gains(
    nets: Nets,
    tables: TablesNet,
    boards: Boards,
    auction: Auction,
    calls: Sequence[Call],
    rng: np.random.Generator,
) -> NDArray[np.float64]:
    """Return the IMPs that calls gain over the first, on average in each world.

    After each call the networks complete the auction for all four hands of each world. The
    contracts are scored by tricks that are drawn by their odds, as the likeliest tricks would
    flatter games and slams. The gains are those of the player whose turn it is, k×n, by the k
    `calls` and the n worlds of `boards`.
    """
    state = Auctions(1)
    for call in auction.calls:
        state.push(np.array([call]))
    number = len(boards)
    after = state.rows(np.zeros(len(calls) * number, np.int64))
    after.push(np.repeat(calls, number))
    rows = np.tile(np.arange(number), len(calls))
    contracts = bid_out(boards.rows(rows), nets, nets, after)
    odds = tables.chances(boards.hands)
    points = np.stack(
        [contracts.points(boards.rows(rows), drawn(odds, rng)[rows]) for _ in range(_DRAWS)]
    ).reshape(_DRAWS, len(calls), number)
    sign = 1 if state.turn % 2 == 0 else -1
    gained: NDArray[np.float64] = sign * imps(points - points[:, :1]).mean(axis=0)
    return gained


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
