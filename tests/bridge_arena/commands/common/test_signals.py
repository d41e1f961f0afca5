"""What signals do to work that can stop."""

from __future__ import annotations

import asyncio
import signal
from datetime import datetime, timedelta

import pytest

from bridge_arena.base.stopping import Stop
from bridge_arena.commands.common.signals import (
    TERM_SECONDS,
    StopSignals,
    stoppable,
    stopping_text,
    until_signalled,
)

FIRST = [signal.SIGINT, signal.SIGTERM]
"""The signals that give the order, if they come first."""

AT_ONCE = [*FIRST, signal.SIGALRM]
"""The signals that are handled where there is no loop."""


@pytest.fixture(autouse=True)
def alarms(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The alarms that were set, in seconds; none of them comes."""
    alarms: list[int] = []
    monkeypatch.setattr("bridge_arena.commands.common.signals.signal.alarm", alarms.append)
    return alarms


async def play(stop: Stop, *numbers: signal.Signals) -> str:
    """Get signals while a board is in play, which ends after the last of them if work goes on.

    Returns the line that was said.
    """
    said: asyncio.Queue[str] = asyncio.Queue()
    stop.begin("board 1 open", 1)

    async def work() -> str:
        for number in numbers:
            signal.raise_signal(number)
            line = await said.get()
        stop.end("board 1 open")
        return line

    return await until_signalled(work(), stop, said.put_nowait)


@pytest.mark.parametrize("number", FIRST)
async def test_after_the_first_signal_boards_in_play_are_finished(number: signal.Signals) -> None:
    stop = Stop()
    said = await play(stop, number)
    assert said.startswith("stopping after the table in play (board 1 open); Ctrl-C again drops")
    assert stop.is_ordered
    assert not stop.in_play


@pytest.mark.parametrize("first", FIRST)
@pytest.mark.parametrize("second", [*AT_ONCE, signal.SIGHUP])
async def test_a_second_signal_drops_them(first: signal.Signals, second: signal.Signals) -> None:
    stop = Stop()
    with pytest.raises(asyncio.CancelledError):
        await play(stop, first, second)
    assert stop.in_play


async def test_boards_in_play_are_dropped_at_once_when_the_terminal_is_closed() -> None:
    stop = Stop()
    with pytest.raises(asyncio.CancelledError):
        await play(stop, signal.SIGHUP)
    assert not stop.is_ordered


@pytest.mark.parametrize("number", FIRST)
async def test_where_nothing_is_in_play_the_first_signal_ends_the_work(
    number: signal.Signals,
) -> None:
    async def wait() -> None:
        signal.raise_signal(number)
        await asyncio.Event().wait()

    with pytest.raises(asyncio.CancelledError):
        await until_signalled(wait(), Stop())


@pytest.mark.parametrize("first", FIRST)
async def test_the_first_signal_after_the_time_to_stop_drops_nothing(
    alarms: list[int], first: signal.Signals
) -> None:
    stop = Stop()
    said = await play(stop, signal.SIGALRM, first)
    assert said.startswith("stopping after the table in play (board 1 open); Ctrl-C again drops")
    assert not stop.in_play
    assert alarms[:1] == [TERM_SECONDS] * (first == signal.SIGTERM)
    with pytest.raises(asyncio.CancelledError):
        await play(Stop(), signal.SIGALRM, first, signal.SIGINT)


async def test_at_the_time_to_stop_nothing_is_dropped() -> None:
    stop = Stop()
    said = await play(stop, signal.SIGALRM)
    assert said.startswith("stopping after the table in play (board 1 open); Ctrl-C twice drops")
    assert stop.is_ordered
    assert not stop.in_play


async def test_where_nothing_is_in_play_the_time_to_stop_gives_the_order_alone() -> None:
    stop, lines = Stop(), list[str]()
    ordered = asyncio.Event()
    stop.listeners.append(ordered.set)

    async def wait() -> None:
        signal.raise_signal(signal.SIGALRM)
        await ordered.wait()

    await until_signalled(wait(), stop, lines.append)
    assert lines == []


async def test_boards_in_play_have_some_time_after_sigterm(alarms: list[int]) -> None:
    await play(Stop(), signal.SIGTERM)
    assert alarms == [TERM_SECONDS, 0]


async def test_no_alarm_of_others_is_cleared(alarms: list[int]) -> None:
    await play(Stop(), signal.SIGINT)
    assert alarms == []


def test_an_alarm_comes_when_it_is_time_to_stop(alarms: list[int]) -> None:
    at = datetime.now().astimezone() + timedelta(hours=2)
    with StopSignals(Stop(at), lambda: None, print):
        assert alarms == [pytest.approx(7200, abs=60)]
    assert alarms[1:] == [0]


def test_an_order_by_hand_takes_the_place_of_the_one_at_a_time(alarms: list[int]) -> None:
    stop = Stop(datetime.now().astimezone() + timedelta(hours=2))
    stop.begin("board 1", 1)
    with StopSignals(stop, lambda: None, lambda _: None) as signals:
        signals.handle(signal.SIGINT)
        assert alarms[1:] == [0]
    assert stop.is_ordered


@pytest.mark.parametrize("second", AT_ONCE)
def test_work_without_a_loop_is_stopped_and_dropped_likewise(second: signal.Signals) -> None:
    before = [signal.getsignal(number) for number in AT_ONCE]
    stop, said = Stop(), list[str]()
    stop.begin("part 1", 0, 250)
    with stoppable(stop, said.append, "part"):
        signal.raise_signal(signal.SIGINT)
        assert stop.is_ordered
        assert said[0].startswith("stopping after the part in play (part 1)")
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(second)
    assert [signal.getsignal(number) for number in AT_ONCE] == before


def test_what_is_in_play_is_said_and_how_long_it_may_take() -> None:
    times = iter([0.0, 30.0, 30.0, *[40.0] * 9])
    stop = Stop(clock=lambda: next(times))
    stop.begin("board 1 open", 1)
    stop.end("board 1 open")
    stop.begin("board 2 open", 2)
    for number in range(3, 8):
        stop.begin(f"board {number} open", number)
    names = ", ".join(f"board {number} open" for number in (2, 3, 4, 5))
    assert stopping_text(stop, "table", "again") == (
        f"stopping after the 6 tables in play ({names}, ...), which may take 30 s; "
        "Ctrl-C again drops what is in play, to be played again"
    )
