"""The driver of a table: it asks the players, keeps the clock, and tells everybody what happens."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from bridge_arena.bridge.record import FaultKind
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.protocol.messages import Claim, MakeCall, PlayCard, YourTurn
from bridge_arena.protocol.visibility import Event, visible
from bridge_arena.server.claims import Solver, holds
from bridge_arena.server.faults import SeatFault
from bridge_arena.server.pace import Pace
from bridge_arena.server.players import Listener, Player
from bridge_arena.server.table import Table

_PACED = (MakeCall, PlayCard, Claim)
"""The answers between which a table keeps its pace."""


async def play_board(
    table: Table,
    players: Mapping[Seat, Player],
    *,
    solver: Solver | None = None,
    kibitzers: Sequence[Listener] = (),
    pace: Pace | None = None,
) -> None:
    """Play a board to its end: finished, or given up because a player is gone.

    If only the auction is played, it ends with the auction, and `award` then ends the board. Raises
    ValueError if a claim must be checked and there is no solver.

    Args:
        pace: The pace of the place where it is played; None to hold back no action.
    """
    pace = pace or Pace()
    seated = [players[seat] for seat in SEATS]
    audience = [*seated, *kibitzers]
    for seat, player in players.items():
        table.set_lag(seat, player.lag)
    _tell(audience, table.start(pace.now()))
    for player in seated:
        await player.measure_lag()
    while True:
        await _take_turns(table, players, audience, pace)
        if len(table.turns) > 1:
            await _take_turns_at_once(table, players, audience, pace)
        elif (unchecked := table.unchecked) is not None:
            if solver is None:
                raise ValueError("a claim is to be checked, and nobody was given to do it")
            accepted = await holds(solver, *unchecked)
            _tell(audience, table.settle(pace.now(), accepted=accepted))
        else:
            break
    for player in seated:
        table.note_questions(player.questions)


async def _take_turns(
    table: Table, players: Mapping[Seat, Player], audience: Sequence[Listener], pace: Pace
) -> None:
    """Play on as long as one player is asked at a time."""
    loop = asyncio.get_running_loop()
    while len(table.turns) == 1:
        # A timer costs as much as the rest of a turn, so it is set again only for a turn that
        # ends earlier than those before. When it fires, the turn in progress may have time left,
        # and then continues.
        deadline = table.deadline
        try:
            async with asyncio.timeout_at(pace.on_loop(deadline)) as timer:
                while (turn := table.only_turn) is not None:
                    if table.deadline < deadline:
                        deadline = table.deadline
                        timer.reschedule(pace.on_loop(deadline))
                    player = players[turn.player]
                    _tell(audience, await _take_turn(table, player, turn, pace, timer))
        except TimeoutError:
            turn = table.only_turn
            if turn is not None and loop.time() >= pace.on_loop(table.deadline):
                _tell(audience, table.time_out(turn.player, pace.now()))


async def _take_turns_at_once(
    table: Table, players: Mapping[Seat, Player], audience: Sequence[Listener], pace: Pace
) -> None:
    """Ask several players at the same time, until a claim or an undo is settled."""
    answering = {
        asyncio.create_task(_answer_alone(table, players[turn.player], audience, pace))
        for turn in table.turns
    }
    try:
        while any(turn.claim or turn.undo for turn in table.turns):
            done, answering = await asyncio.wait(answering, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
    finally:
        for task in answering:
            task.cancel()
        await asyncio.gather(*answering, return_exceptions=True)


async def _answer_alone(
    table: Table, player: Player, audience: Sequence[Listener], pace: Pace
) -> None:
    """Ask a player until its turn to answer a claim or an undo is closed."""
    seat = player.viewer.seat
    while (turn := table.turn_of(seat)) is not None and (turn.claim or turn.undo):
        try:
            async with asyncio.timeout_at(pace.on_loop(table.deadline_of(seat))):
                events = await _take_turn(table, player, turn, pace)
        except TimeoutError:
            if table.turn_of(seat) is None:  # the loss of the other has just ended the board
                return
            events = table.time_out(seat, pace.now())
        _tell(audience, events)


def award(table: Table, audience: Sequence[Listener], tricks: int) -> None:
    """End a board that was only bid with declarer's tricks, and tell everybody."""
    _tell(audience, table.award(tricks))


async def _take_turn(
    table: Table, player: Player, turn: YourTurn, pace: Pace, timer: asyncio.Timeout | None = None
) -> list[Event]:
    """Wait for the player's action, and return the events that follow from it.

    Where the player alone is asked, `timer` ends that, and calls, cards and claims keep the pace.
    """
    try:
        action = await player.act(turn)
    except SeatFault as fault:
        if table.turn_of(turn.player) is None:  # the loss of another has just ended the board
            return []
        if fault.kind == FaultKind.MALFORMED:
            return table.malformed(turn.player, fault.detail, pace.now())
        if turn.undo and fault.kind == FaultKind.DISCONNECT:
            return table.time_out(turn.player, pace.now())  # it is needed only when it is to play
        return table.forfeit(turn.player, fault.kind, fault.detail)
    if timer is not None and type(action) in _PACED:
        await pace.hold(timer)
    return table.act(turn.player, action, pace.now())


def show(audience: Sequence[Listener], events: Sequence[Event]) -> None:
    """Tell everybody those events that each may see, without sending them yet."""
    for event in events:
        for listener in audience:
            outgoing = visible(event, listener.viewer)
            if outgoing is not None:
                listener.tell(outgoing)


def _tell(audience: Sequence[Listener], events: Sequence[Event]) -> None:
    """Show everybody those events that each may see."""
    show(audience, events)
    for listener in audience:
        listener.flush()
