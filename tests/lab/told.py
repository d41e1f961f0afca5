"""Experiments whose figures are told, with senseless double-dummy tricks."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from bridge_arena.lab.bidders import parse_bidders
from bridge_arena.lab.bidding import bid
from bridge_arena.lab.boards import LabBoards
from bridge_arena.lab.experiment import Experiment, Part
from bridge_arena.lab.figures import LabFigures, lab_figures
from bridge_arena.lab.scoring import scored
from bridge_arena.oracle.contract_tricks import Request
from tests.lab.auctions import boards_of


def solve(requests: Sequence[Request]) -> list[int]:
    """Tricks that nobody would take for right."""
    return [13 - declarer for _, declarer, _ in requests]


def bidden(boards: LabBoards, *names: str, sprt: str | None = None) -> tuple[Experiment, Part]:
    *arms, opponent = parse_bidders(list(names))
    experiment = Experiment(tuple(arms), opponent, len(boards), 1, sprt=sprt)
    bids = [bid(boards, arm.maker(), opponent.maker(), experiment.key) for arm in arms]
    return experiment, Part(boards, scored(boards, bids, solve))


def figures_of(boards: LabBoards, *names: str) -> LabFigures:
    return lab_figures(*bidden(boards, *names), solve)


@lru_cache(maxsize=1)
def one_arm() -> LabFigures:
    return figures_of(boards_of(24), "baseline", "natural")


@lru_cache(maxsize=1)
def two_arms() -> LabFigures:
    return figures_of(boards_of(24), "baseline", "random", "natural")
