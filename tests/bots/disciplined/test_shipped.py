"""The network that ships, at work."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest

from bridge_arena.bots.disciplined.net import shipped
from bridge_arena.bots.disciplined.system import Disciplined
from bridge_arena.bots.library.many_auctions.boards import SystemCaller, in_turn, match
from bridge_arena.bridge.board import Board
from bridge_arena.oracle.solved_deals import read
from research.natural import Audit
from tests.data import data_path

SOLVED = ("dd", "deals-0056.txt")
"""Neither learned from nor looked at in training."""


def test_calls_are_those_of_the_card_and_tell_the_truth() -> None:
    audit = Audit(Disciplined(shipped()))
    for number in range(1, 41):
        audit.add(Board.dealt(99, number))
    calls = sum(told.calls for told in audit.told.values())
    kept = sum(told.kept for told in audit.told.values())
    assert calls > 300
    assert kept >= 0.98 * calls
    assert not audit.off_card


@pytest.mark.slow
def test_the_shipped_network_beats_natural() -> None:
    """It wins 0.38 IMPs a board, with a standard error of 0.09."""
    (found,) = islice(read([data_path(*SOLVED)]), 1)
    won = match(*in_turn(found), SystemCaller(Disciplined()), SystemCaller())
    assert won.mean() > 2 * won.std() / np.sqrt(len(won))
