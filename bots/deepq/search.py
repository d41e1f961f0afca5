"""A bid by search: the auction is continued with hands that partner may have.

The networks propose the bids that are worth a look and continue the auction; the estimate of tricks
says what the final contracts cost. Only the player who called first searches. The other bids by the
networks alone, so the meaning of his bids is known exactly, and a search that looks at enough hands
makes nothing worse (Lerer, Hu, Foerster and Brown, Improving Policies via Search in Cooperative
Partially Observable Games, 2020).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bots.deepq import FEWEST
from bridge_arena.bots.deepq.net import QNets, bids_made
from bridge_arena.bots.library.learning.hands import Hands, features
from bridge_arena.bots.library.learning.layers import Layer
from bridge_arena.bots.library.learning.scores import CONTRACTS, imps_of, points_of, points_table
from bridge_arena.bots.library.tricks.net import TricksNet

_DEALT = 4096
"""Hands dealt to partner at a time; those that would have bid as partner did are kept."""

_TIMES = 8
"""The most times that hands are dealt, if few of them are kept."""

_LAYOUTS = 4
"""Layouts of the opponents' cards that are drawn for each hand of partner."""

_CANDIDATES = 5

_CLOSE = 1.5
"""A bid is looked at if the networks think it at most this many IMPs worse than the best."""

_SURE = 1.0
"""A bid replaces the networks' own if it is better by this many standard errors."""


@dataclass(frozen=True, slots=True)
class Search:
    """A search over hands of partner for each bid of the player who called first."""

    nets: QNets  # the networks that propose bids and continue the auction
    tricks: TricksNet  # the network that estimates the tricks
    worlds: int = 200  # how many hands of partner are looked at
    # The points of each contract by tricks, as `points_table` returns them.
    points: NDArray[np.int64] = field(default_factory=points_table)

    def __post_init__(self) -> None:
        if self.worlds < FEWEST:
            raise ValueError(
                f"{self.worlds} worlds are too few to search in: 0 for no search, or "
                f"{FEWEST} and more"
            )

    def bid(self, hand: Hands, bids: list[int], rng: np.random.Generator) -> int:
        """Return the bid, 0 to 35, of the player who is to call."""
        call = len(bids)
        last = bids[-1] if bids else 0
        made = bids_made(bids)
        costs = self.nets.costs(call, hand[None], made[None], np.array([last]))[0]
        best = int(costs.argmin())
        order = np.argsort(costs, kind="stable")[:_CANDIDATES]
        candidates = [int(bid) for bid in order if costs[bid] <= costs[best] + _CLOSE]
        if call % 2 or len(candidates) == 1:
            return best
        partners = self._partners(hand, bids, rng)
        if len(partners) < FEWEST:
            return best
        paid = self._paid(hand, partners, rng)
        results = np.stack([self._ended(hand, partners, bids, bid, paid) for bid in candidates])
        gains = results[0] - results  # the first candidate is the networks' own
        mean = gains.mean(axis=1)
        # Gains are quarters of IMPs, so these sums are exact, whatever their order.
        squares = len(partners) * np.square(gains).sum(axis=1) - np.square(gains.sum(axis=1))
        error = np.sqrt(squares / len(partners)) / len(partners)
        chosen = int(np.where(mean > _SURE * error, mean, -np.inf).argmax())
        return candidates[chosen] if mean[chosen] > _SURE * error[chosen] else best

    def contracts(self, hands: Hands, partners: Hands, rng: np.random.Generator) -> Iterator[int]:
        """Yield the contracts that pairs of hands reach when the first of each pair searches."""
        for two in zip(hands, partners, strict=True):
            bids = [self.bid(two[0], [], rng)]
            while len(bids) < self.nets.calls and bids[-2:] != [bids[-1]] * 2:
                bids.append(self.bid(two[len(bids) % 2], bids, rng))
            yield bids[-1]

    def _partners(self, hand: Hands, bids: list[int], rng: np.random.Generator) -> Hands:
        """Return at most `worlds` hands that would have bid as partner did, all equally likely."""
        unseen = np.flatnonzero(~hand)
        kept = np.zeros((0, 52), np.bool_)
        for _ in range(_TIMES):
            order = rng.random((_DEALT, len(unseen))).argpartition(12, axis=1)[:, :13]
            dealt = np.zeros((_DEALT, 52), np.bool_)
            np.put_along_axis(dealt, unseen[order], values=True, axis=1)
            kept = np.concatenate([kept, self._bidding(dealt, bids)])[: self.worlds]
            if len(kept) == self.worlds:
                break
        return kept

    def _bidding(self, dealt: Hands, bids: list[int]) -> Hands:
        """Return the hands that make the second bid, the fourth and so on as it was made."""
        if len(bids) < 2:
            return dealt
        inputs = features(dealt)
        for call in range(1, len(bids), 2):
            made = np.broadcast_to(bids_made(bids[:call]), (len(dealt), CONTRACTS))
            last = np.full(len(dealt), bids[call - 1])
            costs = self.nets.costs_of(call, self.nets.first_layer(call, inputs), made, last)
            fitting = costs.argmin(axis=1) == bids[call]
            dealt, inputs = dealt[fitting], inputs[fitting]
        return dealt

    def _paid(self, hand: Hands, partners: Hands, rng: np.random.Generator) -> NDArray[np.float64]:
        """Return the cost of each contract with each hand of partner, a mean over drawn layouts."""
        estimate = self.tricks.estimate(np.broadcast_to(hand, partners.shape), partners)
        declarer = estimate.mean.argmax(axis=2)[..., None]
        mean = np.take_along_axis(estimate.mean, declarer, 2)[..., 0]
        deviation = np.take_along_axis(estimate.deviation, declarer, 2)[..., 0]
        mixing = Layer(np.linalg.cholesky(self.tricks.correlation.astype(np.float64)))
        off = mixing(rng.standard_normal((len(mean), _LAYOUTS, 5)))
        drawn = np.rint(mean[:, None] + deviation[:, None] * off)
        points = points_of(np.clip(drawn, 0, 13).astype(np.int64), self.points)
        costs: NDArray[np.float64] = imps_of(points.max(axis=-1, keepdims=True) - points).mean(
            axis=1
        )
        return costs

    def _ended(
        self, hand: Hands, partners: Hands, bids: list[int], bid: int, paid: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Return the cost, for each hand of partner, of a bid that the networks then continue."""
        worlds = np.arange(len(partners))
        call = len(bids)
        last = np.full(len(worlds), bid)
        if call + 1 < self.nets.calls and not (bids and bid == bids[-1]):
            inputs = [features(hand[None])[[0] * len(worlds)], features(partners)]
            made = np.repeat(bids_made([*bids, bid])[None], len(worlds), axis=0)
            on = worlds
            for later in range(call + 1, self.nets.calls):
                held = self.nets.first_layer(later, inputs[(later - call) % 2][on])
                chosen = self.nets.costs_of(later, held, made[on], last[on]).argmin(axis=1)
                going = chosen != last[on]
                last[on] = chosen
                made[on, chosen] = 1.0
                on = on[going]
        ended: NDArray[np.float64] = paid[worlds, last]
        return ended
