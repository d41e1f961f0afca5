"""A worker process of `oracle.pool`, which reads tasks and answers them one at a time.

It is started as `python -m bridge_arena.oracle.worker FD DEADLINE [background]`, where FD is its
end of a socket pair, and DEADLINE the seconds of its processor time for each task, 0 for no limit;
in the background it gives way to other processes. It first sends None to report that it is ready,
or the error for which it cannot be, and ends; then, for each pickled (function, args, kwargs), a
pair (worked, result or exception). A task that exceeds the deadline ends the process by SIGPROF.
"""

from __future__ import annotations

import os
import pickle
import queue
import signal
import sys
import threading
import time
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path

from bridge_arena.oracle import solver
from bridge_arena.oracle.errors import OracleError, SolverError


def main() -> None:
    """Answer tasks until the parent process is gone."""
    # The parent acts on Ctrl-C in the terminal: it closes its pool.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    deadline = float(sys.argv[2])
    connection = Connection(int(sys.argv[1]))
    try:
        solver.limit_threads(1)
    except SolverError as error:
        connection.send(error)
        sys.exit(1)
    if "background" in sys.argv[3:]:
        _give_way()
    requests: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_read, args=(connection, requests), daemon=True).start()
    try:
        connection.send(None)
        while True:
            request = requests.get()
            # The system ends the process then, as nothing else can interrupt the solver.
            signal.setitimer(signal.ITIMER_PROF, deadline)
            answer = _answer(request)
            signal.setitimer(signal.ITIMER_PROF, 0)
            connection.send_bytes(answer)
    except OSError:
        os._exit(0)  # the parent is gone: nobody waits for the answer


def _give_way() -> None:
    """Leave the processors to all other processes, as far as the system has a way."""
    os.nice(19)
    with suppress(OSError, AttributeError):
        # Linux lets what wakes up run at once in place of a program of this policy.
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
        # It shares the processors among sessions, and then among the programs of each.
        while not _session_gives_way():
            time.sleep(0.1)


def _session_gives_way() -> bool:
    """Weigh this process's session least; False if the system wants to be asked again later."""
    try:
        Path("/proc/self/autogroup").write_text("19")
    except BlockingIOError:  # it weighs ten sessions a second
        return False
    return True


def _read(connection: Connection, requests: queue.SimpleQueue[bytes]) -> None:
    """Pass requests on, and end the process at once when the parent is gone.

    It has a thread of its own, because the solver cannot be interrupted in the middle of a task.
    """
    while True:
        try:
            requests.put(connection.recv_bytes())
        except (EOFError, OSError):
            os._exit(0)


def _answer(request: bytes) -> bytes:
    try:
        # The request comes from this project's own process, over a private pipe.
        function, args, kwargs = pickle.loads(request)
        return pickle.dumps((True, function(*args, **kwargs)))
    except OracleError as error:
        return pickle.dumps((False, error))
    except Exception as error:
        # The parent may be unable to load the class of the exception.
        return pickle.dumps((False, SolverError(f"{type(error).__name__} in a worker: {error}")))


if __name__ == "__main__":
    main()
