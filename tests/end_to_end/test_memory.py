"""The server keeps nothing of a board that is over."""

from __future__ import annotations

import asyncio
import gc
import sys
import tracemalloc
from pathlib import Path

import pytest

from bridge_arena.bridge.board import Board
from bridge_arena.bridge.seats import SEATS
from bridge_arena.protocol.messages import Welcome
from bridge_arena.protocol.visibility import Viewer
from bridge_arena.server.clock import TimeControl
from bridge_arena.server.driver import play_board
from bridge_arena.server.gateway import Gateway
from bridge_arena.server.seating import Seating
from bridge_arena.server.supervisor import Supervisor
from bridge_arena.server.table import Table
from bridge_arena.server.websocket_player import WebsocketPlayer
from tests.data import ROOT
from tests.patience import PATIENCE

# A fixed auction, then the lowest card.
FAST = """
from bridge_arena.bots.sdk.client import Bot, run
from bridge_arena.bridge.calls import PASS, Call

class Fast(Bot):
    def call(self, view):
        return PASS if view.auction.calls else Call("1NT")

    def play(self, view):
        return next(iter(view.legal_cards()))

run(Fast)
"""

FIRST, LAST = 50, 250


@pytest.mark.weekly(part="load")
async def test_memory_stays_flat(tmp_path: Path) -> None:
    """Play through the gateway, so that sessions and connections are measured too."""
    program = tmp_path / "fast.py"
    program.write_text(FAST)
    players = {
        seat: WebsocketPlayer(Viewer(seat), Welcome(table="t", seat=seat, action_seconds=60))
        for seat in SEATS
    }
    seatings = {str(seat): Seating([players[seat]]) for seat in SEATS}
    async with Gateway(seatings.get) as gateway, Supervisor() as supervisor:
        for token in seatings:
            environment = {
                "ARENA_URL": gateway.url,
                "ARENA_TOKEN": token,
                "PYTHONPATH": str(ROOT),
            }
            await supervisor.start(token, [sys.executable, str(program)], environment)
        async with asyncio.timeout(PATIENCE):
            for player in players.values():
                await player.seated
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
