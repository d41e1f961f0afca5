"""What long work shows on standard error: a bar on a terminal, elsewhere a plain line now and then.

All commands show their work by `LongWork`. So a log or a pipe says that a command is alive, what it
does and for how long still:

    arena: costs of calls: 37 of 240 boards, about 9 min left

With ARENA_PROGRESS=0 in the environment there are no such lines.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import Self, TypeVar

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TaskID, TextColumn
from rich.text import Text

from bridge_arena.base.wording import time_left

FIRST, EVERY = 5.0, 30.0
"""The seconds before the first line, and from one line to the next."""

_BEAT = 1.0
"""The seconds from one look at the clock to the next."""

_T = TypeVar("_T")


class LongWork:
    """A context in which a command works, step by step.

    On a terminal each step has a bar, and all of them disappear at the end. Elsewhere there are
    lines about the step that went on last.

    Args:
        console: The console of standard error; None for a new one.
        clock: Returns the time in seconds.
        has_lines: Whether there are lines where there is no terminal.
    """

    def __init__(
        self,
        console: Console | None = None,
        clock: Callable[[], float] = time.monotonic,
        *,
        has_lines: bool = True,
    ) -> None:
        self.console = console or Console(stderr=True)
        self._clock = clock
        # It keeps the state of the steps where it is not shown, too.
        self._bars = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            _Column(_amount),
            _Column(_left),
            console=self.console,
            get_time=clock,
            transient=True,
            # A file or pipe gets what is printed meanwhile.
            redirect_stdout=sys.stdout.isatty(),
            disable=not self.console.is_terminal,
        )
        self._has_lines = has_lines and not self.console.is_terminal
        # The step that went on last; None before the first and when it has ended.
        self._latest: TaskID | None = None
        self._line_at = clock() + FIRST  # the time of the next line
        # A thread says the lines, as the work may be in the middle of something long.
        self._over = threading.Event()
        self._speaker: threading.Thread | None = None

    def __enter__(self) -> Self:
        self._bars.start()
        if self._has_lines and os.environ.get("ARENA_PROGRESS") != "0":
            self._speaker = threading.Thread(target=self._speak, name="progress", daemon=True)
            self._speaker.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._over.set()
        if self._speaker is not None:
            self._speaker.join()
        self._bars.stop()

    def begin(self, what: str, total: int | None = None, unit: str = "", done: int = 0) -> Step:
        """Begin a step.

        Args:
            what: What is done.
            total: The number of units that it takes; None if it is not known.
            unit: The name of the units, in the plural.
            done: The units that an earlier run has done, which say nothing of the speed.
        """
        task = self._bars.add_task(what, total=total, completed=done, unit=unit, before=done)
        self._latest = task
        return Step(self, task)

    def count(self, items: Iterable[_T], what: str, total: int | None, unit: str) -> Iterator[_T]:
        """Yield items as a step, which has an item done when the next one is asked for."""
        step = self.begin(what, total, unit)
        for item in items:
            yield item
            step.advance()
        step.end()

    def say_if_due(self) -> None:
        """Print a line about the latest step, if it is time for one."""
        now = self._clock()
        latest = next((task for task in self._bars.tasks if task.id == self._latest), None)
        if not self._has_lines or now < self._line_at or latest is None:
            return
        self._line_at = now + EVERY
        facts = ", ".join(filter(None, (_amount(latest), _left(latest))))
        line = ": ".join(filter(None, ("arena", latest.description, facts)))
        # Not by `print` of the console, which silences standard output too when nobody reads this.
        with suppress(OSError):
            self.console.file.write(f"{Text(line).plain}\n")
            self.console.file.flush()

    def _speak(self) -> None:
        while not self._over.wait(_BEAT):
            self.say_if_due()

    def _update(self, task: TaskID, *, is_over: bool = False, **facts: object) -> None:
        if is_over:
            self._bars.remove_task(task)
            if self._latest == task:
                self._latest = None
        else:
            self._bars.update(task, **facts)  # type: ignore[arg-type]
            self._latest = task


class Step:
    """A step of long work."""

    def __init__(self, work: LongWork, task: TaskID) -> None:
        self._work = work
        self._task = task

    def advance(self, units: int = 1) -> None:
        """Count units as done."""
        self._work._update(self._task, advance=units)

    def show(self, done: int, what: str) -> None:
        """Set the number of units that are done, and say anew what is done."""
        self._work._update(self._task, completed=done, description=what)

    def resize(self, total: int) -> None:
        """Set the number of units that the step takes."""
        self._work._update(self._task, total=total)

    def say(self, what: str) -> None:
        """Say anew what is done."""
        self._work._update(self._task, description=what)

    def end(self) -> None:
        """Show the step no more."""
        self._work._update(self._task, is_over=True)


class _Column(ProgressColumn):
    """A column of a bar with a text of its task."""

    def __init__(self, text_of: Callable[[Task], str]) -> None:
        super().__init__()
        self._text_of = text_of

    def render(self, task: Task) -> Text:
        return Text(self._text_of(task))


def _amount(task: Task) -> str:
    """Return how much is done: `37 of 240 boards`."""
    done, unit = f"{task.completed:,.0f}", task.fields["unit"]
    if task.total is None:
        return f"{done} {unit}".rstrip() if task.completed else ""
    return f"{done} of {task.total:,.0f} {unit}".rstrip()


def _left(task: Task) -> str:
    """Return how long a step still takes, by its mean speed so far; nothing if it is not known."""
    if not (task.total and task.elapsed) or task.finished:
        return ""
    done = task.completed - task.fields["before"]
    return time_left(task.elapsed, done, task.total - task.completed)
