"""The network that ships, at work."""

from __future__ import annotations

import numpy as np
import pytest

from bridge_arena.bots.disciplined.net import shipped
from bridge_arena.bots.disciplined.system import Disciplined
from bridge_arena.bots.library.many_auctions.boards import SystemCaller, drawn, match
from bridge_arena.bridge.board import Board
from bridge_arena.oracle.solved_deals import SolvedDeals, read
from research.natural import Audit
from tests.data import data_path

SOLVED = ("0055", "0056", "0201")
"""The files of solved deals that the network has not learned from."""


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
    """It wins 0.14 IMPs a board, with a standard error of 0.03."""
    solved = SolvedDeals.joined(read([data_path("dd", f"deals-{number}.txt") for number in SOLVED]))
    boards, tricks = drawn(solved, np.random.default_rng(1), 16_000)
    won = match(boards, tricks, SystemCaller(Disciplined()), SystemCaller())
    assert won.mean() > 4 * won.std() / np.sqrt(len(won))
