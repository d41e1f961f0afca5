"""The cost of a call, as a process of the solver's pool computes it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from random import Random
from statistics import fmean

import numpy as np

from bridge_arena.bots.library.sampling.beliefs import disclosed
from bridge_arena.bots.library.sampling.sampler import Hands, Sampler
from bridge_arena.bots.library.tricks.net import shipped
from bridge_arena.bots.montecarlo.bidding import declarer_tricks
from bridge_arena.bridge.calls import PASS, Contract, Denomination
from bridge_arena.bridge.scoring import imps, score_ns
from bridge_arena.bridge.seats import Seat, Side
from bridge_arena.protocol.view import View
from bridge_arena.recorded.audit.luck import best_other
from bridge_arena.recorded.audit.values import candidates, projections, values_of_contracts
from bridge_arena.recorded.calls.question import Question, Systems, TableSystem
from bridge_arena.reports.common.costs import CallCost, ExpectedContract

MOST_CONTRACTS = 4
"""The most contracts that are kept for a call by their names."""


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
    layouts = [*drawn, question.board.deal.hands]
    contracts = projections(system, view.auction, view.vulnerability, calls, layouts)
    points = values_of_contracts(shipped(), view, [row[:-1] for row in contracts], drawn)
    gains = np.vectorize(imps, otypes=[np.float64])(np.rint(points[1:] - points[0]).astype(int))
    place, mean = best_other(gains)
    assert mean.mean is not None
    assert mean.standard_error is not None
    real = _real_gain(view, layouts[-1], (contracts[1 + place][-1], contracts[0][-1]))
    gain, error = round(mean.mean, 4), round(mean.standard_error, 4)
    expected = [_expected(contracts[call][:-1], points[call]) for call in (0, 1 + place)]
    return CallCost(str(made.call), str(calls[1 + place]), gain, error, real, *expected)


def _expected(
    contracts: Sequence[Contract | None], points: Sequence[float]
) -> tuple[ExpectedContract, ...]:
    """Return the contracts of all layouts, the most frequent first and the rare ones together."""
    points_in: dict[str, list[float]] = {}
    for contract, value in zip(contracts, points, strict=True):
        name = "Pass" if contract is None else f"{contract} {contract.declarer}"
        points_in.setdefault(name, []).append(value)
    often = sorted(points_in.items(), key=lambda contract: -len(contract[1]))
    rare = [value for _, values in often[MOST_CONTRACTS:] for value in values]
    parts = [*often[:MOST_CONTRACTS], *([("", rare)] if rare else [])]
    return tuple(
        ExpectedContract(name, round(len(values) / len(contracts), 4), round(fmean(values)))
        for name, values in parts
    )


def _real_gain(view: View, hands: Hands, contracts: Sequence[Contract | None]) -> int:
    """Return the gain of the first contract over the second in the real layout, double dummy."""
    scores = [
        score_ns(
            contract,
            0 if contract is None else _tricks(hands, contract.denomination, contract.declarer),
            view.vulnerability,
        )
        for contract in contracts
    ]
    gain = imps(scores[0] - scores[1])
    return gain if view.seat.side is Side.NS else -gain


@lru_cache(maxsize=256)
def _tricks(hands: Hands, denomination: Denomination, declarer: Seat) -> int:
    """Return declarer's double-dummy tricks, which the calls of a board ask for again and again."""
    return declarer_tricks((hands, denomination, declarer))


@lru_cache(maxsize=16)
def _table_system(names: Systems) -> TableSystem:
    return TableSystem(names)
