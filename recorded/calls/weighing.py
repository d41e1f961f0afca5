"""The cost of a call, as a process of the solver's pool computes it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
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
from bridge_arena.recorded.calls.question import LAYOUTS, Question, Systems, TableSystem
from bridge_arena.reports.common.costs import CallCost, ExpectedContract

MOST_CONTRACTS = 4
"""The most contracts that are kept for a call by their names."""


def cost_of(question: Question) -> CallCost:
    """Return the cost of a call, which is the same whenever and wherever it is asked for.

    Raises SolverError, and ValueError where the calls break the rules.
    """
    most = replace(question, layouts=max(LAYOUTS, question.layouts))
    choice = _choice(most)
    made, *others = choice.calls
    if not others:
        return CallCost(str(made), None, 0.0, 0.0, 0)
    contracts = choice.contracts(question.layouts)
    real, *drawn = choice.layouts[: 1 + question.layouts]
    imagined = [row[1:] for row in contracts]
    points = values_of_contracts(shipped(), choice.view, imagined, drawn)
    gains = np.vectorize(imps, otypes=[np.float64])(np.rint(points[1:] - points[0]).astype(int))
    place, mean = best_other(gains)
    assert mean.mean is not None
    assert mean.standard_error is not None
    real_gain = _real_gain(choice.view, real, (contracts[1 + place][0], contracts[0][0]))
    gain, error = round(mean.mean, 4), round(mean.standard_error, 4)
    expected = [_expected(imagined[call], points[call]) for call in (0, 1 + place)]
    return CallCost(str(made), str(others[place]), gain, error, real_gain, *expected)


class _Choice:
    """The calls that a caller could make, and what they lead to in layouts: the real one first.

    The estimate of a call's cost is worked out first, and leaves this for the cost.
    """

    def __init__(self, question: Question) -> None:
        self.view = view = question.decision.view
        self._system = system = _table_system(question.systems)
        *before, made = question.calls
        thought_of = dict.fromkeys((*candidates(system, view, made.call), PASS))
        self.calls = [call for call in thought_of if view.auction.is_legal(call)]
        self.layouts = [question.board.deal.hands]
        if len(self.calls) > 1:
            sampler = Sampler(view, disclosed(view, before, system))
            self.layouts += sampler.draw(question.layouts, Random(question.situation))
        # Those that are known, for each call.
        self._contracts: list[list[Contract | None]] = [[] for _ in self.calls]

    def contracts(self, layouts: int) -> list[list[Contract | None]]:
        """Return the contracts of each call in the real layout and the first ones drawn."""
        known, end = len(self._contracts[0]), 1 + layouts
        if known < end:
            auction, vulnerability = self.view.auction, self.view.vulnerability
            more = self.layouts[known:end]
            contracts = projections(self._system, auction, vulnerability, self.calls, more)
            for row, further in zip(self._contracts, contracts, strict=True):
                row.extend(further)
        return [row[:end] for row in self._contracts]


@lru_cache(maxsize=64)
def _choice(question: Question) -> _Choice:
    return _Choice(question)


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
