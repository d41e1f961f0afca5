"""The benchmark of the audit: the bot that cheats a little, and the matches that it plays."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.audit import HONEST, Match, PeekingBot, audited, figures_of, lucks, pooled
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.cards import Deal
from bridge_arena.bridge.seats import Seat
from bridge_arena.oracle.pool import Oracle
from bridge_arena.recorded.audit import Kind
from bridge_arena.recorded.audit.figures import shipped
from bridge_arena.tournaments.statistics.means import Mean
from tests.bots.views import new_view
from tests.server.tables import DEAL


def test_the_peeking_bot_looks_at_partner_s_hand_and_no_other() -> None:
    north, east, south, west = DEAL.hands
    turned, swapped = Deal((north, west, south, east)), Deal((north, east, west, south))
    calls = [
        PeekingBot().call(new_view(Seat.NORTH, Board.standard(1, deal), cheat=True))
        for deal in (DEAL, turned, swapped)
    ]
    assert calls[0] == calls[1]
    assert calls[0] != calls[2]
    with pytest.raises(ValueError, match="it is not shown the deal"):
        PeekingBot().call(new_view(Seat.NORTH, Board.standard(1, DEAL)))


def test_what_honest_bots_have_is_pooled() -> None:
    alike = pooled([Mean(100, 0.1, 0.04)] * 4)
    assert (alike.mean, alike.deviation) == (0.1, 0.02)
    unlike = pooled([Mean(100, 0.1 + far, 0.04) for far in (-0.4, 0.4, -0.4, 0.4)])
    assert unlike.mean == 0.1
    assert 0.4 < unlike.deviation < 0.6


@pytest.mark.slow
def test_a_match_that_is_kept_is_not_played_again(tmp_path: Path) -> None:
    match = Match(*HONEST[0], 2, 1)
    with Oracle(2) as oracle:
        tables, found = audited(match, 4, tmp_path, oracle)
    (folder,) = tmp_path.iterdir()
    kept = {path: path.read_bytes() for path in folder.iterdir()}
    with Oracle(1) as unused:
        again = audited(match, 4, tmp_path, unused)
    assert {path: path.read_bytes() for path in folder.iterdir()} == kept
    assert [each.finding for each in again[1]] == [each.finding for each in found]
    assert len(tables) == 4
    assert {*lucks(Kind.DECLARER, [again])} == {*HONEST[0]}
    assert {entry.p_value for entry in figures_of(again, shipped()).entries} == {None}
