"""The double-dummy figures of boards while they are played, and the costs of calls, on demand.

The solver runs in a process of low priority. It solves the newest position first, and then the
earlier ones, for spectators who step back. Calls come last, as each takes it seconds.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from bridge_arena.oracle.errors import ClosedError, OracleError
from bridge_arena.oracle.pool import Oracle
from bridge_arena.recorded.analysis.units import solve
from bridge_arena.recorded.calls.question import call_units
from bridge_arena.reports.common.costs import CallCost
from bridge_arena.web.board.document import PositionValues
from bridge_arena.web.board.of_records import cost_of_call, figures_of
from bridge_arena.web.live.rooms import Game, LiveTable, Reached, TableRoom


class Kibitzing:
    """The solver of the tables at which somebody asks for figures.

    `specs` are the bots by the players' names.
    """

    def __init__(self, oracle: Oracle, specs: Mapping[str, str]) -> None:
        self._oracle = oracle
        self._specs = specs
        # The number of spectators who ask at each table, and the task that works for them.
        self._asking: Counter[TableRoom] = Counter()
        self._working: dict[TableRoom, asyncio.Task[None]] = {}

    @contextmanager
    def asking(self, room: TableRoom) -> Iterator[None]:
        """Work for a table as long as a spectator asks for its figures."""
        self._asking[room] += 1
        if room not in self._working:
            self._working[room] = asyncio.create_task(self._work(room))
        try:
            yield
        finally:
            self._asking[room] -= 1
            if not self._asking[room] and room in self._working:
                self._working.pop(room).cancel()

    async def solve(self, game: Game) -> None:
        while await self._solve_some(game):
            pass

    async def weigh(self, game: Game, unit: str) -> None:
        """Find what the calls of a table cost, by the id of its unit."""
        live = game.tables[unit]
        while live is not None and live.unweighed:
            await self._weigh_call(game, unit, live)

    def close(self) -> None:
        for working in self._working.values():
            working.cancel()
        self._working.clear()

    async def _work(self, room: TableRoom) -> None:
        while True:
            game = room.game
            room.changed.clear()
            if game is None or not (await self._solve_some(game) or await self._weigh_some(game)):
                await room.changed.wait()

    async def _solve_some(self, game: Game) -> bool:
        """Solve a part of a board; return whether there was anything to solve."""
        if game.document["dd"] is None and not game.is_given_up:
            await self._solve_board(game)
            return True
        newest = [
            (reached, place, live)
            for place, live in enumerate(game.tables.values())
            if live is not None
            for reached in live.unsolved[-1:]
        ]
        if not newest:
            return False
        reached, place, live = max(newest, key=lambda newer: not newer[2].is_over)
        await self._solve_position(game, place, live, reached)
        return True

    async def _solve_board(self, game: Game) -> None:
        board = game.board
        try:
            (table,) = await self._oracle.tables([board.deal])
            par = await self._oracle.par(board.deal, board.dealer, board.vulnerability)
        except ClosedError:  # another solver goes on when the pages are served again
            raise asyncio.CancelledError from None
        except OracleError:
            game.is_given_up = True
            return
        figures = figures_of(table, par)
        game.document["dd"], game.document["par"] = figures["dd"], figures["par"]
        game.tell({"figures": figures})

    async def _solve_position(
        self, game: Game, place: int, live: LiveTable, reached: Reached
    ) -> None:
        try:
            costs = await self._oracle.card_values(reached.position)
            best = max(costs.values())
            values = PositionValues(
                dd=reached.declarers_total(best),
                cards={str(card): best - value for card, value in costs.items()},
            )
            step = str(reached.step)
            live.table.setdefault("values", {})[step] = values
            game.tell({"place": place, "values": {step: values}})
        except ClosedError:
            raise asyncio.CancelledError from None
        except OracleError:
            pass  # it stays unknown
        if reached in live.unsolved:
            live.unsolved.remove(reached)

    async def _weigh_some(self, game: Game) -> bool:
        """Find what a call cost; return whether there was one."""
        for unit, live in game.tables.items():
            if live is not None and live.unweighed:
                await self._weigh_call(game, unit, live)
                return True
        return False

    async def _weigh_call(self, game: Game, unit: str, live: LiveTable) -> None:
        record = live.unweighed.pop()
        call = str(len(record.calls))
        try:
            # In a thread, as it may load a bot. There are no questions if the calls were given.
            for question in (await asyncio.to_thread(call_units, record, self._specs))[-1:]:
                answer = await asyncio.wrap_future(self._oracle.submit(solve, question))
                cost = cost_of_call(CallCost.parse(answer))
                live.table.setdefault("weighed", {})[call] = cost
                place = list(game.tables).index(unit)
                game.tell({"place": place, "weighed": {call: cost}})
        except ClosedError:  # another solver goes on when the pages are served again
            live.unweighed.append(record)
            raise asyncio.CancelledError from None
        except OracleError:
            pass  # it stays unknown
