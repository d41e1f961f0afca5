"""The cost of a call, as a process of the solver's pool computes it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from random import Random

import numpy as np

from bridge_arena.bots.library.sampling.beliefs import disclosed
from bridge_arena.bots.library.sampling.sampler import Sampler
from bridge_arena.bots.library.tricks.net import shipped
from bridge_arena.bots.montecarlo.bidding import declarer_tricks, project
from bridge_arena.bridge.calls import PASS, Call
from bridge_arena.bridge.cards import Deal
from bridge_arena.bridge.scoring import imps, score_ns
from bridge_arena.bridge.seats import Side
from bridge_arena.protocol.view import View
from bridge_arena.recorded.audit.luck import best_other
from bridge_arena.recorded.audit.values import candidates, values_of_calls
from bridge_arena.recorded.calls.question import Question, Systems, TableSystem
from bridge_arena.reports.common.costs import CallCost


def cost_of(question: Question) -> CallCost:
    """Return the cost of a call, which is the same whenever and wherever it is asked for.

    Raises SolverError, and ValueError where the calls break the rules.
    """
    system = _table_system(question.systems)
    view = question.decision.view
    *before, made = question.calls
    thought_of = dict.fromkeys((*candidates(system, view, made.call), PASS))
    calls = [call for call in thought_of if view.auction.is_legal(call)]
    if len(calls) == 1:
        return CallCost(str(made.call), None, 0.0, 0.0, 0)
    sampler = Sampler(view, disclosed(view, before, system))
    drawn = sampler.draw(question.layouts, Random(question.situation))
    points = values_of_calls(system, shipped(), view, calls, drawn)
    gains = np.vectorize(imps, otypes=[np.float64])(np.rint(points[1:] - points[0]).astype(int))
    place, mean = best_other(gains)
    assert mean.mean is not None
    assert mean.standard_error is not None
    best = calls[1 + place]
    real = _real_gain(system, view, question.board.deal, (best, made.call))
    gain, error = round(mean.mean, 4), round(mean.standard_error, 4)
    return CallCost(str(made.call), str(best), gain, error, real)


def _real_gain(system: TableSystem, view: View, deal: Deal, calls: Sequence[Call]) -> int:
    """Return the gain of the first call over the second in the real layout, double dummy."""
    scores: list[int] = []
    for call in calls:
        contract = project(system, view.auction, view.vulnerability, deal.hands, call)
        tricks = 0
        if contract is not None:
            tricks = declarer_tricks((deal.hands, contract.denomination, contract.declarer))
        scores.append(score_ns(contract, tricks, view.vulnerability))
    gain = imps(scores[0] - scores[1])
    return gain if view.seat.side is Side.NS else -gain


@lru_cache(maxsize=16)
def _table_system(names: Systems) -> TableSystem:
    return TableSystem(names)
