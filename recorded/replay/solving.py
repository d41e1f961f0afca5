"""The double-dummy results of the contracts that were played."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from bridge_arena.base.task_errors import first_error
from bridge_arena.bridge.seats import Seat
from bridge_arena.oracle.errors import OracleError
from bridge_arena.oracle.pool import Oracle
from bridge_arena.recorded.checkpoint import Checkpoint
from bridge_arena.recorded.replay.games import RecordedGame
from bridge_arena.recorded.replay.runner import BOT, counts, saved_record, unit_id

DD = "dd"


async def solve(
    games: Sequence[RecordedGame], seat: Seat, checkpoint: Checkpoint, on_result: Callable[[], None]
) -> None:
    """Solve every contract that is not solved yet.

    A contract that the solver cannot finish within its deadline is left open, and tried again by
    the next run.

    Raises:
        CheckpointError: The checkpoint cannot be written.
    """
    oracle = Oracle()
    # The slots keep most of a long list out of the pool's queue.
    slots = asyncio.Semaphore(2 * oracle.workers)

    async def solve_game(game: RecordedGame) -> None:
        record = saved_record(checkpoint, game, BOT)
        if record is not None and record.contract is not None and counts(record, seat):
            async with slots:
                try:
                    tricks = await oracle.tricks(record.board.deal, record.contract)
                    checkpoint.save(unit_id(game, DD), tricks=tricks)
                except OracleError:
                    pass  # the summary counts the boards without a result
        on_result()

    with oracle, first_error(Exception):
        async with asyncio.TaskGroup() as group:
            for game in games:
                if checkpoint.get(unit_id(game, DD)) is None:
                    group.create_task(solve_game(game))
                else:
                    on_result()


def dd_tricks(checkpoint: Checkpoint, game: RecordedGame) -> int | None:
    """Return declarer's double-dummy tricks in the bot's contract, or None if not known."""
    facts = checkpoint.get(unit_id(game, DD))
    return None if facts is None else int(facts["tricks"])
