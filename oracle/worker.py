"""A worker process of `oracle.pool`: reads tasks, answers them one at a time.

Started as `python -m bridge_arena.oracle.worker FD [background]`, where FD is its end of a socket
pair; in the background it gives way to other processes.
First it sends None, meaning ready; then, for each pickled (function, args, kwargs),
a pair (worked, result or exception).
"""

from __future__ import annotations

import os
import pickle
import queue
import signal
import sys
import threading
from multiprocessing.connection import Connection

from bridge_arena.oracle import solver
from bridge_arena.oracle.errors import OracleError, SolverError


def main() -> None:
    # Ctrl-C in the terminal is the parent's to act on: it closes its pool.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if "background" in sys.argv[2:]:
        os.nice(19)
    connection = Connection(int(sys.argv[1]))
    solver.limit_threads(1)
    requests: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_read, args=(connection, requests), daemon=True).start()
    try:
        connection.send(None)
        while True:
            connection.send_bytes(_answer(requests.get()))
    except OSError:
        os._exit(0)  # the parent is gone: nobody waits for the answer


def _read(connection: Connection, requests: queue.SimpleQueue[bytes]) -> None:
    """Pass requests on. It has a thread to see the parent go even in mid-task: then
    the process ends at once, for the solver cannot be interrupted."""
    while True:
        try:
            requests.put(connection.recv_bytes())
        except (EOFError, OSError):
            os._exit(0)


def _answer(request: bytes) -> bytes:
    try:
        # It comes from this project's own process, over a pipe that nobody else has.
        function, args, kwargs = pickle.loads(request)
        return pickle.dumps((True, function(*args, **kwargs)))
    except OracleError as error:
        return pickle.dumps((False, error))
    except Exception as error:
        # Its class may be one that the parent cannot load.
        return pickle.dumps((False, SolverError(f"{type(error).__name__} in a worker: {error}")))


if __name__ == "__main__":
    main()
