"""The orderly end of work on Ctrl-C, SIGTERM and SIGHUP."""

from __future__ import annotations

import asyncio
import shlex
import signal
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from math import ceil
from types import FrameType, TracebackType
from typing import Any, Self, TypeVar

from bridge_arena.base.stopping import Stop
from bridge_arena.base.wording import duration, plural
from bridge_arena.commands.common.errors import FailedError, InterruptedCommandError

T = TypeVar("T")

TERM_SECONDS = 60
"""Seconds that what is in play has to end after SIGTERM; then it is dropped. Service managers kill
a program some time after SIGTERM, systemd after 90 seconds."""

_LONGEST = 2**31 - 1
"""The most seconds of an alarm."""

_NAMED = 4
"""The most units in play that are named when work stops."""


class StopSignals:
    """What signals do to work that can stop: the first gives the order, the second drops all.

    SIGHUP drops all, and so does the first signal where nothing is in play. While its context is
    entered, SIGALRM comes when it is time to stop, which only gives the order, or when the time
    after SIGTERM is over.

    Args:
        stop: Gets the order.
        drop: Ends the work at once.
        say: Is called with a line that says what is still in play.
        noun: The noun of what is in play.
    """

    def __init__(
        self,
        stop: Stop,
        drop: Callable[[], object],
        say: Callable[[str], None],
        noun: str = "table",
    ) -> None:
        self._stop = stop
        self._drop = drop
        self._say = say
        self._noun = noun
        self._has_alarm = False
        self._has_signal = False  # whether one has come that was not for the time

    def __enter__(self) -> Self:
        if self._stop.at is not None:
            self._set_alarm((self._stop.at - datetime.now().astimezone()).total_seconds())
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._clear_alarm()

    def handle(self, number: int) -> None:
        """Do what a signal asks for."""
        stop = self._stop
        self._clear_alarm()
        is_time = number == signal.SIGALRM and not self._has_signal
        is_last = self._has_signal or not stop.in_play or number == signal.SIGHUP
        if is_last and not is_time:
            self._drop()
            return
        self._has_signal = not is_time
        stop.order()
        if number == signal.SIGTERM:
            self._set_alarm(TERM_SECONDS)
        if stop.in_play:
            self._say(stopping_text(stop, self._noun, "twice" if is_time else "again"))

    def _set_alarm(self, seconds: float) -> None:
        self._has_alarm = True
        signal.alarm(min(max(1, ceil(seconds)), _LONGEST))

    def _clear_alarm(self) -> None:
        # Another's alarm stays.
        if self._has_alarm:
            self._has_alarm = False
            signal.alarm(0)


def stopping_text(stop: Stop, noun: str, how: str) -> str:
    """Return the line that says what is in play, and how long it may take if that is known.

    `how` says how often Ctrl-C drops it.
    """
    units = list(stop.in_play)
    names = ", ".join(units[:_NAMED]) + (", ..." if len(units) > _NAMED else "")
    seconds = stop.seconds_left()
    time = "" if seconds is None else f", which may take {duration(seconds)}"
    count = "the" if len(units) == 1 else f"the {len(units)}"
    return (
        f"stopping after {count} {plural(len(units), noun).partition(' ')[2]} in play "
        f"({names}){time}; Ctrl-C {how} drops what is in play, to be played again"
    )


async def until_signalled(
    work: Coroutine[Any, Any, T],
    stop: Stop | None = None,
    say: Callable[[str], None] = print,
) -> T:
    """Do the work, and cancel it on Ctrl-C, SIGTERM or SIGHUP.

    With a `stop`, the signals do what `StopSignals` says.
    """
    task = asyncio.create_task(work)
    loop = asyncio.get_running_loop()
    with StopSignals(stop or Stop(), task.cancel, say) as signals:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGALRM):
            loop.add_signal_handler(number, signals.handle, number)
        return await task


def run_until_signalled(work: Coroutine[Any, Any, T]) -> T:
    """Do the work in a loop of its own; each of the three signals raises KeyboardInterrupt."""
    try:
        return asyncio.run(until_signalled(work))
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None


@contextmanager
def stoppable(stop: Stop, say: Callable[[str], None], noun: str) -> Iterator[None]:
    """Have signals do in the context what `StopSignals` says; to drop is KeyboardInterrupt."""
    with (
        StopSignals(stop, _interrupt, say, noun) as signals,
        _handling(signals.handle, signal.SIGINT, signal.SIGTERM, signal.SIGALRM),
    ):
        yield


@contextmanager
def sigterm_as_ctrl_c() -> Iterator[None]:
    """Make SIGTERM raise KeyboardInterrupt in the context, as Ctrl-C does."""
    with _handling(lambda _: _interrupt(), signal.SIGTERM):
        yield


@contextmanager
def _handling(handle: Callable[[int], None], *numbers: signal.Signals) -> Iterator[None]:
    """Handle signals in the context."""

    def handler(number: int, _frame: FrameType | None) -> None:
        handle(number)

    before = {number: signal.signal(number, handler) for number in numbers}
    try:
        yield
    finally:
        for number, handled in before.items():
            signal.signal(number, handled)


def _interrupt() -> None:
    raise KeyboardInterrupt


@contextmanager
def going_on_with(again: Sequence[str], *failing: type[Exception]) -> Iterator[None]:
    """Say by which command to go on where a signal, or an error of these kinds, ends the context.

    Raises InterruptedCommandError and FailedError.
    """
    try:
        with sigterm_as_ctrl_c():
            yield
    except KeyboardInterrupt:
        raise InterruptedCommandError(f"interrupted; go on with: {shlex.join(again)}") from None
    except failing as error:
        raise FailedError(f"{error}; go on with: {shlex.join(again)}") from None
