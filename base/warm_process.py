"""A warm process: it has imported what programs of one kind need, and each is forked from it.

Importing takes most of the time of starting a small program. Whoever starts many of one kind has a
`WarmProcess`, whose process calls `forked`. That call returns in each process that is forked, which
then is the program: it has its words, environment, output and session of its own.

The warm process is started afresh, not forked from its owner, so that its memory has nothing of the
owner's. It is only told which module to import first. All else, secrets among it, each program
reads itself from a pipe of its own, and it closes what the warm process holds for the others.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from errno import ECONNRESET
from importlib import import_module

_LONGEST_NAME = 500
"""The most bytes of a module's name."""

_NUMBER = 4
"""The bytes of a process's number, and of its exit status."""


class WarmProcess:
    """The process that programs are forked from, as its owner has it.

    Nothing is started before the first program is. If the process ends, the next program starts
    another. Its methods wait, and may be called in any thread.

    Args:
        command: The command that starts it, which calls `forked`; the number of a descriptor is
            added.
        environment: The variables of the process itself.
    """

    def __init__(self, command: Sequence[str], environment: Mapping[str, str]) -> None:
        self._command = command
        self._environment = environment
        self._lock = threading.Lock()
        # The process and the socket to it; None before the first program.
        self._running: tuple[subprocess.Popen[bytes], socket.socket] | None = None

    def fork(
        self, words: Sequence[str], environment: Mapping[str, str], output: int, module: str = ""
    ) -> tuple[int, int]:
        """Fork a program.

        Args:
            words: Its arguments.
            environment: All its variables.
            output: The descriptor of its standard output and error.
            module: A module to import before; empty for none. One that cannot be imported is left
                to the program.

        Returns:
            Its process number, and the descriptor of a pipe for `exit_status`, which the caller
            closes.

        Raises:
            OSError: It cannot be started.
        """
        with self._lock:  # one after the other: a stream may join what is sent at once
            try:
                return self._fork(words, environment, output, module)
            except ConnectionError:  # the warm process has ended
                self.close()
                return self._fork(words, environment, output, module)

    def _fork(
        self, words: Sequence[str], environment: Mapping[str, str], output: int, module: str
    ) -> tuple[int, int]:
        told_reading, told = os.pipe()
        status, status_writing = os.pipe()
        with os.fdopen(told, "w") as pipe, contextlib.ExitStack() as failing:
            failing.callback(os.close, status)
            try:
                descriptors = [told_reading, output, status_writing]
                socket.send_fds(self._channel(), [module.encode() or b" "], descriptors)
            finally:
                os.close(told_reading)
                os.close(status_writing)
            number = int.from_bytes(os.read(status, _NUMBER), "big", signed=True)
            if number == 0:
                raise ConnectionResetError(ECONNRESET, "the process to fork it from has ended")
            if number < 0:
                raise OSError(-number, os.strerror(-number))
            json.dump({"words": list(words), "environment": dict(environment)}, pipe)
            pipe.flush()
            failing.pop_all()
        return number, status

    def _channel(self) -> socket.socket:
        """Return the socket to the process, which is started if there is none."""
        if self._running is not None:
            return self._running[1]
        ours, theirs = socket.socketpair()
        with theirs:
            process = subprocess.Popen(
                [*self._command, str(theirs.fileno())],
                env=self._environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                start_new_session=True,  # Ctrl-C in the terminal reaches only the owner
            )
        self._running = process, ours
        return ours

    def close(self) -> None:
        """End the process. Programs that still run go on, and their exit status is lost."""
        if self._running is not None:
            process, channel = self._running
            channel.close()
            process.kill()  # it has nothing to finish
            process.wait()
            self._running = None


def exit_status(told: bytes) -> int:
    """Return the exit status of a program, negative for a signal.

    Args:
        told: What came through the pipe of its status until the end of it.

    Returns:
        The status; that of a killed program if the warm process ended before the program.
    """
    return int.from_bytes(told, "big", signed=True) if told else -signal.SIGKILL


def forked() -> list[str] | None:
    """Fork programs as the owner of this process asks for them.

    The last argument of this process is the number of its end of the socket.

    Returns:
        In each forked process, the words of its program. In this process None, once the owner has
        closed its end.
    """
    channel = socket.socket(fileno=int(sys.argv.pop()))
    # The pipe for the exit status of each program, by its number.
    pipes: dict[int, int] = {}

    def reap(*_: object) -> None:
        with contextlib.suppress(ChildProcessError):
            while (ended := os.waitpid(-1, os.WNOHANG))[0]:
                number, status = ended
                code = os.waitstatus_to_exitcode(status)
                _tell(pipes.pop(number), code)

    signal.signal(signal.SIGCHLD, reap)
    while True:
        name, descriptors, _, _ = socket.recv_fds(channel, _LONGEST_NAME, 3)
        if not name:
            return None
        with contextlib.suppress(Exception):
            import_module(name.decode().strip())
        gc.freeze()  # what is shared stays shared
        told, output, status = descriptors
        # A program that ends at once is reaped only when its pipe is known.
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})
        try:
            number = os.fork()
        except OSError as error:
            number = -(error.errno or 0)
            _tell(status, number)
        if number == 0:
            channel.close()
            for pipe in pipes.values():
                os.close(pipe)
            return _become(told, output, status)
        os.close(told)
        os.close(output)
        if number > 0:
            pipes[number] = status
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})


def _become(told: int, output: int, status: int) -> list[str]:
    """Make this process a program of its own, and return its words."""
    os.setsid()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})
    for number in (1, 2):
        os.dup2(output, number)
    os.close(output)
    # Only now, as whoever reads it may signal the whole session.
    _tell(status, os.getpid())
    with os.fdopen(told) as pipe:
        request = json.load(pipe)
    os.environ.clear()
    os.environ.update(request["environment"])
    words: list[str] = request["words"]
    return words


def _tell(pipe: int, number: int) -> None:
    """Write a number to a pipe, and close it."""
    with contextlib.suppress(BrokenPipeError):
        os.write(pipe, number.to_bytes(_NUMBER, "big", signed=True))
    os.close(pipe)
