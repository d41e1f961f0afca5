"""The server keeps nothing of a board that is over."""

from __future__ import annotations

import asyncio
import gc
import sys
import tracemalloc
from pathlib import Path

import pytest

from bridge.board import Board
from bridge.seats import SEATS
from protocol.messages import Welcome
from protocol.visibility import Viewer
from server.clock import TimeControl
from server.driver import play_board
from server.gateway import Gateway, OneTimeTokens, Reservation
from server.supervisor import Supervisor
from server.table import Table
from tests.end_to_end.arena import ROOT

# Sits in all four seats: a fixed auction, then the lowest card.
FAST = """
from bots.client import Bot, run
from bridge.calls import PASS, Call

class Fast(Bot):
    def call(self, view):
        return PASS if view.auction.calls else Call("1NT")

    def play(self, view):
        return next(iter(view.legal_cards()))

run(Fast)
"""

FIRST, LAST = 50, 250


@pytest.mark.slow
async def test_memory_stays_flat(tmp_path: Path) -> None:
    """Through the gateway, so that sessions and connections are watched too."""
    program = tmp_path / "fast.py"
    program.write_text(FAST)
    tokens = OneTimeTokens()
    places = {
        seat: Reservation(Viewer(seat), Welcome(table="t", seat=seat, action_seconds=60))
        for seat in SEATS
    }
    async with Gateway(tokens.admit) as gateway, Supervisor() as supervisor:
        environment = {
            "ARENA_URL": gateway.url,
            "ARENA_TOKEN": ",".join(tokens.issue(place) for place in places.values()),
            "PYTHONPATH": str(ROOT),
        }
        await supervisor.start("fast", [sys.executable, str(program)], environment)
        async with asyncio.timeout(60):
            players = {seat: await place.seated for seat, place in places.items()}
        tracemalloc.start()
        try:
            used = {}
            for number in range(1, LAST + 1):
                table = Table(f"{number}", Board.dealt(1, number), (1, 2, 3, 4), TimeControl())
                await play_board(table, players)
                assert table.score is not None
                if number in {FIRST, LAST}:
                    del table
                    gc.collect()
                    used[number] = tracemalloc.get_traced_memory()[0]
        finally:
            tracemalloc.stop()
        for player in players.values():
            await player.say_goodbye("enough")
    per_board = (used[LAST] - used[FIRST]) / (LAST - FIRST)
    assert per_board < 100, f"{per_board:.0f} bytes are kept of every board"
