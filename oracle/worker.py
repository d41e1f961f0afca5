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
from multiprocessing.connection import Connection

from bridge_arena.base.background import BACKGROUND
from bridge_arena.oracle import solver
from bridge_arena.oracle.errors import OracleError, SolverError


def main() -> None:
    """Answer tasks until the parent process is gone."""
    # The parent acts on Ctrl-C in the terminal: it closes its pool.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    deadline = float(sys.argv[2])
    if "background" in sys.argv[3:]:
        os.nice(BACKGROUND)
    connection = Connection(int(sys.argv[1]))
    try:
        solver.limit_threads(1)
    except SolverError as error:
        connection.send(error)
        sys.exit(1)
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
