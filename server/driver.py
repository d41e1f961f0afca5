"""Drives a table: asks its players, keeps its clock, tells everybody what happened."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from bridge.record import FaultKind
from bridge.seats import SEATS, Seat
from protocol.messages import YourTurn
from protocol.visibility import Event, visible
from server.faults import SeatFault
from server.players import Outgoing, Player
from server.table import Table


async def play_board(table: Table, players: Mapping[Seat, Player]) -> None:
    """Play `table`'s board to its end: finished, or given up because a player is gone; or
    to the end of the auction where only that is played, and then `award` ends it."""
    now = asyncio.get_running_loop().time
    seated = [players[seat] for seat in SEATS]
    await _tell(seated, table.start(now()))
    while table.turn is not None:
        # A timer costs as much as the rest of a turn, so it is not set anew for each: when
        # it rings, the turn in progress may have time left, and is then gone on with.
        try:
            async with asyncio.timeout_at(table.deadline):
                while (turn := table.turn) is not None:
                    await _tell(seated, await _take_turn(table, players[turn.player], turn))
        except TimeoutError:
            if table.turn is not None and now() >= table.deadline:
                await _tell(seated, table.time_out(now()))


async def award(table: Table, players: Mapping[Seat, Player], tricks: int) -> None:
    """End a board that was only bid with declarer's tricks."""
    await _tell([players[seat] for seat in SEATS], table.award(tricks))


async def _take_turn(table: Table, player: Player, turn: YourTurn) -> list[Event]:
    """Wait for the player's action, and what comes of it."""
    now = asyncio.get_running_loop().time
    try:
        action = await player.act(turn)
    except SeatFault as fault:
        if fault.kind == FaultKind.MALFORMED:
            return table.malformed(fault.detail, now())
        return table.forfeit(turn.player, fault.kind, fault.detail)
    return table.act(turn.player, action, now())


async def _tell(players: Sequence[Player], events: Sequence[Event]) -> None:
    """Show each player what it may see of the events, each encoded once for all who
    may see the same of it."""
    for event in events:
        shared: Outgoing | None = None
        for player in players:
            message = visible(event, player.viewer)
            if message is None:
                continue
            if message is event:
                shared = outgoing = shared or Outgoing(message)
            else:
                outgoing = Outgoing(message)
            player.tell(outgoing)
    for player in players:
        await player.flush()
