"""A warm process: it has imported what programs of one kind need, and each is forked from it.

Importing takes most of the time of starting a small program. Whoever starts many of one kind has a
`WarmProcess`, whose process calls `forked`. That call returns in each process that is forked, which
then is the program: it has its words, environment, folder, output and session of its own.

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
from contextlib import ExitStack
from errno import ECANCELED, ECONNRESET
from fcntl import F_GETFL, F_SETFL, F_SETOWN, fcntl
from importlib import import_module
from pathlib import Path

_LONGEST_NAME = 500
"""The most bytes of a module's name."""

_NUMBER = 4
"""The bytes of a process's number, and of its exit status."""


_F_SETSIG = 10
"""What Linux calls F_SETSIG, which Python's `fcntl` lacks: which signal a descriptor sends."""


class WarmProcess:
    """The process that programs are forked from, as its owner has it.

    Nothing is started before the first program is. If the process ends, the next program starts
    another, and programs of the first go on. When the owner ends, they end. Its methods may be
    called in any thread.

    It needs Linux.

    Args:
        command: The command that starts it, which calls `forked`; the number of a descriptor is
            added.
        environment: The variables of the process itself.
    """

    def __init__(self, command: Sequence[str], environment: Mapping[str, str]) -> None:
        self._command = command
        self._environment = environment
        # Held while a program is forked: a stream may join what is sent at once.
        self._forking = threading.Lock()
        # Held while the process is started or ended.
        self._changing = threading.Lock()
        # The process and the socket to it; None before the first program, and after its end.
        self._running: tuple[subprocess.Popen[bytes], socket.socket] | None = None
        self._is_closed = False

    def fork(
        self,
        words: Sequence[str],
        environment: Mapping[str, str],
        output: int,
        module: str,
        folder: Path | None = None,
    ) -> tuple[int, int]:
        """Fork a program, and wait until it runs; raise OSError if it cannot be started.

        Args:
            words: Its arguments.
            environment: All its variables.
            output: The descriptor of its standard output and error.
            module: The module to import before. If that fails, the program will tell why.
            folder: The folder in which it runs; None for that of the process it is forked from.

        Returns:
            Its process number, and the descriptor of a pipe, which the caller closes: a program
            that still runs is killed then. Its exit status comes through it when it ends, for
            `exit_status`. It comes to its end without one if the warm process ended before.
        """
        with self._forking:
            before = self._running
            try:
                return self._fork(words, environment, output, module, folder)
            except OSError as error:
                is_lost = isinstance(error, ConnectionError) and before and _has_ended(before[1])
                if not (is_lost or self._is_closed):
                    raise
            # It was lost since the last program, or closed, which this time is told.
            self._end()
            return self._fork(words, environment, output, module, folder)

    def _fork(
        self,
        words: Sequence[str],
        environment: Mapping[str, str],
        output: int,
        module: str,
        folder: Path | None,
    ) -> tuple[int, int]:
        channel = self._channel()
        with ExitStack() as ours:
            with ExitStack() as theirs:
                request, requests = _pipe(theirs, ours)
                number, number_writer = _pipe(ours, theirs)
                status, status_writer = _pipe(ours, theirs)
                descriptors = [request, output, number_writer, status_writer]
                socket.send_fds(channel, [module.encode()], descriptors)
            pid = int.from_bytes(os.read(number, _NUMBER), "big", signed=True)
            if pid == 0:
                raise ConnectionResetError(ECONNRESET, "it ended before it ran")
            if pid < 0:
                raise OSError(-pid, os.strerror(-pid))
            program = {"words": words, "environment": dict(environment), "folder": folder}
            data = json.dumps(program, default=str).encode()
            # A program that has ended already tells it by its status.
            with (
                contextlib.suppress(BrokenPipeError),
                os.fdopen(os.dup(requests), "wb") as pipe,
            ):
                pipe.write(data)
            return pid, os.dup(status)

    def _channel(self) -> socket.socket:
        """Return the socket to the process, which is started if there is none."""
        with self._changing:
            if self._is_closed:
                raise OSError(ECANCELED, "no more programs are started")
            if self._running is not None:
                return self._running[1]
            ours, theirs = socket.socketpair()
            with theirs, ExitStack() as failing:
                failing.enter_context(ours)
                process = subprocess.Popen(
                    [*self._command, str(theirs.fileno())],
                    env=self._environment,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    pass_fds=[theirs.fileno()],
                    start_new_session=True,  # Ctrl-C in the terminal reaches only the owner
                )
                failing.pop_all()
            self._running = process, ours
            return ours

    def close(self) -> None:
        """End the process for good. A program that is being forked fails, and others go on."""
        self._is_closed = True
        self._end()

    def _end(self) -> None:
        with self._changing:
            if self._running is not None:
                process, channel = self._running
                process.kill()  # it has nothing to finish
                process.wait()
                channel.close()
                self._running = None


