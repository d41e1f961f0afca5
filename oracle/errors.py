"""The errors of the oracle, as one family.

Exception
└── OracleError
    ├── ImpossibleError     input that no game of bridge gives (also a ValueError)
    ├── SolverError         the solver refused or broke on input that looked right
    └── PoolError
        ├── DeadlineError   a task took longer than the pool allows
        ├── WorkerError     the worker process died or would not start
        └── ClosedError     the pool was closed before the task was done
"""


class OracleError(Exception):
    """Base of all errors of `oracle`."""


class ImpossibleError(OracleError, ValueError):
    """A position, play, table or set of values that no game of bridge gives."""


class SolverError(OracleError):
    """The solver failed; the message names its error."""


class PoolError(OracleError):
    """A task of the pool received no answer."""


class DeadlineError(PoolError):
    """A task took more processor time than the pool's deadline; its worker has ended."""


class WorkerError(PoolError):
    """The worker process died during the task, or could not be started."""


class ClosedError(PoolError):
    """The pool was closed before the task was done."""
