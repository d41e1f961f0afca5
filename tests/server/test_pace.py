"""Tables that keep a pace, on a clock that never waits."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise

import pytest

from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.protocol.messages import CallMade, CardPlayed
from bridge_arena.protocol.outgoing import Outgoing
from bridge_arena.protocol.visibility import Kibitzer
from bridge_arena.server.driver import play_board
from bridge_arena.server.pace import Pace
from bridge_arena.server.table import Table
from tests.server.tables import DEAL, EAST, SOUTH, Slow, faults, in_no_time, new_table


@dataclass
class Spectator:
    """Notes when it is shown each call and card."""

    viewer: Kibitzer = field(default_factory=Kibitzer)
    times: list[float] = field(default_factory=list)

    def tell(self, outgoing: Outgoing) -> None:
        if isinstance(outgoing.message, CallMade | CardPlayed):
            self.times.append(asyncio.get_running_loop().time())

    def flush(self) -> None:
        pass

    @property
    def pauses(self) -> Iterator[float]:
        return (later - earlier for earlier, later in pairwise(self.times))


def board(control: str = "60 match=1800") -> Table:
    return new_table(DEAL, control=control)


def watched(
    table: Table, seconds: Mapping[Seat, tuple[float, ...]], pace: Pace | None = None
) -> Spectator:
    """Play a board before a spectator; by seat the `seconds` that actions take."""
    spectator = Spectator()
    players = {seat: Slow(seat, seconds.get(seat, ())) for seat in SEATS}
    in_no_time(play_board(table, players, kibitzers=[spectator], pace=pace))
    return spectator


def test_actions_come_no_faster_than_the_pace() -> None:
    assert set(watched(board(), {}).pauses) == {0.0}
    spectator = watched(board(), {EAST: (3.0,)}, Pace(0.5))
    assert len(spectator.times) == 56
    assert set(spectator.pauses) == {0.5, 3.0}


def test_no_clock_counts_the_waiting() -> None:
    seconds = {EAST: (3.0,), SOUTH: (0.25,)}
    quick, paced = board(), board()
    watched(quick, seconds)
    spectator = watched(paced, seconds, Pace(2.0))
    assert min(spectator.pauses) == 2.0
    assert [timing.milliseconds for timing in paced.timings] == pytest.approx(
        [timing.milliseconds for timing in quick.timings]
    )
    assert paced.match_seconds == pytest.approx(quick.match_seconds)
    names = ("n", "e", "s", "w")
    assert paced.record(names) == quick.record(names)


def test_time_still_runs_out_after_waiting() -> None:
    table = board("10 match=50")
    watched(table, {EAST: (1.0, 1.0, 30.0)}, Pace(4.0))
    assert faults(table)[0] == "E timeout 9"
    assert table.faults[0].detail == "no action within 10.0 s"
    assert table.match_seconds[EAST] == pytest.approx(50.0)


def test_a_waiting_table_can_be_stopped_at_once() -> None:
    async def stopped() -> float:
        loop = asyncio.get_running_loop()
        players = {seat: Slow(seat) for seat in SEATS}
        playing = asyncio.create_task(play_board(board(), players, pace=Pace(60.0)))
        await asyncio.sleep(90.0)
        playing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await playing
        return loop.time()

    assert in_no_time(stopped()) == 90.0


def test_nothing_is_held_back_once_the_play_is_to_end_soon() -> None:
    async def seconds() -> float:
        pace = Pace(60.0)
        asyncio.get_running_loop().call_at(90.0, pace.drop)
        table = board()
        await play_board(table, {seat: Slow(seat) for seat in SEATS}, pace=pace)
        assert {timing.milliseconds for timing in table.timings} == {0.0}
        return asyncio.get_running_loop().time()

    assert in_no_time(seconds()) == 90.0


def test_a_pace_goes_on_from_board_to_board() -> None:
    pace, spectator = Pace(1.5), Spectator()

    async def two_boards() -> None:
        for _ in range(2):
            players = {seat: Slow(seat) for seat in SEATS}
            await play_board(board(), players, kibitzers=[spectator], pace=pace)

    in_no_time(two_boards())
    assert len(spectator.times) == 2 * 56
    assert set(spectator.pauses) == {1.5}