def _has_ended(channel: socket.socket) -> bool:
    """Return whether the process at the other end, which says nothing, has ended."""
    try:
        return not channel.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT)
    except BlockingIOError:
        return False
    except OSError:
        return True


def _pipe(reader: ExitStack, writer: ExitStack) -> tuple[int, int]:
    """Return a pipe, whose ends are closed with two contexts."""
    reading, writing = os.pipe()
    reader.callback(os.close, reading)
    writer.callback(os.close, writing)
    return reading, writing


def exit_status(data: bytes) -> int | None:
    """Return the exit status, negative for a signal, that came through a program's pipe.

    None: nobody knows it, as the warm process ended before the program.
    """
    return int.from_bytes(data, "big", signed=True) if data else None


def forked() -> list[str] | None:
    """Fork programs as the owner asks for them, and return the words of the program in each.

    The last argument of this process is the number of its end of the socket. In this process the
    result is None, once the owner has gone without a word. The kernel ends its programs then, also
    those that this process does not outlive.
    """
    channel = socket.socket(fileno=int(sys.argv.pop()))
    # The pipe for the exit status of each program, by its number.
    pipes: dict[int, int] = {}

    def reap(*_: object) -> None:
        with contextlib.suppress(ChildProcessError):
            while (ended := os.waitpid(-1, os.WNOHANG))[0]:
                _tell(pipes.pop(ended[0]), os.waitstatus_to_exitcode(ended[1]))

    signal.signal(signal.SIGCHLD, reap)
    while True:
        name, descriptors, _, _ = socket.recv_fds(channel, _LONGEST_NAME, 4)
        if not name:
            return None
        with contextlib.suppress(Exception):
            import_module(name.decode())
        gc.freeze()  # what is shared stays shared
        request, output, number, status = descriptors
        # A program that ends at once is reaped only when its pipe is known.
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})
        try:
            pid = os.fork()
        except OSError as error:
            _tell(number, -(error.errno or 0))
            pid = -1
        if pid == 0:
            for foreign in (channel.detach(), *pipes.values()):
                os.close(foreign)
            return _become(request, output, number, status)
        os.close(request)
        os.close(output)
        if pid > 0:
            os.close(number)
            pipes[pid] = status
        else:
            os.close(status)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})


def _become(request: int, output: int, number: int, status: int) -> list[str]:
    """Make this process a program of its own, and return its words."""
    os.setsid()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})
    for standard in (1, 2):
        os.dup2(output, standard)
    os.close(output)
    # It is held open to the end, so that the owner sees the end even without the warm process.
    os.set_inheritable(status, False)  # noqa: FBT003 (its parameters have no names)
    _end_without_reader(status)
    # Only now, as whoever reads it may signal the whole session.
    _tell(number, os.getpid())
    with os.fdopen(request) as pipe:
        program = json.load(pipe)
    os.environ.clear()
    os.environ.update(program["environment"])
    if program["folder"] is not None:
        os.chdir(program["folder"])
    words: list[str] = program["words"]
    return words


def _end_without_reader(pipe: int) -> None:
    """Have the kernel kill all processes of this session's group once nobody can read a pipe."""
    fcntl(pipe, F_SETOWN, -os.getpid())
    fcntl(pipe, _F_SETSIG, signal.SIGKILL)
    fcntl(pipe, F_SETFL, fcntl(pipe, F_GETFL) | os.O_ASYNC)


def _tell(pipe: int, number: int) -> None:
    """Write a number to a pipe, and close it."""
    with contextlib.suppress(BrokenPipeError):
        os.write(pipe, number.to_bytes(_NUMBER, "big", signed=True))
    os.close(pipe)
