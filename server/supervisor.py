"""The supervisor, which starts bots as processes, keeps the end of their output, and stops them."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections.abc import Collection, Coroutine, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from bridge_arena.base.masking import UNMASKED, Masking
from bridge_arena.base.warm_process import WarmProcess, exit_status
from bridge_arena.server.sandbox.sandbox import HERE, Cell, Sandbox, Workplace

TAIL_BYTES = 4096
"""The number of bytes that are kept from the end of a bot's output, for the log."""

LAST_LINE = 300
"""The number of characters of a bot's last line of output that are reported with its end."""

STOP_SECONDS = 3.0
"""Seconds that bots may take to end after they are asked to, before they are killed."""

LAST_WORDS_SECONDS = 0.2
"""Seconds to wait for the end of the output of a process that has ended. If a process that it
started lives on and keeps the output open, that end never comes."""


class StartError(OSError):
    """A bot's program could not be started."""

    player = ""  # the name of the bot; "" if it is not known


class _Output(asyncio.Protocol):
    """The end of the data that comes through a pipe, with secrets masked."""

    def __init__(self, masking: Masking) -> None:
        self._masking = masking
        self.tail = b""
        # Done when the pipe is closed at the other end.
        self.ended = asyncio.get_running_loop().create_future()

    def data_received(self, data: bytes) -> None:
        """Keep the end of the data, masked while a secret in it is still whole."""
        self.tail = self._masking.data(self.tail + data)[-TAIL_BYTES:]

    def connection_lost(self, exc: Exception | None) -> None:
        del exc
        self.ended.set_result(None)


class _Forked(asyncio.Protocol):
    """A process that was forked from the warm one, which tells its exit status through a pipe."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        # Negative for a signal; None while it runs, and if nobody knows it.
        self.returncode: int | None = None
        self._ended = asyncio.Event()

    def data_received(self, data: bytes) -> None:
        """Take in its exit status, which comes in one piece."""
        self.returncode = exit_status(data)
        self._ended.set()

    def connection_lost(self, exc: Exception | None) -> None:
        del exc
        self._ended.set()

    async def wait(self) -> int | None:
        await self._ended.wait()
        return self.returncode


_Process: TypeAlias = asyncio.subprocess.Process | _Forked


class BotProcess:
    """A bot's process, with all processes that it starts itself."""

    def __init__(
        self,
        name: str,
        process: _Process,
        output: _Output,
        pipe: asyncio.BaseTransport,
        cell: Cell | None = None,
    ) -> None:
        self.name = name
        self._process = process
        self._output = output
        self._pipe = pipe
        # The sandbox that it runs in, which ends with it; None if it is trusted.
        self._cell = cell
        self._ended = asyncio.create_task(self._watch())

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def output_tail(self) -> str:
        """The end of its standard output and error."""
        return self._output.tail.decode(errors="replace").strip()

    @property
    def was_terminated(self) -> bool:
        """Whether SIGTERM has ended it."""
        return self._process.returncode == -signal.SIGTERM

    async def ended(self) -> str:
        """Wait until the process has ended, and return how it ended, in words."""
        await asyncio.shield(self._ended)
        status = self._process.returncode
        if status is None:
            how = "exit status unknown"
        elif status < 0:
            how = f"killed by {signal.Signals(-status).name}"
        else:
            how = f"exit status {status}"
        lines = self.output_tail.splitlines()
        return f"{how}: {lines[-1].strip()[:LAST_LINE]}" if lines else how

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to the process and all that it started."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, number)

    async def _watch(self) -> None:
        await self._process.wait()
        await asyncio.wait([self._output.ended], timeout=LAST_WORDS_SECONDS)
        self._pipe.close()
        if self._cell is not None:
            await self._cell.end()


