"""The bot that plays by the network of card costs."""

from __future__ import annotations

from collections.abc import Sequence
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bots.fastplay.net import PlayNet, Positions, positions_of, promised_to, shipped
from bridge_arena.bots.fastplay.playing import evaluate
from bridge_arena.bots.library.bidding_systems import BiddingBot, SystemName
from bridge_arena.bots.library.double_dummy import distinct_cards
from bridge_arena.bots.library.learning.arrays import SHIPPED, read_named
from bridge_arena.bots.library.learning.layers import Array
from bridge_arena.bots.library.sampling.beliefs import Beliefs, beliefs
from bridge_arena.bots.library.sampling.sampler import Sampler
from bridge_arena.bots.montecarlo.card_choice import best_cards, mean_merits, merits_of
from bridge_arena.bridge.cards import CARDS, Card
from bridge_arena.protocol.view import View


class FastPlayBot(BiddingBot):
    """A player of the card that a network says costs the fewest tricks, without search.

    Of equal cards it plays the lowest. The network has learned from boards solved double dummy at
    every card. It sees the cards that its seat sees and what the auction belief.

    Args:
        worlds: How many layouts of the hidden cards to play out, 0 for none; in each, the net plays
            the board out for all four players after each card that may be played, and the card that
            is best on average in IMPs is played.
        bidding: The bidding system.
        weights: A file that `arena train fastplay` has made, or `shipped`.
        errors: The scale, in tricks, of random errors that are added to what the network says of
            each card (Gumbel's distribution), so that the bot may play a board otherwise with
            another seed; without worlds only.
    """

    name = "fastplay"

    def __init__(
        self,
        worlds: int = 0,
        bidding: SystemName = "natural",
        weights: str = SHIPPED,
        errors: float = 0.0,
    ) -> None:
        super().__init__(bidding)
        if worlds < 0:
            raise ValueError(f"there are no {worlds} worlds")
        if not 0 <= errors < float("inf"):
            raise ValueError(f"errors of {errors} tricks cannot be made")
        if worlds and errors:
            raise ValueError("errors are made without worlds only")
        self._worlds = worlds
        self._errors = errors
        self._net = shipped() if weights == SHIPPED else read_named(weights, PlayNet.read)
        # What the auction told about the hands, by the view of the board: what the seat believes
        # of each, and the same as the network reads it.
        self._beliefs: WeakKeyDictionary[View, tuple[Beliefs, NDArray[np.int64]]]
        self._beliefs = WeakKeyDictionary()

    def play(self, view: View) -> Card:
        """Choose the card that costs the fewest tricks, or is best when played out."""
        cards = distinct_cards(view.playing, view.legal_cards())
        if len(cards) == 1:
            return CARDS[cards[0]]
        believed, promised = self._belief_of(view)
        position = positions_of([view], [promised])
        if self._worlds:
            play = view.playing
            worlds = Sampler(view, believed).draw(self._worlds, self.rng)
            evaluation = evaluate(self._net, view, position, cards, worlds)
            side = play.turn.side
            merits = merits_of(evaluation, "imps", play.contract, side, view.vulnerability)
            layouts = sum(evaluation.counts)
            weighed = mean_merits(merits, layouts)
            self.think("imps on average, played out", candidates=weighed, layouts=layouts)
            return min(best_cards(merits))
        costs = self._costs(position, [view])[0]
        in_order = sorted(cards, key=lambda card: (costs[card], card))
        weighed = {CARDS[card]: -float(costs[card]) for card in in_order}
        self.think("tricks that each card is expected to cost, below 0", candidates=weighed)
        return CARDS[in_order[0]]

    def play_many(self, views: Sequence[View]) -> list[Card] | None:
        """Choose the cards on many boards, unless they are played out, which takes `rng`."""
        if self._worlds:
            return None
        distinct = [distinct_cards(view.playing, view.legal_cards()) for view in views]
        chosen = [CARDS[cards[0]] for cards in distinct]
        free = [row for row, cards in enumerate(distinct) if len(cards) > 1]
        if free:
            undecided = [views[row] for row in free]
            promised = [self._belief_of(view)[1] for view in undecided]
            costs = self._costs(positions_of(undecided, promised), undecided).tolist()
            for row, of_cards in zip(free, costs, strict=True):
                # Of cards that cost the same, the first is the lowest.
                chosen[row] = CARDS[min(distinct[row], key=of_cards.__getitem__)]
        return chosen

    def _costs(self, positions: Positions, views: Sequence[View]) -> Array:
        """Return what the network says of each card, n×52, with the bot's errors."""
        costs = self._net.costs(positions)
        if self._errors:
            costs = costs + np.stack([self._errors * _error(view) for view in views])
        return costs

    def _belief_of(self, view: View) -> tuple[Beliefs, NDArray[np.int64]]:
        """Return what the auction tells of each hand; it stays the same during the play."""
        belief = self._beliefs.get(view)
        if belief is None:
            believed = beliefs(view, self.system)
            belief = self._beliefs[view] = believed, promised_to(view, believed)
        return belief


def _error(view: View) -> Array:
    """Return the error of each card; the same view always has the same ones."""
    rng = np.random.default_rng((view.seed, len(view.playing.cards)))
    return rng.gumbel(size=52).astype(np.float32)
