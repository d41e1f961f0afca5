"""Measure what the scoring bracket costs: a part of `research.lab_bracket`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from unittest.mock import patch

from benchmarks.figures import timed
from bridge_arena.bridge.seeds import DealKey
from bridge_arena.lab import leads
from bridge_arena.lab.bidders import Bidder, parse_bidders
from bridge_arena.lab.bidding import bid
from bridge_arena.lab.boards import LabBoards
from bridge_arena.lab.experiment import UNKNOWN, Experiment
from bridge_arena.lab.scoring import scored
from bridge_arena.oracle.contract_tricks import tricks_here
from bridge_arena.oracle.table_store import TableStore

PAIRS = (("natural", "baseline"), ("qtable", "natural"), ("neural", "natural"))
"""The bidders whose contracts are timed."""


def costs(boards: int, key: DealKey) -> Iterator[list[str]]:
    """Yield rows of the processor time of a contract that differs between the rooms."""
    dealt = LabBoards.dealt(key, 1, boards + 1)
    nothing = TableStore(None)
    fastplay = Bidder.parse("fastplay")
    for names in PAIRS:
        arm, opponent = parse_bidders(list(names))
        experiment = Experiment((arm,), opponent, boards, 0, leader=fastplay)
        made, bidding = timed(partial(bid, dealt, arm.maker(), opponent.maker(), key))
        matches, solving = timed(partial(scored, dealt, [made], partial(tricks_here, nothing)))
        with patch.object(leads, "tricks_after", lambda *_: 0):
            leads.led(experiment, dealt, matches)  # reads what the bots need
            _, leading = timed(partial(leads.led, experiment, dealt, matches))
        _, together = timed(partial(leads.led, experiment, dealt, matches))
        number = int((matches[0].tricks != UNKNOWN).sum())
        spent = bidding, solving, leading, together - leading
        yield [
            " - ".join(f"`{name}`" for name in names),
            f"{number:,}",
            *(f"{1000 * each / number:.1f}" for each in spent),
            f"{together / solving:.2f}",
        ]