class Supervisor:
    """The processes of bots; leaving its context stops all of them, even if it is cancelled.

    Args:
        warm: The process that programs are forked from where `start` says so; None: none are.
        masking: Masks secrets in the output of the programs.
        is_lent: Whether the warm process is another's, who closes it.
    """

    def __init__(
        self,
        warm: WarmProcess | None = None,
        masking: Masking = UNMASKED,
        *,
        is_lent: bool = False,
    ) -> None:
        self._warm = warm
        self._is_lent = is_lent
        self._masking = masking
        self._bots: list[BotProcess] = []
        # The tasks that start processes, even if nobody waits for them any more.
        self._starting: set[asyncio.Task[BotProcess]] = set()

    async def start(
        self,
        name: str,
        command: Sequence[str],
        environment: Mapping[str, str],
        sandbox: Sandbox | None = None,
        withheld: Collection[str] = (),
        fork: str | None = None,
        workplace: Workplace = HERE,
    ) -> BotProcess:
        """Start a bot's program.

        Args:
            environment: Variables that are added to this process's own; in a sandbox, to a minimal
                environment.
            withheld: Variables of this process that the bot is not given.
            fork: The module that the warm process imports before it forks the program, which is
                given the last word of the command; None to start the command itself.
            workplace: The folder and the variables that are the program's own.

        Raises:
            StartError: The program cannot be started, for instance as it does not exist.
        """
        # Shielded from cancellation: a process that nobody knows of would be left running.
        starting = asyncio.create_task(
            self._start(name, command, environment, sandbox, withheld, fork, workplace)
        )
        self._starting.add(starting)
        starting.add_done_callback(self._started)
        try:
            return await asyncio.shield(starting)
        except OSError as error:
            why = error.strerror or error
            raise StartError(f"{name}: cannot start {command[0]!r}: {why}") from None

    def _started(self, starting: asyncio.Task[BotProcess]) -> None:
        self._starting.discard(starting)
        if not starting.cancelled():
            starting.exception()  # nobody may have waited for it

    async def _start(
        self,
        name: str,
        command: Sequence[str],
        environment: Mapping[str, str],
        sandbox: Sandbox | None,
        withheld: Collection[str],
        fork: str | None,
        workplace: Workplace,
    ) -> BotProcess:
        # A pipe of our own: with asyncio's, a process counts as ended only once its output has.
        reading, writing = os.pipe()
        output = _Output(self._masking.adding(environment.get("ARENA_TOKEN", "")))
        pipe, _ = await asyncio.get_running_loop().connect_read_pipe(
            lambda: output, os.fdopen(reading, "rb", buffering=0)
        )
        words, cell = command, None
        try:
            if sandbox is None:
                own = {name: os.environ[name] for name in os.environ if name not in withheld}
                environment = {**own, **workplace.variables, **environment}
            else:
                cell = await sandbox.cell(command, environment, workplace)
                words, environment = cell.command, cell.environment
            process: _Process
            if self._warm is not None and sandbox is None and fork is not None:
                process = await _forked(
                    self._warm, command[-1:], environment, writing, fork, workplace.folder
                )
            else:
                process = await asyncio.create_subprocess_exec(
                    *words,
                    env=environment,
                    cwd=None if cell is not None else workplace.folder,
                    stdin=asyncio.subprocess.DEVNULL,
                    stdout=writing,
                    stderr=asyncio.subprocess.STDOUT,
                    # A group of its own, so that Ctrl-C in the terminal reaches only the arena,
                    # and processes that the bot starts can be stopped with it.
                    start_new_session=True,
                )
        except OSError:
            pipe.close()
            if cell is not None:
                await cell.end()
            raise
        finally:
            os.close(writing)
        bot = BotProcess(name, process, output, pipe, cell)
        self._bots.append(bot)
        return bot

    async def stop(self, bot: BotProcess) -> None:
        """Stop one bot for good, and all that it started."""
        bot.signal(signal.SIGKILL)
        await bot.ended()
        self._bots.remove(bot)

    async def let_end(self) -> None:
        """Give the bots STOP_SECONDS to end by themselves, once all is over."""
        if self._bots:
            await self._wait()

    async def __aenter__(self) -> Supervisor:
        return self

    async def __aexit__(self, *_: object) -> None:
        await _to_its_end(self._close())

    async def _close(self) -> None:
        if self._warm is not None and not self._is_lent:
            # First, so that nothing waits for a program that is being forked.
            await asyncio.to_thread(self._warm.close)
        await self._stop()

    async def _stop(self) -> None:
        await asyncio.gather(*self._starting, return_exceptions=True)
        if not self._bots:
            return
        for bot in self._bots:
            bot.signal(signal.SIGTERM)
        try:
            await self._wait()
        finally:
            # Kill the rest, even after an exception.
            for bot in self._bots:
                bot.signal(signal.SIGKILL)
        await asyncio.gather(*(bot.ended() for bot in self._bots))

    async def _wait(self) -> None:
        """Wait until all have ended, but STOP_SECONDS at most."""
        endings = [asyncio.create_task(bot.ended()) for bot in self._bots]
        await asyncio.wait(endings, timeout=STOP_SECONDS)
        for ending in endings:
            ending.cancel()


async def _forked(
    warm: WarmProcess,
    words: Sequence[str],
    environment: Mapping[str, str],
    output: int,
    module: str,
    folder: Path | None,
) -> _Forked:
    """Fork a program. Raises OSError."""
    pid, status = await asyncio.to_thread(warm.fork, words, environment, output, module, folder)
    process = _Forked(pid)
    await asyncio.get_running_loop().connect_read_pipe(
        lambda: process, os.fdopen(status, "rb", buffering=0)
    )
    return process


async def _to_its_end(work: Coroutine[Any, Any, None]) -> None:
    """Do work that goes on though this task is cancelled meanwhile; that takes effect after it."""
    task = asyncio.create_task(work)
    cancelled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.wait([task])
        except asyncio.CancelledError as error:
            cancelled = error
    task.result()
    if cancelled is not None:
        raise cancelled
