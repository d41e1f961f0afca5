"""Perfect-information Monte Carlo, as in Ginsberg's GIB (2001), in play and auction."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from statistics import fmean

from bridge_arena.bots.fastplay.net import position_of, shipped
from bridge_arena.bots.library.bidding_systems import BiddingBot, SystemName
from bridge_arena.bots.library.double_dummy import solver_agrees
from bridge_arena.bots.library.sampling.beliefs import beliefs
from bridge_arena.bots.library.sampling.sampler import Hands, Sampler
from bridge_arena.bots.montecarlo.bidding import best_call, gains_of
from bridge_arena.bots.montecarlo.card_choice import (
    Evaluation,
    Merits,
    Objective,
    advised,
    are_equal,
    best_cards,
    costs_of,
    evaluate,
    mean_merits,
    merits_of,
    preferred,
)
from bridge_arena.bots.montecarlo.racing import Race
from bridge_arena.bridge.cards import Card
from bridge_arena.bridge.record import MadeCall
from bridge_arena.protocol.view import View

AUCTION_WORLDS = 24  # the most worlds in which an auction is bid out: each may take several solves

MOST_ADVICE = 1000  # as how many layouts the network may count


class MonteCarloBot(BiddingBot):
    """A player of the card that is best on average over many layouts, double dummy.

    The layouts of the hidden cards fit what was bid and played. What the network of `fastplay` says
    of the cards counts as some layouts more. If the bidding system finds a decision close, each of
    its calls is bid out in such layouts.

    Args:
        worlds: The most layouts for a card, fewer if one card is clearly the best; at most 24 of
            them for a call.
        objective: What is averaged, `tricks`, `score` or `imps`.
        budget: Seconds for an action, 0 for no limit; a limited bot decides on the worlds solved in
            time, so what it plays depends on the machine.
        bidding: The bidding system.
        advice: As how many layouts the network counts beside those solved, from 0 to 1000.
    """

    name = "montecarlo"
    batch = 8  # worlds drawn at a time in a race, or when the time is limited
    raced_tricks = 6
    """The tricks in which cards are raced: later, a world is solved in under half a millisecond."""

    def __init__(
        self,
        worlds: int = 50,
        objective: Objective = "imps",
        budget: float = 0.0,
        bidding: SystemName = "natural",
        advice: int = 10,
    ) -> None:
        super().__init__(bidding)
        if worlds < 1:
            raise ValueError(f"{worlds} worlds decide nothing: at least 1 is needed")
        if not 0 <= budget < float("inf"):
            raise ValueError(f"the budget is 0 for no limit, or more seconds, not {budget}")
        if not 0 <= advice <= MOST_ADVICE:
            raise ValueError(f"the network counts as 0 to {MOST_ADVICE} layouts, not {advice}")
        self._worlds = worlds
        self._objective: Objective = objective
        self._budget = budget
        self._advice = advice

    def call(self, view: View) -> MadeCall:
        until = self._until()
        options = self.options(view)
        if len(options) == 1:
            self.think(f"{options[0].call}: the choice of the bidding system")
            return options[0]
        gains = self.gains(view, options, until)
        best, layouts = best_call(options, gains), len(gains[0])
        means = {
            option.call: fmean(gain) for option, gain in zip(options, gains, strict=True) if gain
        }
        text = f"{best.call}: IMPs gained over {options[0].call}, bid out in layouts"
        self.think(text, candidates=means, layouts=layouts, seconds=self._spent(until))
        return best

    def play(self, view: View) -> Card:
        until = self._until()
        play, legal = view.playing, view.legal_cards()
        hand = view.held(play.turn) or legal
        if are_equal(play, legal):
            return preferred(play, hand, legal)
        weigh = self.weighing(view)
        race = self.race(view, weigh)
        evaluation = evaluate(play, self.batches(view, self._worlds), until, race)
        if not evaluation.counts:
            self.think("no layout was solved in time", seconds=self._spent(until))
            return self.unsolved(view)
        merits = weigh(evaluation)
        layouts = sum(evaluation.counts)
        less = ", less what the network says a card costs" if self._advice else ""
        self.think(
            f"{self._objective} on average, double dummy{less}",
            candidates=mean_merits(merits, layouts),
            layouts=layouts,
            seconds=self._spent(until),
        )
        return preferred(play, hand, best_cards(merits))

    def options(self, view: View) -> list[MadeCall]:
        """Return the calls to compare, the system's choice first."""
        return self.system.options(view.hand, view.auction, view.vulnerability)

    def gains(
        self, view: View, options: Sequence[MadeCall], until: float | None
    ) -> Sequence[Sequence[float]]:
        """Return the IMPs that each call gains over the first, in each world (`gains_of`)."""
        batches = self.batches(view, min(self._worlds, AUCTION_WORLDS))
        return gains_of(self.system, view.auction, view.vulnerability, options, batches, until)

    def race(
        self, view: View, weigh: Callable[[Evaluation], Merits]
    ) -> Callable[[Evaluation], bool] | None:
        """Return what says that enough worlds are solved for a card; None if all are to be."""
        play = view.playing
        if not self._is_raced(view):
            return None
        race = Race(self._objective, play.contract, play.turn.side, view.vulnerability)
        return lambda evaluation: race.is_over(evaluation, weigh(evaluation))

    def weighing(self, view: View) -> Callable[[Evaluation], Merits]:
        """Return what says how well the cards serve, by solved worlds and the network."""
        play = view.playing
        weigh = partial(
            merits_of,
            objective=self._objective,
            contract=play.contract,
            side=play.turn.side,
            vulnerability=view.vulnerability,
        )
        if not self._advice:
            return weigh
        costs = self.costs(view)
        return lambda evaluation: advised(weigh(evaluation), evaluation, costs, self._advice)

    def costs(self, view: View) -> dict[Card, float]:
        """Return what the network says each legal card costs, in tricks."""
        costs = shipped().costs(position_of(view, beliefs(view, self.system)))[0]
        return costs_of(view.playing, view.legal_cards(), costs)

    def unsolved(self, view: View) -> Card:
        """Return the card that costs least by the network, as no world was solved in time."""
        costs = self.costs(view)
        return min(costs, key=lambda card: (costs[card], card))

    def batches(self, view: View, count: int) -> Iterator[list[Hands]]:
        """Yield worlds, all at once if there is neither a race nor a limit of time."""
        sampler = Sampler(view, beliefs(view, self.system))
        size = self.batch if self._budget or self._is_raced(view) else count
        for start in range(0, count, size):
            yield sampler.draw(min(size, count - start), self.rng)

    def answer_claim(self, view: View) -> bool:
        return solver_agrees(view)

    def _is_raced(self, view: View) -> bool:
        return view.play is not None and len(view.play.tricks) < self.raced_tricks

    def _until(self) -> float | None:
        """Return when the action must be decided, in `time.monotonic()`, or None."""
        return time.monotonic() + self._budget if self._budget else None

    def _spent(self, until: float | None) -> float | None:
        """Return the seconds since the action began, or None if they are not limited."""
        # Without a limit the play does not depend on the machine; nor may the thoughts.
        return None if until is None else max(0.0, time.monotonic() - until + self._budget)
